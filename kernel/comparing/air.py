"""Puts the frames that a simulated adapter heard on the air of the guest, each on its channel while the real adapter
listens there.
"""

import struct
import time

import hwsim
from netlink import Refused, Socket


def boot():
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME)


def pcapng(path):
    """The packets of a file as wifi-harness writes it: time in ns since 1970, radiotap header, frame."""
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at < len(data):
        kind, length = struct.unpack_from("<II", data, at)
        if kind == 6:
            _, high, low, size = struct.unpack_from("<IIII", data, at + 8)
            packet = data[at + 28 : at + 28 + size]
            (header,) = struct.unpack_from("<H", packet, 2)
            yield high << 32 | low, packet[:header], packet[header:]
        at += length


def radiotap(header):
    """The frequency in MHz and the strength in dBm: the fields are those that wifi-harness writes."""
    (present,) = struct.unpack_from("<I", header, 4)
    at = 8
    at += 8 if present & 1 else 0
    at += 1 if present & 2 else 0
    assert present & 4 == 0 and present & 8, "a header that wifi-harness does not write"
    at = (at + 1) & ~1
    (frequency,) = struct.unpack_from("<H", header, at)
    (signal,) = struct.unpack_from("<b", header, at + 4)
    return frequency, signal


class Air:
    """The medium of mac80211_hwsim: from now on radios hear what is put here, and nothing else.

    `entries` is the log of the session on the simulated kernel: a frame belongs to the step during which it was heard.
    A frame on a channel that the radio is not on is refused (`hwsim_cloned_frame_received_nl`), which is how this knows
    when it is there.
    """

    def __init__(self, path, entries):
        self.steps = [(entry["from"], entry["to"]) for entry in entries]
        self.utc = entries[0]["utc"]
        self.frames = []
        for number, (time, header, frame) in enumerate(pcapng(path)):
            self.frames.append((number, time - self.utc, *radiotap(header), frame))
        self.receiver = hwsim.address_of("phy0")
        self.socket = Socket("MAC80211_HWSIM", buffer=8 << 20)
        self.socket.request(hwsim.CMD_REGISTER)
        self.queue = []
        self.given = []

    def begin(self, number):
        """Takes the frames of a step, channel by channel in the order in which they were heard."""
        start, end = self.steps[number - 1]
        self.queue = []
        self.given = []
        for frame in self.frames:
            # The simulated kernel takes frames over when it is asked next, with the times at which they were heard.
            if start <= frame[1] <= end:
                if not self.queue or self.queue[-1][0][2] != frame[2]:
                    self.queue.append([])
                self.queue[-1].append(frame)

    def end(self):
        """How many frames the radio was never there for, and those that it heard: number, and the times before and
        after.
        """
        left = sum(map(len, self.queue))
        self.queue = []
        return {"count": left, "given": self.given}

    def tick(self):
        """Gives the radio what is on its channel now."""
        while self.socket.receive(0):
            pass
        while self.queue:
            while self.queue[0]:
                number, _, frequency, signal, frame = self.queue[0][0]
                before = boot()
                try:
                    self.socket.request(hwsim.CMD_FRAME, hwsim.heard(self.receiver, frame, frequency, signal))
                except Refused:
                    return
                self.queue[0].pop(0)
                self.given.append([number, before, boot()])
            self.queue.pop(0)
