"""Runs in the guest: puts the kernel into situations and keeps what it says of them.

For each situation one file NAME.nl80211 in $OUT: netlink messages exactly as
received (nlmsghdr, genlmsghdr, attributes), one after another, each padded to 4.
Beside a table of access points stands what iw makes of the same table:
NAME.iw.txt (`iw dev IF scan dump -u`), and of some NAME.iw-b.txt (`… -b`).
"""

import os
import struct
import subprocess
import time

import beacons
import hwsim
import nl80211
from guest import end, injected, lab, link, new_stick
from netlink import NLM_F_ACK, NLM_F_DUMP, NLM_F_DUMP_INTR, NLMSG_DONE, Refused, Socket, attribute, attributes, messages

OUT = os.environ["OUT"]


def keep(name, messages):
    data = b"".join(messages)
    with open(f"{OUT}/{name}.nl80211", "wb") as file:
        file.write(data)
    print(f"{name}.nl80211: {len(messages)} messages, {len(data)} bytes")


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def without_ages(messages):
    """A table without what changes by itself: headers, and how long ago each entry was heard."""
    return [
        [part for part in attributes(dict(attributes(message[20:]))[nl80211.ATTR_BSS])
         if part[0] != nl80211.BSS_SEEN_MS_AGO]
        for message in messages[:-1]
    ]


def keep_table(name, scanner, interface, beacons_too=False):
    """The table as the kernel sends it, and as iw reads it at the same moment."""
    options = (("-u", "iw.txt"), ("-b", "iw-b.txt"))[: 2 if beacons_too else 1]
    for _ in range(50):
        table = scanner.results(interface)
        texts = [run("iw", "dev", interface, "scan", "dump", option) for option, _ in options]
        if without_ages(table) == without_ages(scanner.results(interface)):
            break
        # a beacon was heard in between
    else:
        raise AssertionError(f"{name}: the table never stood still")
    keep(name, table)
    for (_, suffix), text in zip(options, texts):
        with open(f"{OUT}/{name}.{suffix}", "wb") as file:
            file.write(text)


def keep_refusal(name, scanner, command, payload, flags=NLM_F_ACK):
    try:
        scanner.requests.request(command, payload, flags)
    except Refused as refused:
        keep(name, [refused.message])
        print(f"  {refused}")
        return
    raise AssertionError(f"{name}: the kernel did not refuse")


def tables():
    scanner = nl80211.Scanner()
    # A beacon is missed now and then, a hidden network often: three passes see them all.
    for flags in (nl80211.SCAN_FLAG_FLUSH, 0, 0):
        scanner.scan("wlan0", flags=flags)
    keep_table("lab", scanner, "wlan0", beacons_too=True)

    scanner.scan("wlan0", ssids=(b"", b"Lab Hidden"), frequencies=(2412,), flags=nl80211.SCAN_FLAG_FLUSH)
    keep_table("hidden-found", scanner, "wlan0", beacons_too=True)

    scanner.scan("wlan0", ssids=(), frequencies=(2437, 5180), flags=nl80211.SCAN_FLAG_FLUSH)
    keep_table("passive", scanner, "wlan0")

    link("wlan1", "down")
    keep("interface-down", scanner.results("wlan1"))
    link("wlan1", "up")


def beacons_of_all_kinds():
    """What hostapd cannot send, injected: each group of beacons.py is one table."""
    run("iw", "reg", "set", "DE")
    link("wlan0", "up")
    scanner = nl80211.Scanner()
    for group in beacons.GROUPS:
        with injected(group):
            for flags in (nl80211.SCAN_FLAG_FLUSH, 0):
                scanner.scan("wlan0", frequencies=(2412, 2437, 2462, 5200, 6135), flags=flags)
            keep_table(group, scanner, "wlan0")


def interrupted():
    """A dump during which the table changes: the rest of it carries NLM_F_DUMP_INTR."""
    scanner = nl80211.Scanner()
    scanner.scan("wlan0")
    # A socket that only ever read small pieces is sent small pieces, so there is time between them.
    slow = Socket()
    slow.family = scanner.requests.family
    slow.send(nl80211.GET_SCAN, attribute(nl80211.ATTR_IFINDEX, nl80211.index_of("wlan0")), NLM_F_DUMP)
    received = list(messages(slow.socket.recv(4096)))
    scanner.scan("wlan0", frequencies=(2462,), flags=nl80211.SCAN_FLAG_FLUSH)
    while struct.unpack_from("=H", received[-1], 4)[0] != NLMSG_DONE:
        received += messages(slow.socket.recv(4096))
    marked = sum(bool(struct.unpack_from("=H", message, 6)[0] & NLM_F_DUMP_INTR) for message in received)
    keep("interrupted", received)
    print(f"  {marked} of them marked as interrupted")
    assert marked


def state_of_the_machine():
    scanner = nl80211.Scanner()
    split = attribute(nl80211.ATTR_SPLIT_WIPHY_DUMP, b"") + attribute(nl80211.ATTR_WIPHY, 0)
    keep("wiphy", scanner.requests.dump(nl80211.GET_WIPHY, split))
    keep("interfaces", scanner.requests.dump(nl80211.GET_INTERFACE))
    keep("regulatory", scanner.requests.dump(nl80211.GET_REG))


def joined():
    """A station that has joined: an associated entry in the table, station and survey dumps."""
    with open("/run/lab/join.conf", "w", encoding="ascii") as file:
        file.write('ctrl_interface=/run/wpa\nnetwork={\nssid="Lab WPA2"\npsk="blobby boots"\nscan_freq=2437\n}\n')
    run("wpa_supplicant", "-B", "-P", "/run/lab/join.pid", "-i", "wlan1", "-c", "/run/lab/join.conf", "-f",
        "/run/lab/join.log")
    for _ in range(100):
        time.sleep(0.2)
        if b"Connected to" in run("iw", "dev", "wlan1", "link"):
            break
    else:
        raise AssertionError("the station did not join: " + open("/run/lab/join.log").read())
    scanner = nl80211.Scanner()
    index = attribute(nl80211.ATTR_IFINDEX, nl80211.index_of("wlan1"))
    keep_table("associated", scanner, "wlan1")
    keep("station", scanner.requests.dump(nl80211.GET_STATION, index))
    keep("survey", scanner.requests.dump(nl80211.GET_SURVEY, index))
    for name, command in (("station", ("station", "dump")), ("survey", ("survey", "dump"))):
        with open(f"{OUT}/{name}.iw.txt", "wb") as file:
            file.write(run("iw", "dev", "wlan1", *command))
    end("join")
    time.sleep(1)
    link("wlan1", "up")


def events():
    scanner = nl80211.Scanner()
    keep("events-scan", scanner.scan("wlan0", frequencies=(2412, 2437)))

    index = nl80211.index_of("wlan0")
    scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(index))
    time.sleep(0.2)
    scanner.requests.request(nl80211.ABORT_SCAN, attribute(nl80211.ATTR_IFINDEX, index))
    keep("events-aborted", scanner.wait(index))

    scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(index))
    time.sleep(0.2)
    link("wlan0", "down")
    keep("events-link-down", scanner.drain(2))
    link("wlan0", "up")

    interface = new_stick()
    keep("events-plugged-in", scanner.drain(1))
    link(interface, "up")
    scanner.drain(1)
    scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(nl80211.index_of(interface)))
    time.sleep(0.2)
    hwsim.remove_radio("stick")
    keep("events-unplugged", scanner.drain(2))

    run("iw", "reg", "set", "FR")
    keep("events-regulatory", scanner.drain(2))
    run("iw", "reg", "set", "DE")
    scanner.drain(2)


def refusals():
    scanner = nl80211.Scanner()
    index = nl80211.index_of("wlan0")
    trigger = nl80211.TRIGGER_SCAN

    scanner.requests.request(trigger, nl80211.scan_request(index))
    keep_refusal("error-busy", scanner, trigger, nl80211.scan_request(index))
    scanner.wait(index)

    keep_refusal("error-no-device", scanner, trigger, nl80211.scan_request(4242))
    keep_refusal("error-no-device-dump", scanner, nl80211.GET_SCAN, attribute(nl80211.ATTR_IFINDEX, 4242), NLM_F_DUMP)
    keep_refusal("error-bad-frequency", scanner, trigger, nl80211.scan_request(index, frequencies=(2413,)))
    keep_refusal("error-long-ssid", scanner, trigger, nl80211.scan_request(index, ssids=(b"x" * 33,)))
    keep_refusal("error-not-supported", scanner, trigger, nl80211.scan_request(nl80211.index_of("wlan2")))
    keep_refusal("error-bad-attribute", scanner, trigger, attribute(nl80211.ATTR_IFINDEX, b"\1"))
    keep_refusal("error-not-scanning", scanner, nl80211.ABORT_SCAN, attribute(nl80211.ATTR_IFINDEX, index))

    link("wlan1", "down")
    keep_refusal("error-down", scanner, trigger, nl80211.scan_request(nl80211.index_of("wlan1")))
    link("wlan1", "up")

    def trigger_unprivileged():
        try:
            nl80211.Scanner().requests.request(trigger, nl80211.scan_request(index))
        except Refused as refused:
            return refused.message
        return b""

    message = nl80211.unprivileged(trigger_unprivileged)
    assert message, "error-not-permitted: the kernel did not refuse"
    keep("error-not-permitted", [message])


def main():
    beacons_of_all_kinds()
    lab()
    tables()
    interrupted()
    state_of_the_machine()
    joined()
    events()
    refusals()


main()
