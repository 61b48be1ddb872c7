"""Runs every check on a command that does nothing and ends with 0: each has to fail, within LIMIT seconds (300). ONLY="terminal page" tries some.

A check that passes there, or hangs, or says nothing, checks nothing.
"""
import os
import sys
import time

from check import CHECKS
from lib import checking
from lib.checking import ROOT, check, fail, must, start, write

limit = int(os.environ.get("LIMIT") or 300)
scratch = checking.folder()
broken = write(scratch / "wifi-harness", "#!/bin/sh\nexit 0\n", 0o755)
for name in ("usr/bin", "DEBIAN"):
    (scratch / "package" / name).mkdir(parents=True)
write(scratch / "package/usr/bin/wifi-harness", "#!/bin/sh\nexit 0\n", 0o755)
write(scratch / "package/DEBIAN/control",
      "Package: wifi-harness\nVersion: 0\nArchitecture: all\nMaintainer: none <none@invalid>\nDescription: does nothing\n")
must("dpkg-deb", "--root-owner-group", "--build", scratch / "package", scratch / "broken.deb")
environment = os.environ | {"WIFI_HARNESS": broken, "WIFI_HARNESS_DEBUG": broken, "WIFI_HARNESS_PACKAGE": str(scratch / "broken.deb"),
                            "LIMIT": str(limit)}

# Those that use the command, but for what is held to something else: the compiler, captures of others, daemons of this machine.
names = [one.name for one in CHECKS if one.build and one.sees_nothing and (not one.shell or "WIFI_HARNESS" in one.shell)]
names = os.environ.get("ONLY", "").split() or names
if len(names) < 20 and not os.environ.get("ONLY"):
    fail(f"there are only {len(names)} checks")
# Side by side, as most of them wait.
began = time.monotonic()
running = {name: start(sys.executable, ROOT / "scripts/check.py", name, env=environment, stdout=open(scratch / f"{name}.log", "w"), stderr=-2) for name in names}
for name, process in running.items():
    status = checking.finish(process, max(1, limit + 20 - (time.monotonic() - began)))[0]
    text = (scratch / f"{name}.log").read_text()
    check(f"{name} fails on a command that does nothing", status == 1 and "FAIL " in text and "no end within" not in text, (status, text))
