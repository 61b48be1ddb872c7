"""The processes in which `explore` runs seeds, and runs each again.

They change nothing of the report, whether hashing is seeded or fixed; killed or stopped, others are started; they end
with the one that started them, however that ends; and where none can be started, a warning says so.
"""
import os
import pathlib
import re
import shutil
import signal

from lib import checking
from lib.checking import BINARY, check, finish, harness, start, until

folder = checking.folder()


def workers(process):
    lines = checking.run("ps", "-o", "pid=,args=", "--ppid", str(process.pid)).stdout.splitlines()
    return [int(line.split()[0]) for line in lines if line.endswith(" worker")]


def begin(seeds):
    """Starts a long exploration in the background, and waits for its workers.

    Two of the first turn and one of the second: a job takes a worker that the other has no use for, so two jobs that
    never make their second turn at once have three for ever.
    """
    process = start(BINARY, "explore", "--seeds", f"0..<{seeds}", "--no-shrink", "--jobs", "2",
                    stdout=open(folder / "said", "w"))
    check("two jobs have workers of both turns", until(lambda: len(workers(process)) > 2, 30), workers(process))
    return process


def has_gone(pid):
    """Whether a process has ended; also one that was not yet waited for."""
    return checking.run("ps", "-o", "stat=", "-p", str(pid)).stdout[:1] in ("", "Z")


def said():
    return (folder / "said").read_text()


seeded = {name: value for name, value in os.environ.items() if name != "SWIFT_DETERMINISTIC_HASHING"}
once = harness("explore", "--seeds", "0..<128", "--once", timeout=600).stdout
for name, jobs, environment in (("seeded", "2", seeded), ("fixed", "1", seeded | {"SWIFT_DETERMINISTIC_HASHING": "1"})):
    twice = harness("explore", "--seeds", "0..<128", "--jobs", jobs, env=environment, timeout=600).stdout
    check(f"run twice, with {name} hashing, the report is the same", twice == once != "", twice)

for number in (signal.SIGKILL, signal.SIGTERM):
    process = begin(1_000_000)
    others = workers(process)
    process.send_signal(number)
    finish(process)
    check(f"with {number.name} the workers end, too", others and until(lambda: all(map(has_gone, others)), 4),
          others)

process = begin(448)
killed = workers(process)
for pid in killed:
    os.kill(pid, signal.SIGKILL)
check("with workers killed others are started", until(lambda: set(workers(process)) - set(killed), 5, 0.02))
status, _, warned = finish(process, 600)
check("and it ends as it should", status == 0, (status, warned))
check("and gives the same report", said() == harness("explore", "--seeds", "0..<448", "--once",
                                                     timeout=600).stdout != "", said())

check("and says once that they were replaced",
      len(re.findall(r"workers? (?:was|were) killed or stopped, and replaced", warned)) == 1, warned)

# One exploration at a time writes to a folder, and one that is interrupted says how to go on.
again = ["explore", "--seeds", "6400", "--no-shrink", "--jobs", "2", "-o", str(folder / "found")]
journal = folder / "found/shard-0-of-1.ndjson"
process = start(BINARY, *again)
check("a journal begins", until(lambda: journal.exists() and journal.read_text().count("\n") > 1, 60))
second = harness(*again)
check("a second exploration into the folder is refused", second.returncode == 75 and "another exploration writes to" in second.stderr,
      second)
check("but for another share", harness(*again, "--shard", "1/200").returncode in (0, 1))
process.send_signal(signal.SIGINT)
status, _, warned = finish(process)
check("Ctrl-C says how to go on", status == -signal.SIGINT and "the same command goes on where this one ended" in warned,
      (status, warned))
process = start(BINARY, *again)
check("and the folder is free", (line := process.stderr.readline()) and "seeds were run before" in line, line)
process.send_signal(signal.SIGTERM)
finish(process)

# A process that is stopped says nothing, which is no fault of the runs.
process = start(BINARY, "explore", "--seeds", "0..<64", "--jobs", "1", stdout=open(folder / "said", "w"))
until(lambda: workers(process))
stopped = workers(process)[0]
os.kill(stopped, signal.SIGSTOP)
status, _, warned = finish(process, 600)
check("a worker that is stopped is replaced", status == 0 and has_gone(stopped), (status, warned))
check("and the report is the same", said() == harness("explore", "--seeds", "0..<64", "--once",
                                                      timeout=600).stdout != "", said())

# A program that can no longer be executed, while its first batch is run.
program = shutil.copy(BINARY, folder / "program")
process = start(program, "explore", "--seeds", "0..<64", "--length", "5m", "--jobs", "1")
until(lambda: os.readlink(f"/proc/{process.pid}/exe") == str(program), every=0.01)
pathlib.Path(program).chmod(0o644)
status, report, warned = finish(process, 600)
check("without a second process it ends as it should", status == 0, (status, warned))
check("a warning says so once", warned.count("no second process can be started") == 1, warned)
once = harness("explore", "--seeds", "0..<64", "--length", "5m", "--once", timeout=600).stdout
check("and the report is the same", report == once != "", report)
