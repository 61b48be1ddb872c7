"""Judges a suite that has a flaky test of each kind, in a copy of Examples/FlakySuite, and what cannot be judged.

The verdicts are compared with the table here. The command is simulated-tests, from the debug build.
"""
import os
import pathlib
import re
import shutil
import xml.etree.ElementTree as xml

from lib.checking import DEBUG, ROOT, check, folder, must, run

EXPECTED = {
    "FlakyTests.FlakyTests/waits()": "passes",
    "FlakyTests.FlakyTests/counts(number:)": "passes",
    "FlakyTests.FlakyTests/order()": "depends on the order",
    "FlakyTests.FlakyTests/sharedState()": "shares state",
    "FlakyTests.FlakyTests/queue()": "escapes",
    "FlakyTests.FlakyTests/broken()": "fails everywhere",
    "FlakyTests.FlakyTests/spins()": "never rests",
    "FlakyTests.FlakyTests/traps()": "ends the process",
    "FlakyTests.clock()": "depends on the clock",
    "FlakyXCTests.FlakyXCTests/testIsFulfilled": "passes",
    "FlakyXCTests.FlakyXCTests/testIsFulfilledLater": "passes",
    "FlakyXCTests.FlakyXCTests/testIsSetUpInside": "passes",
    "FlakyXCTests.FlakyXCTests/testOrder": "depends on the order",
    "FlakyXCTests.FlakyXCTests/testBlocks": "escapes",
    "FlakyXCTests.FlakyXCTests/testIsSkipped": "is skipped",
    "FlakyXCTests.FlakyXCTests/testThrows": "fails everywhere",
}

swift = os.environ.get("SWIFT", "swift")
must(swift, "build", "--product", "simulated-tests", timeout=900, cwd=ROOT)
command = str(pathlib.Path(DEBUG).parent / "simulated-tests") if DEBUG else str(ROOT / ".build/debug/simulated-tests")
place = folder()
package = place / "FlakySuite"
shutil.copytree(ROOT / "Examples/FlakySuite", package, ignore=shutil.ignore_patterns(".build"))
before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}

done = run(command, str(package), "--library", str(ROOT), "--seeds", "0..<10", "--output", str(place / "report.md"), "--junit",
           str(place / "report.xml"), timeout=600)
check("a suite with flaky tests ends with 1", done.returncode == 1, done.stdout + done.stderr)
report = (place / "report.md").read_text()
seen = {}
for case in xml.parse(place / "report.xml").getroot().iter("testcase"):
    suite = case.get("classname")
    name = case.get("name") if suite == "FlakySuite" else f"{suite}/{case.get('name')}"
    failure, skipped = case.find("failure"), case.find("skipped")
    seen[name] = (failure.get("type") if failure is not None
                  else skipped.get("message").partition(":")[0] if skipped is not None else "passes")
for name, verdict in EXPECTED.items():
    check(f"{name} {verdict}", seen.get(name) == verdict, f"{seen.get(name)}\n{report}")
check("there is no other test", set(seen) == set(EXPECTED), set(seen) ^ set(EXPECTED))
check("the call that leaves is named with its line", "dispatch_async" in report and "FlakyTests.swift:" in report, report)
check("what ends the process is quoted", "work takes time" in report, report)
check("the two tasks whose order matters are named", re.search(r"passes, and fails where .* goes on before ", report), report)
chosen = run(command, str(package), "--library", str(ROOT), "--filter", r"/waits\(\)$", "--target", "FlakyTests", "--times", "1",
             timeout=600)
check("a filter chooses tests, and a good test ends with 0", chosen.returncode == 0 and "\n1 test, once" in chosen.stdout,
      chosen.stdout + chosen.stderr)
after = {path: path.read_bytes() for path in package.rglob("*") if path.is_file() and ".build" not in path.parts}
check("nothing of the package has changed", before == after)

# What cannot be judged.
empty = place / "Empty"
(empty / "Sources/Empty").mkdir(parents=True)
(empty / "Sources/Empty/Empty.swift").write_text("let empty = 1\n")


def refused(what, manifest, status, words, *arguments):
    if manifest is not None:
        (empty / "Package.swift").write_text(manifest)
    done = run(command, str(empty), "--library", str(ROOT), *arguments, timeout=300)
    check(f"{what} ends with {status} and a sentence", done.returncode == status and words in done.stderr,
          f"{done.returncode}: {done.stdout}{done.stderr}")


HEAD = "// swift-tools-version: 6.0\nimport PackageDescription\n"
refused("a folder without a package", None, 66, "there is no package in")
refused("a package without tests", HEAD + 'let package = Package(name: "Empty", targets: [.target(name: "Empty")])\n', 65,
        "has no test target")
refused("another test target", None, 65, "there is no test target Others", "--target", "Others")
refused("a manifest of another form", HEAD + 'let other = Package(name: "Empty", targets: [.target(name: "Empty")])\n', 65,
        "the manifest cannot be extended")
refused("a range that is none", None, 64, "this is a range of seeds", "--seeds", "5")
refused("two outputs in one file", None, 64, "--output and --junit name one file", "--output", str(place / "one.xml"), "--junit",
        f"{place}/./one.xml")
for option in ("--output", "--junit"):
    refused(f"a file of {option} without a folder", None, 74, "is no folder that may be written to", option, str(place / "none/one.xml"))
(empty / "Tests/EmptyTests").mkdir(parents=True)
(empty / "Tests/EmptyTests/Tests.swift").write_text("import Testing\n@Test func broken() { nothing() }\n")
refused("a copy that does not build",
        HEAD + 'let package = Package(name: "Empty", targets: [.testTarget(name: "EmptyTests")])\n', 65, "does not build")
help = run(command, "--help").stdout
check("the help names the exit status", "Exit status: 0 nothing was found" in help, help)
