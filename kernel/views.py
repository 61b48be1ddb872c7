"""Runs in the guest: the panel in a terminal of its own, live over a real daemon.

    views.py BINARY KIND DAEMONS SHOW

KIND is supplicant, networkmanager or iwd; DAEMONS is what unpacked_daemons gives (scripts/lib/kernel.py), empty where
all are installed. A pseudoterminal stands for the terminal: keys go in, and of the pictures that come out the lines of
the last one are put together. Prints `ok` or `FAIL` for each check.
"""

import os
import re
import sys
import time

import daemons
import overlay
from lib import checking
from lib.checking import must, run, start
from lib.terminals import Terminal

HERE = os.path.dirname(os.path.abspath(__file__))
# Wide enough for the events of a roamed link.
COLUMNS, ROWS = 140, 30
RIGHT, WRONG = "blobby boots", "wrong boots!"


class Screen(Terminal):
    """What a terminal shows of the few sequences that the panel writes: places, erasing, and text; colours are passed
    over.
    """

    def __init__(self, *command):
        super().__init__(*command, size=(COLUMNS, ROWS), NO_COLOR="1")
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.rest = ""

    def read(self, seconds=0):
        data = super().read(seconds)
        self.take(self.rest + (data or b"").decode("utf-8", "ignore"))
        return data

    def take(self, text):
        position = 0
        while position < len(text):
            character = text[position]
            if character == "\x1b":
                found = re.compile(r"\x1b(?:\[([?>=]?[0-9;]*)([A-Za-z])|[()][A-Z0-9]|[=>78cMD]|\][^\x07]*\x07)").match(text, position)
                if not found:
                    break
                if found.group(2):
                    self.control(found.group(1), found.group(2))
                position = found.end()
                continue
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self.row = min(self.row + 1, ROWS - 1)
            elif character >= " ":
                if self.column < COLUMNS and self.row < ROWS:
                    self.cells[self.row][self.column] = character
                self.column += 1
            position += 1
        self.rest = text[position:]

    def control(self, parameters, kind):
        if parameters[:1] in ("?", ">", "="):
            return
        numbers = [int(number) if number else 0 for number in parameters.split(";")] if parameters else []
        first = max(numbers[0], 1) if numbers else 1
        if kind in "Hf":
            self.row, self.column = first - 1, (max(numbers[1], 1) if len(numbers) > 1 else 1) - 1
        elif kind == "J":
            self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        elif kind == "K":
            self.cells[self.row][self.column:] = [" "] * (COLUMNS - self.column)
        elif kind == "X":
            for column in range(self.column, min(self.column + first, COLUMNS)):
                self.cells[self.row][column] = " "
        elif kind == "C":
            self.column += first
        elif kind == "G":
            self.column = first - 1
        elif kind == "d":
            self.row = first - 1

    @property
    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def wait(self, *words, seconds=60, without=()):
        """Whether all words come, and none of the others, within so many seconds."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            text = self.text
            if all(word in text for word in words) and not any(word in text for word in without):
                return True
            # Where nothing waits, virtual time stands still.
            if self.read(0.5) is None:
                break
        return False

    def press(self, keys):
        self.type(keys)
        # A key alone, and not a part of another.
        end = time.monotonic() + 0.5
        while time.monotonic() < end and self.read(0.1) is not None:
            pass


def roam(kind):
    """Lets the access point that is joined send the station to the other one of its network (BSS transition management,
    IEEE 802.11-2020 11.21.7).

    Under NetworkManager 1.42 the supplicant stays until the access point throws it out, so there the check makes it move.
    Returns the addresses of both.
    """
    ours = open("/sys/class/net/wlan0/address", encoding="ascii").read().strip()
    pair = {open(f"/sys/class/net/{name}/address", encoding="ascii").read().strip(): name
            for name in ("wlan9", "join_pair")}
    link = run("iw", "dev", "wlan0", "link").stdout
    before = re.search(r"Connected to ([0-9a-f:]+)", link).group(1)
    after = next(address for address in pair if address != before)
    if kind == "networkmanager":
        must("wpa_cli", "-p", "/run/wpa", "-s", "/run", "-i", "wlan0", "roam", after)
        return before, after
    # Operating class 81 is 2.4 GHz, channel 11, PHY type 7 is 802.11n.
    must("hostapd_cli", "-p", "/run/hostapd", "-s", "/run", "-i", pair[before], "bss_tm_req", ours, "pref=1",
         "abridged=1", "disassoc_imminent=1",
         "disassoc_timer=600", f"neighbor={after},0x0000,81,11,7")
    return before, after


binary, kind, folder, show = sys.argv[1:]
overlay.put(folder)
os.makedirs("/run/lab", exist_ok=True)
must("sh", f"{HERE}/lab/up", "ht40", "vht80", "pair")
start(sys.executable, f"{HERE}/joining/dhcp.py", "wlan3", "wlan5", "wlan9", "join_pair", stdout=-3, stderr=-3)
daemon = daemons.KINDS[kind]()
joined = daemons.joined_network


def check(name, holds):
    if not checking.check(f"{kind}, panel: {name}", holds) or show:
        print(screen.text, flush=True)


screen = Screen(binary, "panel", "-i", "wlan0", "--interval", "2", "--color", "never")
check("the networks of the air", screen.wait("Lab WPA2", "Lab SAE"))
screen.press("/")
screen.press("Join Pair\r")
screen.wait("Join Pair", without=("Lab WPA2",))
screen.press("\x1bOH")
screen.press("\r")
check("the sheet of a network with two access points", screen.wait("Join “Join Pair”"))
screen.press(RIGHT + "\r")
check("it is joined", screen.wait("joined", seconds=40, without=("Join “",)) and joined() == "Join Pair")
screen.press("e")
before, after = roam(kind)
check("the other access point is shown", screen.wait(f"to {after}", seconds=60))
if kind == "supplicant":
    check("and why", screen.wait(f"to {after}: the access point", seconds=5))
screen.press("e")
daemon.reset()
check("a network that is left is not joined",
      screen.wait("Join Pair", seconds=60, without=("●Join Pair",)) and joined() is None)
# The filter leaves one network, which is the highlighted one.
screen.press("/")
screen.press("\x15Lab WPA2")
screen.press("\r")
screen.press("\x1bOH")
screen.press("\r")
check("the sheet", screen.wait("Join “Lab WPA2”"))
screen.press(WRONG)
screen.press("\r")
check("a wrong password is shown", screen.wait("Incorrect password", seconds=40))
check("and nothing is joined", joined() is None)
screen.press("\r")
screen.wait("Join “Lab WPA2”", without=("Incorrect password",))
screen.press("\x15" + RIGHT)
screen.press("\r")
# iwd joins in less than the interval, so that no scan has to wait.
if kind != "iwd":
    check("scans wait for the join", screen.wait("scans wait for the join", seconds=20))
check("the right password joins", screen.wait("joined", seconds=40, without=("Join “",)) and joined() == "Lab WPA2")
# A scan of all channels takes its time where frames are waited for in between.
check("and scans go on", screen.wait("waiting", seconds=60))
must(f"{HERE}/worlds-event", "lose", "Lab WPA2")
check("a link that is lost is shown with its reason", screen.wait("connection lost", seconds=60))
must(f"{HERE}/worlds-event", "find", "Lab WPA2")
check("and the join after it", screen.wait("joined", seconds=120,
                                           without=("connection lost",)) and joined() == "Lab WPA2")
screen.press("w")
# It ends a connection, so it is asked for again.
check("the switch says what it ends", screen.wait("press w again to turn Wi-Fi off",
                                                  seconds=20) and joined() == "Lab WPA2")
screen.press("w")
check("the switch turns the radio off", screen.wait("Wi-Fi is off",
    seconds=20) and any(joined() is None or time.sleep(1) for _ in range(20)))
screen.press("w")
check("and on", screen.wait("  joined", seconds=120,
                            without=("connection lost", "Wi-Fi is off")) and joined() == "Lab WPA2")
screen.press("q")
check("it ends", screen.has_ended() and screen.status == 0)
sys.exit(checking.end())

