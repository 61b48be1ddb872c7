"""Terminals: one of pty(7) for a command, and windows of tmux, which show what a person would see."""

import atexit
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios

from lib.checking import folder, run, until

ENVIRONMENT = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no"}
# The modes of a terminal that no command has used.
FRESH = termios.tcgetattr(pty.openpty()[1])


class Terminal:
    """A command on a terminal of its own; what it shows is kept as the bytes that came."""

    def __init__(self, *command, size=None, **environment):
        self.pid, self.descriptor = pty.fork()
        if self.pid == 0:
            try:
                os.execve(command[0], command, os.environ | ENVIRONMENT | environment)
            finally:
                # Where there is no such program, this copy of the check would go on, and end what the check started.
                os._exit(127)
        if size:
            self.resize(*size)
        self.shown = b""
        self.status = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.descriptor, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds=0):
        """Takes in what comes within so many seconds; returns it, or None where the terminal has ended."""
        if not select.select([self.descriptor], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.descriptor, 1 << 16)
        except OSError:
            return None
        self.shown += data
        return data or None

    def read_all(self):
        while self.read():
            pass

    def shows(self, text, seconds=20):
        return until(lambda: self.read_all() or text in self.shown, seconds)

    def type(self, text):
        os.write(self.descriptor, text.encode() if isinstance(text, str) else text)

    def has_echo(self):
        return bool(termios.tcgetattr(self.descriptor)[3] & termios.ECHO)

    def is_as_before(self):
        """Whether its modes are those of a fresh one, and the commands for its screen have taken back what they set."""
        screen = {b"7": True, b"25": True}
        for numbers, word in re.findall(rb"\x1b\[\?([0-9;]+)([hl])", self.shown):
            screen.update(dict.fromkeys(numbers.split(b";"), word == b"h"))
        keys = re.findall(rb"\x1b([=>])", self.shown)
        return (termios.tcgetattr(self.descriptor) == FRESH and keys[-1:] in ([], [b">"])
                and all(is_set == (number in (b"7", b"25")) for number, is_set in screen.items()))

    def has_ended(self, seconds=20, reading=True):
        """Waits for the end of the command, whose status is kept."""
        def look():
            if reading:
                self.read_all()
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
            return bool(pid)
        return until(look, seconds)

    def signal(self, number):
        os.kill(self.pid, number)

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.descriptor)


class Tmux:
    """A window of tmux with a shell, or another command, in it."""

    def __init__(self, size, command=None):
        self.socket = f"{folder()}/socket"
        columns, rows = size.split("x")
        command = command or (f"env -i HOME={os.environ.get('HOME', '/')} PATH={os.environ['PATH']} TERM=screen-256color LC_ALL=C.UTF-8 "
                              "bash --norc --noprofile")
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "panel", "-x", columns, "-y", rows, command)
        atexit.register(self.close)
        self.tmux("set", "-g", "status", "off")
        self.tmux("set", "-sg", "escape-time", "0")

    def tmux(self, *words):
        return run("tmux", "-S", self.socket, *words, env=os.environ | {"LC_ALL": "C.UTF-8"}).stdout

    def keys(self, *names):
        self.tmux("send-keys", "-t", "panel", *names)

    def text(self, text):
        self.tmux("send-keys", "-t", "panel", "-l", text)

    def line(self, text):
        self.text(text)
        self.keys("Enter")

    def shown(self):
        return self.tmux("capture-pane", "-p", "-t", "panel")

    def resize(self, size):
        columns, rows = size.split("x")
        self.tmux("resize-window", "-t", "panel", "-x", columns, "-y", rows)

    def state(self, *flags):
        """What tmux knows of the terminal, such as whether its cursor is shown."""
        return self.tmux("display-message", "-p", "-t", "panel", " ".join(f"#{{{flag}}}" for flag in flags)).strip()

    def waits(self, text, seconds=10, is_there=True):
        """Whether a text is shown, or is gone, within so many seconds."""
        return until(lambda: (text in self.shown()) == is_there, seconds, 0.1)

    def close(self):
        self.tmux("kill-server")
        atexit.unregister(self.close)
