"""Installs the Debian package in the kernel of the lane, over a root that stays as it is, and scans as an ordinary user
of its group.
"""
import os

from lib.checking import BINARY, ROOT, must
from lib.kernel import guest

guest("package.py", os.environ.get("WIFI_HARNESS_PACKAGE") or os.path.abspath(must(ROOT / "scripts/deb", BINARY,
    timeout=600).strip()), limit=180, radios=10)
