"""Holds the articles to the code.

Every Swift block of an article, of README.md and of the pages beside it stands, line by line, in the example package; every YAML block is a
scenario that passes, or steps that can be read; every console block of `simulate`, `run`, `check`, `explore orders` and `panel
--simulate`, also there, prints what it shows, and so does one of `scan`, `replay` and `diff` of files that a
block before it wrote. A line of "…" stands for any number of lines. Where iw is not installed, commands that run it are
passed over with a sentence.
"""
import glob
import os
import re
import shutil

from check import table
from lib import checking
from lib.checking import BINARY, ROOT, check, has, skip


def blocks(path):
    """The fenced blocks of a file: language, lines, number of the first line."""
    language, lines, start = None, [], 0
    for number, line in enumerate(open(path, encoding="utf-8").read().split("\n"), 1):
        fence = re.match(r"^\s*```(\S*)", line)
        if fence and language is None:
            language, lines, start = fence.group(1), [], number + 1
        elif fence:
            yield language, lines, start
            language = None
        elif language is not None:
            lines.append(line)


def squeezed(lines):
    return [line.strip() for line in lines if line.strip()]


sources = [
    squeezed(open(path, encoding="utf-8").read().split("\n"))
    for path in glob.glob(f"{ROOT}/Examples/*/Package.swift") + glob.glob(f"{ROOT}/Examples/*/*/*/*.swift")
]


def stands_in_example(lines):
    lines = squeezed(lines)
    return any(
        source[start : start + len(lines)] == lines for source in sources
        for start in range(len(source) - len(lines) + 1)
    )


def run(command, folder):
    arguments = re.sub(r"^wifi-harness ", "", command)
    result = checking.run("sh", "-c", f'"{BINARY}" {arguments}', cwd=folder, stdout=-1, stderr=-2, timeout=300)
    return result.stdout.rstrip("\n").split("\n") if result.stdout else []


def matches(shown, printed):
    if not shown:
        return not printed
    if shown[0].strip() == "…":
        return any(matches(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and shown[0].rstrip() == printed[0].rstrip() and matches(shown[1:], printed[1:])


def check_console(place, lines, folder):
    # A file that was not named when it was shown is the scenario shown last.
    shown_before = sorted(glob.glob(f"{folder}/scenarios/*.yaml"), key=os.path.getmtime)
    for name in re.findall(r"scenarios/[\w-]+\.yaml", "\n".join(lines)):
        if shown_before and not os.path.exists(f"{folder}/{name}"):
            shutil.copy(shown_before[-1], f"{folder}/{name}")
    command, shown = None, []
    for line in lines + ["$ "]:
        if line.startswith("$ "):
            files = [f"{folder}/{name}" for name in re.findall(r"[\w-]+\.ndjson", command or "")]
            written = files and all(os.path.exists(name) for name in files)
            if command and re.search(r"\biw ", command) and not has("iw"):
                skip(f"{place}: {command}", "iw is not installed")
            elif command and (
                re.match(r"wifi-harness (simulate|run|check|explore orders|panel --simulate|scan --simulate) ", command)
                or written and re.match(r"wifi-harness (scan|replay|audit|diff) ", command)
            ):
                printed = run(command, folder)
                check(f"{place}: {command}", matches(shown, printed),
                      "it prints something else:\n    " + "\n    ".join(printed[:40]))
            command, shown = line[2:], []
        else:
            shown.append(line)


def check_yaml(place, lines, folder, name):
    text = "\n".join(lines)
    if text.startswith("- "):
        text = (
            "scenario: steps of an article\nsource: { simulate: { world: preview, seed: 7, churn: off } }\n"
            "start: { networks: mocks }\nsteps:\n" + text + "\n- expect: { issues: 0 }")
    path = f"scenarios/{name}.yaml"
    checking.write(f"{folder}/{path}", text + "\n")
    if name == "first":
        return
    run(f"wifi-harness check --update {path}", folder)
    printed = run(f"wifi-harness check {path}", folder)
    check(f"{place}: the scenario passes", printed[-1].startswith("1 scenario: 1 passed"), "\n".join(printed))


PLAIN = [f"{ROOT}/{name}" for name in ("README.md", "docs/tour.md", "docs/libraries.md")]
for path in sorted(glob.glob(f"{ROOT}/Sources/*/*.docc/*.md")) + PLAIN:
    folder = checking.folder()
    os.mkdir(f"{folder}/scenarios")
    if path in PLAIN:
        for name in ("fixtures", "schemas"):
            shutil.copytree(f"{ROOT}/{name}", f"{folder}/{name}")
    scenarios = 0
    for language, lines, number in blocks(path):
        place = f"{os.path.relpath(path, ROOT)}:{number}"
        if language == "swift":
            check(f"{place}: the block stands in an example package", stands_in_example(lines))
        elif language == "yaml" and path not in PLAIN:
            scenarios += 1
            check_yaml(place, lines, folder, "first" if scenarios == 1 else f"number-{scenarios}")
        elif language == "console":
            check_console(place, lines, folder)
# A shell takes the < of a range without quotes as a redirection.
for path in glob.glob(f"{ROOT}/*.md") + glob.glob(f"{ROOT}/docs/**/*.md", recursive=True) + glob.glob(f"{ROOT}/Sources/*/*.docc/*.md"):
    wrong = re.findall(r".*(?:--seeds |SEEDS=)\d+\.\.<.*", open(path, encoding="utf-8").read())
    check(f"{os.path.relpath(path, ROOT)} quotes ranges of seeds", not wrong, wrong)
check("docs/checking.md lists the checks; `scripts/check.py --table` prints them",
      table() in (ROOT / "docs/checking.md").read_text())
