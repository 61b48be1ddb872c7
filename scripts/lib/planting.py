"""Builds a copy of the package that holds all bugs of a folder of patches, each behind its number (lib/bodies.py)."""

import os
import shutil
import sys

from lib.bodies import Refused, with_bugs
from lib.checking import ROOT, run

SCRATCH = ROOT / ".build-mutation"
SWIFT = os.environ.get("SWIFT", "swift")


def patches(folder):
    """The patches of a folder of Tests, by number."""
    return sorted(ROOT.glob(f"Tests/{folder}/*.patch"))


def environment(*numbers):
    """In which the command has the bugs of these numbers, and no others."""
    return dict(os.environ, SWIFT_BACKTRACE="enable=no", PLANTED=",".join(map(str, numbers)))


def build(folder):
    """Builds the copy, and returns the path of its command; what is as it was is not built again."""
    copy, scratch = SCRATCH / folder, SCRATCH / f"{folder}-build"
    try:
        update(copy, with_bugs(patches(folder), ROOT))
    except Refused as why:
        sys.exit(str(why))
    for command in ([SWIFT, "build", "-c", "release", "--product", "wifi-harness", "--scratch-path", scratch],
                    [ROOT / "scripts/preload", scratch / "release"]):
        done = run(*command, cwd=copy, env=environment(), timeout=3600, stdout=-1, stderr=-2)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}")
    return str(scratch / "release/wifi-harness")


def update(copy, changed):
    """Brings a copy up to date: `changed` has the text of files that differ. What is as it was keeps its time."""
    wanted = {ROOT / "Package.swift", *ROOT.glob("Sources/**/*"), *ROOT.glob("Tests/**/*")}
    files = {str(path.relative_to(ROOT)): path for path in wanted if path.is_file()}
    for place in files | changed:
        content = changed[place].encode() if place in changed else files[place].read_bytes()
        target = copy / place
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            if place in files:
                shutil.copymode(files[place], target)
    for path in copy.glob("[ST]*/**/*"):
        if path.is_file() and str(path.relative_to(copy)) not in files | changed:
            path.unlink()
