"""Holds what two kernels said of one world against each other.

    compare.py [--whole] FOLDER NAME…     FOLDER has NAME.plan, NAME.pcapng and NAME.real of each world; make check NAME=kernel-compare makes them

Of each step: every message, every attribute of it, in order; every BSS of a list, every attribute of that; every line
of a program's output. A difference is passed where one of `reasons.py` explains it, and printed otherwise. Where these
are all worlds (`--whole`), it is an error, too, if a reason explains nothing, for then it is not true any more, or if
there are fewer than 2,000 BSSs.
"""

import bisect
import collections
import json
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.dirname(HERE)]
sys.dont_write_bytecode = True

import reasons
from air import pcapng, radiotap
from netlink import attributes

NEW_SCAN_RESULTS = 34
BSS = 47
GENERATION = 46
NESTS = {BSS: "BSS", 45: "SSIDs", 44: "frequencies"}


class Difference:
    """One thing that differs: `what` it is about, and what either kernel has; `simulated` or `real` is None where only
    the other has it.
    """

    def __init__(self, world, step, what, simulated, real, about=None, key=None):
        self.world = world
        self.step = step
        self.place = world.place
        self.what = what
        self.simulated = simulated
        self.real = real
        # What the difference is within, such as a BSS or a message, on the simulated side and on the real one.
        self.about = about
        self.key = key

    def __str__(self):
        def shown(value):
            text = value.hex() if isinstance(value, bytes) else str(value)
            return text if len(text) <= 400 else f"{text[:400]}… ({len(text)})"

        place = f"{self.world.name}, step {self.step}: {self.what}" + (f" of {self.key}" if self.key else "")
        return f"{place}\n    simulated  {shown(self.simulated)}\n    real       {shown(self.real)}"


class Side:
    """What one kernel said, and when it heard each frame."""

    def __init__(self, path):
        with open(path, encoding="ascii") as file:
            self.entries = [json.loads(line) for line in file]
        # Frames as (first possible time, last possible time, number), in order of time.
        self.heard = []
        self.generation = None

    def heard_at(self, ns):
        """The numbers of the frames that may have been heard at a time."""
        last = bisect.bisect_right(self.heard, (ns, float("inf"), 0))
        return {number for start, end, number in self.heard[max(0, last - 2000) : last] if start <= ns <= end}


class Message:
    """A netlink message: its type, its flags, and its attributes, those of some nests taken apart."""

    def __init__(self, data):
        self.data = data
        _, self.type, self.flags, _, _ = struct.unpack_from("=IHHII", data)
        if self.type in (2, 3):
            (self.error,) = struct.unpack_from("=i", data, 16)
            self.fields = [("error", self.error)]
            start = 20
            if self.type == 2:
                (length,) = struct.unpack_from("=I", data, 20)
                start += 16 if self.flags & 0x100 else length + (-length % 4)
                # What is repeated of the request has numbers of sockets and of interfaces in it, so how much it is
                # counts.
                self.fields.append(("repeated bytes", 16 if self.flags & 0x100 else length))
            if self.flags & 0x200:
                names = {1: "sentence", 2: "offset", 4: "policy"}
                self.fields += [(names.get(kind, kind), value) for kind, value in attributes(data[start:])]
        else:
            self.error = None
            self.fields = [("command", data[16])]
            self.fields += [(kind, list(attributes(value)) if kind in NESTS else value) for kind,
                            value in attributes(data[20:])]

    def get(self, kind):
        return next((value for name, value in self.fields if name == kind), None)


def element(elements, number):
    """The data of the first element of a number, or None."""
    at = 0
    while at + 2 <= len(elements) and at + 2 + elements[at + 1] <= len(elements):
        if elements[at] == number:
            return elements[at + 2 : at + 2 + elements[at + 1]]
        at += 2 + elements[at + 1]
    return None


class Entry:
    """One BSS of a list."""

    def __init__(self, message):
        self.message = message
        self.fields = message.get(BSS) or []
        self.values = dict(self.fields)
        self.address = self.values.get(1, b"")
        (self.frequency,) = struct.unpack("=I", self.values[2])
        self.name = element(self.values.get(6, b""), 0)
        self.key = f"{self.address.hex(':')} {self.frequency} MHz “{'-' if self.name is None else self.name.decode('utf-8', 'backslashreplace')}”"

    def number(self, kind):
        value = self.values.get(kind)
        return None if value is None else int.from_bytes(value, "little")


class World:
    """One world on both kernels."""

    def __init__(self, folder, name):
        self.name = name
        self.simulated = Side(f"{folder}/{name}.plan")
        self.real = Side(f"{folder}/{name}.real")
        self.differences = []
        self.counts = collections.Counter()
        self.known = set()
        self.place = 0
        # Whether the last list was full, so that not all that was heard is in it.
        self.makes_room = False
        utc = self.simulated.entries[0]["utc"]
        self.frames = []
        for time, header, frame in pcapng(f"{folder}/{name}.pcapng"):
            frequency, signal = radiotap(header)
            self.simulated.heard.append((time - utc, time - utc, len(self.frames)))
            self.frames.append((frame, frequency, signal))
        for entry in self.real.entries:
            self.real.heard += [(start, end, number) for number, start, end in entry["left"]["given"]]
        self.simulated.heard.sort()
        self.real.heard.sort()

    def answers_since(self, place):
        """How many probe responses the real adapter heard between the list before a step and that step, each with the
        BSSs it may speak for.
        """
        start = max((number for number in range(place) if self.real.entries[number]["step"]["do"] == "dump"), default=0)
        numbers = [number for entry in self.real.entries[start:place] for number, _, _ in entry["left"]["given"]]
        return sum(1 + 46 * (b"\x47" in self.frames[number][0]) for number in numbers
                   if reasons.is_probe_response(self.frames[number][0]))

    def differs(self, what, simulated, real, about=None, key=None):
        self.differences.append(Difference(self, self.step, what, simulated, real, about, key))

    def run(self):
        if len(self.simulated.entries) != len(self.real.entries):
            self.step = 0
            self.differs("number of steps", len(self.simulated.entries), len(self.real.entries))
        for self.place, (simulated, real) in enumerate(zip(self.simulated.entries, self.real.entries)):
            step = simulated["step"]
            self.step = f"{simulated['number']} ({step.get('what') or ' '.join([step['do'], *step.get('arguments', ())])})"
            self.counts["steps"] += 1
            if real["left"]["count"]:
                self.differs("frames that the real adapter was not there for", 0, real["left"]["count"])
            for part in ("messages", "again", "aborted", "events"):
                self.messages(part, simulated.get(part), real.get(part), simulated, real)
            if "output" in simulated:
                if simulated["status"] != real["status"]:
                    self.differs("exit status", simulated["status"], real["status"])
                self.lines(simulated["output"], real["output"])

    def messages(self, part, simulated, real, ours, theirs):
        simulated, real = ([Message(bytes.fromhex(text)) for text in side or ()] for side in (simulated, real))
        lists = [[message for message in side if message.get("command") == NEW_SCAN_RESULTS and message.get(BSS)]
                 for side in (simulated, real)]
        if part == "messages" and any(lists):
            self.table(*lists, ours, theirs)
            simulated, real = ([message for message in side if message.get(BSS) is None] for side in (simulated, real))
        if len(simulated) != len(real):
            self.differs(f"number of {part}", [message.fields for message in simulated],
                         [message.fields for message in real])
        for one, other in zip(simulated, real):
            self.counts["messages"] += 1
            if (one.type in (2, 3)) != (other.type in (2, 3)):
                self.differs(f"kind of {part}", one.fields, other.fields)
                continue
            if one.flags != other.flags:
                self.differs("flags of a message", one.flags, other.flags, (one, other))
            self.fields(f"{part}:", one.fields, other.fields, (one, other))

    def fields(self, what, simulated, real, about, key=None):
        """Compares attributes by number; those of one number in order."""
        def grouped(fields):
            groups = collections.defaultdict(list)
            for kind, value in fields:
                groups[kind].append(value)
            return groups

        one, other = grouped(simulated), grouped(real)
        for kind in list(one) + [kind for kind in other if kind not in one]:
            left, right = one.get(kind, []), other.get(kind, [])
            for place in range(max(len(left), len(right))):
                self.counts["attributes"] += 1
                values = [side[place] if place < len(side) else None for side in (left, right)]
                if kind in NESTS and kind != BSS and all(isinstance(value, list) for value in values):
                    if values[0] != values[1]:
                        self.differs(f"{what} {NESTS[kind]}", values[0], values[1], about, key)
                elif values[0] != values[1]:
                    self.differs(f"{what} {kind}", values[0], values[1], about, key)
        orders = [[kind for kind, _ in side if kind in one and kind in other] for side in (simulated, real)]
        if orders[0] != orders[1] and sorted(map(str, orders[0])) == sorted(map(str, orders[1])):
            self.differs(f"{what} order of attributes", orders[0], orders[1], about, key)

    def table(self, simulated, real, ours, theirs):
        one, other = ([Entry(message) for message in side] for side in (simulated, real))
        self.makes_room = len(one) == len(other) == reasons.LIMIT
        moments = (ours["from"], theirs["from"])
        keys = [[entry.key for entry in side] for side in (one, other)]
        for side in keys:
            for key, count in collections.Counter(side).items():
                if count > 1:
                    self.differs("listed more than once", keys[0].count(key), keys[1].count(key), key=key)
        found = {entry.key: entry for entry in other}
        shared = []
        for entry in one:
            if entry.key in found:
                shared.append((entry, found[entry.key]))
            else:
                self.differs("BSS", entry.key, None, (entry, None, one, other, moments), entry.key)
        for entry in other:
            if entry.key not in keys[0]:
                self.differs("BSS", None, entry.key, (None, entry, one, other, moments), entry.key)
        order = [[key for key in side if key in keys[1 - number]] for number, side in enumerate(keys)]
        if order[0] != order[1]:
            first = next(number for number, pair in enumerate(zip(*order)) if pair[0] != pair[1])
            self.differs("order of the list", order[0][first : first + 3], order[1][first : first + 3])
        generations = []
        for side, entries in ((self.simulated, one), (self.real, other)):
            values = {struct.unpack("=I", entry.message.get(GENERATION))[0] for entry in entries}
            if len(values) > 1:
                self.differs("generations within one list", sorted(values), None)
            now = max(values, default=side.generation)
            generations.append(None if side.generation is None or now is None else now - side.generation)
            side.generation = now
        if generations[0] != generations[1]:
            self.differs("changes of the table since the list before (generation)", *generations)
        for left, right in shared:
            self.counts["BSSs compared"] += 1
            self.known.add(left.key)
            if left.message.flags != right.message.flags:
                self.differs("flags of a message", left.message.flags, right.message.flags,
                             (left.message, right.message), left.key)
            outer = [[(kind, value) for kind, value in entry.message.fields if kind not in (BSS, GENERATION)]
                     for entry in (left, right)]
            self.fields("attribute", *outer, (left.message, right.message), left.key)
            self.fields("BSS attribute", left.fields, right.fields, (left, right, one, other, moments), left.key)

    def lines(self, simulated, real):
        """Compares the output of a program line by line; BSSs that both list stand beside each other."""
        one, other = blocks(simulated), blocks(real)
        for key in list(one) + [key for key in other if key not in one]:
            left, right = one.get(key), other.get(key)
            if left is None or right is None:
                self.differs("BSS in the output", left and key, right and key, key=key)
                continue
            for place in range(max(len(left), len(right))):
                self.counts["lines"] += 1
                pair = [side[place] if place < len(side) else None for side in (left, right)]
                if pair[0] != pair[1]:
                    self.differs("line", *pair, key=key)
        order = [[key for key in side if key in one and key in other] for side in (one, other)]
        if order[0] != order[1]:
            self.differs("order of the output", order[0][:5], order[1][:5])


def blocks(text):
    """The lines of an output by the BSS that they are about; what stands before the first is of none."""
    every = text.splitlines()
    starts = [number for number, line in enumerate(every) if line.startswith("BSS ")] + [len(every)]
    result = {"": every[: starts[0]]}
    for start, end in zip(starts, starts[1:]):
        part = every[start:end]
        frequency = next((line.strip() for line in part if line.startswith("\tfreq:")), "")
        name = next((line.strip() for line in part if line.startswith("\tSSID:")), "no SSID")
        result[f"{part[0][4:21]} {frequency} {name}"] = part
    return result


def main(*arguments):
    is_whole = arguments[0] == "--whole"
    folder, *names = arguments[1:] if is_whole else arguments
    explained = collections.Counter()
    unexplained = []
    counts = collections.Counter()
    known = 0
    for name in names:
        world = World(folder, name)
        world.run()
        counts += world.counts
        known += len(world.known)
        mine = 0
        for difference in world.differences:
            reason = next((reason for reason in reasons.REASONS if reason.explains(difference)), None)
            if reason:
                explained[reason.name] += 1
            else:
                unexplained.append(difference)
                mine += 1
        print(f"{'FAIL' if mine else 'ok'} two kernels, {name}: {len(world.known)} BSSs, {len(world.frames)} frames, "
              f"{world.counts['steps']} steps, {len(world.differences)} differences, {mine} of them without a reason")
    if os.environ.get("COMPARE_VERBOSE"):
        for reason in reasons.REASONS:
            print(f"   {explained[reason.name]:7} {reason.name}")
    idle = [reason.name for reason in reasons.REASONS if not explained[reason.name]] if is_whole else []
    few = is_whole and known < 2000
    print(f"{'FAIL' if few or idle else 'ok'} two kernels: {len(names)} worlds, {known} BSSs, "
          f"{counts['BSSs compared']} compared, {counts['attributes']} attributes, {counts['lines']} lines, {sum(explained.values())} differences "
          f"with a reason" + (f"; reasons that explain nothing: {', '.join(idle)}" if idle else ""))
    kinds = collections.Counter()
    limit = int(os.environ.get("COMPARE_SHOWN", "2"))
    for difference in unexplained:
        kind = (difference.world.name, re.sub(r"\d+", "",
                                              difference.what) if difference.what == "line" else difference.what)
        kinds[kind] += 1
        if kinds[kind] <= limit:
            print(f"  without a reason: {difference}")
    for (name, what), count in kinds.items():
        if count > limit:
            print(f"  {name}: {what}: {count} in all")
    return 1 if unexplained or idle or few else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
