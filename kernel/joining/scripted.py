"""Runs in the guest: an access point that answers as its script says, frame by frame, for what hostapd cannot be made to do.

    scripted.py INTERFACE FREQUENCY NAME STEP ANSWER [COMMAND]

It announces WPA2-Personal and accepts each step up to STEP: probe, authentication, association, handshake. There COMMAND runs, once and to its end,
and ANSWER follows:

    silent          nothing is answered from then on, and the beacons go on
    gone            nothing is answered, and the beacons end
    refused CODE    a status code (IEEE 802.11-2020 9.4.1.9); in the handshake the reason code of a deauthentication (9.4.1.7)

It prints `ready` once it is on the air, and the name of each step that a station reaches.
"""

import struct
import subprocess
import sys

import beacons
import nl80211
from netlink import Refused, Socket, attribute, attributes

SET_INTERFACE, START_AP, STOP_AP, REGISTER_FRAME, FRAME = 6, 15, 16, 58, 59
ATTR_IFTYPE, ATTR_BEACON_INTERVAL, ATTR_DTIM_PERIOD, ATTR_BEACON_HEAD, ATTR_BEACON_TAIL = 5, 12, 13, 14, 15
ATTR_WIPHY_FREQ, ATTR_FRAME, ATTR_SSID, ATTR_PRIVACY, ATTR_FRAME_MATCH, ATTR_FRAME_TYPE = 38, 51, 52, 70, 91, 101
ATTR_HIDDEN_SSID, ATTR_DONT_WAIT_FOR_ACK, ATTR_SOCKET_OWNER = 126, 142, 204
IFTYPE_AP = 3

# frame control of a management frame, by subtype (9.2.4.1.3)
ASSOCIATION, ASSOCIATED, REASSOCIATION, REASSOCIATED = 0x00, 0x10, 0x20, 0x30
PROBE, PROBED, BEACON, AUTHENTICATION, DEAUTHENTICATION = 0x40, 0x50, 0x80, 0xB0, 0xC0
STEPS = {PROBE: "probe", AUTHENTICATION: "authentication", ASSOCIATION: "association", REASSOCIATION: "association"}
CAPABILITIES = 0x0431  # ESS, privacy, short preamble, short slot time


class AccessPoint:
    def __init__(self, interface, frequency, name, step, answer, command=None):
        self.index = attribute(nl80211.ATTR_IFINDEX, nl80211.index_of(interface))
        self.frequency = int(frequency)
        self.name = name.encode()
        self.step, self.answer, self.command = step, answer.split(), command
        self.is_reached = False
        with open(f"/sys/class/net/{interface}/address", encoding="ascii") as file:
            self.address = beacons.mac(file.read().strip())
        self.socket = Socket("nl80211")
        self.events = Socket("nl80211")

    def header(self, kind, to):
        return struct.pack("<HH", kind, 0) + to + self.address + self.address + struct.pack("<H", 0)

    def body(self):
        """What beacons and answers to probes share, up to the TIM and from there on."""
        channel = 14 if self.frequency == 2484 else (self.frequency - 2407) // 5
        head = struct.pack("<QHH", 0, 100, CAPABILITIES) + beacons.ssid(self.name) + beacons.element(1, 0x82, 0x84, 0x8B, 0x96)
        return head + beacons.element(3, channel), beacons.element(50, 0x0C, 0x12, 0x18, 0x24) + beacons.PSK

    def start(self):
        try:
            self.socket.request(SET_INTERFACE, self.index + attribute(ATTR_IFTYPE, IFTYPE_AP))
        except Refused:
            pass
        head, tail = self.body()
        self.events.request(
            START_AP,
            self.index + attribute(ATTR_BEACON_HEAD, self.header(BEACON, b"\xff" * 6) + head) + attribute(ATTR_BEACON_TAIL, tail)
            + attribute(ATTR_BEACON_INTERVAL, 100) + attribute(ATTR_DTIM_PERIOD, 2) + attribute(ATTR_SSID, self.name)
            + attribute(ATTR_HIDDEN_SSID, 0) + attribute(ATTR_WIPHY_FREQ, self.frequency) + attribute(ATTR_PRIVACY, b"")
            + attribute(ATTR_SOCKET_OWNER, b""))
        for kind in STEPS:
            self.events.request(
                REGISTER_FRAME, self.index + attribute(ATTR_FRAME_TYPE, struct.pack("=H", kind)) + attribute(ATTR_FRAME_MATCH, b""))

    def send(self, frame):
        try:
            self.socket.request(
                FRAME, self.index + attribute(ATTR_WIPHY_FREQ, self.frequency) + attribute(ATTR_FRAME, frame)
                + attribute(ATTR_DONT_WAIT_FOR_ACK, b""))
        except Refused:
            pass

    def reach(self, step):
        """Does what is to be done in this step, and returns whether a station is answered."""
        if not self.is_reached:
            print(step, flush=True)
        if self.is_reached or step != self.step:
            return not self.is_reached
        self.is_reached = self.answer[0] != "refused"
        if self.answer[0] == "gone":
            self.socket.request(STOP_AP, self.index)
        if self.command:
            command, self.command = self.command, None
            subprocess.run(["sh", "-c", command], check=False, stdin=subprocess.DEVNULL, stdout=sys.stderr)
        return not self.is_reached

    def code(self, step):
        return int(self.answer[1]) if self.answer[0] == "refused" and step == self.step else 0

    def received(self, frame):
        kind, station = frame[0], frame[10:16]
        step = STEPS.get(kind)
        if step == "probe":
            wanted = frame[26:26 + frame[25]]
            if wanted not in (b"", self.name):
                return
            # A probe that names no network is for others.
            if (self.step != "probe" or wanted) and not self.reach("probe"):
                return
            head, tail = self.body()
            self.send(self.header(PROBED, station) + head + tail)
        elif step == "authentication" and frame[4:10] == self.address and self.reach(step):
            self.send(self.header(AUTHENTICATION, station) + struct.pack("<HHH", 0, 2, self.code(step)))
        elif step == "association" and frame[4:10] == self.address and self.reach(step):
            status = self.code(step)
            self.send(
                self.header(REASSOCIATED if kind == REASSOCIATION else ASSOCIATED, station)
                + struct.pack("<HHH", CAPABILITIES, status, 0 if status else 0xC001) + beacons.RATES)
            if not status and self.reach("handshake") and self.step == "handshake":
                self.send(self.header(DEAUTHENTICATION, station) + struct.pack("<H", self.code("handshake")))

    def run(self):
        while True:
            for message in self.events.receive(None):
                if struct.unpack_from("=H", message, 4)[0] == self.events.family and message[16] == FRAME:
                    fields = dict(attributes(message[20:]))
                    if ATTR_FRAME in fields:
                        self.received(fields[ATTR_FRAME])


def main(arguments):
    subprocess.run(["ip", "link", "set", arguments[0], "down"], check=True)
    point = AccessPoint(*arguments)
    try:
        point.socket.request(SET_INTERFACE, point.index + attribute(ATTR_IFTYPE, IFTYPE_AP))
    except Refused:
        pass
    subprocess.run(["ip", "link", "set", arguments[0], "up"], check=True)
    point.start()
    print("ready", flush=True)
    point.run()


if __name__ == "__main__":
    main(sys.argv[1:])
