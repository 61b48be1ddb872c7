"""Runs commands for the events of a watch, good ones and bad ones.

Whatever the command does, scans go on in time, nothing is left behind, and a sentence says what happened.
"""
import itertools
import json
import os
import re
import signal
import time

from lib import checking
from lib.checking import BINARY, RECORDING, check, finish, harness, start, until, write

# Of the watches, each of which has one of its own.
sessions = set()
folder = checking.folder()


def watch(*arguments, source=("--simulate", "home", "--seed", "7"), count=2, **options):
    count = ["--count", str(count)] if count else []
    # A recording has the times of its scans.
    interval = [] if "--replay" in source else ["--interval", "50ms"]
    process = start(BINARY, "watch", *source, *interval, "--format", "ndjson", *arguments, *count,
                    start_new_session=True, **options)
    sessions.add(str(process.pid))
    return process


def run(*arguments, **options):
    status, output, errors = finish(watch(*arguments, **options), 120)
    return status, [json.loads(line) for line in output.splitlines()], errors


def children(process):
    return checking.run("ps", "-o", "pid=,stat=,args=", "--ppid", str(process.pid)).stdout.strip().splitlines()


def running(mark):
    listed = checking.run("ps", "-eo", "pid=,args=").stdout
    return [line for line in listed.splitlines() if mark in line and "check.py" not in line
            and "wifi-harness" not in line]


def lines_of(*arguments):
    """The events that lines of text report, which are those that a command hears of."""
    return [line.split()[1] for line in harness(*arguments, timeout=300).stdout.splitlines()]


# What a command receives.
script = write(folder / "print me", """#!/usr/bin/env python3
import json, os, sys
event = json.loads(sys.stdin.read())
print("SENT", json.dumps([event, {k: v for k, v in os.environ.items() if k.startswith("WIFI_HARNESS_")}, sys.argv[1:]]))
""", 0o755)
status, lines, errors = run("--exec", f"'{script}' \"two words\" a\\ b", "--on", "found,lost,changed")
received = [json.loads(line[5:]) for line in errors.splitlines() if line.startswith("SENT ")]
expected = lines_of("watch", "--simulate", "home", "--seed", "7", "--interval", "50ms", "--count", "2")
check("the command receives each event, in order",
      status == 0 and [event["event"] for event, _, _ in received] == expected and len(received) >= 5, errors)
check("its arguments are words", all(arguments == ["two words", "a b"] for _, _, arguments in received), received[:1])
check("its input is the line of ndjson", all(event in lines for event, _, _ in received), received[:1])
check(
    "its environment agrees with it",
    all(
        variables["WIFI_HARNESS_EVENT"] == event["event"] and variables["WIFI_HARNESS_SSID"] == event["network"]["ssid"]
        and variables["WIFI_HARNESS_BSSID"] == event["network"]["bssids"][0]
        and variables["WIFI_HARNESS_TIME"] == event["time"]
        and variables["WIFI_HARNESS_BSSIDS"].split() == event["network"]["bssids"]
        and variables["WIFI_HARNESS_BANDS"].split() == event["network"]["bands"]
        and variables["WIFI_HARNESS_SECURITY"] == event["network"]["security"]["summary"]
        and float(variables["WIFI_HARNESS_SIGNAL_DBM"]) == event["network"]["signalDBm"]
        and variables["WIFI_HARNESS_CHANNEL"].isdecimal()
        for event, variables, _ in received
    ),
    received[:1],
)
counts = [line for line in lines if line["event"] == "scan"]
check("each scan has a line with its counts",
      [line["scan"] for line in counts] == [1, 2] and counts[0]["found"] == counts[0]["networks"], counts)

# Names that would be something to a shell or a terminal.
hostile = ["$(touch pwned)", "a'b\"c", "\x1b[31m\n;rm", "🏳️‍🌈", "\0\0x"]
elements = [{"id": 0, "length": len(name.encode()), "hex": name.encode().hex()} for name in hostile]
scan = {"schema": "wifi-harness/scan/1", "interface": "wlan0", "complete": True, "completion": "complete",
        "startBootTimeMs": 0, "endBootTimeMs": 1000}
scan["bss"] = [
    {"bssid": f"02:00:00:00:00:0{n}", "frequencyMHz": 2412, "capabilityBits": 1, "signalDBm": -50, "lastSeenMs": 0,
     "elements": [element]}
    for n, element in enumerate(elements)
]
capture = write(folder / "names.ndjson", json.dumps(scan))
status, lines, errors = run("--exec", f"'{script}'", source=("--replay", capture), count=None, cwd=folder)
received = [json.loads(line[5:]) for line in errors.splitlines() if line.startswith("SENT ")]
check("hostile names are passed", len(received) == len(hostile) and not (folder / "pwned").exists(), errors)
check(
    "as bytes in hexadecimal, and as text without a control character",
    sorted(variables["WIFI_HARNESS_SSID_HEX"] for _, variables,
           _ in received) == sorted(name.encode().hex() for name in hostile)
    and not any(ord(c) < 32 for _, variables, _ in received for value in variables.values() for c in value),
    received,
)

# Commands that go wrong.
for name, command, sentence in [
    ("cannot be started", "/nonexistent/program", "cannot be started: No such file"),
    ("is a folder", "/tmp", "cannot be started: Permission denied"),
    ("fails", "false", "ended with status 1"),
    ("dies", "sh -c 'kill -9 $$'", "was ended by signal 9"),
    ("prints 100 MB", "sh -c 'head -c 100000000 /dev/zero | tr \"\\\\0\" x'",
     "printed 100000000 bytes, of which 65536 are shown"),
    ("reads nothing and closes its input", "sh -c 'exec <&-; sleep 0.1; exit 3'", "ended with status 3"),
]:
    status, lines, errors = run("--exec", command, count=2)
    check(f"a command that {name} costs a sentence", status == 0 and sentence in errors and len(lines) > 5, errors)

# A command that hangs: scans go on, and it is ended.
mark = f"86399.{os.getpid()}"
process = watch("--exec", f"sh -c 'trap \"\" TERM; while :; do sleep {mark}; done'", "--exec-limit", "1s", "--on",
                "found", count=3)
times, ended, zombies = [], {}, []
for line in process.stdout:
    if json.loads(line)["event"] == "scan":
        times.append(time.monotonic())
    # One that has just ended is collected in a moment: only what stays for seconds is left behind.
    ended = {child: ended.get(child, time.monotonic()) for child in children(process) if " Z" in child}
    zombies += [child for child, first in ended.items() if time.monotonic() - first > 2]
errors = finish(process, 120)[2]
gaps = [after - before for before, after in zip(times, times[1:])]
# A scan of the simulated home takes 5 s.
check("a command that hangs delays no scan", len(times) == 3 and all(gap < 7 for gap in gaps), gaps)
check("it is ended after its limit", "took longer than 1s and was ended" in errors, errors)
check("nothing is left behind", not running(mark) and not zombies, (running(mark), zombies))

# More events than it can hear of.
# It plays at the speed it was recorded at: its first scans are enough.
with open(RECORDING) as whole:
    short = write(folder / "short.ndjson", "".join(itertools.islice(whole, 4)))
process = watch("--exec", "sh -c 'sleep 0.05; echo HEARD $WIFI_HARNESS_EVENT'", "--on", "found,changed",
                source=("--replay", short), count=None)
errors = finish(process, 120)[2]
wanted = [event for event in lines_of("replay", short) if event != "lost"]
check("a slow command hears of all events of a recording in the end",
      process.returncode == 0 and wanted and [line.split()[1] for line in errors.splitlines()
                                              if line.startswith("HEARD ")] == wanted, errors)

# The end.
# A recording is replayed as fast as the command hears of it, and nothing is dropped.
done = harness("replay", "--format", "ndjson", "--exec", "sh -c 'sleep 0.01; echo HEARD $WIFI_HARNESS_EVENT'", "--on",
               "found,changed,lost", RECORDING,
               timeout=300)
events = lines_of("replay", RECORDING)
heard = [line.split()[1] for line in done.stderr.splitlines() if line.startswith("HEARD ")]
check("replay --exec", done.returncode == 0 and heard and heard == events and "dropped" not in done.stderr, done.stderr)
# Variables that are no UTF-8 reach the command byte for byte.
strange = os.environb | {b"STRANGE": b"caf\xe9 \xff\xfe", b"STR\xc4NGE": b"1"}
done = harness("watch", "--simulate", "home", "--seed", "7", "--count", "1", "--exec",
               "sh -c 'od -An -tx1 -v /proc/$$/environ'", env=strange, text=False)
variables = bytes.fromhex(b"".join(done.stderr.split()).decode(errors="ignore")
                          if not re.search(rb"[^0-9a-f\s]", done.stderr) else "")
check("variables that are no UTF-8", b"\0STRANGE=caf\xe9 \xff\xfe\0" in variables and b"\0STR\xc4NGE=1\0" in variables,
      done.stderr[-600:])

process = watch("--exec", "sh -c 'sleep 1; echo the end'", count=None)
time.sleep(6.2 if "release" in BINARY else 8)
process.send_signal(signal.SIGINT)
errors = finish(process)[2]
check("the first interrupt waits for the command that runs, and for no other",
      process.returncode == -signal.SIGINT and errors.count("the end") <= 4, errors)
check("what waited is counted", "dropped, because the program is ending" in errors, errors)
process = watch("--exec", f"sleep {mark}", count=None)
time.sleep(6.2 if "release" in BINARY else 8)
process.send_signal(signal.SIGINT)
time.sleep(0.5)
check("it goes on while the command runs", process.poll() is None)
process.send_signal(signal.SIGINT)
finish(process, 10)
check("the second ends it", process.returncode == -signal.SIGINT and not running(mark),
      (process.returncode, running(mark)))
for number in (signal.SIGTERM, signal.SIGHUP):
    # One that ends on a signal, and one that ignores it.
    for what, command in (("a command", f"sleep {mark}"),
                          ("one that ignores it", f"sh -c 'trap \"\" TERM; while :; do sleep {mark}; done'")):
        process = watch("--exec", command, count=None)
        has_begun = until(lambda: running(mark), 60)
        began = time.monotonic()
        process.send_signal(number)
        errors = finish(process)[2]
        check(
            f"{number.name} ends the watch and {what}",
            has_begun and process.returncode == -number and time.monotonic() - began < 5 and not running(mark)
            and "because the program is ending" in errors,
            (process.returncode, time.monotonic() - began, running(mark), errors))

# What has ended and waits for the first process of the machine is no matter of the watch.
listed = checking.run("ps", "-eo", "sid=,stat=,pid=,args=").stdout.splitlines()
left = [line for line in listed if line.split()[0] in sessions and line.split()[1][0] != "Z"]
check("no process of a watch is left", not left, left)
