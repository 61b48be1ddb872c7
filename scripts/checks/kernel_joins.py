"""Joins over the real daemons, and the table of what each reports. A run of all of them writes docs/joining.md.

    DAEMONS     supplicant, networkmanager or iwd; all three without it
    ONLY        the situations with this in their title; several are separated by semicolons
    PROGRAM     ask this program the same (docs/joining.md says how)
    OUT         keep the results, one file of JSON lines for each daemon
"""
import os
import pathlib
import shlex

from lib import checking
from lib.checking import ROOT, check, must, write
from lib.kernel import DAEMONS, KERNEL, PYTHON, over

wanted = list(filter(None, os.environ.get("ONLY", "").split(";"))) or ["all"]
daemons = (os.environ.get("DAEMONS") or " ".join(DAEMONS)).split()
out = os.environ.get("OUT") or checking.folder()
# In the guest it runs where it would run here.
program = ["--program", f"cd {shlex.quote(str(ROOT))} && {os.environ['PROGRAM']}"] if os.environ.get("PROGRAM") else []
over(daemons, "joining/joins.py", *wanted, *program, limit=1800, radios=10, out=out)
results = [pathlib.Path(out) / f"joins-{daemon}.ndjson" for daemon in daemons]
# The question for the password is no situation.
if wanted != ["prompt"]:
    check("a situation was tried", any(path.exists() and path.stat().st_size for path in results), wanted)
if wanted == ["all"] and daemons == list(DAEMONS) and not checking.failed:
    write(ROOT / "docs/joining.md", must(PYTHON, KERNEL / "joining/table.py", out))
