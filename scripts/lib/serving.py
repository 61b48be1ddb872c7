"""One run of `wifi-harness serve`, and requests to it."""

import json
import resource
import signal
import socket
import urllib.request

from lib.checking import BINARY, cpu, finish, resident, start

JSON = "Content-Type: application/json"


class Server:
    def __init__(self, *arguments, descriptors=None, user=None):
        def prepare():
            if descriptors:
                resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

        self.process = start(BINARY, "serve", "--port", "0", *arguments, preexec_fn=prepare, user=user)
        line = self.process.stdout.readline()
        self.url = line.split()[-1] if line.startswith("Serving on ") else ""
        if not self.url:
            self.error = line + self.process.stderr.read()
            return
        self.base, self.token = self.url.split("/#token=")
        self.bearer = f"Authorization: Bearer {self.token}"
        self.port = int(self.base.rpartition(":")[2])

    def __enter__(self):
        assert self.url, f"serve does not begin: {self.error}"
        return self

    def __exit__(self, *_):
        status = self.end()
        assert status == 0, f"the server ended with status {status} when it was interrupted"

    def connect(self, timeout=5):
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def send(self, line="GET /scan.json", host=None, *headers, body=""):
        """The bytes of a request."""
        lines = [f"{line} HTTP/1.1", f"Host: {host or f'127.0.0.1:{self.port}'}", "Connection: close", *headers]
        lines += [f"Content-Length: {len(body)}"] if body else []
        return ("\r\n".join(lines) + "\r\n\r\n" + body).encode()

    def request(self, line, body=""):
        """The status and the body of an answer to one who has the token; 0 where the connection is cut."""
        with self.connect() as connection:
            connection.sendall(self.send(line, None, self.bearer, JSON, body=body))
            data = b""
            try:
                while more := connection.recv(65536):
                    data += more
            except OSError:
                pass
        return (int(data.split()[1]), data.partition(b"\r\n\r\n")[2]) if data else (0, b"")

    def act(self, **action):
        """Does what a page does; gives the status."""
        return self.request("POST /action", json.dumps(action))[0]

    def scan(self):
        """What /scan.json has."""
        return json.loads(self.request("GET /scan.json")[1])

    def hello(self, token=None):
        """The whole state, as a page gets it that comes."""
        request = urllib.request.Request(self.base + "/events",
                                         headers={"Authorization": f"Bearer {token}"} if token else {})
        with urllib.request.urlopen(request, timeout=10) as events:
            lines = [events.readline() for _ in range(3)]
        return json.loads(lines[2].removeprefix(b"data: "))

    def is_running(self):
        return self.process.poll() is None

    def cpu(self):
        return cpu(self.process.pid)

    def memory(self):
        return resident(self.process.pid)

    def end(self, number=signal.SIGINT):
        """Ends it, and gives its exit status: None where it does not end."""
        self.process.send_signal(number)
        return finish(self.process, 15)[0]
