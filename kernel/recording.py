"""Runs in the guest: a recording by the released command while access points come and go.

    recording.py BINARY      writes lab.ndjson, and lab.txt with what the command printed

The timeline is that of session.py, without its aborted scan; one scan every six and a half seconds.
"""

import os
import subprocess
import sys
import time

import session
from guest import HERE, inject, lab, link, unplug_access_point

SCANS = 14


def scans(path):
    try:
        with open(path, "rb") as file:
            return max(file.read().count(b"\n") - 1, 0)
    except FileNotFoundError:
        return 0


def main(binary):
    out = os.environ["OUT"]
    lab("ht40", "legacy", "hostile", "vht80", "enterprise", "mortal")
    session.set_signals(1)
    inject("modern", "--signals", session.SIGNALS)
    with open(f"{out}/lab.txt", "wb") as text:
        recorder = subprocess.Popen(
            [binary, "record", "--interface", "wlan0", "--interval", "2", "--count", str(SCANS), "--output",
             f"{out}/lab.ndjson"],
            stdout=text)
        number = 1
        six = None
        while recorder.poll() is None:
            done = scans(f"{out}/lab.ndjson")
            if done >= number:
                number = done + 1
                session.set_signals(number)
                if done == 3:
                    unplug_access_point("mortal", "wlan8")
                if done == 4:
                    six = subprocess.Popen(["sh", f"{HERE}/lab/up", "six"])
                if done == 9:
                    link("wlan8", "up")
                    lab("mortal")
            time.sleep(0.2)
        if six:
            six.wait()
    return recorder.returncode


sys.exit(main(sys.argv[1]))
