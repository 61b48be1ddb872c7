"""Attacks the page's server, and holds it to staying up.

Foreign names and origins, no token, requests of a megabyte, CONNECTIONS (10000) that send nothing or a byte now and
then, pages that read nothing. All of it on the loopback address of this machine, bounded, within two minutes. Meanwhile
a client that behaves has to be answered within five seconds, with the headers that protect the page, and the server
stays within MEMORY_MIB. A refusal holds no data.
"""

import json
import os
import resource
import socket
import time

from lib.checking import check, fail
from lib.serving import JSON, Server as AnyServer

MANY = int(os.environ.get("CONNECTIONS") or 10_000)
PATIENCE_S = 5
MEMORY_MIB = 100
PROTECTING = ("cache-control", "x-content-type-options", "x-frame-options", "referrer-policy",
              "cross-origin-resource-policy", "content-security-policy")


class Server(AnyServer):
    def status(self, data, timeout=5):
        """The status that is answered, or in words that there is none.

        The server answers and hangs up while a long request is still being sent; what it answered can be read all the
        same.
        """
        with self.connect(timeout) as connection:
            try:
                connection.sendall(data)
            except (BrokenPipeError, ConnectionResetError):
                pass
            try:
                answer = connection.recv(4096)
            except ConnectionResetError:
                return "with a cut connection"
            except socket.timeout:
                return f"with nothing within {timeout} s"
        if not answer.startswith(b"HTTP/1.1 "):
            return f"with {answer[:20]!r}"
        status, head = int(answer.split()[1]), answer.partition(b"\r\n\r\n")[0].lower()
        if b"\r\naccess-control-allow-origin:" in head:
            fail("another site may read what is answered")
        if status == 200 and (missing := [name for name in PROTECTING if f"\r\n{name}: ".encode() not in head]):
            fail(f"the answer {status} lacks {', '.join(missing)}")
        if status >= 400 and (b'"networks"' in answer or b"<html" in answer):
            fail(f"the answer {status} has what was refused")
        return status

    def holds(self):
        """What the server holds, in words; too much ends the check."""
        held = self.memory()
        if held > MEMORY_MIB:
            fail(f"the server holds {held:.0f} MiB; {MEMORY_MIB} are its limit")
        return f"{held:.0f} MiB"


def good(server):
    """How long a client that behaves waits for the whole page, its data, and an action, in seconds."""
    began = time.monotonic()
    for text in (server.send("GET /"), server.send(), server.send("GET /metrics"),
                 server.send("POST /action", None, server.bearer, JSON, body='{"do":"filter","value":""}')):
        status = server.status(text)
        if status != 200:
            fail(f"a client that behaves is answered {status}")
    took = time.monotonic() - began
    if took > PATIENCE_S:
        fail(f"a client that behaves waits for {took:.2f} s")
    return took


def refusals(server):
    port, bearer = server.port, server.bearer
    action = '{"do":"wifi","value":false}'
    cases = [
        ("a foreign host", server.send("GET /scan.json", f"evil.example:{port}"), 421),
        ("a foreign host for the page", server.send("GET /", f"evil.example:{port}"), 421),
        ("another port", server.send("GET /", "127.0.0.1:1"), 421),
        ("no host", b"GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode(), 400),
        ("a foreign origin", server.send("GET /scan.json", None, "Origin: http://evil.example"), 403),
        ("no origin at all", server.send("GET /scan.json", None, "Origin: null"), 403),
        ("another site", server.send("GET /events", None, "Sec-Fetch-Site: cross-site"), 403),
        ("an action without a token", server.send("POST /action", None, JSON, body=action), 401),
        ("a wrong token", server.send("POST /action", None, JSON, f"Authorization: Bearer {'0' * 32}",
                                      body=action), 401),
        ("a token of another site", server.send("POST /action", None, JSON, bearer, "Origin: http://evil.example",
                                                body=action), 403),
        ("a form", server.send("POST /action", None, bearer, "Content-Type: text/plain", body=action), 415),
        ("no action", server.send("POST /action", None, bearer, JSON, body="{}"), 400),
        ("a body of a megabyte", server.send("POST /action", None, bearer, JSON, body="a" * 1_000_000), 413),
        ("a header of a megabyte", server.send("GET /", None, "X: " + "a" * 1_000_000), 431),
        ("a target of a megabyte", server.send("GET /" + "a" * 1_000_000), 431),
        ("ten thousand headers", server.send("GET /", None, *["X: y"] * 10_000), 431),
        ("no HTTP", b"\x00\x01\x02\r\n\r\n", 400),
        ("TLS", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200, 400),
        ("a path that climbs", server.send("GET /../../etc/passwd"), 404),
    ]
    for name, text, expected in cases:
        status = server.status(text)
        check(f"{name} is refused with {expected}", status == expected, status)
    check("none of it turned Wi-Fi off", b"wifi_harness_wifi_on 1\n" in server.request("GET /metrics")[1])


def slow(server):
    """Connections that send nothing, and such that send a byte now and then."""
    held = []
    waits = []
    for index in range(MANY):
        try:
            connection = server.connect()
        except OSError as error:
            fail(f"connection {index}: {error}")
        connection.setblocking(False)
        if index % 2:
            connection.send(b"GET / HTTP/1.1\r\nHost: ")
        held.append(connection)
        if index % 500 == 499 or index == MANY - 1:
            for one in held[-200:]:
                try:
                    one.send(b"a")
                except OSError:
                    pass
            waits.append(good(server))
    check(f"{MANY} slow connections: others are answered within {max(waits) * 1000:.0f} ms, {server.holds()}",
          len(held) == MANY)
    for connection in held:
        connection.close()


def deaf(server):
    """Pages that follow and read nothing, while things change as fast as they can."""
    followers = []
    for _ in range(100):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(server.send("GET /events", None, server.bearer))
        followers.append(connection)
    waits = []
    for index in range(300):
        body = json.dumps({"do": "sort", "value": ["name", "signal", "channel"][index % 3]})
        began = time.monotonic()
        status = server.status(server.send("POST /action", None, server.bearer, JSON, body=body))
        if status != 200:
            fail(f"an action beside pages that read nothing is answered {status}")
        waits.append(time.monotonic() - began)
    check(f"100 pages that read nothing: an action takes {sorted(waits)[150] * 1000:.1f} ms, at most {max(waits) * 1000:.0f} ms, {server.holds()}",
          max(waits) <= PATIENCE_S)
    for connection in followers:
        connection.close()


def greedy(server):
    """Requests for much whose answers are not read."""
    held = []
    for _ in range(300):
        connection = server.connect()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        try:
            connection.send(server.send().replace(b"Connection: close\r\n", b"") * 50)
        except OSError:
            pass
        held.append(connection)
    time.sleep(1)
    took = good(server)
    check(f"300 clients that do not read 50 answers each: others are answered within {took * 1000:.0f} ms, {server.holds()}", len(held) == 300)
    for connection in held:
        connection.close()


soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
wanted = MANY + 500
if hard != resource.RLIM_INFINITY and hard < wanted:
    fail(f"this user may open {hard} files, and {wanted} are needed: give fewer CONNECTIONS.")
server = Server("--simulate", "preview", "--seed", "7")
resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
good(server)
refusals(server)
slow(server)
deaf(server)
greedy(server)
time.sleep(1)
good(server)
check("the server goes on after all of it", server.is_running(), server.process.returncode)
check("and ends as it should", (status := server.end()) == 0, status)
