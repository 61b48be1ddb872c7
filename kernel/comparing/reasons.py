"""Why two kernels may differ: each reason with the place in Linux 6.1 that it comes from, and what exactly it allows.
"""

import re
import struct


class Reason:
    def __init__(self, name, source, explains):
        self.name = name
        self.source = source
        self.explains = explains


def number(value):
    return int.from_bytes(value, "little")


REASONS = []


def reason(name, source):
    """Adds the function under it as a reason: it says whether a difference is of that kind and within what is allowed.
    """

    def add(explains):
        REASONS.append(Reason(name, source, explains))
        return explains

    return add


# Of the time of ticks: jiffies, 100 a second in this kernel, at either end.
TICKS_MS = 20


def frames_of(difference, address):
    """The numbers of the frames that are about a BSS: its own, and those of the BSS that it may be a part of."""
    return {
        number for number, (frame, _, _) in enumerate(difference.world.frames)
        if frame[16:22] == address or (frame[16:21] == address[:5] and b"\x47" in frame)
    }


def is_probe_response(frame):
    return frame[0] == 0x50


def answers(difference, address):
    """The probe responses about a BSS that the real adapter heard up to this step."""
    given = {number for entry in difference.world.real.entries[: difference.place + 1] for number, _,
             _ in entry["left"]["given"]}
    return [difference.world.frames[number] for number in frames_of(difference, address) & given
            if is_probe_response(difference.world.frames[number][0])]


def whole_decibels(mbm):
    """Hundredths of a dBm as the frames are written: whole dBm, cut off."""
    return int(mbm / 100) * 100


def signed(value):
    return struct.unpack("=i", value)[0]


@reason("the number of the interface", "net/core/dev.c, dev_new_index: numbers are given as interfaces are made")
def _(difference):
    return difference.what in ("attribute 3", "events: 3", "messages: 3") and (difference.simulated,
        difference.real) == (b"\3\0\0\0", b"\2\0\0\0")


@reason("padding before numbers of 64 bits",
        "include/net/netlink.h, nla_align_64bit: where the processor asks for alignment, which depends on the place in the buffer")
def _(difference):
    if difference.what in ("attribute 229", "messages: 229", "events: 229", "BSS attribute 16"):
        return (difference.simulated, difference.real) == (None, b"")
    pad = bytes.fromhex("04000b00")
    if difference.what == "messages: policy" and difference.simulated and difference.real:
        return difference.simulated.replace(pad, b"") == difference.real.replace(pad, b"")
    return False


@reason("the channels of the adapter",
        "drivers/net/wireless/mac80211_hwsim.c, hwsim_channels_5ghz: it has those from 5845 MHz on, too")
def _(difference):
    if difference.what != "events: frequencies" or not difference.simulated or not difference.real:
        return False
    mine, theirs = ([number(value) for _, value in side] for side in (difference.simulated, difference.real))
    return [mhz for mhz in theirs if mhz not in (5845, 5855, 5860, 5865)] == mine and mine != theirs


@reason("strengths in whole dBm",
    "net/mac80211/scan.c, ieee80211_bss_info_update: a driver reports whole dBm, of which the kernel makes hundredths")
def _(difference):
    if difference.what == "BSS attribute 7":
        return signed(difference.real) == whole_decibels(signed(difference.simulated))
    return False


@reason("probe responses count again when the scan has ended",
        "net/mac80211/iface.c, ieee80211_iface_work, and net/mac80211/mlme.c, ieee80211_rx_mgmt_probe_resp: they wait in a queue until then")
def _(difference):
    if difference.what == "BSS attribute 7":
        dbm, rest = divmod(signed(difference.real), 100)
        return rest == 0 and any(signal == dbm for _, _, signal in answers(difference, difference.about[1].address))
    if difference.what.startswith("changes of the table"):
        # One change more for each, and for each BSS that it speaks for.
        if None in (difference.simulated, difference.real):
            return False
        return 0 < difference.real - difference.simulated <= difference.world.answers_since(difference.place)
    return False


@reason("when a BSS was heard last",
        "net/wireless/nl80211.c, nl80211_send_bss: each kernel reports the time of its own clock")
def _(difference):
    if difference.what == "BSS attribute 15":
        mine, theirs = (number(value) for value in (difference.simulated, difference.real))
        # The same frame, and of that BSS or of the one that speaks for it.
        same = difference.world.simulated.heard_at(mine) & difference.world.real.heard_at(theirs)
        return bool(same & frames_of(difference, difference.about[0].address))
    return False


@reason("frames of one stay on a channel are heard in another order",
        "Sources/Simulator/Kernel/Air.swift, hear: in any order, the latest time counts; net/wireless/scan.c, cfg80211_update_known_bss: the last frame counts")
def _(difference):
    if difference.what == "BSS attribute 15":
        mine, theirs = (number(value) for value in (difference.simulated, difference.real))
        about = frames_of(difference, difference.about[0].address)
        first, second = difference.world.simulated.heard_at(mine) & about, difference.world.real.heard_at(theirs) & about
        times = {frame: start for start, _, frame in difference.world.simulated.heard}
        # A stay takes at most 111.1 ms.
        return any(abs(times[one] - times[other]) < 112_000_000
                   and difference.world.frames[one][1] == difference.world.frames[other][1]
                   for one in first for other in second)
    return False


@reason("how long ago that was, in ticks",
        "net/wireless/nl80211.c, nl80211_send_bss: jiffies since the frame was reported, which for a probe response was when the scan ended, too")
def _(difference):
    if difference.what != "BSS attribute 10":
        return False
    mine, theirs, _, _, moments = difference.about
    if not 0 <= (moments[0] - mine.number(15)) / 1e6 - mine.number(10) < 1:
        return False
    reported = theirs.number(10)
    if abs((moments[1] - theirs.number(15)) / 1e6 - reported) <= TICKS_MS:
        return True
    ends = [entry.get("ended", entry["to"]) for entry in difference.world.real.entries[: difference.place]
            if entry["left"]["given"]]
    return bool(answers(difference, theirs.address)) and any(abs((moments[1] - end) / 1e6 - reported) <= TICKS_MS
                                                             for end in ends)


@reason("what iw prints of these",
        "scan.c of iw 5.19, print_bss_handler: the lines of the strength and of the time, compared above as numbers")
def _(difference):
    if difference.what != "line" or None in (difference.simulated, difference.real):
        return False
    lines = (difference.simulated, difference.real)
    if all(re.fullmatch(r"\tlast seen: [\d.]+s \[boottime\]|\tlast seen: \d+ ms ago", line) for line in lines):
        return lines[0].endswith("]") == lines[1].endswith("]")
    # iw prints the fraction of a negative number with its sign.
    strengths = [re.fullmatch(r"\tsignal: (-\d+)\.-?(\d+) dBm", line) for line in lines]
    if not all(strengths):
        return False
    return strengths[0][1] == strengths[1][1] or any(
        signal == int(strengths[1][1]) for _, _,
        signal in answers(difference, bytes.fromhex(difference.key[:17].replace(":", ""))))


# What the kernel keeps (bss_entries_limit), and how long a stay on a channel takes at most, in ns.
LIMIT = 1000
STAY_NS = 112_000_000


@reason("which of those heard in one stay on a channel make room",
        "net/wireless/scan.c, cfg80211_bss_expire_oldest: of one jiffy the last of the list; the simulated kernel knows ns, and which was heard longest ago")
def _(difference):
    if difference.what == "BSS in the output":
        # The output of the list that was compared before.
        return difference.world.makes_room
    if difference.what != "BSS":
        return False
    mine, theirs, one, other, _ = difference.about
    world, listed, side = (difference.world, other, difference.world.real) if theirs is None else (difference.world,
        one, difference.world.simulated)
    if len(one) != LIMIT or len(other) != LIMIT:
        return False
    address = (mine or theirs).address
    end = side.entries[difference.place]["from"]
    heard = [time for time, _, frame in side.heard if time <= end and world.frames[frame][0][16:22] == address]
    # None is remembered that was heard longer ago than one that is forgotten, but for those of the same stay.
    return bool(heard) and max(heard) <= min(entry.number(15) for entry in listed) + STAY_NS


@reason("changes of the list of adapters",
        "net/wireless/nl80211.c, nl80211_send_iface: generations count what was made before the session, too")
def _(difference):
    return difference.what == "messages: 46"
