"""One world on two kernels: the simulated one and the real one hear the same frames, are asked the same, and are held
against each other.

WORLDS names some of the table; KEEP=FOLDER keeps what either kernel said, and the frames; COMPARE_VERBOSE=1 counts the
differences by reason.

Each world is simulated once, with a client that scans, lets time pass, aborts, flushes and asks what is refused;
`run --frames` writes what its adapter hears. In the guest the same client does the same, and mac80211_hwsim is
given these frames. Then every attribute of every message and every line of iw is compared. What may differ, and why,
stands in kernel/comparing/reasons.py; anything else fails.
"""
import os

from lib import checking
from lib.checking import check, count, fail, harness, run, skip
from lib.kernel import KERNEL, PYTHON, boot

# Name, world, seed, what is done there, and faults.
WORLDS = """
home             home             7  common
office           office           7  common
apartments       apartment-block  7  common
street           street           7  common
survey           survey           9  common
stadium          stadium          7  cap
twins            apartment-block  5  common    --fault duplicateBSSID
truncated        home             11 short     --fault truncatedElements
corrupt          apartment-block  14 short     --fault corruptElements
crowded-office   office           12 short
crowded-street   street           12 short
crowded-block    apartment-block  12 short
refusals         still            7  refusals
"""
CLIENT = KERNEL / "comparing/client.py"
wanted = os.environ.get("WORLDS", "").split()
out = os.environ.get("KEEP") or checking.folder()
rows = [line.split() for line in WORLDS.strip().splitlines()]
names = [row[0] for row in rows if not wanted or row[0] in wanted] or fail(f"no world is called {wanted}", 64)
if len(names) < len(rows):
    skip("the other worlds", "WORLDS does not name them")
for name, world, seed, case, *faults in rows:
    if name not in names:
        continue
    done = harness("run", "--world", world, "--seed", seed, "--pace", "virtual", "--frames",
                   f"{out}/{name}.pcapng", *faults, "--",
                   PYTHON, CLIENT, "plan", case, f"{out}/{name}.plan", timeout=300)
    written = done.returncode == 0 and os.path.exists(f"{out}/{name}.plan")
    if not check(f"two kernels, {name}: the session on the simulated kernel", written, done):
        fail(f"there is nothing to compare in {name}")
    status = boot("sh", "-c",
                  f'iw reg set DE; exec {PYTHON} {CLIENT} repeat "$OUT/{name}.plan" "$OUT/{name}.pcapng" "$OUT/{name}.real"', radios=1, out=out,
                  limit=100)
    if not check(f"two kernels, {name}: the session on the real kernel", status == 0, status):
        fail(f"there is nothing to compare in {name}")
done = run(PYTHON, KERNEL / "comparing/compare.py", *([] if wanted else ["--whole"]), out, *names, timeout=600)
print(done.stdout + done.stderr, flush=True)
count(done.stdout.splitlines())
check("two kernels: the comparison came to its end", done.returncode in (0, 1) and "two kernels: " in done.stdout,
      done.returncode)
