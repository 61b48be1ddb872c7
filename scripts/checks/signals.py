"""Ends commands with signals while they join, ask for a password or use the terminal.

A wpa_supplicant that joins nothing listens on a socket of this check; terminals are those of pty(7). Whatever ends a
command, nothing is left behind: no network of an attempt, no network that is disabled or changed, no lost connection,
no other mode of the terminal or its screen.
"""
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import threading
import time

from lib import checking
from lib.checking import BINARY, check, finish, start, until, write
from lib.terminals import Terminal as AnyTerminal

checking.most_failures = 3
PATIENCE = 20
folder = checking.folder()
os.environ.update(WPA_CTRL_DIR=str(folder), SWIFT_BACKTRACE="enable=no")


def Terminal(*arguments):
    return AnyTerminal(BINARY, *arguments)


class Supplicant(threading.Thread):
    """Answers the control interface, knows two networks, is joined to the first, and never joins another one."""

    def __init__(self):
        super().__init__(daemon=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        path = str(folder / "wlan0")
        if os.path.exists(path):
            os.unlink(path)
        self.socket.bind(path)
        self.networks = {0: {"ssid": "home", "enabled": True}, 1: {"ssid": "cabin", "enabled": True}}
        self.joined = 0
        self.commands = []
        self.start()

    def run(self):
        while True:
            data, peer = self.socket.recvfrom(65536)
            words = data.decode().split(" ")
            self.commands.append(" ".join(words))
            try:
                self.socket.sendto(self.answer(words).encode(), peer)
            except OSError:
                pass

    def answer(self, words):
        if words[0] == "STATUS":
            if self.joined is None:
                return "wpa_state=SCANNING\n"
            return f"bssid=02:00:00:00:05:00\nssid={self.networks[self.joined]['ssid']}\nid={self.joined}\nwpa_state=COMPLETED\n"
        if words[0] == "LIST_NETWORKS":
            flags = lambda number, network: "[CURRENT]" if number == self.joined else "" if network["enabled"] else "[DISABLED]"
            return "network id / ssid / bssid / flags\n" + "".join(
                f"{number}\t{network['ssid']}\tany\t{flags(number, network)}\n" for number,
                network in self.networks.items())
        if words[0] == "ADD_NETWORK":
            number = max(self.networks) + 1
            self.networks[number] = {"ssid": "", "enabled": False}
            return f"{number}\n"
        if words[0] == "SELECT_NETWORK":
            for number, network in self.networks.items():
                network["enabled"] = number == int(words[1])
            self.joined = 0 if int(words[1]) == 0 else None
        if words[0] in ("DISABLE_NETWORK", "SET_NETWORK") and int(words[1]) in (0, 1):
            self.networks[int(words[1])]["enabled"] = False
        if words[0] in ("DISCONNECT", "TERMINATE"):
            self.joined = None
        if words[0] == "ENABLE_NETWORK":
            self.networks[int(words[1])]["enabled"] = True
        if words[0] == "REMOVE_NETWORK":
            del self.networks[int(words[1])]
        if words[0] == "GET_NETWORK":
            return "FAIL\n"
        if words[0] == "PING":
            return "PONG\n"
        return "OK\n"

    def is_as_before(self):
        return self.joined == 0 and list(self.networks) == [0,
            1] and all(network["enabled"] for network in self.networks.values())

    def has_selected(self):
        return any(command.startswith("SELECT_NETWORK 2") for command in self.commands)


supplicant_options = ("-i", "wlan0", "--via", "supplicant")
password = write(folder / "password", "blobby boots\n")

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    supplicant = Supplicant()
    command = start(BINARY, "join", "lab", *supplicant_options, "--password-file", password)
    check(f"{number.name}: the join has begun", until(supplicant.has_selected, PATIENCE), supplicant.commands)
    command.send_signal(number)
    status, _, words = finish(command, PATIENCE)
    check(f"{number.name} cancels a join", status == 1 and "cancelled" in words, (status, words))
    check(f"{number.name} in a join leaves nothing behind", supplicant.is_as_before(),
          (supplicant.networks, supplicant.commands))

supplicant = Supplicant()
command = start("nohup", BINARY, "join", "lab", *supplicant_options, "--password-file", password)
until(supplicant.has_selected, PATIENCE)
command.send_signal(signal.SIGHUP)
time.sleep(0.5)
check("a join under nohup goes on after SIGHUP", command.poll() is None, command.returncode)
command.send_signal(signal.SIGTERM)
check("and ends with SIGTERM", until(lambda: command.poll() is not None, PATIENCE) and supplicant.is_as_before(),
      supplicant.networks)

for arguments in (("known", "add", "lab"), ("join", "lab"), ("known", "edit", "home", "--password"),
                  ("join", "lab", "--password-file", "-")):
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        supplicant = Supplicant()
        terminal = Terminal(*arguments, *supplicant_options)
        what = " ".join(arguments)
        check(f"{what} asks for the password, without echo",
              terminal.shows(b"Password for ") and not terminal.has_echo(), terminal.shown)
        terminal.signal(number)
        check(f"{number.name} ends {what} at its question",
              terminal.has_ended() and terminal.is_as_before() and terminal.status, (terminal.shown, terminal.status))
        check("which is asked once", terminal.shown.count(b"Password for ") == 1, terminal.shown)
        check("and no known network is changed", supplicant.is_as_before(), supplicant.commands)
        terminal.close()

supplicant = Supplicant()
command = start(BINARY, "join", "lab", *supplicant_options, "--password-file", "-", stdin=-1)
command.stdin.write("blobby boots\nmore")
command.stdin.flush()
check("the first line of standard input is the password, though more may come",
      until(supplicant.has_selected, PATIENCE), supplicant.commands)
check("and no more than that line", 'SET_NETWORK 2 psk "blobby boots"' in supplicant.commands, supplicant.commands)
command.terminate()
finish(command, PATIENCE)

for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1, signal.SIGALRM):
    terminal = Terminal("panel", "--linear", "--simulate", "home", "--seed", "7")
    terminal.shows(b" found ")
    time.sleep(1)
    terminal.type("list\n")
    terminal.shows(b"1 ")
    terminal.type("join 1\n")
    check("the panel line by line takes a password without echo",
          terminal.shows(b"Password for ") and until(lambda: not terminal.has_echo()), terminal.shown)
    terminal.signal(number)
    check(f"{number.name} gives the echo back", terminal.has_ended() and terminal.is_as_before() and terminal.status,
          (terminal.status, terminal.shown))
    terminal.close()

# Its output may have another reader than the terminal, which goes away while a password is asked for.
terminal = AnyTerminal("/bin/sh", "-c", f"{BINARY} panel --linear --simulate preview --seed 7 | sed '/^Password/q'")
terminal.shows(b" found ")
time.sleep(1)
terminal.type("list\n")
terminal.shows(b"1 ")
terminal.type("join nacho wi-fi 5g\n")
check("a panel whose reader goes away asks for a password", terminal.shows(b"Password for "), terminal.shown)
check("and gives the echo back when it ends", terminal.has_ended(60) and terminal.is_as_before(),
      (terminal.status, terminal.shown))
terminal.close()

# Passwords are typed into the panel: no core, and its user's other processes cannot read its memory. Of root's processes
# no file says so.
as_user = () if os.geteuid() else (shutil.which("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups")
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
terminal = AnyTerminal(*as_user, BINARY, "panel", "--simulate", "home", "--seed", "7")
terminal.shows(b"\x1b[?1049h")
process = pathlib.Path("/proc") / str(terminal.pid)
limit = next(line for line in (process / "limits").read_text().splitlines() if "core file" in line)
check("the panel leaves no core", re.search(r"core file size\s+0\s+0", limit) is not None, limit)
check("and is root's in /proc, whichever user started it",
      os.stat(process / "environ").st_uid == 0 and re.search(r"Uid:\s+[1-9]", (process / "status").read_text()), limit)
terminal.signal(signal.SIGTERM)
check("and ends", terminal.has_ended(), terminal.shown[-200:])
terminal.close()

for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGXCPU, signal.SIGPOLL):
    terminal = Terminal("panel", "--simulate", "home", "--seed", "7")
    check("the panel takes the screen", terminal.shows(b"\x1b[?1049h") and until(lambda: not terminal.has_echo()),
          terminal.shown)
    terminal.signal(number)
    check(
        f"{number.name} gives the screen back",
        terminal.has_ended() and terminal.shows(b"\x1b[?1049l") and terminal.is_as_before(),
        (terminal.status, terminal.shown[-200:]))
    check("and ends the process", terminal.status is not None and os.WIFSIGNALED(terminal.status), terminal.status)
    terminal.close()
