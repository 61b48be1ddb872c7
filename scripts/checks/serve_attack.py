"""Attacks `serve` where a machine is tight and where secrets are.

Few descriptors and hundreds of connections that send nothing; a password that is typed into the page and must be gone
from memory after Cancel; cores and other processes of the same user; a terminal that goes away. Release builds only: a
debug build does not wipe memory. As root the server runs as `nobody`, whose other processes must not read its memory.
"""

import json
import os
import re
import resource
import signal
import socket
import time

from lib.checking import check, finish, run, skip, until
from lib.serving import Server as AnyServer


class Server(AnyServer):
    def __init__(self, descriptors=None, user=None):
        super().__init__("--simulate", "still" if descriptors else "home", "--seed", "7", descriptors=descriptors,
                         user=user)

    def holds(self, text):
        """How often a text stands in the memory of the process."""
        count = 0
        with open(f"/proc/{self.process.pid}/mem", "rb", 0) as memory:
            for line in open(f"/proc/{self.process.pid}/maps"):
                start, end = (int(part, 16) for part in line.split()[0].split("-"))
                if "rw" not in line or end > 1 << 63 or "[v" in line:
                    continue
                try:
                    memory.seek(start)
                    count += memory.read(end - start).count(text.encode())
                except OSError:
                    pass
        return count


def descriptors(limit):
    server = Server(limit)
    if not server.url:
        status = finish(server.process, 10)[0]
        return check(f"with {limit} descriptors it refuses in a sentence",
                     status == 71 and "ulimit" in server.error and limit < 64, (status, server.error))
    silent = []
    began = server.cpu()
    for _ in range(300):
        connection = socket.socket()
        connection.setblocking(False)
        connection.connect_ex(("127.0.0.1", server.port))
        silent.append(connection)
    time.sleep(1)
    statuses = []
    for _ in range(5):
        try:
            statuses.append(server.request("GET /scan.json")[0])
        except OSError as error:
            statuses.append(str(error))
    time.sleep(1)
    spent = server.cpu() - began if server.is_running() else -1
    check(f"with {limit} descriptors and 300 silent connections it answers",
          server.is_running() and statuses == [200] * 5,
           f"{statuses}, status {server.process.poll()}")
    check(f"and does not spin ({spent:.2f} s of processor time in 2 s)", 0 <= spent < 1)
    for connection in silent:
        connection.close()
    status = server.end(signal.SIGTERM)
    check("and ends as it should", status == 0, status)


def secrets():
    is_root = os.geteuid() == 0
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    server = Server(user="nobody" if is_root else None)
    process = f"/proc/{server.process.pid}"
    limit = next(line for line in open(f"{process}/limits") if "core file" in line)
    check("it leaves no core", re.search(r"core file size\s+0\s+0", limit) is not None, limit)
    if not is_root:
        check("other processes of its user cannot read its memory", not os.access(f"{process}/mem", os.R_OK))
        skip("passwords in memory", "only root can read them")
        return server.end()
    reader = run("head", "-c1", f"{process}/environ", user="nobody")
    check("other processes of its user cannot read its memory", reader.returncode != 0)
    secured = until(lambda: [network["ssidHex"] for network in server.scan()["networks"]
                             if "Personal" in json.dumps(network["security"]) and network["ssidHex"]], every=0.2)
    # Longer than what a string keeps in itself, and one that it does keep.
    for sheet, password in enumerate(("a-password-of-the-attack-0123456789", "short-secret9"), 1):
        opened = server.act(do="tap", network=f"n:{secured[0]}:3")
        typed = [server.act(do="password", over=sheet, value=password[:count + 1]) for count in range(len(password))]
        before = server.holds(password)
        check("the password is typed, and in memory then", {opened, *typed} == {200} and before > 0,
              f"{opened} {typed} {before}")
        check("the sheet is cancelled", server.act(do="cancel", over=sheet) == 200)
        time.sleep(0.5)
        after = server.holds(password)
        check(f"and after Cancel it is not ({len(password)} characters)", after == 0, f"{after} times of {before}")
        for _ in range(50):
            server.request("GET /scan.json")
            server.act(do="filter", value="x")
            server.act(do="filter", value="")
        time.sleep(1)
        after = server.holds(password)
        check(f"nor after 50 requests ({len(password)} characters)", after == 0, f"{after} times of {before}")
    server.end()


for limit in (12, 24, 40, 64, 200):
    descriptors(limit)
secrets()
check("a terminal that goes away ends it in order", (status := Server().end(signal.SIGHUP)) == 0, status)
