"""Compiles what must be refused, against the debug build.

In each file of Tests/Refused/MODULE the lines that end in "// refused" are the errors, and there is no other.
"""
import re

from lib.checking import ROOT, check, debug_build, run

compiler, build = debug_build()
for path in sorted(ROOT.glob("Tests/Refused/*/*.swift")):
    name = str(path.relative_to(ROOT))
    expected = [number for number, line in enumerate(path.read_text().splitlines(), 1) if line.endswith("// refused")]
    # Data races between isolations are found after type checking, so it takes more than -typecheck.
    output = run(compiler, "-swift-version", "6", "-parse-as-library", "-emit-sil", "-o", "/dev/null", "-I", build / "Modules",
                 "-enable-upcoming-feature",
                 "NonisolatedNonsendingByDefault", name, stdout=-1, stderr=-2, timeout=600).stdout
    refused = sorted({int(number) for number in re.findall(rf"^{re.escape(name)}:(\d+):\d+: error", output, re.M)})
    check(f"{name}: refused are lines {expected}", expected and refused == expected, f"{refused}:\n{output}")
