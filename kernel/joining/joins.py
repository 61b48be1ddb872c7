"""Runs in the guest: joins that must succeed or fail for a known reason, over one daemon.

    joins.py BINARY KIND DAEMONS all | short | TITLE… [--program COMMAND]

KIND is supplicant, networkmanager or iwd; DAEMONS is what unpacked_daemons gives (scripts/lib/kernel.py). For each situation of cases.py it runs `wifi-harness join
--format json`, then the daemon's own client and COMMAND, and writes one JSON object a line to $OUT/joins-KIND.ndjson: the situation, what is true, what
each reported and how long it took in virtual time. Afterwards the daemon must have the profiles that it had before, and no password may stand in
anything that was written or sent, or in the arguments or the environment of a process. It prints `ok` or `FAIL` for each situation.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from contextlib import nullcontext

HERE = os.path.dirname(os.path.abspath(__file__))
import cases
import daemons
import leaks
import overlay
import prompt
from cases import LONG, OLD, RIGHT, SHORT, WRONG
from daemons import BEFORE, joined_network, quiet, shell

OUT = os.environ["OUT"]
BINARY = "/run/bin/wifi-harness"
WRITTEN = "/run/written"
CAPTURED = "/run/captured"
# The longest that a join may take: 30 s for the link, 20 s for the address, and the daemon's answers to what is undone.
LIMIT = 65
# What the daemons keep for themselves, where a password belongs.
STORES = ("/run/store", "/run/NetworkManager/system-connections", "/run/out", "/run/below", "/run/usr", "/run/bin", "/var/lib/iwd")


def lab():
    os.makedirs("/run/lab", exist_ok=True)
    with open("/run/lab/denied", "w", encoding="ascii") as file:
        with open("/sys/class/net/wlan0/address", encoding="ascii") as address:
            file.write(address.read())
    subprocess.run(["sh", f"{HERE}/../lab/up", "ht40", "vht80", "enterprise", "joins", "pair"], check=True)
    names = ["wlan3", "lab_ft_wps", "wlan5", "lab_transition", "lab_owe", "lab_owe_open", "lab_owe_hidden", "wlan2", "join_hidden", "join_before",
             "join_h2e", "join_loop", "wlan9", "join_pair", "join_other"]
    subprocess.Popen([sys.executable, f"{HERE}/dhcp.py", *names], stdin=subprocess.DEVNULL)


class Attempt:
    """One run of the command, watched while it lasts."""

    number = 0

    def __init__(self, case, daemon, search):
        Attempt.number += 1
        self.path = f"{WRITTEN}/{Attempt.number}"
        self.found = []
        command = [*case.command_prefix, BINARY, "join", "-i", "wlan0", "--format", "json", "--via", daemon.kind]
        command += [] if case.is_kept else ["--once"]
        command += ["--record", f"{self.path}.control", *case.options, case.network]
        command += ["--known"] if case.password is None else ["--password-file", "-"]
        environment = {**os.environ, "SWIFT_BACKTRACE": "enable=yes,color=no"}
        began = time.monotonic()
        with open(f"{self.path}.out", "wb") as out, open(f"{self.path}.err", "wb") as errors:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=errors, env=environment)
        try:
            self.process.stdin.write((case.password or "").encode())
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        beside = threading.Thread(target=self.act, args=(case.beside, case.network), daemon=True) if case.beside else None
        if beside:
            beside.start()
        while True:
            self.found += search.processes(always=self.process.pid)
            try:
                # Often at first, when the password is handed over; then now and then.
                self.process.wait(0.25 if time.monotonic() - began < 2 else 2.5)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() - began > 150:
                    self.process.kill()
        self.seconds = time.monotonic() - began
        self.status = self.process.returncode
        for kind in ("out", "err", "control"):
            if os.path.exists(f"{self.path}.{kind}"):
                with open(f"{self.path}.{kind}", "rb") as file:
                    self.found += search.find(file.read(), f"what the command wrote ({kind})")
        with open(f"{self.path}.out", "rb") as file:
            self.report = daemons.report_of(file.read())
        with open(f"{self.path}.err", "rb") as file:
            self.errors = file.read().decode("utf-8", "replace")

    def act(self, command, network):
        """Waits until the network is joined, and a little longer, then runs what is to happen."""
        for _ in range(200):
            if joined_network() == network:
                break
            time.sleep(0.1)
        time.sleep(1)
        shell(command)

    def result(self):
        failure = (self.report or {}).get("failure")
        if self.report is None:
            killed = {-9: "killed", -11: "crashed", -4: "crashed", -5: "crashed"}
            return {"reason": killed.get(self.status, f"status {self.status}"), "certainty": None, "sentence": self.errors[:300]}
        if failure is None:
            return {"reason": "joined", "certainty": None, "sentence": "joined"}
        return {
            "reason": failure["reason"], "certainty": failure["certainty"], "sentence": failure["sentence"], "before": failure["before"],
            "evidence": [item["line"] for item in failure["evidence"]]}


STATUS = {"joined": 0, "noPermission": 77, "busy": 75, "crashed": None, "killed": -9}
UNAVAILABLE = ("noDaemon", "noInterface", "notManaged", "interfaceDown", "notSupported")


def problems_of(case, daemon, attempt, ours):
    """What does not hold of an attempt, in words."""
    problems = list(attempt.found)
    reason = ours["reason"]
    if reason not in case.truths(daemon.kind):
        problems.append(f"{' or '.join(case.truths(daemon.kind))} is true; {ours['sentence']}")
        return problems
    expected = STATUS.get(reason, 69 if reason in UNAVAILABLE else 1)
    if expected is not None and attempt.status != expected:
        problems.append(f"exit status {attempt.status} instead of {expected}")
    if attempt.seconds > LIMIT:
        problems.append(f"took {attempt.seconds:.0f} s")
    reported = {**(attempt.report or {}), **((attempt.report or {}).get("failure") or {})}
    for name, value in case.fields.items():
        if reported.get(name) != value:
            problems.append(f"{name} is {reported.get(name)!r} instead of {value!r}")
    if reason == "joined" and joined_network() is None:
        problems.append("the kernel is in no network")
    return problems


def returned(case, daemon, ours):
    """What does not hold of the network that was joined before."""
    reason = ours["reason"]
    if reason in ("superseded", "killed", "crashed", "daemonLost"):
        return []
    if not case.can_return:
        return [] if ours.get("before") == "notReturning" else [f"before: {ours.get('before')}"]
    if ours.get("before") not in ("returning", "stayed"):
        return [f"before: {ours.get('before')}"]
    for _ in range(60):
        if joined_network() == BEFORE:
            return []
        time.sleep(0.5)
    return [f"the network that was joined before is not joined again: {joined_network()}"]


def left():
    """What does not hold where no network may be joined: the daemon has time to go on."""
    time.sleep(15)
    return [] if joined_network() is None else [f"{joined_network()} is joined, though that was cancelled"]


def remembered(case, daemon, profiles, files):
    """What does not hold of what the daemon knows after a join that it was to remember."""
    problems = []
    mine = [name for name in profiles if case.network in (name, name.rpartition(".")[0])]
    if len(mine) != 1:
        problems.append(f"it knows {mine} instead of one {case.network}")
    text = b"".join(files.values()).decode("utf-8", "replace")
    if case.password not in text:
        problems.append("no file of the daemon has the password")
    if case.known is not None:
        if case.known in text:
            problems.append("a file of the daemon has the password of before")
        problems += [f"what its user had set is gone: {line}" for line in daemon.settings if line not in text]
    return problems


def ask_client(daemon, case, command, environment=None):
    """What another program says of the same join: its last line."""
    if command is None:
        return None
    began = time.monotonic()
    given = {**os.environ, "PAGER": "cat", "TERM": "dumb", **(environment or {})}
    try:
        result = subprocess.run(
            command, input=((case.password or "") + "\n").encode() if environment is not None else None,
            stdin=None if environment is not None else subprocess.DEVNULL, capture_output=True, check=False, timeout=120, env=given)
        text = (result.stdout + result.stderr).decode("utf-8", "replace")
        status = result.returncode
    except subprocess.TimeoutExpired:
        text, status = "(no answer within 120 s)", None
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text).replace("\r", "\n")
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    # Each run has its own, and each table would differ.
    words = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", lines[-1]) if lines else "(nothing)"
    return {"words": re.sub(r"ActiveConnection/\d+", "ActiveConnection/N", words)[:160], "seconds": time.monotonic() - began, "status": status}


def ask_others(case, daemon, program):
    """What the daemon's own client, and a program of the user's, say of a situation."""
    environment = {"JOIN_INTERFACE": "wlan0", "JOIN_DAEMON": daemon.kind, "JOIN_OPTIONS": " ".join(case.options)}
    asked = {"client": (daemon.client(case.network, case.password), None)}
    if program:
        asked["program"] = (["sh", "-c", f'{program} "$@"', "sh", "wlan0", case.network], environment)
    others = {}
    for name, (command, given) in asked.items():
        daemon.reset()
        with (case.around(daemon) if case.around_client else nullcontext()):
            others[name] = ask_client(daemon, case, command, given)
        if case.around_client and case.restarts:
            daemon.stop()
            daemon.start()
    return others


def run_case(case, daemon, search, program):
    """Tries one situation; returns the line for the table."""
    daemon.reset()
    if case.known is not None:
        daemon.know(case.network, case.known)
    before_files, before_profiles = daemon.files(), daemon.profiles()
    problems = []
    if case.joined_before and not daemon.join_before():
        problems.append(f"{BEFORE} was not joined at first")
    with (case.around(daemon) if case.around else nullcontext()):
        attempt = Attempt(case, daemon, search)
        ours = attempt.result()
        ours["seconds"] = attempt.seconds
        problems += problems_of(case, daemon, attempt, ours)
        if case.joined_before and not problems:
            problems += returned(case, daemon, ours)
        if case.leaves_none and not problems:
            problems += left()
        if case.restarts:
            daemon.stop()
            daemon.start()
        # A crash leaves what is in memory until the daemon leaves the network.
        if ours["reason"] in ("joined", "killed", "crashed"):
            quiet_leave(daemon)
        is_up = ours["reason"] != "noDaemon"
        profiles, files = daemon.profiles() if is_up else before_profiles, daemon.files()
        # iwd remembers what it joined, and there is no other way with it.
        allowed = {case.network} if daemon.kind == "iwd" and ours["reason"] == "joined" else set()
        allowed |= {case.network} if daemon.kind == "supplicant" and ours["reason"] in ("joined", "killed", "crashed") else set()
        if case.is_kept and ours["reason"] == "joined":
            allowed |= {case.network}
            problems += remembered(case, daemon, profiles, files)
        extra = [name for name in profiles if name not in before_profiles and name.rpartition(".")[0] not in allowed and name not in allowed]
        if extra or any(name not in profiles for name in before_profiles):
            problems.append(f"profiles are {profiles} instead of {before_profiles}")
        changed = [path for path in {**files, **before_files} if files.get(path) != before_files.get(path)]
        changed = [path for path in changed if not any(os.path.basename(path).startswith(f"{name}.") for name in allowed)
                   and not path.endswith(".freq")]
        if changed and not case.keeps_file and not (case.is_kept and ours["reason"] == "joined"):
            problems.append(f"files of the daemon changed: {changed}")
        others = ask_others(case, daemon, program) if case.asks_client and not case.around_client else {}
    if case.around_client:
        others = ask_others(case, daemon, program)
    truth = " or ".join(case.truths(daemon.kind))
    line = {"situation": case.title, "truth": truth, "holds": not problems, "problems": problems, "ours": ours,
            "client": others.get("client"), "program": others.get("program")}
    said = ours["reason"] + (", likely" if ours["certainty"] == "likely" else "")
    print(f"{'FAIL' if problems else 'ok'} {daemon.kind}: {case.title}: {said}, {ours['seconds']:.1f} s", flush=True)
    for problem in problems:
        print(f"     {problem}", flush=True)
    if os.path.exists(f"{attempt.path}.control"):
        shutil.copy(f"{attempt.path}.control", f"{OUT}/{daemon.kind}-{re.sub('[^a-z0-9]+', '-', case.title.lower())}.control")
    if problems:
        for item in ours.get("evidence", []):
            print(f"       {item}", flush=True)
    return line


def quiet_leave(daemon):
    if daemon.kind == "networkmanager":
        quiet("nmcli", "device", "disconnect", "wlan0")
        time.sleep(2)


def main():
    binary, kind, folder, *wanted = sys.argv[1:]
    program = None
    if "--program" in wanted:
        at = wanted.index("--program")
        program = wanted[at + 1]
        del wanted[at:at + 2]
    overlay.put(folder)
    os.makedirs("/run/bin")
    subprocess.run(["cp", binary, BINARY], check=True)
    os.makedirs(WRITTEN)
    os.chmod(WRITTEN, 0o777)
    lab()
    daemon = daemons.KINDS[kind]()
    chosen = cases.situations(kind) + cases.interruptions(daemon)
    if wanted == ["short"]:
        chosen = [case for case in chosen if case.short]
    elif wanted != ["all"]:
        chosen = [case for case in chosen if any(word in case.title for word in wanted)]
    search = leaks.Search([RIGHT, WRONG, LONG, SHORT, OLD], sorted({case.network for case in chosen}))
    capture = leaks.Capture(CAPTURED)
    missed = leaks.self_check(search, CAPTURED)
    failed = bool(missed)
    print(f"{'FAIL' if missed else 'ok'} {kind}: self-check: planted passwords are found"
          + (f", but for that in {' and '.join(missed)}" if missed else ""), flush=True)
    with open(f"{OUT}/joins-{kind}.ndjson", "w", encoding="utf-8") as output:
        for case in chosen:
            line = run_case(case, daemon, search, program)
            failed += not line["holds"]
            output.write(json.dumps(line, ensure_ascii=False) + "\n")
            output.flush()
    if kind == "supplicant" and wanted in (["all"], ["short"], ["prompt"]):
        daemon.reset()
        for title, problems in prompt.checks(BINARY, RIGHT, WRONG):
            failed += bool(problems)
            print(f"{'FAIL' if problems else 'ok'} {kind}: the question for the password: {title}"
                  + "".join(f"\n     {problem}" for problem in problems), flush=True)
            daemon.reset()
    capture.end()
    found = search.files(["/run", "/var/lib", "/dev/shm", OUT], STORES)
    size = os.path.getsize(CAPTURED)
    failed += bool(found)
    print(f"{'FAIL' if found else 'ok'} {kind}: no password in any file of the run, nor in {size} bytes of netlink and loopback"
          + "".join(f"\n     {place}" for place in found[:20]), flush=True)
    daemons.kill_all()
    sys.exit(1 if failed else 0)


main()
