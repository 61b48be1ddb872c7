"""Puts all planted bugs behind their numbers, as `make mutation` and kernel-mutation do long after, and lets the compiler
parse what comes of it; then bugs of each form that can stand there, and of each that cannot.
"""
import pathlib

from lib import checking, planting
from lib.bodies import Refused, with_bugs
from lib.checking import ROOT, check, run, write

parse = [f"{planting.SWIFT}c", "-frontend", "-parse"]
scratch = pathlib.Path(checking.folder())

for folder in ("Mutations", "KernelMutations"):
    files = {place: text for place, text in with_bugs(planting.patches(folder), ROOT).items() if place.endswith(".swift")}
    for place, text in files.items():
        (scratch / folder / place).parent.mkdir(parents=True, exist_ok=True)
        write(scratch / folder / place, text)
    done = run(*parse, *(scratch / folder / place for place in files))
    check(f"the bugs of {folder} stand behind their numbers", done.returncode == 0 and len(files) > 3, done.stderr)

SOURCE = """struct Counter {
  var value = 0
  var isEven: Bool { value % 2 == 0 }

  mutating func count(
    _ step: Int
  ) -> Int {
    value += step
    return value
  }

  func name(_ number: Int) -> String {
    switch number {
    case 0: "none"
    default: "some"
    }
  }

  mutating func clear() { value = 0 }
}
"""


def planted(old, new):
    """The source with a bug that has `new` in the place of `old`, or why there is none."""
    root = scratch / "root"
    (root / "Sources/Counting").mkdir(parents=True, exist_ok=True)
    write(root / "Sources/Counting/Counter.swift", SOURCE)
    write(scratch / "new.swift", SOURCE.replace(old, new))
    patch = run("diff", "-u", "--label", "a/Sources/Counting/Counter.swift", "--label", "b/Sources/Counting/Counter.swift",
                root / "Sources/Counting/Counter.swift", scratch / "new.swift").stdout
    write(scratch / "7-bug.patch", "Broken: it counts.\n" + patch)
    try:
        return with_bugs([scratch / "7-bug.patch"], root)["Sources/Counting/Counter.swift"]
    except Refused as why:
        return f"refused: {why}"


ASK = "wifiHarnessPlanted(7)"
for what, old, new, holds in [
    ("a line of a function whose head has several", "value += step", "value -= step", f"  ) -> Int {{\n    if {ASK} {{\n    value -= step"),
    ("a line that is missing", "    value += step\n", "", f"if {ASK} {{\n    return value\n    }} else {{\n    value += step"),
    ("a body in one line, which gets a second statement", "{ value = 0 }", "{\n    value = 0\n    value += 1\n  }",
     "value += 1\n    } else {\n    value = 0\n    }\n  }"),
    ("a value in one line", "value % 2 == 0", "value % 2 == 1", f"if {ASK} {{\n    return value % 2 == 1\n    }} else {{\n    return value % 2 == 0"),
    ("an expression of several lines", '"some"', '"more"', f"if {ASK} {{\n    return switch number {{"),
    ("the value of a property", "value = 0\n", "value = 1\n", f"  var value = {ASK} ? 1 : 0\n"),
    ("a property that is added", "  var value = 0\n", "  var value = 0\n  private var last: Int?\n", "  private var last: Int?\n"),
    ("a line between functions", "\n  mutating func clear() { value = 0 }", "", "refused"),
    ("another head", "_ step: Int\n", "_ step: UInt8\n", "refused"),
    ("a function behind the last line", "value = 0 }\n}\n", "value = 0 }\n}\nfunc other() {}\n", "refused"),
    ("nothing that fits", "struct Counter", "struct Other", "refused"),
]:
    text = planted(old, new)
    check(f"{what} is {'refused' if holds == 'refused' else 'taken'}", holds in text, text)
    if holds != "refused":
        write(scratch / "planted.swift", text)
        done = run(*parse, scratch / "planted.swift")
        check(f"{what} parses", done.returncode == 0, done.stderr)
