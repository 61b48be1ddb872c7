"""An exploration in pieces is the exploration in one piece.

PARTS: shards (any number of them, in any order, missing, of other options), killed (and resumed), parallel (GNU
parallel), slurm (a real one, on this machine alone, stopped afterwards; needs root), kubernetes (its file). All of them
without PARTS. SEEDS (704) are run; KILLS (60) is how often at least each of three rounds is killed; RANDOM_SEED kills
at the same moments again.
"""
import importlib
import json
import os
import random
import re
import shutil
import signal
import socket
import sys
import time

from lib import checking
from lib.checking import BINARY, ROOT, check, fail, finish, harness, must, run, start, until, write

seeds = int(os.environ.get("SEEDS") or 704)
kills_a_round = int(os.environ.get("KILLS") or 60)
seed = int(os.environ.get("RANDOM_SEED") or random.randrange(1 << 16))
if seeds <= 320:
    fail(f"SEEDS={seeds} are too few: take more than 320.", 64)
random.seed(seed)
print(f"{seeds} seeds; RANDOM_SEED={seed}")
work = checking.folder()
work.chmod(0o755)
RANGE = f"0..<{seeds}"


def explore(*options):
    """What is found is in the journals; nothing is shrunk here. Status 1 says that something was found."""
    done = harness("explore", "--seeds", RANGE, "--no-shrink", *options, timeout=3600)
    if done.returncode not in (0, 1):
        fail(f"explore {options} ended with {done.returncode}: {done.stderr[-300:]}")


def plant(folder):
    """Every exploration includes the self-check; by another name it is a finding like any other."""
    for path in (work / folder).glob("shard-*.ndjson"):
        text = path.read_text()
        path.write_text(text.replace("self-check: no network is ever joined", "planted: no network is ever joined"))


def merge(folder):
    """The report of all journals of a folder, given in any order."""
    journals = list((work / folder).glob("shard-*.ndjson"))
    random.shuffle(journals)
    done = harness("explore", "merge", "--output", work / folder / "merged", *journals, timeout=600)
    if done.returncode != 1:
        fail(f"the merge of {folder} ended with {done.returncode}: {done.stdout[-300:]}{done.stderr[-300:]}")
    return report(f"{folder}/merged")


def report(folder, name="report.json"):
    path = work / folder / name
    return path.read_text() if path.exists() else None


def same(what, found, expected):
    check(f"{what}: the same report", found == expected, (found or "none")[:600])


def refused(what, status, text, *arguments):
    done = harness("explore", *arguments, timeout=600)
    check(f"{what}: status {status}, “{text}”", done.returncode == status and text in done.stdout + done.stderr, done)


def shards():
    for count in (1, 2, 7, 64):
        for index in reversed(range(count)):
            explore("--shard", f"{index}/{count}", "--output", work / str(count))
        plant(str(count))
        same(f"{count} shards, merged in any order", merge(str(count)), one)
    seven = work / "7"
    shutil.copy(seven / "shard-3-of-7.ndjson", seven / "shard-3-again.ndjson")
    same("a journal given twice", merge("7"), one)
    (seven / "shard-3-again.ndjson").unlink()
    (seven / "shard-3-of-7.ndjson").rename(work / "shard-3")
    refused("a missing shard", 1, "seeds are missing, the first 192, which shard 3/7 runs", "merge", seven)
    (work / "shard-3").rename(seven / "shard-3-of-7.ndjson")
    other = "another exploration"
    refused("journals of two explorations", 65, other, "merge", seven, work / "2")
    refused("a journal of another kind of run", 65, other, "--seeds", RANGE, "--once", "--output", work / "one")
    refused("a journal of other seeds", 65, other, "--seeds", f"0..<{seeds + 1}", "--output", work / "one")
    refused("a journal of other worlds", 65, other, "--seeds", RANGE, "--worlds", "preview", "--shard", "0/7",
            "--output", seven)
    refused("a file that is none", 65, "no journal", "merge",
            write(work / "shard-0-of-1.ndjson", '{"format":"something"}\n'))
    refused("a file that is not there", 66, "No such file", "merge", work / "nowhere")
    (work / "empty").mkdir()
    refused("an empty folder", 66, "holds no journal", "merge", work / "empty")


def killed():
    kills = 0
    for number in range(3):
        shutil.rmtree(work / "killed", ignore_errors=True)
        journal = work / "killed/shard-0-of-1.ndjson"
        left = kills_a_round + random.randrange(kills_a_round)
        while True:
            process = start(BINARY, "explore", "--seeds", RANGE, "--no-shrink", "--jobs", "2", "--output",
                            work / "killed", stdout=-3, stderr=-3)
            if left > 0:
                time.sleep(random.uniform(0.05, 0.95))
                kills += process.poll() is None
                process.kill()
                left -= 1
            if finish(process, 3600)[0] in (0, 1):
                break
            # Now and then the kill hits in the middle of a line, which is rare by itself.
            if random.randrange(3) == 0 and journal.exists() and journal.read_bytes().count(b"\n") > 2:
                os.truncate(journal, max(0, journal.stat().st_size - random.randint(1, 200)))
        for name in ("report.json", "report.md"):
            same(f"round {number + 1}, killed and resumed, {name}", report("killed", name), report("whole", name))
    check(f"killed {kills} times at random moments", kills > 0, "give more SEEDS")


def parallel():
    (work / "home").mkdir()
    done = run(ROOT / "cluster/parallel.sh", RANGE, "7", work / "parallel", timeout=3600,
               env=os.environ | {"HOME": str(work / "home"), "PARALLEL": "--will-cite", "WIFI_HARNESS": BINARY})
    check("GNU parallel ends as it should", done.returncode in (0, 1), done)
    same("under GNU parallel, 7 shards", report("parallel"), whole)


def slurm():
    if os.geteuid():
        fail('a Slurm of our own needs root; leave it out: PARTS="shards killed parallel kubernetes"', 77)
    must(ROOT / "scripts/setup", "slurm", timeout=600)
    folder, host = work / "slurm", socket.gethostname().partition(".")[0]
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True)
    write(folder / "munge.key", os.urandom(1024), 0o600)
    os.environ["SLURM_CONF"] = write(folder / "slurm.conf", f"""ClusterName=harness
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={os.cpu_count()} State=UNKNOWN
PartitionName=here Nodes={host} Default=YES State=UP
""")
    options = [f"--{name}-file={folder}/munge.{end}" for name,
               end in (("key", "key"), ("pid", "pid"), ("log", "log"), ("seed", "seed"))]
    daemons = [start("munged", "--force", "--foreground", f"--socket={folder}/munge.socket", *options, stdout=-3,
                     stderr=-3)]
    until((folder / "munge.socket").exists)
    daemons += [start(name, "-D", stdout=open(folder / f"{name}.out", "w"), stderr=-2)
                for name in ("slurmctld", "slurmd")]
    begins = until(lambda: "idle" in run("sinfo", "--noheader", "--format=%T").stdout, 30)
    if check("Slurm begins", begins, [(folder / f"{name}.out").read_text()[-300:] for name in ("slurmctld", "slurmd")]):
        # Which status a task ends with says what it found; the merge is the judge.
        run("sbatch", "--wait", "--array=0-6", ROOT / "cluster/slurm.sh", cwd=work, timeout=3600,
            env=os.environ | {"SEEDS": RANGE, "FOLDER": str(work / "array"), "WIFI_HARNESS": BINARY})
        journals = list((work / "array").glob("shard-*-of-7.ndjson"))
        check("the job array leaves 7 journals", len(journals) == 7,
              [path.read_text()[-300:] for path in work.glob("slurm-*.out")])
        harness("explore", "merge", work / "array", "--output", work / "array", timeout=600)
        same("as a Slurm job array of 7", report("array"), whole)
    for daemon in daemons:
        daemon.send_signal(signal.SIGTERM)
        finish(daemon)


def kubernetes():
    must(ROOT / "scripts/setup", "kubernetes", timeout=600)
    # Debian's module is that of its own Python.
    sys.path.append("/usr/lib/python3/dist-packages")
    yaml = importlib.import_module("yaml")
    documents = list(yaml.safe_load_all((ROOT / "cluster/kubernetes.yaml").read_text()))
    check("the file has a job and another for the merge",
          [document["kind"] for document in documents] == ["Job", "CronJob"], documents)
    job, last = documents[0]["spec"], documents[1]["spec"]["jobTemplate"]["spec"]
    container = job["template"]["spec"]["containers"][0]
    check("a task is tried again by itself", job["completionMode"] == "Indexed" and "backoffLimitPerIndex" in job, job)
    rule = job["podFailurePolicy"]["rules"][0]
    check("a finding is no failure", rule["action"] == "FailIndex" and 1 in rule["onExitCodes"]["values"]
          and rule["onExitCodes"]["operator"] == "In" and rule["onExitCodes"]["containerName"] == container["name"]
          and job["template"]["spec"]["restartPolicy"] == "Never", rule)
    check("the shards are the completions", f"$(SHARD)/{job['completions']}" in container["args"]
          and container["env"][0]["name"] == "SHARD", container)
    replaced = {"/explore": f"{work}/kubernetes", "0..<100000": RANGE}
    for container, index in [(container, index)
                             for index in range(job["completions"])] + [(last["template"]["spec"]["containers"][0], 0)]:
        arguments = [replaced.get(text, text).replace("$(SHARD)", str(index)) for text in container["args"]]
        done = harness(*arguments, timeout=3600)
        if done.returncode not in (0, 1):
            check(f"{arguments} is accepted", False, done)
    check("as the Kubernetes file says: the same report", json.loads(report("kubernetes") or "0") == json.loads(whole))


began = time.monotonic()
explore("--output", work / "one")
shutil.copytree(work / "one", work / "whole")
whole = report("whole")
plant("one")
one = merge("one")
if "planted: no network is ever joined" not in one:
    fail(f"nothing was found in {seeds} seeds, so nothing can be compared.")
print(f"in one piece: {re.search('hash.*', one)[0]} {time.monotonic() - began:.1f} s", flush=True)
PARTS = {part.__name__: part for part in (shards, killed, parallel, slurm, kubernetes)}
for name in os.environ.get("PARTS", "").split() or PARTS:
    PARTS.get(name, lambda: fail(f"there is no part {name}: there are {', '.join(PARTS)}.", 64))()
