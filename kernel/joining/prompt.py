"""Runs in the guest: the question for a password, on a terminal of its own.

`checks(BINARY)` yields a title and what does not hold, for each way in which the question can end.
"""

import os
import pty
import signal
import termios
import time

from lib import terminals

QUESTION = b"Password for Lab WPA2: "
NETWORK = "Lab WPA2"


class Terminal(terminals.Terminal):
    """A shell's part: a terminal, and the command in a process group of its own on it."""

    def __init__(self, binary):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            # The leader of the session, as a shell is, so that the command can be stopped and continued.
            command = os.fork()
            if command == 0:
                os.setpgid(0, 0)
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                os.tcsetpgrp(0, os.getpid())
                signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                # A program of Swift reports SIGQUIT as a crash otherwise, where a toolchain is installed.
                os.environ["SWIFT_BACKTRACE"] = "enable=no"
                os.execv(binary, [binary, "join", "-i", "wlan0", "--once", "--via", "supplicant", NETWORK])
            _, status = os.waitpid(command, 0)
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        self.before = self.settings()
        self.shown = b""
        self.status = None

    def settings(self):
        return termios.tcgetattr(self.descriptor)

    def read_until(self, seconds, end=None):
        """What the terminal shows until these bytes come, or the time is up."""
        start, limit = len(self.shown), time.monotonic() + seconds
        while (left := limit - time.monotonic()) > 0 and not (end and end in self.shown[start:]):
            if self.read(left) is None:
                break
        return self.shown[start:]

    def command(self):
        """The process group in front of the terminal."""
        return os.tcgetpgrp(self.descriptor)


def state(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        return file.read().rsplit(b")", 1)[1].split()[0]


def checks(binary, right, wrong):
    def begun():
        terminal = Terminal(binary)
        shown = terminal.read_until(30, QUESTION)
        problems = [] if shown.endswith(QUESTION) else [f"the question is {shown!r}"]
        if terminal.has_echo():
            problems.append("what is typed is shown")
        return terminal, problems

    def ended(terminal, problems, status, *words):
        code = os.waitstatus_to_exitcode(terminal.status) if terminal.has_ended(40) else None
        if code != status:
            problems.append(f"exit status {code} instead of {status}")
        for word in words:
            if word not in terminal.shown:
                problems.append(f"{word!r} is not in {terminal.shown!r}")
        for secret in (right, wrong):
            if secret.encode() in terminal.shown:
                problems.append("the password is on the terminal")
        try:
            if terminal.settings() != terminal.before:
                problems.append("the terminal is another than before")
        except termios.error:
            pass
        terminal.close()
        return problems

    terminal, problems = begun()
    with open(f"/proc/{terminal.command()}/limits", encoding="ascii") as file:
        if not any(line.startswith("Max core file size") and line.split()[4:6] == ["0", "0"] for line in file):
            problems.append("a core may be written")
    terminal.type(b"wrong\x7f\x7f\x7f\x7f\x7f" + right.encode() + b"\n")
    yield "a typed password, with corrections", ended(terminal, problems, 0, b"joined Lab WPA2")

    terminal, problems = begun()
    terminal.type(wrong.encode() + b"\n")
    yield "a wrong one", ended(terminal, problems, 1, b"The password is wrong.")

    for name, data in (("Ctrl-C", b"\x03"), ("Ctrl-\\", b"\x1c")):
        terminal, problems = begun()
        terminal.type(wrong.encode()[:4] + data)
        yield f"{name} in the middle", ended(terminal, problems, 1 if data == b"\x03" else -signal.SIGQUIT & 0xFF)

    for number in (signal.SIGTERM, signal.SIGHUP):
        terminal, problems = begun()
        terminal.type(wrong.encode()[:4])
        os.kill(terminal.command(), number)
        yield f"{signal.Signals(number).name} in the middle", ended(terminal, problems, -number & 0xFF)

    terminal, problems = begun()
    command = terminal.command()
    terminal.type(wrong.encode()[:4] + b"\x1a")
    terminal.read_until(2)
    if state(command) != b"T":
        problems.append(f"Ctrl-Z leaves it in state {state(command)}")
    if terminal.settings() != terminal.before:
        problems.append("the stopped command leaves the terminal without echo")
    os.kill(command, signal.SIGCONT)
    shown = terminal.read_until(5, QUESTION)
    if not shown.endswith(QUESTION) or terminal.has_echo():
        problems.append(f"continued, it shows {shown!r}, echo {terminal.has_echo()}")
    terminal.type(right.encode() + b"\n")
    yield "stopped by Ctrl-Z and continued", ended(terminal, problems, 0, b"joined Lab WPA2")
