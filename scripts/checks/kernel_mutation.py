"""Plants one error at a time in the simulated kernel and lets kernel-compare look for it: PATCHES="01 02" for some.

Each file of Tests/KernelMutations is a patch whose first line says what is broken and in which world of kernel-compare
it is to be seen: there the comparison with the real kernel has to fail with a difference that has no reason. Without an
error it has to pass.
"""
import os
import re
import sys
import time

from lib import planting
from lib.checking import ROOT, check, fail, run


def compare(worlds, *numbers):
    return run(sys.executable, ROOT / "scripts/check.py", "kernel-compare", timeout=3600, stdout=-1, stderr=-2,
               env=planting.environment(*numbers) | {"WIFI_HARNESS": binary, "WORLDS": " ".join(worlds)})


wanted = os.environ.get("PATCHES", "").split()
patches = [path for path in planting.patches("KernelMutations") if not wanted or path.name.split("-")[0] in wanted]
if wanted and len(patches) != len(set(wanted)):
    fail(f"there is no bug for each of {wanted}", 64)
worlds = {path: re.search(r"Seen in: (\S+)\.$", path.read_text().splitlines()[0])[1] for path in patches}
binary = planting.build("KernelMutations")
done = compare(sorted(set(worlds.values())))
if not check("without an error planted the kernels do not differ", done.returncode == 0, done.stdout):
    fail("nothing is planted")
for path in patches:
    began = time.monotonic()
    done = compare([worlds[path]], path.name.split("-")[0])
    first = re.search(r"without a reason: (.*)", done.stdout)
    check(f"{path.stem} is seen in {time.monotonic() - began:.0f} s: {first and first[1]}",
          done.returncode == 1 and first, done.stdout[-600:])
