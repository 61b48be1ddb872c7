"""The air between the virtual radios, with access points in it that exist only as beacons.

    inject.py GROUP… [--signals FILE]

Registers with mac80211_hwsim as its medium: from then on every frame that a radio
sends comes here, and is handed on to the other radios; into that traffic go the
beacons of `beacons.py`, every 102.4 ms and whenever a station probes their channel.
`--signals FILE` is read again when it changes: lines of an address (or its
beginning) and the dBm at which stations hear it; `-` means not at all.
"""

import os
import select
import struct
import sys
import time

import beacons
import hwsim
from netlink import Socket, attribute, attributes

INTERVAL = 0.1024
TX_STAT_ACK = 4


class Medium:
    def __init__(self, groups, signals=None):
        self.beacons = list(beacons.catalogue(groups))
        self.signals_file = signals
        self.signals_time = None
        self.signals = {}
        self.sequence = 0
        self.looked = -1
        self.everyone = []
        self.listening = []
        self.socket = Socket("MAC80211_HWSIM", buffer=8 << 20)
        self.socket.request(hwsim.CMD_REGISTER)

    def radios(self):
        """The addresses that hwsim knows its radios by; of those that are up."""
        for phy in sorted(os.listdir("/sys/class/ieee80211")):
            try:
                address = hwsim.address_of(phy)
                interfaces = os.listdir(f"/sys/class/ieee80211/{phy}/device/net")
                flags = [open(f"/sys/class/net/{name}/flags", encoding="ascii").read() for name in interfaces]
            except OSError:
                continue
            if any(int(text, 16) & 1 for text in flags):
                yield address

    def look(self):
        """Looks once a second who is there; reading sysfs for each frame would be most of the work."""
        now = time.monotonic()
        if now - self.looked >= 1:
            self.looked = now
            self.everyone = list(self.radios())
            # wlan0, wlan1 and what was plugged in scan; only they need to hear beacons
            self.listening = [address for address in self.everyone if address[4] < 2 or address[4] > 9]

    def signal(self, address, usual):
        text = ":".join(f"{octet:02x}" for octet in address)
        for beginning, dbm in self.signals.items():
            if text.startswith(beginning):
                return dbm
        return usual

    def read_signals(self):
        if not self.signals_file:
            return
        try:
            when = os.stat(self.signals_file).st_mtime_ns
            if when == self.signals_time:
                return
            self.signals_time = when
            with open(self.signals_file, encoding="ascii") as file:
                pairs = [line.split() for line in file if line.strip()]
            self.signals = {address: None if dbm == "-" else int(dbm) for address, dbm in pairs}
        except (OSError, ValueError):
            pass

    def deliver(self, receiver, frame, frequency, dbm):
        self.socket.send(hwsim.CMD_FRAME, hwsim.heard(receiver, frame, frequency, dbm), flags=0)

    def inject(self, beacon, receiver, to=None):
        dbm = self.signal(beacons.mac(beacon.address), beacon.signal)
        if dbm is None:
            return
        self.sequence += 1
        frame = beacon.frame(time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1000, self.sequence, to)
        self.deliver(receiver, frame, beacon.frequency, dbm)

    def hand_on(self, message):
        fields = dict(attributes(message[20:]))
        if hwsim.ATTR_FRAME not in fields or hwsim.ATTR_FREQ not in fields:
            return
        transmitter = fields[hwsim.ATTR_ADDR_TRANSMITTER]
        frame = fields[hwsim.ATTR_FRAME]
        flags = struct.unpack("=I", fields[hwsim.ATTR_FLAGS])[0]
        (frequency,) = struct.unpack("=I", fields[hwsim.ATTR_FREQ])
        to, sender = frame[4:10], frame[10:16]
        kind = frame[0] & 0xFC
        self.look()
        listeners = self.listening if kind == 0x80 else self.everyone
        dbm = self.signal(sender, -50)
        if dbm is not None:
            for receiver in listeners:
                if receiver != transmitter:
                    self.deliver(receiver, frame, frequency, dbm)
        acknowledged = not to[0] & 1 and dbm is not None
        self.socket.send(
            hwsim.CMD_TX_INFO_FRAME,
            attribute(hwsim.ATTR_ADDR_TRANSMITTER, transmitter)
            + attribute(hwsim.ATTR_FLAGS, flags | (TX_STAT_ACK if acknowledged else 0))
            + attribute(hwsim.ATTR_SIGNAL, struct.pack("=i", dbm if dbm is not None else -90))
            + attribute(hwsim.ATTR_TX_INFO, fields[hwsim.ATTR_TX_INFO])
            + attribute(hwsim.ATTR_COOKIE, fields[hwsim.ATTR_COOKIE]),
            flags=0,
        )
        if kind == 0x40:
            self.answer(transmitter, sender, frequency, frame)

    def answer(self, station, sender, frequency, probe):
        wanted = probe[26 : 26 + probe[25]] if len(probe) > 26 and probe[24] == 0 else b""
        for beacon in self.beacons:
            if beacon.frequency != frequency:
                continue
            self.inject(beacon, station)
            named = beacon.elements[2 : 2 + beacon.elements[1]] if beacon.elements[:1] == b"\0" else b""
            if beacon.responds and (not wanted or wanted == named):
                self.inject(beacon, station, sender)

    def run(self):
        due = time.monotonic()
        while True:
            left = due - time.monotonic()
            if left <= 0:
                due = max(due + INTERVAL, time.monotonic())
                self.read_signals()
                self.look()
                for station in self.listening:
                    for beacon in self.beacons:
                        self.inject(beacon, station)
                continue
            if select.select([self.socket.socket], [], [], left)[0]:
                try:
                    received = self.socket.receive(0)
                except OSError:
                    continue
                for message in received:
                    if struct.unpack_from("=H", message, 4)[0] == self.socket.family and message[16] == hwsim.CMD_FRAME:
                        self.hand_on(message)


def main(arguments):
    signals = None
    if "--signals" in arguments:
        at = arguments.index("--signals")
        signals = arguments[at + 1]
        del arguments[at : at + 2]
    medium = Medium(arguments, signals)
    print(f"{len(medium.beacons)} access points on the air", flush=True)
    medium.run()


if __name__ == "__main__":
    main(sys.argv[1:])
