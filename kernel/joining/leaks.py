"""Runs in the guest: looks for passwords where none may be.

A `Search` knows the passwords of a run in the forms that they could leak in: as they are, in hexadecimal, in base64, quoted, and as the key that
WPA2 makes of them for each network (IEEE 802.11-2020 J.4.1).
"""

import base64
import contextlib
import hashlib
import os
import re
import select
import socket
import struct
import subprocess
import sys
import time

from netlink import Refused, Socket

ETH_P_ALL = 3


class Search:
    def __init__(self, secrets, networks):
        forms = {}
        for secret in secrets:
            data = secret.encode()
            forms[data] = "as it is"
            forms[data.hex().encode()] = forms[data.hex().upper().encode()] = "in hexadecimal"
            forms[base64.b64encode(data).rstrip(b"=")[:-1]] = "in base64"
            for blank in (b"\\ ", b"%20", b"\\x20", b"\\040", b"+"):
                if b" " in data:
                    forms[data.replace(b" ", blank)] = "escaped"
            forms[data.decode().encode("utf-16-le")] = "in UTF-16"
            for network in networks:
                key = hashlib.pbkdf2_hmac("sha1", data, network.encode(), 4096, 32)
                forms[key] = forms[key.hex().encode()] = f"as the key of {network}"
        self.forms = forms
        self.pattern = re.compile(b"|".join(map(re.escape, sorted(forms, key=len, reverse=True))))
        self.seen = set()

    def find(self, data, place):
        """Where a password stands in this, in words; nothing where none does."""
        found = self.pattern.search(data)
        return [f"{place}: a password {self.forms[found.group()]}"] if found else []

    def processes(self, always=None):
        """Arguments and environment of every process that was not looked at before; `always` is looked at each time."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    start = file.read().rsplit(b")", 1)[1].split()[19]
                if (name, start) in self.seen and int(name) != always:
                    continue
                for part in ("cmdline", "environ"):
                    with open(f"/proc/{name}/{part}", "rb") as file:
                        data = file.read()
                    found += self.find(data, f"/proc/{name}/{part} of {data[:40]!r}" if part == "cmdline" else f"/proc/{name}/{part}")
                # A fork that has not begun its program yet has the arguments of its parent.
                if data:
                    self.seen.add((name, start))
            except OSError:
                continue
        return found

    def files(self, folders, without):
        """Every file in these folders, but for those whose path begins with one of `without`."""
        found = []
        for folder in folders:
            for path, names, files in os.walk(folder):
                names[:] = [name for name in names if not f"{path}/{name}".startswith(tuple(without))]
                for name in files:
                    whole = f"{path}/{name}"
                    if whole.startswith(tuple(without)) or not os.path.isfile(whole) or os.path.islink(whole):
                        continue
                    with open(whole, "rb") as file:
                        found += self.find(file.read(), whole)
        return found


class Capture:
    """All that goes over netlink and the loopback interface, kept in a file; the path of the search."""

    def __init__(self, path):
        self.path = path
        subprocess.run(["sh", "-c", "ip link add nlmon0 type nlmon && ip link set nlmon0 up"], check=True)
        self.process = subprocess.Popen([sys.executable, os.path.abspath(__file__), path], stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def end(self):
        time.sleep(0.5)
        self.process.terminate()
        self.process.wait()


def capture(path):
    sockets = []
    for interface in ("nlmon0", "lo"):
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        opened.bind((interface, 0))
        sockets.append(opened)
    with open(path, "ab", buffering=0) as file:
        print("ready", flush=True)
        while True:
            for ready in select.select(sockets, [], [])[0]:
                data = ready.recv(1 << 17)
                file.write(struct.pack("<I", len(data)) + data)


def self_check(search, captured):
    """Plants a password in each place and returns those where the search did not find it."""
    secret = next(iter(search.forms)).decode()
    folder = "/run/planted"
    os.makedirs(folder)
    missed = []
    for number, form in enumerate(search.forms):
        with open(f"{folder}/{number}", "wb") as file:
            file.write(b"before " + form + b" after")
    if len(search.files([folder], [])) != len(search.forms):
        missed.append("a file")
    subprocess.run(["rm", "-r", folder], check=True)
    for place, command, environment in (
            ("the arguments of a process", ["sh", "-c", "sleep 9; : \"$0\"", secret], {}),
            ("the environment of a process", ["sleep", "9"], {"PLANTED": secret})):
        process = subprocess.Popen(command, env={**os.environ, **environment})
        time.sleep(0.1)
        if not search.processes():
            missed.append(place)
        process.kill()
        process.wait()
        subprocess.run(["killall", "-q", "sleep"], check=False)
    for place, send in (
            ("a packet", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(secret.encode(), ("127.0.0.1", 9))),
            ("a message of netlink", lambda: Socket(secret))):
        # There is no family of that name.
        with contextlib.suppress(Refused):
            send()
        time.sleep(0.2)
        with open(captured, "rb") as file:
            if not search.find(file.read(), captured):
                missed.append(place)
        # What is planted goes, so that the search at the end finds nothing but what is of the run.
        os.truncate(captured, 0)
    return missed


if __name__ == "__main__":
    capture(sys.argv[1])
