"""What is asked of a kernel, and what it answered: the client of `make check NAME=kernel-compare`, the same for both
kernels.

    client.py plan CASE LOG             on the simulated kernel: does what the case says and writes what came of it
    client.py repeat LOG FRAMES RESULT  in the guest: does the same on the real kernel, and puts the frames on its air

A log has one JSON object a line for each step: what was done, when by CLOCK_BOOTTIME in ns, and the netlink messages
that came, in hex. Requests are kept as they were sent but for the number of the interface, so that either kernel is
asked the same bytes.
"""

import json
import os
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
sys.dont_write_bytecode = True

import nl80211
from netlink import NLM_F_ACK, NLM_F_DUMP, Refused, Socket, attribute, attributes

INTERFACE = "wlan0"
# Stands for the number of the interface in a request that is kept.
NUMBER = 0x7FFFFFF1


def boot():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


class Session:
    """Does steps on the kernel that this process talks to.

    `air` has `begin(step)`, `tick()` and `end(step)` where frames have to be put on the air meanwhile; the simulated
    kernel hears its own.
    """

    def __init__(self, log, air=None):
        self.log = log
        self.air = air
        self.number = 0
        self.index = nl80211.index_of(INTERFACE)
        self.scanner = nl80211.Scanner("scan")

    def do(self, step):
        """Does one step and writes what came of it; returns it."""
        self.number += 1
        entry = {"number": self.number, "step": step, "from": boot()}
        if self.air:
            self.air.begin(self.number)
        getattr(self, step["do"])(step, entry)
        entry["to"] = boot()
        if self.air:
            entry["left"] = self.air.end()
        if self.number == 1:
            entry["utc"] = time.clock_gettime_ns(time.CLOCK_REALTIME) - boot()
        print(json.dumps(entry), file=self.log, flush=True)
        return entry

    # --- Steps -------------------------------------------------------------------------------------------------

    def sleep(self, step, entry):
        time.sleep(step["seconds"])

    def link(self, step, entry):
        subprocess.run(["ip", "link", "set", INTERFACE, step["state"]], check=True)

    def dump(self, step, entry):
        """The table of BSSs: all messages of the list, its end too."""
        entry["messages"] = self.answers(nl80211.GET_SCAN, attribute(nl80211.ATTR_IFINDEX, self.index), NLM_F_DUMP)

    def request(self, step, entry):
        """One request with any attributes, most of them wrong; the answer is an acknowledgement or an error."""
        entry["messages"] = self.answers(step["command"], self.payload(step["payload"]), step["flags"])

    def scan(self, step, entry):
        """A scan to its end: the acknowledgement, and the events until there are results.

        `again` is a request that is made while it runs, which is refused; `abort` ends it after so many seconds.
        """
        entry["messages"] = self.answers(nl80211.TRIGGER_SCAN, self.payload(step["payload"]), NLM_F_ACK)
        if "again" in step:
            entry["again"] = self.answers(nl80211.TRIGGER_SCAN, self.payload(step["again"]), NLM_F_ACK)
        if "abort" in step:
            self.events(entry, boot() + int(step["abort"] * 1e9))
            entry["aborted"] = self.answers(nl80211.ABORT_SCAN, attribute(nl80211.ATTR_IFINDEX, self.index), NLM_F_ACK)
        self.events(entry, boot() + 60_000_000_000)

    def iw(self, step, entry):
        """A program of others: what it prints and ends with."""
        process = subprocess.Popen(["iw", *step["arguments"]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if self.air:
            os.set_blocking(process.stdout.fileno(), False)
            output = b""
            while True:
                piece = process.stdout.read()
                output += piece or b""
                if piece == b"":
                    break
                self.air.tick()
                if self.scanner.events.receive(0.005):
                    entry["ended"] = boot()
        else:
            output = process.stdout.read()
        entry["status"] = process.wait()
        entry["output"] = output.decode("utf-8", "backslashreplace")
        # The events of its scan are not needed here.
        while self.scanner.events.receive(0):
            pass

    # --- Parts -------------------------------------------------------------------------------------------------

    def payload(self, text):
        return bytes.fromhex(text).replace(struct.pack("=I", NUMBER), struct.pack("=I", self.index))

    def answers(self, command, payload, flags):
        """All messages that answer a request, as they came; an error is one of them."""
        socket = Socket("nl80211")
        try:
            messages = socket.request(command, payload, flags, everything=True)
        except Refused as error:
            messages = [error.message]
        finally:
            socket.socket.close()
        return [message.hex() for message in messages]

    def events(self, entry, deadline):
        """Collects events until the scan ends or it is time."""
        events = entry.setdefault("events", [])
        while (left := deadline - boot()) > 0:
            if self.air:
                self.air.tick()
                left = min(left, 5_000_000)
            for message in self.scanner.events.receive(left / 1e9):
                events.append(message.hex())
                if message[16] in (nl80211.NEW_SCAN_RESULTS, nl80211.SCAN_ABORTED):
                    entry["ended"] = boot()
                    return


# --- What is planned ---------------------------------------------------------------------------------------------


def trigger(ssids=(b"",), frequencies=(), flags=0, more=b""):
    return (nl80211.scan_request(NUMBER, ssids, frequencies, flags) + more).hex()


def scan(**request):
    return {"do": "scan", "payload": trigger(**request)}


def heard(entry):
    """The BSSs of a dump, each as its attributes by number."""
    found = []
    for text in entry["messages"]:
        message = bytes.fromhex(text)
        if message[4:6] == b"\x03\x00" or message[4:6] == b"\x02\x00":
            continue
        fields = dict(attributes(message[20:]))
        found.append(dict(attributes(fields[nl80211.ATTR_BSS])))
    return found


DUMP = {"do": "dump"}
IW_DUMP = {"do": "iw", "arguments": ["dev", INTERFACE, "scan", "dump", "-u"]}
PASSIVE = [2412, 2437, 2462, 5180, 5200, 5500, 5520, 5745]


def sleep(seconds):
    return {"do": "sleep", "seconds": seconds}


def common(session):
    """What is done in every world: the table empty, full, older, after a partial, an aborted and a flushing scan, and
    again empty.
    """
    session.do(DUMP)
    session.do(scan())
    session.do(DUMP)
    session.do(IW_DUMP)
    session.do(sleep(2.5))
    full = heard(session.do(DUMP))
    # Where most is heard, one channel of each band.
    counts = {}
    for bss in full:
        (frequency,) = struct.unpack("=I", bss[2])
        counts[frequency] = counts.get(frequency, 0) + 1
    bands = {}
    for frequency in sorted(counts, key=lambda mhz: (-counts[mhz], mhz)):
        bands.setdefault(frequency // 1000, frequency)
    some = sorted(bands.values()) or [2412]
    session.do(scan(frequencies=some))
    session.do(DUMP)
    # A name that the beacons of an office keep to themselves is asked for; then its beacons are heard again.
    session.do(scan(ssids=(b"", b"Blob Things", b"Blob Nothing"), frequencies=some))
    session.do(DUMP)
    session.do(scan(ssids=(), frequencies=some))
    session.do(DUMP)
    # Five channels and a half are listened to.
    session.do({**scan(ssids=(), frequencies=PASSIVE), "abort": 5.55 * 0.1105})
    session.do(DUMP)
    session.do(scan(ssids=(), frequencies=PASSIVE[:4]))
    session.do(DUMP)
    session.do(scan(frequencies=some, flags=nl80211.SCAN_FLAG_FLUSH))
    session.do(DUMP)
    session.do(IW_DUMP)
    session.do({"do": "iw", "arguments": ["dev", INTERFACE, "scan", "-u"]})
    session.do(DUMP)
    # A scan that is aborted flushes nothing.
    session.do({**scan(ssids=(), frequencies=PASSIVE, flags=nl80211.SCAN_FLAG_FLUSH), "abort": 1.55 * 0.1105})
    session.do(DUMP)
    # 30 s after the last scan of all channels only what was heard since is left, then nothing.
    session.do(sleep(14))
    session.do(scan(frequencies=some))
    session.do(DUMP)
    session.do(sleep(9))
    session.do(DUMP)
    session.do(sleep(7.5))
    session.do(DUMP)
    session.do(sleep(32))
    session.do(DUMP)
    session.do(scan(frequencies=some))
    session.do(DUMP)
    session.do({"do": "link", "state": "down"})
    session.do(DUMP)
    session.do({"do": "link", "state": "up"})
    session.do(DUMP)


def short(session):
    """A world whose table matters, not what is done with it."""
    session.do(scan())
    session.do(DUMP)
    session.do(sleep(1))
    session.do(scan())
    session.do(DUMP)
    session.do(IW_DUMP)
    session.do(scan(ssids=(), flags=nl80211.SCAN_FLAG_FLUSH))
    session.do(DUMP)


def cap(session):
    """More BSSs than the kernel keeps, by beacons alone: probe responses come a second time when a scan has ended, and
    make room again.
    """
    session.do(scan(ssids=()))
    session.do(DUMP)
    session.do(sleep(31))
    session.do(DUMP)
    session.do(scan(ssids=()))
    session.do(DUMP)
    session.do(IW_DUMP)


def nested(kind, *values):
    return attribute(kind, [attribute(number + 1, value) for number, value in enumerate(values)])


def refusals(session):
    """Requests that a kernel refuses, and some that it takes though they look wrong."""
    interface = attribute(nl80211.ATTR_IFINDEX, NUMBER)
    missing = attribute(nl80211.ATTR_IFINDEX, 99)
    name = nested(nl80211.ATTR_SCAN_SSIDS, b"")

    def ask(what, command, payload, flags=NLM_F_ACK):
        session.do({"do": "request", "what": what, "command": command, "payload": payload.hex(), "flags": flags})

    for what, command in (("scan", nl80211.TRIGGER_SCAN), ("abort", nl80211.ABORT_SCAN),
                          ("interface", nl80211.GET_INTERFACE)):
        ask(f"{what}: no interface is named", command, b"")
        ask(f"{what}: an interface that is not there", command, missing)
        ask(f"{what}: the number of the interface in 2 bytes", command, attribute(nl80211.ATTR_IFINDEX, b"\3\0"))
        ask(f"{what}: a wireless device that is not there", command, attribute(153, struct.pack("=Q", 77)))
        ask(f"{what}: the number of the wireless device in 4 bytes", command, attribute(153, struct.pack("=I", 1)))
    ask("abort: there is no scan", nl80211.ABORT_SCAN, interface)
    ask("dump: no interface is named", nl80211.GET_SCAN, b"", NLM_F_DUMP)
    ask("dump: an interface that is not there", nl80211.GET_SCAN, missing, NLM_F_DUMP)
    ask("dump: the number of the interface in 2 bytes", nl80211.GET_SCAN, attribute(nl80211.ATTR_IFINDEX, b"\3\0"),
        NLM_F_DUMP)
    ask("scan results without a list", nl80211.GET_SCAN, interface)
    ask("survey without a list", nl80211.GET_SURVEY, interface)
    ask("a command that there is not", 250, interface)
    for what, payload in (
        ("a name of 33 bytes", nested(nl80211.ATTR_SCAN_SSIDS, b"n" * 33)),
        ("more names than the adapter takes", nested(nl80211.ATTR_SCAN_SSIDS, *[b"%d" % n for n in range(40)])),
        ("a frequency that the adapter has not", name + nested(nl80211.ATTR_SCAN_FREQUENCIES, 1234)),
        ("a good frequency and a bad one", name + nested(nl80211.ATTR_SCAN_FREQUENCIES, 2412, 1234)),
        ("the same frequency twice", name + nested(nl80211.ATTR_SCAN_FREQUENCIES, 2412, 2437, 2412)),
        ("a frequency in 2 bytes", name + nested(nl80211.ATTR_SCAN_FREQUENCIES, struct.pack("=H", 2412))),
        ("a list of no frequency", name + attribute(nl80211.ATTR_SCAN_FREQUENCIES, b"")),
        ("a list of frequencies in 2 bytes", name + attribute(nl80211.ATTR_SCAN_FREQUENCIES, b"\1\2")),
        ("a list of names in 3 bytes", attribute(nl80211.ATTR_SCAN_SSIDS, b"abc")),
        ("a channel that may not be used", name + nested(nl80211.ATTR_SCAN_FREQUENCIES, 2484)),
        ("flags in 2 bytes", name + attribute(nl80211.ATTR_SCAN_FLAGS, b"\0\0")),
        ("flags in 8 bytes and a bad frequency",
         name + attribute(nl80211.ATTR_SCAN_FLAGS, bytes(8)) + nested(nl80211.ATTR_SCAN_FREQUENCIES, 1234)),
        ("elements that are cut off", name + attribute(42, bytes.fromhex("dd05001122"))),
        ("more elements than the adapter takes", name + attribute(42, (b"\xdd\xff" + bytes(255)) * 10)),
        ("a time on the channel in 1 byte", name + attribute(235, b"\1")),
        ("flags in 2 bytes and a name of 33 bytes, of which the first counts",
         attribute(nl80211.ATTR_SCAN_FLAGS, b"\0\0") + nested(nl80211.ATTR_SCAN_SSIDS, b"n" * 33)),
    ):
        ask(f"scan: {what}", nl80211.TRIGGER_SCAN, interface + payload)
    ask("scan: the interface stands last", nl80211.TRIGGER_SCAN,
        nested(nl80211.ATTR_SCAN_FREQUENCIES, 1234) + attribute(nl80211.ATTR_SCAN_FLAGS, b"\0") + interface)
    session.do({**scan(ssids=(), frequencies=PASSIVE), "again": trigger()})
    session.do({**scan(frequencies=(2412,)), "again": trigger(frequencies=(1234,))})
    session.do({**scan(frequencies=(2412,)), "again": (interface + nested(nl80211.ATTR_SCAN_SSIDS, b"n" * 33)).hex()})
    session.do(scan(ssids=(b"one", b"two", b""), frequencies=(2437, 2412)))
    session.do(scan(frequencies=(2412,), more=attribute(42, bytes.fromhex("dd0400112233"))))
    for arguments in (
        ["dev", INTERFACE, "scan", "freq", "2412", "passive"], ["dev", INTERFACE, "scan", "freq", "1234"],
        ["dev", INTERFACE, "scan", "abort"], ["dev", INTERFACE, "scan", "freq", "2412", "2412"],
        ["dev", INTERFACE, "scan", "ssid", "a" * 33], ["dev", "wlan9", "scan"],
    ):
        session.do({"do": "iw", "arguments": arguments})
    session.do({"do": "link", "state": "down"})
    for what, command in (("scan", nl80211.TRIGGER_SCAN), ("abort", nl80211.ABORT_SCAN),
                          ("interface", nl80211.GET_INTERFACE)):
        ask(f"{what}: the interface is down", command, interface)
    ask("scan: the interface is down and the frequency bad", nl80211.TRIGGER_SCAN,
        interface + nested(nl80211.ATTR_SCAN_FREQUENCIES, 1234))
    session.do(DUMP)
    session.do({"do": "iw", "arguments": ["dev", INTERFACE, "scan"]})
    session.do({"do": "link", "state": "up"})


CASES = {"common": common, "short": short, "cap": cap, "refusals": refusals}


def main(how, *arguments):
    if how == "plan":
        case, path = arguments
        with open(path, "w", encoding="ascii") as log:
            CASES[case](Session(log))
        return
    plan, frames, path = arguments
    import air

    with open(plan, encoding="ascii") as file:
        entries = [json.loads(line) for line in file]
    subprocess.run(["ip", "link", "set", INTERFACE, "up"], check=True)
    with open(path, "w", encoding="ascii") as log:
        session = Session(log, air.Air(frames, entries))
        for entry in entries:
            session.do(entry["step"])


if __name__ == "__main__":
    main(*sys.argv[1:])
