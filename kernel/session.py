"""Runs in the guest: a session of scans during which access points come and go.

Writes session-NN.nl80211, one table per scan, and session.times: one line per
scan with the file, CLOCK_BOOTTIME in nanoseconds when the table was read, and
whether the scan before it was complete or aborted.

    before 1   the lab but for the 6 GHz access point; Wi-Fi 7 and multi-BSSID beacons
    after 3    "Lab Mortal" is killed: gone from the table 30 s later
    after 4    "Lab 6 GHz" starts
    5 to 9     everything of channel 36 fades, then falls silent
    scan 7     is aborted after 0.4 s
    after 9    "Lab Mortal" starts again
"""

import os
import subprocess
import time

import nl80211
from guest import HERE, inject, lab, unplug_access_point
from netlink import attribute

OUT = os.environ["OUT"]
SCANS = 14
PERIOD = 6.5
SIGNALS = "/run/lab/signals"

# how strong each radio is heard, and how much it sways from scan to scan
STRENGTHS = {
    "02:00:00:00:02": (-47, 2), "02:00:00:00:03": (-58, 3), "02:00:00:00:04": (-66, 2), "02:00:00:00:06": (-55, 4),
    "02:00:00:00:07": (-62, 2), "02:00:00:00:08": (-71, 3), "02:11:00:00:01": (-49, 2), "02:11:00:00:02": (-63, 3),
    "02:11:00:00:03": (-77, 2),
}
FADING = "02:00:00:00:05"
FADES = {5: -70, 6: -76, 7: -83, 8: -89}


def set_signals(number):
    lines = []
    for at, (address, (usual, sway)) in enumerate(STRENGTHS.items()):
        # a triangle of its own period for each radio: no chance, and never twice the same line in a row
        period = 5 + at % 4
        swing = abs((number * 2 + at) % (2 * period) - period) - period // 2
        lines.append(f"{address} {usual + swing * sway // 2}")
    lines.append(f"{FADING} {-64 if number < 5 else FADES.get(number, '-')}")
    with open(SIGNALS + ".new", "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    os.rename(SIGNALS + ".new", SIGNALS)


def main():
    lab("ht40", "legacy", "hostile", "vht80", "enterprise", "mortal")
    set_signals(1)
    medium = inject("modern", "--signals", SIGNALS)
    scanner = nl80211.Scanner()
    index = nl80211.index_of("wlan0")
    later = []
    with open(f"{OUT}/session.times", "w", encoding="ascii") as times:
        start = time.monotonic()
        for number in range(1, SCANS + 1):
            set_signals(number)
            time.sleep(max(0.2, start + (number - 1) * PERIOD - time.monotonic()))
            if number == 7:
                scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(index))
                time.sleep(0.4)
                scanner.requests.request(nl80211.ABORT_SCAN, attribute(nl80211.ATTR_IFINDEX, index))
                events = scanner.wait(index)
            else:
                events = scanner.scan("wlan0")
            how = "complete" if events[-1][16] == nl80211.NEW_SCAN_RESULTS else "aborted"
            now = time.clock_gettime_ns(time.CLOCK_BOOTTIME)
            table = scanner.results("wlan0")
            with open(f"{OUT}/session-{number:02}.nl80211", "wb") as file:
                file.write(b"".join(table))
            times.write(f"session-{number:02}.nl80211 {now} {how}\n")
            print(f"session-{number:02}: {len(table) - 1} access points, {how}", flush=True)
            if number == 3:
                unplug_access_point("mortal", "wlan8")
            if number == 4:
                later.append(subprocess.Popen(["sh", f"{HERE}/lab/up", "six"]))
            if number == 9:
                later.append(subprocess.Popen(["sh", f"{HERE}/lab/up", "mortal"]))
    for process in later:
        process.wait()
    medium.kill()


if __name__ == "__main__":
    main()
