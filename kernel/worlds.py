"""Runs in the guest: a shipped scenario over one real daemon.

    worlds.py BINARY KIND DAEMONS SCENARIO

KIND is supplicant, networkmanager or iwd; DAEMONS is the folder of the unpacked daemons, empty where all are installed.
The scenario is checked with `wifi-harness check --interface wlan0 --daemon KIND`, which compares what counts of its
golden trace. worlds-event does to access points what it says.
"""

import os
import sys

import daemons
import overlay
from lib import checking
from lib.checking import check, must, run, start

HERE = os.path.dirname(os.path.abspath(__file__))
binary, kind, folder, name = sys.argv[1:]
overlay.put(folder)
must("sh", f"{HERE}/lab/up", "ht40", "vht80")
start(sys.executable, f"{HERE}/joining/dhcp.py", "wlan3", "wlan5", stdout=-3, stderr=-3)
daemons.KINDS[kind](known=())
done = run(binary, "check", "--interface", "wlan0", "--daemon", kind, "--world-command", f"{HERE}/worlds-event",
           f"{HERE}/../fixtures/scenarios/daemon-{name}.yaml", timeout=3600)
check(f"{kind}: {name}", done.returncode == 0 and "1 passed" in done.stdout, done.stdout + done.stderr)
sys.exit(checking.end())
