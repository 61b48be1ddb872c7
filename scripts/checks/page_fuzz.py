"""Sends altered requests to the page's server: SECONDS (60), SEED (drawn, and printed)

Takes requests that the page sends, with the token and without, and alters them: bytes, lines, headers, lengths, chunks,
JSON, two requests in one, a connection that is closed in the middle. The server has to answer each with a status that
it knows or to close the connection, to answer a good request in between, not to grow, and to end as it should.
"""

import collections
import json
import os
import random
import select
import socket
import time

from lib import checking
from lib.checking import check
from lib.serving import Server

seconds = float(os.environ.get("SECONDS") or 60)
seed = int(os.environ.get("SEED") or int.from_bytes(os.urandom(4), "big"))
ALLOWED = {100, 200, 304, 400, 401, 403, 404, 405, 413, 415, 421, 431, 501, 503, 505}


def fail(sentence):
    checking.fail(f"seed {seed}: {sentence}")


def actions(keys):
    """What a page sends."""
    network = random.choice(keys or ["n:00:0"])
    known = random.choice(["k:30:4e6163686f2057692d4669203547", "k:31:436162696e", "k:32:416972706f7274"])
    over = random.randrange(40)
    return random.choice([
        {"do": "highlight", "network": network}, {"do": "tap", "network": network}, {"do": "info", "network": network},
        {"do": "follow"},
        {"do": "wifi", "value": random.random() < 0.9}, {"do": "filter", "value": random.choice(["", "a", "é" * 100])},
        {"do": "band", "value": random.choice(["all", "5GHz", "60GHz"])},
        {"do": "minimumSignal", "value": random.choice([None, -70, 1e308])},
        {"do": "protection", "value": "weak"}, {"do": "minimumGeneration", "value": 6},
        {"do": "sort", "value": "name", "isReversed": True},
        {"do": "interval", "value": random.choice([1, 300, 301])}, {"do": "pause", "value": False}, {"do": "scan"},
        {"do": "seek", "value": 3},
        {"do": "known"}, {"do": "open", "value": random.choice(["known/Cabin/edit", "known/add", "known"])},
        {"do": "password", "over": over, "value": "blob blob"}, {"do": "join", "over": over},
        {"do": "cancel", "over": over},
        {"do": "forget", "over": over}, {"do": "back", "over": over},
        {"do": "answer", "over": over, "value": random.choice([0, 1, 9])},
        {"do": "edit", "over": over, "known": known}, {"do": "add", "over": over},
        {"do": "duplicate", "over": over, "known": known},
        {"do": "forgetKnown", "over": over, "known": known}, {"do": "save", "over": over}, {"do": "list", "over": over},
        {"do": "name", "over": over, "value": "Attic"}, {"do": "security", "over": over, "value": "sae"},
        {"do": "priority", "over": over, "value": -999}, {"do": "autoconnect", "over": over, "value": False},
        {"do": "hidden", "over": over, "value": True},
    ])


def request(port, token, keys):
    """One good request as bytes, and whether it goes on for ever."""
    headers = {"Host": f"127.0.0.1:{port}", "Accept": "*/*"}
    if random.random() < 0.7:
        headers["Authorization"] = f"Bearer {token}"
    if random.random() < 0.2:
        headers["Origin"] = f"http://127.0.0.1:{port}"
    path, method, body = random.choice(["/", "/page.css", "/page.js", "/icon.svg", "/scan.json", "/metrics", "/events",
                                        "/nothing"]), "GET", b""
    if random.random() < 0.6:
        path, method, body = "/action", "POST", json.dumps(actions(keys)).encode()
        headers["Content-Type"] = "application/json"
        if random.random() < 0.15:
            headers["Transfer-Encoding"] = "chunked"
            body = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (body[:9], body[9:]) if part) + b"0\r\n\r\n"
        else:
            headers["Content-Length"] = str(len(body))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def alter(data):
    """Changes some of it."""
    data = bytearray(data)
    for _ in range(random.choice([0, 1, 1, 2, 5])):
        at = random.randrange(len(data) + 1)
        kind = random.randrange(10)
        if kind == 0 and data:
            data[at % len(data)] = random.randrange(256)
        elif kind == 1:
            del data[at:at + random.choice([1, 2, 40])]
        elif kind == 2:
            data[at:at] = data[at:at + random.choice([1, 20, 400])]
        elif kind == 3:
            data[at:at] = bytes(random.randrange(256) for _ in range(random.choice([1, 8, 64])))
        elif kind == 4:
            data[at:at] = random.choice([b"\r\n", b"\n", b"\r", b"\0", b": ", b"\r\n\r\n", b"{", b"\"", b"\\ud800",
                                         b"%00", b"../", b"\xff\xfe"])
        elif kind == 5:
            data = bytearray(bytes(data).replace(b"Content-Length: ",
                random.choice([b"Content-Length: -", b"Content-Length: 9", b"Content-length : ", b"X: "])))
        elif kind == 6:
            data = bytearray(bytes(data).replace(b"Host: ",
                                                 random.choice([b"Host: evil.", b"Host:\t", b"Host: x\r\nHost: "]), 1))
        elif kind == 7:
            data = bytearray(bytes(data).replace(b"HTTP/1.1", random.choice([b"HTTP/1.0", b"HTTP/2.0", b"HTTP/9", b""]),
                                                 1))
        elif kind == 8:
            name = random.choice([b"X-%d" % random.randrange(99), b"Origin", b"Sec-Fetch-Site", b"Expect",
                                  b"Connection", b"Upgrade", b"Transfer-Encoding"])
            value = random.choice([b"a" * random.choice([1, 300, 9000, 70000]), b"cross-site", b"100-continue",
                                   b"close", b"h2c", b"chunked, gzip", b"http://evil.example"])
            end = data.find(b"\r\n")
            data[end + 2:end + 2] = name + b": " + value + b"\r\n"
        else:
            data += bytes(data)
    return bytes(data)


class Client:
    """One connection: sends, and takes in what comes."""

    def __init__(self, port, data):
        self.data, self.answer, self.began = data, b"", time.monotonic()
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(("127.0.0.1", port))
        # Some end in the middle, some say that they have nothing more to say.
        self.patience = random.choice([0.02, 0.2, 0.6, 0.6])
        self.limit = random.randrange(len(data) + 1) if random.random() < 0.1 else len(data)
        self.sent = 0

    def step(self, readable, writable):
        """Whether it goes on."""
        try:
            if writable and self.sent < self.limit:
                self.sent += self.socket.send(self.data[self.sent:min(self.sent + random.choice([1, 100, 1 << 16]),
                                                                      self.limit)])
            if readable:
                part = self.socket.recv(1 << 16)
                if not part:
                    return False
                self.answer += part[:4096 - len(self.answer)] if len(self.answer) < 4096 else b""
        except BlockingIOError:
            pass
        except OSError:
            return False
        return time.monotonic() - self.began < self.patience


random.seed(seed)
server = Server("--simulate", "preview", "--seed", "7")
print(f"seed {seed}, {seconds:.0f} s", flush=True)


def good():
    return [f"n:{n['ssid'].encode().hex()}:3" for n in server.scan()["networks"]]


statuses, count, clients = collections.Counter(), 0, []
keys, checked, began, first = good(), time.monotonic(), time.monotonic(), None
while time.monotonic() - began < seconds:
    while len(clients) < 24:
        clients.append(Client(server.port, alter(request(server.port, server.token, keys))))
    readable, writable, _ = select.select([c.socket for c in clients], [c.socket for c in clients if c.sent < c.limit],
                                          [], 0.05)
    ready, open_ = (set(readable), set(writable)), []
    for client in clients:
        if client.step(client.socket in ready[0], client.socket in ready[1]):
            open_.append(client)
            continue
        client.socket.close()
        count += 1
        head = client.answer.split(b"\r\n", 1)[0].split(b" ")
        if not client.answer:
            statuses["closed"] += 1
        elif head[0] in (b"HTTP/1.1", b"HTTP/1.0") and len(head) > 1 and head[1].isdigit():
            statuses[int(head[1])] += 1
            if int(head[1]) not in ALLOWED:
                fail(f"status {head[1].decode()} for {client.data!r}")
        else:
            fail(f"no answer of HTTP, {client.answer[:80]!r}, for {client.data!r}")
    clients = open_
    if not server.is_running():
        fail(f"the server ended with {server.process.returncode}: {server.process.stderr.read()[-2000:]}")
    if time.monotonic() - checked > 5:
        checked = time.monotonic()
        keys = good()
        if first is None and checked - began > 20:
            first = server.memory()
good()
last = server.memory()
counts = ", ".join(f"{status} {number}" for status, number in sorted(statuses.items(), key=lambda pair: str(pair[0])))
check(f"{count} altered requests are answered or closed: {counts}", count > 10 * seconds and len(statuses) > 3, statuses)
check(f"the server holds {last:.0f} MiB, and does not grow", first is None or last - first <= 64, first)
check("and ends as it should", (status := server.end()) == 0, status)
