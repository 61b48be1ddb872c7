"""Ends a panel whose terminal takes no more output, with each signal that ends a process: blocked-terminal.py BINARY

Exit status: 0 each ends it soon, and the last that the terminal gets gives it back; 1 one does not.
"""
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time

binary = sys.argv[1]
failures = 0
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
    process, terminal = pty.fork()
    if process == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(binary, [binary, "panel", "--simulate", "home", "--seed", "7"])
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 100, 300, 0, 0))
    time.sleep(1)
    # Pictures that nobody reads.
    for _ in range(60):
        for key in (b"?", b"\033"):
            os.write(terminal, key)
            time.sleep(0.02)
    os.kill(process, number)
    limit = time.monotonic() + 10
    ended = 0
    while not ended and time.monotonic() < limit:
        ended, status = os.waitpid(process, os.WNOHANG)
        time.sleep(0.05)
    if not ended:
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
    output = b""
    os.set_blocking(terminal, False)
    try:
        while data := os.read(terminal, 65536):
            output += data
    except OSError:
        pass
    os.close(terminal)
    if not ended or not os.WIFSIGNALED(status) or os.WTERMSIG(status) != number or b"\033[?1049l" not in output[-80:]:
        failures += 1
        print(f"{number.name}: ended {bool(ended)}, last {output[-80:]}", file=sys.stderr)
sys.exit(failures > 0)
