"""What every check uses: the command under test, expectations that are counted, processes, and a folder of its own.

A check is a module of scripts/checks: it is imported, and what it expects on the way is counted. scripts/check.py ends
it with `end`.
"""

import atexit
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
# The command under test, and its debug build: scripts/check.py names both.
BINARY = os.environ.pop("WIFI_HARNESS", "")
DEBUG = os.environ.pop("WIFI_HARNESS_DEBUG", "")
RECORDING = str(ROOT / "fixtures/recordings/lab.ndjson")

passed = failed = skipped = 0
# What did not hold, to be said again at the end: what comes between may be long.
failures = []
# Ends the check at so many failures, where each waits long for what does not come.
most_failures = None
started, folders = [], []


def check(what, condition, detail=""):
    """Counts one expectation, and shows what was seen where it does not hold. Returns whether it holds."""
    global passed, failed
    if condition:
        passed += 1
        print(f"ok   {what}", flush=True)
        return True
    failed += 1
    failures.append(f"FAIL {what}: {str(detail)[-2000:]}")
    print(failures[-1], flush=True)
    if failed == most_failures:
        fail(f"{failed} checks failed; the others are not tried.")
    return False


def count(lines):
    """Counts the `ok` and `FAIL` lines of another program, such as one in a guest."""
    global passed, failed
    for line in lines:
        passed += line.startswith("ok ")
        if line.startswith("FAIL "):
            failed += 1
            failures.append(line.rstrip())


def skip(what, why):
    global skipped
    skipped += 1
    print(f"passed over: {what}: {why}", flush=True)


def fail(sentence, status=1):
    """Ends the check, which has failed."""
    print(f"FAIL {sentence}", file=sys.stderr, flush=True)
    sys.exit(status)


def end(least=0):
    """The exit status of a check: one that counted too little has not checked what it should."""
    print("\n".join(failures + [f"{passed} passed, {failed} failed" + (f", {skipped} passed over" if skipped else "")]), flush=True)
    if passed < least and not skipped and not failed:
        print(f"FAIL at least {least} expectations were to be met, and {passed} were", flush=True)
        return 1
    return 1 if failed or passed + skipped == 0 else 0


# --- Processes -----------------------------------------------------------------------------------------------


def run(*command, timeout=60, **options):
    """Runs a command to its end; one that does not end in time has the status 124."""
    options = {"capture_output": True, "text": True, "errors": "replace"} | options
    if "stdout" in options or "stderr" in options:
        options.pop("capture_output")
    if not options["text"]:
        del options["errors"]
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    try:
        return subprocess.run(command, timeout=timeout, **options)
    except subprocess.TimeoutExpired as error:
        late = f"no end within {timeout} s".encode()
        output, errors = (error.stdout or b""), (error.stderr or b"") + late
        if options["text"]:
            output, errors = output.decode(errors="replace"), errors.decode(errors="replace")
        return subprocess.CompletedProcess(command, 124, output, errors)


def harness(*arguments, **options):
    """Runs the command under test."""
    return run(BINARY, *arguments, **options)


def must(*command, **options):
    """Runs a command that prepares a check, and gives what it prints."""
    done = run(*command, **options)
    if done.returncode:
        fail(f"{' '.join(map(str, command))} ended with {done.returncode}: {done.stdout}{done.stderr}"[-1500:])
    return done.stdout


def debug_build():
    """The compiler, and the folder that the debug build is in."""
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    folder = pathlib.Path(must(swift, "build", "--show-bin-path", cwd=ROOT).strip())
    return pathlib.Path(swift).resolve().parent / "swiftc", folder


def start(*command, **options):
    """Starts a command, which is killed at the latest when the check ends."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True,
               "errors": "replace"} | options
    if not options["text"]:
        del options["errors"]
    process = subprocess.Popen(command, **options)
    started.append(process)
    return process


@atexit.register
def end_started():
    """Ends what was started, and then removes the folders that it may still have written to."""
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()
    for path in folders:
        shutil.rmtree(path, ignore_errors=True)


def finish(process, timeout=60):
    """Waits for the end of a process: its status, None where it does not end, and what it printed."""
    try:
        output = process.communicate(timeout=timeout)
        return process.returncode, *output
    except subprocess.TimeoutExpired:
        process.kill()
        return None, *process.communicate()


def until(condition, seconds=10, every=0.05):
    """Waits for a condition, and returns what it came to in the end."""
    limit = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < limit:
        time.sleep(every)
    return value


def line_with(stream, *texts):
    """The next line of a stream that has one of these texts, or an empty one."""
    while line := stream.readline():
        if any(text in line for text in texts):
            return line
    return ""


def in_background(function, *arguments):
    thread = threading.Thread(target=function, args=arguments, daemon=True)
    thread.start()
    return thread


def cpu(pid):
    """The seconds of a processor that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """The memory that a process holds, in MiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]) / 1024


def go_inside(*spaces):
    """Goes on in name spaces of its own: starts the check again by unshare(1), once."""
    if os.environ.get("INSIDE") != "yes":
        environment = os.environ | {"INSIDE": "yes", "WIFI_HARNESS": BINARY, "WIFI_HARNESS_DEBUG": DEBUG}
        os.execvpe("unshare", ["unshare", *spaces, sys.executable, *sys.argv], environment)
    del os.environ["INSIDE"]


# --- Files ---------------------------------------------------------------------------------------------------


def folder():
    """A new folder, which is removed when the check ends."""
    folders.append(pathlib.Path(tempfile.mkdtemp(prefix="wifi-harness-check-")))
    return folders[-1]


def pictures(name):
    """An empty folder of .build for what a check has seen."""
    path = ROOT / ".build" / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    return path


def write(path, content, mode=None):
    path = pathlib.Path(path)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if mode is not None:
        path.chmod(mode)
    return str(path)


def has(*programs):
    """Whether all of some programs are installed."""
    return all(map(shutil.which, programs))


def perform(name, least):
    """Imports a check, and gives its exit status."""
    sys.path.insert(0, str(ROOT / "scripts"))
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    os.environ.pop("LD_PRELOAD", None)
    # What a shell runs in the background ignores these, and so would the commands, which leave an ignored signal so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    os.chdir(ROOT)
    try:
        __import__(f"checks.{name.replace('-', '_')}")
    except Exception:
        check(f"{name} comes to its end", False, traceback.format_exc())
    return end(least)
