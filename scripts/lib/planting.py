"""Plants bugs one at a time in a copy of the package."""

import contextlib
import glob
import os
import pathlib
import re
import shutil
import sys

from lib.checking import ROOT, run

SCRATCH = ROOT / ".build-mutation"
SWIFT = os.environ.get("SWIFT", "swift")
ENVIRONMENT = dict(os.environ, SWIFT_BACKTRACE="enable=no")


class Planter:
    def __init__(self, name, *flags):
        self.copy = SCRATCH / name
        self.folder = SCRATCH / f"{name}-build"
        # Debugging builds are built file by file, which is much faster for one changed file.
        self.flags = ["--product", "wifi-harness", "--scratch-path", self.folder, *flags]
        self.binary = str(self.folder / "debug/wifi-harness")
        self.update()

    def update(self):
        """Brings the copy up to date; what is as it was keeps its time, so that it is not built again."""
        wanted = set()
        for name in glob.iglob(f"{ROOT}/Sources/**", recursive=True), glob.iglob(f"{ROOT}/Tests/**",
            recursive=True), [f"{ROOT}/Package.swift"]:
            wanted |= {pathlib.Path(path).relative_to(ROOT) for path in name if os.path.isfile(path)}
        for place in wanted:
            target = self.copy / place
            if not target.exists() or target.read_bytes() != (ROOT / place).read_bytes():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / place, target)
        for path in self.copy.glob("[ST]*/**/*"):
            if path.is_file() and path.relative_to(self.copy) not in wanted:
                path.unlink()

    def step(self, *command):
        done = run(*command, cwd=self.copy, env=ENVIRONMENT, timeout=3600, stdout=-1, stderr=-2)
        if done.returncode:
            sys.exit(f"{' '.join(map(str, command))}:\n{done.stdout}")

    def build(self):
        self.step(SWIFT, "build", *self.flags)
        self.step(ROOT / "scripts/preload", self.folder / "debug")

    @contextlib.contextmanager
    def planted(self, path):
        """The package with a bug in it."""
        patch = ("patch", "-p1", "--no-backup-if-mismatch", "-s", "-i", path)
        self.step(*patch)
        try:
            self.touch_users(path)
            self.build()
            yield
        finally:
            self.step(*patch, "-R")
            self.touch_users(path)

    def touch_users(self, path):
        """What is inlinable stands in the objects of other modules, too, which the compiler does not build anew for that."""
        for file in re.findall(r"^--- a/(\S+)", pathlib.Path(path).read_text(), re.M):
            if "@inlinable" not in (self.copy / file).read_text():
                continue
            use = re.compile(rf"^(public |package )?import {file.split('/')[1]}$", re.M)
            for user in self.copy.glob("Sources/**/*.swift"):
                if use.search(user.read_text()):
                    os.utime(user)
