"""Runs joins and changes of known networks over the simulated daemons for many seeds, each with daemons that are
killed, passwords that are wrong, access points that refuse and whatever else can happen: SEEDS (0..<1000000), FOLDER,
STEP (10000), WIDTH (2)

The seeds run in release, in blocks of 250 of which each is a test of its own. A violation names its seed; SEEDS='41..<42'
repeats it. With FOLDER what was run is written to FOLDER/joins.journal, and a run that was interrupted goes on where it
ended when it is started again; a journal is of one commit, so one of another begins anew.
"""
import os
import pathlib
import re
import time

from lib.checking import check, fail, must, run

swift = os.environ.get("SWIFT", "swift")
seeds = re.fullmatch(r"(\d+)\.\.<(\d+)", os.environ.get("SEEDS")
                     or "0..<1000000") or fail("SEEDS is no range, such as 0..<1000.", 64)
first, end = map(int, seeds.groups())
step = int(os.environ.get("STEP") or 10_000)
FLAGS = ("-c", "release", "-Xswiftc", "-enable-testing", "--scratch-path", ".build-test-release")
must(swift, "build", "--build-tests", *FLAGS, timeout=7200)
version = run("git", "rev-parse", "HEAD").stdout.strip()
journal, done = None, set()
if folder := os.environ.get("FOLDER"):
    journal = pathlib.Path(folder) / "joins.journal"
    journal.parent.mkdir(parents=True, exist_ok=True)
    lines = journal.read_text().splitlines() if journal.exists() else []
    done = set(lines[1:]) if lines[:1] == [version] else set()
    journal.write_text("\n".join([version, *sorted(done)]) + "\n")
for low in range(first, end, step):
    block = f"{low}..<{min(low + step, end)}"
    if block in done:
        check(f"{block}: run before", True)
        continue
    began = time.monotonic()
    test = run(swift, "test", "--skip-build", *FLAGS, "--filter", "RandomDaemonRunTests", timeout=7200, stdout=-1,
               stderr=-2,
               env=os.environ | {"JOIN_SEEDS": block,
                                 "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": os.environ.get("WIDTH") or "2"})
    problems = [line for line in test.stdout.splitlines()
                if re.search("✘|recorded an issue|error:", line)] or test.stdout.splitlines()[-20:]
    # A filter that matches no test is no failure to `swift test`.
    has_run = re.search(r"Test run with [1-9]\d* tests? ", test.stdout)
    if not check(f"{block}: no violation, {time.monotonic() - began:.0f} s", test.returncode == 0 and has_run, "\n".join(problems)):
        break
    if journal:
        with open(journal, "a") as file:
            file.write(block + "\n")
