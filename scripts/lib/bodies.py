"""Puts bugs into the sources, each behind its number, so that one build holds them all.

A bug is a patch. Where it changes the body of a function, the function gets a second body: `if planted(164) { … }
else { … }`. It may also change the value of a property, and add properties that have one. Which bugs a program has, its
environment says: `PLANTED=108,164`.
"""

import difflib
import pathlib
import re
import tempfile

from lib.checking import run

ASK = "wifiHarnessPlanted"
# In each module with a bug: what is inlined elsewhere may call it, too.
SWIFT = f'@usableFromInline @_silgen_name("{ASK}") internal func {ASK}(_ number: Int32) -> Bool\n'
C = f"""#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool planted[1000];

__attribute__((constructor)) static void read_planted(void) {{
  for (const char *text = getenv("PLANTED"); text && *text; text += *text == ',') {{
    planted[strtoul(text, NULL, 10) % 1000] = true;
    text += strcspn(text, ",");
  }}
}}

bool {ASK}(int32_t number) {{ return planted[number]; }}
"""

MODIFIERS = (r"(?:@\w+(?:\([^)]*\))? |private\(set\) |public |package |internal |private |fileprivate |static |final |"
             r"override |mutating |nonmutating |nonisolated |convenience |required |borrowing |consuming |lazy )*")
FUNCTION = re.compile(rf"\s*{MODIFIERS}(?:func|init|subscript|var|get|set|didSet|willSet|deinit|_modify|_read)\b")
ONE_LINE = re.compile(r"(.*?\{) ?(.*?) ?\}")
PROPERTY = re.compile(rf"\s*{MODIFIERS}var \w+(?:: [^={{]+\?|(?:: [^={{]+)? = .+)")
VALUE = re.compile(rf"(\s*{MODIFIERS}(?:let|var) \w+(?:: [^={{]+)? = )(.*[^{{])")


class Refused(Exception):
    """A bug that cannot be put behind its number."""


def depth(line):
    return len(line) - len(line.lstrip(" "))


def is_code(line):
    return bool(line.strip()) and not line.strip().startswith("//")


class Function:
    """The innermost function around a line: its lines, those of its head, and those of its body."""

    def __init__(self, lines, index):
        if index == len(lines):
            raise Refused("what is behind the last line is in no function")
        if FUNCTION.match(lines[index]):
            if one := ONE_LINE.fullmatch(lines[index]):
                self.lines, self.head = (index, index + 1), [one[1]]
                self.body = [" " * (depth(lines[index]) + 2) + one[2]]
                return
            # The first line that differs may be a head whose body stands in one line elsewhere.
            index += lines[index].endswith("{")
        inner = depth(lines[index]) if lines[index].strip() else 1000
        for at in range(index - 1, -1, -1):
            line = lines[at]
            if not line.strip() or depth(line) >= inner:
                continue
            inner = depth(line)
            start = self.start(lines, at)
            if not line.endswith("{") or line.endswith("= {") or not FUNCTION.match(lines[start]):
                continue
            end = next(n for n in range(at + 1, len(lines)) if lines[n].strip() and depth(lines[n]) <= inner)
            if lines[end].strip() != "}":
                raise Refused(f"the function at line {start + 1} does not end with a bracket of its own")
            self.lines, self.head, self.body = (start, end + 1), lines[start:at + 1], lines[at + 1:end]
            return
        raise Refused(f"line {index + 1} is in no function")

    @staticmethod
    def start(lines, at):
        """Where a head of several lines begins, whose last line is given."""
        inner = depth(lines[at])
        while re.match(r"\s*([)\]>]|where\b|->|throws\b|async\b)", lines[at]):
            at -= 1
            while not lines[at].strip() or depth(lines[at]) > inner:
                at -= 1
        return at

    @property
    def has_value(self):
        head = " ".join(line.strip() for line in self.head)
        if re.match(rf"{MODIFIERS}(var|get)\b", head):
            return True
        return bool(re.search(r"\)[^()]* -> (?!Void\b)", head))

    def statements(self, body):
        """A body that can stand beside another: a value alone is returned by name."""
        code = [line for line in body if is_code(line)]
        if not self.has_value or not code:
            return body
        begins = re.compile(rf" {{{depth(code[0])}}}(?! |[}}\])#]|\.\w|[?:&|+=-]+ |case\b|default\b)")
        first = code[0].strip()
        if (sum(bool(begins.match(line)) for line in code) > 1
                or re.match(r"(return|throw|let|var|guard|for|while|repeat|do|fatalError|preconditionFailure)\b", first)
                or re.match(r"(if|switch)\b", first) and any(re.search(r"(^\s*|: |\{ )(return|throw)\b", line) for line in code)):
            return body
        place = body.index(code[0])
        return [*body[:place], " " * depth(code[0]) + "return " + first, *body[place + 1:]]

    def with_bodies(self, others):
        """The function with a body for each number."""
        inner = " " * (depth(self.head[0]) + 2)
        result = list(self.head)
        for number, body in others.items():
            result += [f"{inner}if {ASK}({number}) {{", *self.statements(body), f"{inner}}} else"]
        result[-1:] = [f"{inner}}} else {{"]
        # One `else` and the next `if` stand in one line.
        text = "\n".join([*result, *self.statements(self.body), f"{inner}}}", inner[2:] + "}"])
        return re.sub(r"\} else\n +if ", "} else if ", text).split("\n")


class File:
    """A file of the sources, and what the bugs change of it."""

    def __init__(self, lines):
        self.original = lines
        # By its lines, each function that has a second body, and these by number; values of properties, by line and number;
        # properties that are added, by the line before which they stand.
        self.functions, self.bodies, self.values, self.added = {}, {}, {}, {}

    def plant(self, number, lines):
        """Takes the lines that the file has with a bug."""
        matcher = difflib.SequenceMatcher(None, self.original, lines, autojunk=False)
        for kind, first, last, other, other_last in matcher.get_opcodes():
            before = [line for line in self.original[first:last] if is_code(line)]
            after = [line for line in lines[other:other_last] if is_code(line)]
            if kind == "equal" or not before and not after:
                continue
            if not before and all(PROPERTY.fullmatch(line) for line in after) and self.is_outside(first):
                self.added.setdefault(first, []).extend(after)
                continue
            pairs = [(VALUE.fullmatch(old), VALUE.fullmatch(new)) for old, new in zip(before, after)]
            if len(before) == len(after) == 1 and all(pairs[0]) and pairs[0][0][1] == pairs[0][1][1] and self.is_outside(first):
                place = self.original.index(before[0], first)
                self.values.setdefault(place, {})[number] = pairs[0][1][2]
                continue
            old = Function(self.original, self.inside(self.original, first, last))
            new = Function(lines, self.inside(lines, other, other_last))
            if [line.strip() for line in old.head] != [line.strip() for line in new.head]:
                raise Refused(f"“{' '.join(new.head).strip()}” is another head of a function")
            if first < old.lines[0] or last > old.lines[1]:
                raise Refused("it changes what stands between functions")
            if any(old.lines != span and old.lines[0] < span[1] and span[0] < old.lines[1] for span in self.functions):
                raise Refused("it changes a function in another that is changed, too")
            self.functions[old.lines] = old
            if self.bodies.setdefault(old.lines, {}).setdefault(number, new.body) != new.body:
                raise Refused("it changes one function into two")

    @staticmethod
    def inside(lines, first, last):
        """A line of what changes, or of the same function where there is none."""
        if first < last:
            return first
        return first - 1 if not lines[first - 1].endswith("{") else first

    def is_outside(self, index):
        """Whether a line, or what is added before it, is in no function."""
        try:
            return Function(self.original, index).lines[0] >= index
        except Refused:
            return True

    @property
    def text(self):
        result, at = [], 0
        while at < len(self.original):
            result += self.added.get(at, [])
            span = next((span for span in self.functions if span[0] == at), None)
            if span:
                result += self.functions[span].with_bodies(self.bodies[span])
            elif at in self.values:
                head, value = VALUE.fullmatch(self.original[at]).groups()
                chosen = "".join(f"{ASK}({number}) ? {other} : " for number, other in self.values[at].items())
                result.append(f"{head}{chosen}{value}")
            else:
                result.append(self.original[at])
            at = span[1] if span else at + 1
        return "\n".join(result) + "\n"


def planted(path, root):
    """The lines that files have with the bug of a patch, by their place below `root`."""
    places = re.findall(r"^--- a/(\S+)", path.read_text(), re.M)
    with tempfile.TemporaryDirectory() as folder:
        for place in places:
            target = pathlib.Path(folder, place)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((root / place).read_bytes())
        done = run("patch", "-p1", "-s", "-F0", "-i", path, cwd=folder, stdout=-1, stderr=-2)
        if done.returncode:
            raise Refused(f"it does not fit: {done.stdout}")
        return {place: pathlib.Path(folder, place).read_text().splitlines() for place in places}


def with_bugs(paths, root):
    """What to write, and where below `root`, so that the sources have all bugs behind their numbers."""
    files = {}
    for path in paths:
        number = int(path.stem.split("-")[0])
        try:
            for place, lines in planted(path, root).items():
                if place not in files:
                    files[place] = File((root / place).read_text().splitlines())
                files[place].plant(number, lines)
        except Refused as why:
            raise Refused(f"{path}: {why}. A bug may change bodies of functions and values of properties, and add properties "
                          "that have a value.") from None
    result = {place: file.text for place, file in files.items()}
    for module in {"/".join(place.split("/")[:2]) for place in files}:
        result[f"{module}/PlantedBugs.swift"] = SWIFT
    result["Sources/CDeterminism/planted_bugs.c"] = C
    return result
