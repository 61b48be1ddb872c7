"""The situations that `make check NAME=kernel-joins` tries, and what is true in each.

A truth is the `reason` of `wifi-harness join --format json`, or `joined`; where more than one is true, all of them. A dictionary has one for each
daemon where they differ, with the cause beside it.
"""

import struct
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, field

from daemons import OTHER, shell

HERE = __file__.rpartition("/")[0]
RIGHT, WRONG, SHORT, LONG = "blobby boots", "wrong boots!", "sh0rt!!", "much too long " * 5
# What a daemon knows a network by whose password is another one now.
OLD = "older boots?"
SCRIPTED = "Join Scripted"
LEAVING = "Join Leaving"


@dataclass
class Case:
    title: str
    network: str
    truth: object
    password: str = RIGHT
    options: list = field(default_factory=list)
    # Whether it is part of the selection that `make check NAME=kernel` runs.
    short: bool = False
    # Whether the daemon's own client, and a program of the user's, is asked the same.
    asks_client: bool = True
    # Whether what happens around the join happens anew around the client's.
    around_client: bool = False
    # A context around the join.
    around: object = None
    # Whether a network is joined before, which a failure has to return to.
    joined_before: bool = False
    # Whether none may be joined afterwards.
    leaves_none: bool = False
    # Whether the daemon can return to it.
    can_return: bool = True
    # Fields of the report's failure.
    fields: dict = field(default_factory=dict)
    # What runs beside the command, given its process.
    beside: object = None
    command_prefix: list = field(default_factory=list)
    restarts: bool = False
    # Whether the daemon is to remember the network, and the password that it knows it by from before.
    is_kept: bool = False
    known: object = None
    # Whether the daemon writes the network to its files by itself.
    keeps_file: bool = False

    def truths(self, kind):
        truth = self.truth[kind] if isinstance(self.truth, dict) else self.truth
        return truth if isinstance(truth, tuple) else (truth,)


# --- What happens around a join ---


@contextmanager
def scripted(daemon, step, answer, command=None):
    """An access point that follows a script (scripted.py)."""
    arguments = [sys.executable, f"{HERE}/scripted.py", "wlan8", "2462", SCRIPTED, step, answer, *([command] if command else [])]
    with open("/run/log/scripted.log", "ab") as log:
        process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
    process.stdout.readline()
    time.sleep(1)
    if step != "probe":
        # Heard before, so that the step in question comes at once.
        shell(f"iw dev wlan0 scan freq 2462 ssid '{SCRIPTED}'")
    try:
        yield
    finally:
        process.kill()
        process.wait()
        shell("ip link set wlan8 down")


@contextmanager
def link_down(daemon):
    shell("ip link set wlan0 down")
    time.sleep(1)
    try:
        yield
    finally:
        shell("ip link set wlan0 up")
        time.sleep(3)


def switch(soft):
    """Moves the switch of wlan0's radio (struct rfkill_event of <linux/rfkill.h>; 2 is RFKILL_OP_CHANGE, 1 RFKILL_TYPE_WLAN)."""
    import glob
    path = glob.glob("/sys/class/net/wlan0/phy80211/rfkill*/index")[0]
    with open(path, encoding="ascii") as file:
        index = int(file.read())
    with open("/dev/rfkill", "wb", buffering=0) as file:
        file.write(struct.pack("=IBBBB", index, 1, 2, soft, 0))


@contextmanager
def switched_off(daemon):
    switch(1)
    time.sleep(2)
    try:
        yield
    finally:
        switch(0)
        time.sleep(1)
        shell("ip link set wlan0 up")
        time.sleep(5)


@contextmanager
def no_daemon(daemon):
    daemon.stop()
    try:
        yield
    finally:
        daemon.start()


@contextmanager
def no_access_points(daemon):
    """hostapd is killed, and its radio falls silent, as in a power cut; the daemon has heard of it shortly before."""
    shell("kill -9 $(cat /run/lab/vht80.pid); ip link set wlan5 down")
    try:
        yield
    finally:
        shell(f"ip link set wlan5 up; sh {HERE}/../lab/up vht80")


@contextmanager
def leaving(daemon):
    shell(f"sh {HERE}/../lab/up silent")
    try:
        yield
    finally:
        shell("kill -9 $(cat /run/lab/silent.pid); ip link set wlan7 down")


def situations(kind):
    iwd = kind == "iwd"
    scripted_at = lambda *arguments: lambda daemon: scripted(daemon, *arguments)
    cases = [
        Case("WPA2, right password", "Lab WPA2", "joined", short=True),
        Case("WPA2, wrong password", "Lab WPA2", "wrongPassword", WRONG, short=True),
        Case("WPA2, password too short", "Lab WPA2", "impossiblePassword", SHORT),
        Case("WPA2, password too long", "Lab WPA2", "impossiblePassword", LONG),
        # Without a terminal iwctl waits until iwd gives up on it, and iwd 2.3 ends with that.
        Case("WPA2, no password known", "Lab WPA2", "passwordMissing", None, asks_client=not iwd),
        # Its access point announces that WPA2 is over (transition disable), which wpa_supplicant writes to its file together with the network.
        Case("WPA3, right password", "Lab SAE", "joined", short=True, keeps_file=kind == "supplicant"),
        Case("WPA3, wrong password", "Lab SAE", "wrongPassword", WRONG, short=True),
        Case("WPA3, hash-to-element alone, right password", "Join H2E", "joined"),
        Case("WPA3, hash-to-element alone, wrong password", "Join H2E", "wrongPassword", WRONG),
        Case("WPA3, hunting and pecking alone, right password", "Join Loop", "joined"),
        Case("WPA3, hunting and pecking alone, wrong password", "Join Loop", "wrongPassword", WRONG),
        Case("WPA2/WPA3, right password", "Lab Transition", "joined"),
        Case("WPA2/WPA3, wrong password", "Lab Transition", "wrongPassword", WRONG, short=True),
        Case("fast transition, right password", "Lab FT WPS", "joined"),
        Case("fast transition, wrong password", "Lab FT WPS", "wrongPassword", WRONG),
        Case("OWE", "Lab OWE", "joined", None),
        Case("OWE transition", "Lab OWE pair", "joined", None),
        Case("open", "Join Open", "joined", None, short=True),
        Case("hidden, right password", "Join Hidden", "joined", options=["--hidden", "--security", "psk"], short=True),
        Case("hidden, wrong password", "Join Hidden", "wrongPassword", WRONG, ["--hidden", "--security", "psk"]),
        # iwd binds no network to a BSS, which the command says before it asks.
        Case("one BSS of two", "Join Pair", "notSupported" if iwd else "joined", options=["--bssid", "02:00:00:00:09:01"],
             fields={} if iwd else {"bssid": "02:00:00:00:09:01"}, asks_client=False),
        Case("a BSS that is not there", "Join Pair", "notSupported" if iwd else "outOfRange", options=["--bssid", "02:00:00:00:09:77"],
             asks_client=False),
        # NetworkManager copies no saved password to a profile that is bound.
        Case("one BSS of a known network", "Join Pair", "joined" if kind == "supplicant" else "notSupported", None,
             ["--bssid", "02:00:00:00:09:01"], fields={"bssid": "02:00:00:00:09:01"} if kind == "supplicant" else {}, asks_client=False,
             known=RIGHT),
        Case("enterprise", "Lab Enterprise", "notSupported"),
        Case("access point full", "Join Full", "refused", short=True),
        Case("address refused", "Join Denied", "refused"),
        Case("cipher refused", SCRIPTED, "refused", around=scripted_at("association", "refused 42"), fields={"status": 42}),
        Case("ended in the handshake, too many stations", SCRIPTED, "dismissed", around=scripted_at("handshake", "refused 5"),
             fields={"reasonCode": 5}),
        Case("no answer to the authentication", SCRIPTED, ("timedOut", "lost"), around=scripted_at("authentication", "silent"),
             fields={"step": "authenticating"}),
        # iwd leaves addresses to other programs unless it is configured otherwise.
        Case("no address", "Join No Address", "joined" if iwd else "noAddress", options=["--address"]),
        Case("never there", "Lab Nowhere", "outOfRange", short=True),
        Case("gone before", "Lab SAE", ("lost", "outOfRange"), around=no_access_points, short=True),
        # NetworkManager sets the interface up by itself.
        Case("interface down", "Lab WPA2", "joined" if kind == "networkmanager" else "interfaceDown", around=link_down, short=True),
        Case("switched off (rfkill)", "Lab WPA2", "interfaceDown", around=switched_off),
        Case("no permission", "Lab WPA2", "noPermission", asks_client=False,
             command_prefix=["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]),
        Case("daemon not running", "Lab WPA2", "noDaemon", around=no_daemon, asks_client=False, short=True),
        Case("another network joined before, wrong password", "Lab WPA2", "wrongPassword", WRONG, joined_before=True, asks_client=False,
             short=True),
        Case("to be remembered", "Lab SAE", "joined", is_kept=True, asks_client=False),
        # One profile is left, with the new password and all that its user had set.
        Case("another password known, right password", "Lab WPA2", "joined", is_kept=True, known=OLD, asks_client=False, short=True),
        Case("another password known, wrong password", "Lab WPA2", "wrongPassword", WRONG, is_kept=True, known=OLD, asks_client=False),
    ]
    return cases


# --- What ends in the middle, at each step ---

STEPS = ("search", "authentication", "association", "handshake", "address")


def client_signal(name):
    return f"killall -{name} wifi-harness"


def in_the_middle(daemon):
    """(what happens, the command that makes it happen, what is true)"""
    away = "killall -9 " + {"supplicant": "wpa_supplicant", "networkmanager": "NetworkManager", "iwd": "iwd"}[daemon.kind]
    return [
        ("the daemon is killed", away, "daemonLost"),
        ("the daemon is restarted", f"{daemon.kill_command}; {daemon.start_command}", "daemonLost"),
        ("the access point goes", None, ("lost", "outOfRange")),
        ("another program joins another network", f"({daemon.other_join_command(OTHER)}) &", "superseded"),
        ("the command is interrupted", client_signal("INT"), "cancelled"),
        ("the command crashes", client_signal("SEGV"), "crashed"),
        ("the command is killed", client_signal("KILL"), "killed"),
    ] + ([
        # NetworkManager stays.
        ("wpa_supplicant is killed", daemon.kill_supplicant_command, "supplicantLost"),
        ("wpa_supplicant is restarted", f"{daemon.kill_supplicant_command}; {daemon.start_supplicant_command}", "supplicantLost"),
    ] if daemon.kind == "networkmanager" else [])


def interruptions(daemon):
    cases = []
    for what, command, truth in in_the_middle(daemon):
        for step in STEPS:
            if step == "address" and daemon.kind == "iwd":
                # A join over iwd is complete before there is an address.
                continue
            answer = "silent" if command else "gone"
            case = Case(f"{what}: {step}", SCRIPTED, truth, joined_before=True, asks_client=False,
                        short=step == "handshake" and command is None or what.startswith("the daemon is killed") and step == "association")
            if step == "address":
                case.network, case.options = LEAVING, ["--address"]
                case.around = leaving
                case.beside = command or "ip link set wlan7 down"
            else:
                name = "probe" if step == "search" else step
                case.around = lambda daemon, name=name, answer=answer, command=command: scripted(daemon, name, answer, command)
                if step == "search":
                    # Nothing was heard of it before, so that it is asked for by its name.
                    case.options = ["--hidden", "--security", "psk"]
            case.restarts = what.startswith(("the daemon", "wpa_supplicant"))
            # Until it is started again, NetworkManager refuses every connection.
            case.can_return = what != "wpa_supplicant is killed"
            # What nmcli says of it.
            case.asks_client = case.around_client = what.startswith("wpa_supplicant") and step != "address"
            cases.append(case)
    if daemon.kind != "iwd":
        # A known network that is waiting for its address, with none to return to.
        cases.append(Case("the command is interrupted, none joined before: address", LEAVING, "cancelled", None, ["--address"], around=leaving,
                          beside=client_signal("INT"), known=RIGHT, asks_client=False, leaves_none=True, fields={"before": "nothingBefore"}))
    return cases
