#!/usr/bin/env python3
"""Runs checks: `make check` is all that CI runs, `make check NAME="terminal page"` is some of it. docs/checking.md says
more.

usage: scripts/check.py [NAME…]    WIFI_HARNESS names another command than the one that would be built
"""

import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Check(NamedTuple):
    name: str
    sentence: str
    # What has to be built: debug, release, both, or nothing.
    build: str = "release"
    # Groups of scripts/setup.
    packages: str = ""
    # When CI runs it: first, then builds and command side by side, then last; or not at all.
    lane: str = ""
    # How many expectations it counts at least, where nothing is passed over.
    least: int = 0
    # What CI, and the check `checks`, run of it, as variables of the environment.
    part: dict = {}
    # A command of the shell; without one, the module of this name in scripts/checks.
    shell: str = ""
    # Whether it has to fail on a command that does nothing, which the check `checks` tries.
    fails_on_nothing: bool = True


# In the order in which CI runs them.
CHECKS = [
    Check("unit", "Run the unit tests: `make test`.", "", lane="first", shell="make test"),
    Check("manual", "Hold the manual pages to the command, and mandoc warns of nothing.", "debug", "manual", "first",
          shell='scripts/check-manual "$WIFI_HARNESS"'),
    Check("decode", "Feed `decode` with what people feed it, and hold its answers to a list.", "debug", lane="first",
          least=214),
    Check("docs", "Build the documentation of the libraries into .build/docs; warnings are errors.", "debug",
          lane="first", shell="scripts/docs"),
    Check("articles", "Hold each block of the articles and the README to the code and the command.", "debug",
          lane="first"),
    Check("refused", "Compile what the compiler has to refuse.", "debug", lane="first", fails_on_nothing=False),
    Check("lint", "Check the format, and that the C of the products that test compiles without warnings.", "",
          lane="first", shell="make lint"),
    Check("planted", "Put all planted bugs behind their numbers, as `make mutation` does, and parse what comes of it.", "",
          lane="first", fails_on_nothing=False, least=20),
    Check("without-libraries", "Compile what asks for libnl, ncurses, libyaml or libzstd as it is without them.", "debug",
          lane="first", fails_on_nothing=False, least=5),
    Check("unit-release", "Run the unit tests in release, as the escapes and the traps of both builds differ.", "",
          lane="builds",
          shell="make test RELEASE=1"),
    Check("examples", "Test models of other packages, which fetch nothing of this one's.", "", lane="builds", shell="""
        dependencies=$($SWIFT package show-dependencies --package-path Examples/Stopwatch --format flatlist)
        [ "$(wc -l <<< "$dependencies")" = 1 ] || { echo "Stopwatch fetches $dependencies"; exit 1; }
        for package in Stopwatch ThirdParty; do $SWIFT test --package-path Examples/$package; done
        $SWIFT test --package-path Examples/Stopwatch -c release
        $SWIFT test --package-path Examples/Provisioning
        PROVISIONING_NONSENDING=1 $SWIFT test --package-path Examples/Provisioning"""),
    Check("flaky-suites", "Judge a suite with a flaky test of each kind, and what cannot be judged.", "debug", lane="command",
          fails_on_nothing=False, least=29),
    Check("size", "Fail where the stripped command has more than 25 MB.", lane="command"),
    Check("paths", "Fail where the command holds paths of the machine that built it.", lane="command"),
    Check("kernel", "Use the command in a real kernel against hostapd, and join over the three daemons.",
          packages="kernel", lane="command",
          least=156),
    Check("kernel-worlds", "Check the same scenarios over the three real daemons as over the simulated ones.",
          packages="kernel",
          lane="command", least=30),
    Check("kernel-compare", "Let the simulated and a real kernel hear the same worlds, and compare what they answer.",
          packages="kernel",
          lane="command", least=41),
    Check("workers", "Explore in two processes, with either of them killed.", lane="command", least=19),
    Check("cluster", "Explore in shards, killed and resumed, under GNU parallel and Slurm, and compare.",
          packages="parallel",
          lane="command", part={"KILLS": "5", "SEEDS": "321", "PARTS": "shards killed parallel"}),
    Check("deb", "Install the Debian package in a copy of this system, use it, and remove it; needs root.",
          packages="deb", lane="command", least=42),
    Check("kernel-deb", "Install the package in a real kernel, and scan as an ordinary user of its group.",
          packages="kernel deb",
          lane="command", least=14),
    Check("capabilities", "Start the command with CAP_NET_ADMIN, which it drops where it asks no adapter; needs root or user name spaces.",
          "debug", lane="command", least=8),
    Check("messages", "Give the command what it cannot use, and hold its sentences to a list.", lane="command",
          least=380),
    Check("exec", "Watch with commands that hang, die, print without end or cannot be started.", lane="command",
          least=28),
    Check("signals", "End joins, questions for a password and the panel with signals; nothing is left behind.",
          lane="command", least=109),
    Check("gpsd", "Scan along a track that gpsfake plays to gpsd, and let promtool read the metrics.", packages="gpsd",
          lane="command",
          least=28),
    Check("programs", "Run programs of others on the simulated kernel.", "debug", "programs", "command", least=64),
    Check("ways-out", "Try every known way out of a simulation; needs root.", "debug", "programs", "command",
          least=150),
    Check("browser", "Open explanations in a real browser; pictures in .build/browser-test.", "debug", "browser",
          "command", least=36),
    Check("terminal", "Run the panel in tmux at four sizes, and compare what it shows.", packages="terminal",
          lane="command", least=257),
    Check("page", "Use the page in a real browser at 390 and 1280 pixels, light and dark.", packages="browser",
          lane="command", least=20),
    Check("page-attack",
          "Attack the page's server: foreign hosts, no token, 10,000 slow connections, clients that read nothing.",
          lane="command", least=26),
    Check("serve-attack", "Attack `serve` with few descriptors, and look for passwords in its memory.", lane="command",
          least=24),
    Check("determinism", "The same seeds give the same in debug and release; SEEDS=10000.", "both", lane="last",
          part={"SEEDS": "200"}),
    # What CI leaves out.
    Check("checks", "Run every check on a command that does nothing, which each has to see.", "both",
          fails_on_nothing=False),
    Check("views", "Every view gives the same traces: scenarios, and SEEDS=1000 with random user input."),
    Check("kernel-joins", "Join over the three daemons in a real kernel in every situation; writes docs/joining.md.",
          packages="kernel",
          part={"ONLY": "WPA2, right password;WPA3, right password"}),
    Check("kernel-known", "List and change the known networks of the three real daemons.", packages="kernel",
          least=108),
    Check("kernel-views", "Use the panel, live over wpa_supplicant, in a real kernel.", packages="kernel"),
    Check("kernel-mutation",
          "Plant errors in the simulated kernel, which kernel-compare has to see; PATCHES=\"01 02\" for some.", "",
          "kernel mutation"),
    Check("daemons", "Let NetworkManager and iwd list the networks of a simulated world; needs root.", "debug",
          "programs", fails_on_nothing=False),
    Check("tshark", "Hold what is decoded from captures of other projects against tshark.", packages="tshark",
          fails_on_nothing=False),
    Check("page-fuzz", "Send altered requests to the page's server for a minute."),
    Check("explore-joins", "Run joins over the simulated daemons for a million seeds; SEEDS='0..<1000' for less.", ""),
]
# A step that hangs is ended after so many seconds.
LIMIT = float(os.environ.get("LIMIT") or 45 * 60)


def table():
    """The checks as docs/checking.md lists them."""
    return "| check | what it does | in CI | built before |\n| --- | --- | --- | --- |\n" + "".join(
        f"| `{one.name}` | {one.sentence} | {one.lane or 'no'} | {one.build or 'nothing'} |\n" for one in CHECKS)


class Failed(Exception):
    """A step that failed."""


class Runner:
    def __init__(self):
        self.environment = dict(os.environ, PYTHONUNBUFFERED="1", PYTHONDONTWRITEBYTECODE="1")
        self.environment.setdefault("SWIFT", "swift")
        self.own = os.environ.get("WIFI_HARNESS")
        self.times = []
        self.running = set()
        self.built = set()
        self.lock = threading.Lock()
        self.is_over = False
        self.failed = None

    def step(self, name, command, output=None, **environment):
        """Runs a command in a process group of its own; one that hangs is ended, so that its lane says which it was."""
        print(f"\n== {name} ({time.strftime('%H:%M:%S')})", file=output, flush=True)
        began = time.monotonic()
        process = subprocess.Popen(command, cwd=ROOT, env=self.environment | environment, stdin=subprocess.DEVNULL,
                                   stdout=output,
                                   stderr=subprocess.STDOUT if output else None, start_new_session=True)
        self.running.add(process)
        try:
            # What ends all that runs may have looked before this was among it.
            if self.is_over:
                raise Failed(name)
            status = process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            status = f"no end within {LIMIT:.0f} s"
        finally:
            self.end(process)
            self.times.append((time.monotonic() - began, name))
        if status:
            self.failed = self.failed or name
            print(f"wifi-harness: {name} failed: {status}", file=output, flush=True)
            raise Failed(name)

    def end(self, process):
        """Ends what is left of the process group of a step."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(30)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                pass
        self.running.discard(process)

    def build(self, wanted, output=None):
        with self.lock:
            for kind, target in (("debug", "build"), ("release", "release")):
                if wanted in (kind, "both") and not self.own and target not in self.built:
                    self.step(f"make {target}", ["make", target], output)
                    self.built.add(target)

    def check(self, one, is_part, output=None):
        self.build(one.build, output)
        kind = "debug" if one.build == "debug" else "release"
        environment = {"WIFI_HARNESS": os.path.abspath(self.own or ROOT / ".build" / kind / "wifi-harness")}
        environment["WIFI_HARNESS_DEBUG"] = os.path.abspath(os.environ.get("WIFI_HARNESS_DEBUG")
                                                            or ROOT / ".build/debug/wifi-harness")
        inside = [sys.executable, __file__, "--inside", one.name]
        self.step(one.name, ["bash", "-euc", one.shell] if one.shell else inside, output, **environment,
                  **(one.part if is_part else {}))

    def lane(self, name, output=None):
        for one in CHECKS:
            if one.lane == name:
                self.check(one, True, output)

    def setup(self, checks):
        groups = sorted({group for one in checks for group in one.packages.split()})
        if groups:
            self.step("what is missing is installed", ["scripts/setup", *groups])

    def all(self):
        """All that CI runs. Two lanes run side by side: one builds the package in other ways; the other uses the
        command, which mostly waits for kernels, daemons, browsers and terminals. What the second prints is shown when
        it has ended."""
        self.environment["WIFI_HARNESS_WARNINGS_AS_ERRORS"] = "1"
        self.setup([one for one in CHECKS if one.lane])
        self.lane("first")
        failures = []

        def command():
            try:
                self.lane("command", output)
            except Failed as error:
                failures.append(error)
                self.stop()

        with tempfile.TemporaryFile("w+") as output:
            beside = threading.Thread(target=command)
            beside.start()
            try:
                self.lane("builds")
            except BaseException:
                self.stop()
                raise
            finally:
                beside.join()
                output.seek(0)
                print(output.read(), flush=True)
        if failures:
            raise failures[0]
        self.lane("last")

    def stop(self):
        self.is_over = True
        for process in list(self.running):
            self.end(process)

    def report(self):
        print(f"\n== end ({time.strftime('%H:%M:%S')})")
        for seconds, name in self.times:
            print(f"{seconds:6.0f} s  {name}")


def main(names):
    if names[:1] == ["--inside"]:
        sys.path.insert(0, str(ROOT / "scripts"))
        from lib import checking

        return checking.perform(names[1], next(one.least for one in CHECKS if one.name == names[1]))
    if names == ["--table"]:
        print(table(), end="")
        return 0
    chosen = [one for one in CHECKS if one.name in names]
    if unknown := set(names) - {one.name for one in CHECKS}:
        print(f"wifi-harness: there is no check {', '.join(sorted(unknown))}. There are, with * what CI runs:")
        for one in CHECKS:
            print(f"  {'*' if one.lane else ' '} {one.name:18} {one.sentence}")
        return 64
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runner = Runner()
    try:
        if not names:
            runner.all()
        runner.setup(chosen)
        for one in chosen:
            runner.check(one, False)
    except Failed:
        pass
    finally:
        runner.stop()
        runner.report()
    if runner.failed:
        print(f"wifi-harness: {runner.failed} failed.", file=sys.stderr)
    return 1 if runner.failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
