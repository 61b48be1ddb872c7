"""The nl80211 requests that the kernel lane makes, numbers from <linux/nl80211.h>."""

import os
import struct
import time

from netlink import Socket, attribute, attributes

GET_WIPHY = 1
GET_INTERFACE = 5
GET_STATION = 17
GET_REG = 31
GET_SCAN = 32
TRIGGER_SCAN = 33
NEW_SCAN_RESULTS = 34
SCAN_ABORTED = 35
GET_SURVEY = 50
ABORT_SCAN = 114

ATTR_WIPHY = 1
ATTR_IFINDEX = 3
ATTR_SCAN_FREQUENCIES = 44
ATTR_SCAN_SSIDS = 45
ATTR_BSS = 47
ATTR_SCAN_FLAGS = 158
ATTR_SPLIT_WIPHY_DUMP = 174

BSS_SEEN_MS_AGO = 10

SCAN_FLAG_FLUSH = 2

GROUPS = ("scan", "mlme", "config", "regulatory")


def index_of(interface):
    with open(f"/sys/class/net/{interface}/ifindex", encoding="ascii") as file:
        return int(file.read())


def scan_request(index, ssids=(b"",), frequencies=(), flags=0):
    """What TRIGGER_SCAN carries; no SSID at all makes the scan passive."""
    payload = attribute(ATTR_IFINDEX, index)
    if ssids:
        payload += attribute(ATTR_SCAN_SSIDS, [attribute(i + 1, ssid) for i, ssid in enumerate(ssids)])
    if frequencies:
        payload += attribute(ATTR_SCAN_FREQUENCIES, [attribute(i + 1, mhz) for i, mhz in enumerate(frequencies)])
    if flags:
        payload += attribute(ATTR_SCAN_FLAGS, flags)
    return payload


class Scanner:
    """Two sockets: events are subscribed to before the scan is asked for on the other."""

    def __init__(self, *groups):
        self.events = Socket("nl80211")
        self.events.join(*(groups or GROUPS))
        self.requests = Socket("nl80211")

    def scan(self, interface, timeout=30, **request):
        """Scans and returns every event until the scan's end, as received."""
        index = index_of(interface)
        self.requests.request(TRIGGER_SCAN, scan_request(index, **request))
        return self.wait(index, timeout)

    def wait(self, index, timeout=30, until=(NEW_SCAN_RESULTS, SCAN_ABORTED)):
        seen = []
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("the scan did not end")
            for message in self.events.receive(left):
                seen.append(message)
                fields = dict(attributes(message[20:]))
                if message[16] in until and fields.get(ATTR_IFINDEX) == struct.pack("=I", index):
                    return seen

    def drain(self, seconds):
        """The events of the next seconds."""
        seen = []
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            seen += self.events.receive(left)
        return seen

    def results(self, interface):
        """The kernel's table of access points, DONE message included."""
        return self.requests.dump(GET_SCAN, attribute(ATTR_IFINDEX, index_of(interface)))


def unprivileged(action):
    """Runs an action in a child without privileges, and returns the bytes it returned."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
        with os.fdopen(writer, "wb") as out:
            out.write(action())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as source:
        data = source.read()
    os.waitpid(child, 0)
    return data
