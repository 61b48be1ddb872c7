"""Fails where the command holds paths of the machine that built it.

Looks for the project's folder in all of it, and in what is installed, without tables for debuggers, for the user's and
the toolchain's folder, too. What the Swift runtime was built from (/home/build-user) stands in it as in every copy of the toolchain.
"""
import os
import pathlib
import re
import shutil

from lib.checking import BINARY, ROOT, check, folder, must

stripped = folder() / "stripped"
must("strip", "-o", stripped, BINARY)
toolchain = pathlib.Path(shutil.which(os.environ.get("SWIFT", "swift"))).resolve().parents[2]
for path, file in ((ROOT, BINARY), (pathlib.Path.home(), stripped), (toolchain, stripped)):
    if path == pathlib.Path("/"):
        continue
    # The folder itself, and what is in it; not another one whose name begins as its does. Every system has a /root.
    end = rb"/" if len(path.parts) == 2 else rb"(?![\w.-])"
    found = re.findall(rb"[ -~]*%s%s[ -~]*" % (re.escape(str(path).encode()), end), pathlib.Path(file).read_bytes())
    check(f"{path} is not in {'the command' if file == BINARY else 'the stripped command'}", not found,
          f"{sorted(set(found))[:5]}; the flags of the Makefile (PREFIX_MAPS) take them out")
check("the command has what every build has", b"wifi-harness" in stripped.read_bytes())
