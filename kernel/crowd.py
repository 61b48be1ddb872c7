"""A crowd on the air, and the processor time of listing it, for `make benchmark`.

    crowd.py COUNT ROUNDS COMMAND…

Puts COUNT access points on the air, whose elements are those that `fixtures/captures/lab.nl80211` was captured
with, lets wlan0 scan until all are listed, then runs each COMMAND (one argument, split at blanks) ROUNDS times in
turn. Prints a line for each: mean processor time, shortest and median wall time in ms, octets written, page faults,
access points listed, the command. All times are those of the guest's clock, which runs in real time.
"""

import os
import resource
import subprocess
import sys
import time

import beacons
import inject
from netlink import attributes

FREQUENCIES = (2412, 2437, 2462)


def captured():
    """The list of elements of every access point of the lab."""
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../fixtures/captures/lab.nl80211")
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "little")
        for number, value in attributes(data[at + 20 : at + length]):
            if number == 0x2F:
                yield dict(attributes(value))[6]
        at += length + 3 & ~3


def on_channel(elements, frequency):
    """The elements as they would be on another channel: DS Parameter Set and HT Operation name it."""
    channel = (frequency - 2407) // 5
    result = b""
    while elements:
        size = 2 + elements[1]
        element, elements = elements[:size], elements[size:]
        if element[0] in (3, 61):
            element = element[:2] + bytes([channel]) + element[3:]
        result += element
    return result


def crowd(count):
    lists = [elements for elements in captured() if elements[1] and any(elements[2 : 2 + elements[1]])]
    for index in range(count):
        frequency = FREQUENCIES[index % len(FREQUENCIES)]
        yield beacons.Beacon(
            "crowd", f"02:22:00:00:{index >> 8:02x}:{index & 255:02x}", frequency,
            on_channel(lists[index % len(lists)], frequency), signal=-40 - index % 50, responds=False,
        )


def listed():
    text = subprocess.run(["iw", "dev", "wlan0", "scan", "dump"], capture_output=True, check=True).stdout
    return sum(line.startswith(b"BSS 02:22:") for line in text.splitlines())


def times(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command.split(), capture_output=True)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"crowd.py: {command}: {done.stderr.decode()}")
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, wall, len(done.stdout), after.ru_minflt - before.ru_minflt


def main(arguments):
    count, rounds, commands = int(arguments[0]), int(arguments[1]), arguments[2:]
    subprocess.run(["ip", "link", "set", "wlan0", "up"], check=True)
    child = os.fork()
    if child == 0:
        # Beacons only answer probes: sending them all ten times a second would be all that this processor does.
        inject.INTERVAL = 3600
        medium = inject.Medium([])
        medium.beacons = list(crowd(count))
        medium.run()
    for _ in range(20):
        subprocess.run(["iw", "dev", "wlan0", "scan", "freq", *map(str, FREQUENCIES)], capture_output=True)
        if listed() >= count:
            break
    print(listed(), "listed", flush=True)
    results = {command: [] for command in commands}
    for _ in range(rounds):
        for command in commands:
            results[command].append(times(command))
    for command, values in results.items():
        cpu = sorted(value[0] for value in values)
        wall = sorted(value[1] for value in values)
        mean = sum(cpu) / len(cpu)
        print(f"{mean * 1e3:.2f}\t{wall[0] * 1e3:.2f}\t{wall[len(wall) // 2] * 1e3:.2f}\t{values[0][2]}\t{values[0][3]}\t{listed()}\t{command}", flush=True)
    os.kill(child, 9)


if __name__ == "__main__":
    main(sys.argv[1:])
