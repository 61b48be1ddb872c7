"""Runs the panel in tmux at four sizes, types into it, and compares what it shows with what it has to show.

What tmux shows of the panel is kept in .build/terminal-test, a file for each step. Pictures of a recording do not
depend on time, and are compared with those that --once prints.
"""
import difflib
import re
import signal
import struct
import time

from lib import checking
from lib.checking import BINARY, RECORDING, check, harness, run
from lib.terminals import Terminal, Tmux

checking.most_failures = 3
folder = checking.pictures("terminal-test")
PREVIEW = "--simulate preview --seed 7"
HOME = "--simulate home --seed 7"


class Panel(Tmux):
    """The panel in a window with a shell, which prints its exit status and the modes of the terminal before and after.
    """

    def __init__(self, name, size, options):
        super().__init__(size)
        self.name = name
        self.line(f"stty -a >{folder}/before; {BINARY} panel {options}; echo status $?")

    def keys(self, *names, **after):
        super().keys(*names)
        self.then(**after)

    def text(self, text, **after):
        super().text(text)
        self.then(**after)

    def line(self, text, **after):
        super().line(text)
        self.then(**after)

    def then(self, shows=(), hides=None, keep=None):
        """What an input brings: a text or several that come, one that goes, a picture that is kept."""
        self.expect(*([shows] if isinstance(shows, str) else shows))
        if hides:
            self.gone(hides)
        if keep:
            self.keep(keep)

    def expect(self, *texts, seconds=10):
        for text in texts:
            check(f"{self.name}: “{text}” comes", self.waits(text, seconds), self.shown())

    def gone(self, text):
        check(f"{self.name}: “{text}” goes", self.waits(text, is_there=False), self.shown())

    def keep(self, what):
        (folder / f"{self.name}-{what}.txt").write_text(self.shown())

    def ends(self, status):
        """Expects an exit status, and the terminal as it was."""
        self.expect(f"status {status}")
        self.line(f"stty -a >{folder}/after; clear")
        time.sleep(0.3)
        modes = [(folder / name).read_text() for name in ("before", "after")]
        check(f"{self.name}: the modes of the terminal are what they were", modes[0] == modes[1], modes)
        flags = self.state("alternate_on", "cursor_flag", "mouse_any_flag", "keypad_cursor_flag", "keypad_flag")
        check(f"{self.name}: screen, cursor, mouse and keys are what they were", flags == "0 1 0 0 0", flags)
        self.close()


def without_flags(text):
    """Flags and joined emoji are as wide as tmux has them, so the rows with them are compared by their names only."""
    return [line.rstrip() for line in text.splitlines() if "🌈" not in line]


def replay(size):
    """A recording: the same picture as --once prints."""
    panel = Panel(f"recording-{size}", size, f"--replay {RECORDING}")
    panel.expect("scan 1 of 14")
    panel.keys("End", shows="scan 14 of 14")
    # The row that was the first is highlighted still, and others are stronger now; --once highlights the first.
    panel.keys("Up", "Up", "Up")
    time.sleep(0.3)
    panel.keep("end")
    once = without_flags(harness("panel", "--replay", RECORDING, "--once", "--size", size).stdout)
    # tmux leaves out what is empty below.
    shown = without_flags(panel.shown())
    check(f"{panel.name}: tmux shows what --once prints", once and once == shown,
          "\n".join(difflib.unified_diff(once, shown, lineterm="")))
    panel.keys("Left", "Left", shows="scan 12 of 14")
    panel.keys("Home", shows="scan 1 of 14")
    # Keys as a terminal sends them that does not switch to the mode it is asked for.
    for keys, place in (("\033[F", 14), ("\033[D", 13), ("\033[H", 1)):
        panel.text(keys, shows=f"scan {place} of 14")
    panel.text("q")
    panel.ends(0)


def use(size):
    """A simulated home: list, history, details, filter, sort, channels, events, join wrong then right, forget; known
    networks.
    """
    panel = Panel(f"home-{size}", size, f"{PREVIEW} --interval 1")
    panel.expect("Nacho Wi-Fi", "▌")
    panel.keep("list")
    panel.keys("Down")
    # A click on the third row, as a terminal of this kind sends it: button, column 6, row 6, each with 32 added.
    panel.text("\033[M &&")
    panel.text("\033[M#&&", shows="▌ Nacho Wi-Fi ")
    panel.text("i", shows=("‹ Back", "1 AP · heard", "Nacho Wi-Fi"), keep="details")
    panel.keys("Escape", hides="‹ Back")
    for key, text, picture in (("c", "6 GHz", "channels"), ("e", "EVENTS", "events"), ("?", "KEYS", "help")):
        panel.text(key, shows=text, keep=picture)
    panel.keys("Escape", hides="KEYS")
    panel.text("s", shows="NAME▾")
    panel.text("ssss", shows="SIGNAL▾")
    panel.text("/nacho", shows="2 of ", keep="filter")
    panel.keys("Enter")
    panel.keys("Escape", hides="2 of ")
    # The cursor goes to a network with a password.
    panel.text("/5G", shows="1 of ")
    panel.keys("Enter")
    panel.keys("Enter", shows="▌")
    panel.keys("Enter", shows="Join “Nacho Wi-Fi 5G”", keep="sheet")
    panel.line("wrong", shows="Incorrect password", keep="alert")
    panel.keys("Enter", hides="Incorrect password")
    # Pasted as a whole, in the place of what was selected.
    panel.tmux("set-buffer", "blob")
    panel.tmux("paste-buffer", "-p", "-t", "panel")
    panel.expect("••••")
    panel.gone("•••••")
    panel.keys("Enter", hides="Join “")
    panel.expect("●")
    panel.keep("joined")
    panel.keys("Enter", shows="[ Forget ]")
    panel.text("x", shows="Forget “Nacho", keep="forget")
    panel.keys("Left")
    panel.keys("Enter", hides="‹ Back")
    # The known networks: one is changed, one added, one forgotten.
    panel.text("k", shows="Cabin", keep="known")
    panel.keys("Down", "Down")
    panel.text("x", shows="Forget “")
    panel.keys("Escape", shows="‹ Known networks", keep="known-edit")
    panel.text(" ")
    panel.keys("Enter", shows="[off]")
    panel.keys("Escape", shows="‹ Back")
    panel.text("a", shows="Add a known network")
    panel.text("Attic")
    panel.keys("Tab", "Tab")
    panel.text("blob blob", keep="known-add")
    panel.keys("Enter", hides="Add a known network")
    panel.expect("Attic")
    panel.keys("Escape", hides="‹ Back")
    # Another size in the middle.
    panel.resize("90x26")
    time.sleep(0.5)
    panel.expect("▌")
    panel.keep("resized")
    panel.resize("30x8")
    panel.expect("The panel needs")
    panel.resize(size)
    panel.expect("▌")
    panel.keys("C-c")
    panel.ends(0)


def signals():
    """The first second says that it scans. Whatever ends or stops it, the terminal is as it was."""
    panel = Panel("first-second", "80x24", HOME)
    panel.expect("canning…", seconds=2)
    panel.keep("start")
    panel.keys("C-z", shows="Stopped")
    panel.line("fg; echo status $?", shows="NAME")
    panel.keys("C-c")
    panel.ends(0)
    # A shell prints nothing after an interrupt, which is Control-C to it.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGSEGV, signal.SIGABRT):
        panel = Panel(f"killed-{number.name}", "80x24", HOME)
        panel.expect("NAME")
        run("pkill", f"-{number.value}", "-n", "-f", f"^{BINARY} panel")
        panel.ends(128 + number)


def blocked():
    """A panel whose terminal takes no more output is ended soon, and the last that the terminal gets gives it back."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        terminal = Terminal(BINARY, "panel", *HOME.split(), size=(300, 100))
        time.sleep(1)
        # Pictures without a reader.
        for _ in range(60):
            for key in ("?", "\033"):
                terminal.type(key)
                time.sleep(0.02)
        terminal.signal(number)
        has_ended = terminal.has_ended(10, reading=False)
        if not has_ended:
            terminal.signal(signal.SIGKILL)
        terminal.read_all()
        check(f"{number.name} ends a panel whose terminal takes no output",
              has_ended and terminal.status & 127 == number
              and b"\033[?1049l" in terminal.shown[-80:], (terminal.status, terminal.shown[-80:]))
        terminal.close()


def crowd():
    """A thousand networks and names of all kinds: no control byte reaches the terminal."""
    kinds = [b"\033]0;title\007", b"\033[31mred", b"\r\n\b", "\u009b31m\u0085".encode(), "\u202etxt".encode(),
             b"\377\376\0", b"\177",
             "\u65e5\u672c\u8a9e".encode(), b"plain"]
    with open(folder / "crowd.pcap", "wb") as file:
        file.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 105))
        for number in range(1000):
            name, address = b"%03d" % number + kinds[number % len(kinds)], bytes([2, 0, 0, 0, number >> 8,
                number & 255])
            frame = b"\200\0\0\0" + b"\377" * 6 + address * 2 + bytes(10) + struct.pack("<HH", 100,
                1) + bytes([0, len(name)]) + name + b"\3\1\6"
            file.write(struct.pack("<IIII", 1, number, len(frame), len(frame)) + frame)
    panel = Panel("crowd", "100x30", f"--replay {folder}/crowd.pcap")
    panel.tmux("pipe-pane", "-t", "panel", f"cat >{folder}/crowd.bytes")
    panel.expect("1000 networks", seconds=60)
    panel.expect(r"000\x1b]0;title\x07", r"001\x1b[31mred")
    for _ in range(40):
        panel.keys("NPage")
    panel.keys("End")
    time.sleep(1)
    panel.keep("end")
    panel.text("q")
    panel.ends(0)
    # What the panel sends for the screen begins with ESC, and is followed by one of these.
    text = (folder / "crowd.bytes").read_bytes().split(b"\033[?1049l")[0].decode(errors="replace")
    rest = re.sub(r"\017|\033(?:\[[?>]?[0-9;]*[A-Za-z@`]|[=>()][B0]?|[78M])", "", text)
    strange = set(re.findall("[\0-\007\013\014\016-\037\177-\237\u202a-\u202e\u2066-\u2069]", rest))
    check("crowd: no control character reaches the terminal", not strange and len(rest) >= 1000, (strange, len(rest)))


def linear():
    """Line by line: a join with a wrong password, then with the right one, before +9 s, when the network is lost;
    nothing moves a cursor.
    """
    panel = checking.start(BINARY, "panel", "--linear", *PREVIEW.split(), stdin=-1)
    for line in ("", "join nacho wi-fi 5g", "wrong", "join nacho wi-fi 5g", "blob", "quit"):
        if line:
            panel.stdin.write(line + "\n")
            panel.stdin.flush()
        time.sleep(1.5)
    status, text, errors = checking.finish(panel)
    check("linear: it ends", status == 0, (status, errors))
    check("linear: the wrong password is reported", "does not accept this password" in text, text)
    check("linear: the join is reported", "joined Nacho Wi-Fi 5G" in text, text)
    check("linear: nothing moves the cursor", "\033" not in text, text)
    check("linear: the password is not shown", not re.search(r"\bblob\b", text), text)


for size in ("80x24", "100x30", "200x60", "40x15"):
    replay(size)
    use(size)
signals()
blocked()
crowd()
linear()
done = harness("panel", *HOME.split())
check("without a terminal: a sentence, status 64", done.returncode == 64 and "terminal" in done.stderr, done)
panel = Tmux("80x24")
panel.line(f"TERM=nonsense {BINARY} panel {HOME}; echo status $?")
check("a terminal that is not known: a sentence", panel.waits("is not known here"), panel.shown())
check("a terminal that is not known: status 69", panel.waits("status 69"), panel.shown())
panel.close()
