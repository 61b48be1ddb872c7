"""Runs every check on a command that does nothing and ends with 0: each has to fail, within LIMIT seconds (300).
ONLY="terminal page" tries some.

A check that passes there, or hangs, or says nothing, checks nothing. `manual` is given a page that mandoc warns of, too.
"""
import os
import shutil
import sys
import time

from check import CHECKS
from lib import checking
from lib.checking import BINARY, ROOT, check, fail, must, run, start, write

limit = int(os.environ.get("LIMIT") or 300)
scratch = checking.folder()
broken = write(scratch / "wifi-harness", "#!/bin/sh\nexit 0\n", 0o755)
for name in ("usr/bin", "DEBIAN"):
    (scratch / "package" / name).mkdir(parents=True)
write(scratch / "package/usr/bin/wifi-harness", "#!/bin/sh\nexit 0\n", 0o755)
write(scratch / "package/DEBIAN/control",
      "Package: wifi-harness\nVersion: 0\nArchitecture: all\nMaintainer: none <none@invalid>\nDescription: does nothing\n")
must("dpkg-deb", "--root-owner-group", "--build", scratch / "package", scratch / "broken.deb")
environment = {name: value for name, value in os.environ.items() if name != "ONLY"} | {
    "WIFI_HARNESS": broken, "WIFI_HARNESS_DEBUG": broken, "WIFI_HARNESS_PACKAGE": str(scratch / "broken.deb"),
    "LIMIT": str(limit)}

# Those that use the command, but for what is held to something else: the compiler, captures of others, daemons of this
# machine.
chosen = [one for one in CHECKS if one.build and one.fails_on_nothing and (not one.shell or "WIFI_HARNESS" in one.shell)]
if len(chosen) < 20:
    fail(f"there are only {len(chosen)} checks")
wanted = os.environ.get("ONLY", "").split()
# Side by side, as most of them wait.
began = time.monotonic()
running = [(one, start(sys.executable, ROOT / "scripts/check.py", one.name, env=environment | one.part,
                       stdout=open(scratch / f"{one.name}.log", "w"), stderr=-2))
           for one in chosen if not wanted or one.name in wanted]
for one, process in running:
    status = checking.finish(process, max(1, limit + 20 - (time.monotonic() - began)))[0]
    text = (scratch / f"{one.name}.log").read_text()
    # What a command of the shell prints is its own.
    has_failed = status == 1 and "no end within" not in text and ("FAIL " in text or one.shell)
    check(f"{one.name} fails on a command that does nothing", has_failed, (status, text))

# A manual page that mandoc warns of, as scripts/manual writes it.
if not wanted or "manual" in wanted:
    for name in ("scripts", "docs/man"):
        shutil.copytree(ROOT / name, scratch / "root" / name)
    manual = scratch / "root/scripts/manual"
    text = manual.read_text()
    write(manual, text.replace('".SH NAME"', '".SH NAME", ".XX nothing"'))
    done = run(sys.executable, scratch / "root/scripts/check-manual", BINARY, timeout=limit)
    check("manual fails on a page that mandoc warns of",
          done.returncode == 1 and "unknown macro: .XX" in done.stderr and manual.read_text() != text, done)
