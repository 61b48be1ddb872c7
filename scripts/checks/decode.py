"""Feeds `wifi-harness decode` with what people feed it, and holds its answers and exit status to a list.

Each case is an input, an exit status and what the answer must contain. ONLY=TEXT takes the cases whose names contain
it, SHOW=1 prints every answer. Needs no adapter, no network, and no root, except that root may read what no other user
may: that case is left out then.
"""

import base64
import binascii
import bz2
import gzip
import json
import lzma
import os
import random
import struct
import tempfile
import zlib

from lib.checking import RECORDING, check, harness, in_background, write

LIMIT = 1 << 30

# --- Inputs -------------------------------------------------------------------------------------------------

ELEMENTS = bytes([0, 4]) + b"Roof" + bytes([1, 4, 0x82, 0x84, 0x8B, 0x96, 3, 1,
                                            6]) + bytes.fromhex("30140100000fac040100000fac040100000fac020000")
ADDRESS = bytes.fromhex("020000000001")
HEADER = bytes.fromhex("80000000ffffffffffff") + ADDRESS + ADDRESS + bytes.fromhex("1000")
BEACON = HEADER + bytes(8) + struct.pack("<HH", 100, 0x11) + ELEMENTS
DEAUTHENTICATION = bytes.fromhex("c0000000") + ADDRESS + bytes.fromhex("020000000002") + ADDRESS + bytes.fromhex("20000700")
AUTHENTICATION = bytes.fromhex("b0000000") + ADDRESS + bytes.fromhex("020000000002") + ADDRESS + bytes.fromhex("3000000001000000")
ACKNOWLEDGEMENT = bytes.fromhex("d4000000") + ADDRESS
RADIOTAP = bytes.fromhex("00000d00 04800200 02 0000 0000".replace(" ", ""))
RADIOTAP_FCS = bytes.fromhex("000009000200000010")

PPI = struct.pack("<BBHIHHQHHHHBBbb", 0, 0, 32, 105, 2, 20, 7, 0, 12, 2437, 0xA0, 0, 0, -40, -95)
PRISM = struct.pack("<II16s", 0x44, 144, b"wlan0") + b"".join(
    struct.pack("<IHHi", number << 16 | 0x44, 0, 4, value) for number,
    value in enumerate([1, 2, 6, 0, 0, -44, -90, 22, 0, 51], 1))


def fcs(frame):
    return frame + struct.pack("<I", binascii.crc32(frame))


def pcap(frames, link=105, magic=0xA1B2C3D4, order="<", snap=65535, version=(2, 4)):
    data = struct.pack(order + "IHHiIII", magic, *version, 0, 0, snap, link)
    for frame in frames:
        data += struct.pack(order + "IIII", 1, 2, len(frame), len(frame)) + frame
    return data


def block(kind, body, order="<"):
    body += bytes(-len(body) % 4)
    return struct.pack(order + "II", kind, len(body) + 12) + body + struct.pack(order + "I", len(body) + 12)


def section(order="<", magic=0x1A2B3C4D, major=1):
    return block(0x0A0D0D0A, struct.pack(order + "IHHq", magic, major, 0, -1), order)


def interface(link=105, order="<"):
    return block(1, struct.pack(order + "HHI", link, 0, 0), order)


def packet(frame, number=0, order="<"):
    return block(6, struct.pack(order + "IIIII", number, 0, 1, len(frame), len(frame)) + frame, order)


def attribute(kind, payload):
    return struct.pack("<HH", len(payload) + 4, kind) + payload + bytes(-len(payload) % 4)


def message(kind, payload, flags=2):
    return struct.pack("<IHHII", 16 + len(payload), kind, flags, 1, 0) + payload


def bss(elements=ELEMENTS):
    return (
        attribute(1, ADDRESS) + attribute(6, elements) + attribute(4, struct.pack("<H", 100))
        + attribute(5, struct.pack("<H", 0x11)) + attribute(2, struct.pack("<I", 2437))
    )


def scan(attributes):
    return message(28, struct.pack("<BBH", 34, 1, 0) + attributes)


MESSAGES = scan(attribute(3, struct.pack("<I", 3)) + attribute(47, bss()))


def spaced(data, between=" ", prefix=""):
    return between.join(prefix + "%02x" % byte for byte in data).encode()


def noise(count, seed):
    return random.Random(seed).randbytes(count)


def dump(data, offset, form, per_line=16):
    """Lines of `offset % place` and what `form` makes of the bytes of each."""
    lines = [(offset % place) + form(data[place:place + per_line]) for place in range(0, len(data), per_line)]
    return ("\n".join(lines) + "\n").encode()


def printable(data):
    return "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)


XXD = dump(BEACON, "%08x: ", lambda line: " ".join(line[i:i + 2].hex()
                                                   for i in range(0, len(line), 2)).ljust(41) + printable(line))
HEXDUMP_C = dump(BEACON, "%08x  ", lambda line: (line[:8].hex(" ") + "  "
                                                 + line[8:].hex(" ")).ljust(50) + "|" + printable(line) + "|")
OD_X1Z = dump(BEACON, "%07d ", lambda line: line.hex(" ").ljust(47) + "  >"
              + printable(line) + "<") + b"%07d\n" % len(BEACON)
OD_OCTAL = dump(BEACON + bytes(len(BEACON) % 2), "%07o",
                lambda line: "".join(" %06o" % (line[i] | line[i + 1] << 8) for i in range(0, len(line), 2)))
OD_OCTAL += b"%07o\n" % len(BEACON)
C_ARRAY = b"static const unsigned char beacon[] = { /* a beacon */\n" + spaced(BEACON, ", ",
    "0x") + b" // its end\n};\n"

CASES = []


def case(name, status, *answers, data=None, arguments=("FILE",), stdin=None, make=None, without=(),
         name_of_file="input"):
    CASES.append((name, status, answers, data, arguments, stdin, make, without, name_of_file))


# --- What is read -------------------------------------------------------------------------------------------

ROOF = "Roof"
case("elements", 0, "kind: elements", ROOF, data=ELEMENTS)
case("a beacon", 0, "kind: frame", "frame: beacon", ROOF, data=BEACON)
case("a beacon with its FCS", 0, "kind: frame", "fcsHex", ROOF, data=fcs(BEACON))
case("a beacon behind radiotap", 0, "kind: radiotap", ROOF, data=RADIOTAP + BEACON)
for word, frame in [("authentication", AUTHENTICATION), ("deauthentication", DEAUTHENTICATION),
                    ("acknowledgement", ACKNOWLEDGEMENT)]:
    case(f"radiotap before {word}", 0, "kind: radiotap", data=RADIOTAP_FCS + fcs(frame))
    case(f"{word} with its FCS", 0, "kind: frame", data=fcs(frame))
case("messages of the kernel", 0, "kind: nl80211", ROOF, "hidden: false", data=MESSAGES)
case("standard input", 0, "kind: frame", ROOF, stdin=BEACON, arguments=("-",))
case("hexadecimal text on standard input", 0, "kind: frame", ROOF, stdin=BEACON.hex().encode(), arguments=("-",))
case("JSON", 0, '"kind":"frame"', data=BEACON, arguments=("--format", "json", "FILE"))
case("JSON, one field a line", 0, '\n  "kind": "frame"', data=BEACON,
     arguments=("FILE", "--format", "json", "--pretty"))

for name, text in [
    ("plain", BEACON.hex().encode()), ("upper case", BEACON.hex().upper().encode()), ("spaces", spaced(BEACON)),
    ("colons", spaced(BEACON, ":")), ("dashes", spaced(BEACON, "-")), ("commas and 0x", spaced(BEACON, ",", "0x")),
    ("commas, spaces and 0X", spaced(BEACON, ", ", "0X")), ("semicolons", spaced(BEACON, ";")),
    ("tabs", spaced(BEACON, "\t")),
    ("one a line", spaced(BEACON, "\n")), ("one a line of Windows", spaced(BEACON, "\r\n")),
    ("one a line of an old Mac", spaced(BEACON, "\r")),
    ("byte order mark", b"\xef\xbb\xbf" + spaced(BEACON)),
    ("mixed separators", BEACON[:20].hex().encode() + b", " + spaced(BEACON[20:], ":")),
    ("array of C", C_ARRAY), ("array of C of Windows", C_ARRAY.replace(b"\n", b"\r\n")),
    ("list of Python", ("data = " + str(list(map(hex, BEACON)))).replace("'", "").encode()),
    ("bytes of Python", ('b"' + "".join("\\x%02x" % byte for byte in BEACON) + '"\n').encode()),
    ("xxd", XXD), ("xxd of Windows", XXD.replace(b"\n", b"\r\n")),
    ("xxd -u", dump(BEACON, "%08X: ", lambda line: line.hex(" ", 2).upper())),
    ("hexdump -C", HEXDUMP_C), ("od -A d -t x1z", OD_X1Z), ("od", OD_OCTAL),
    ("one huge line", spaced(BEACON) + b" " * 1_000_000 + b"\n"),
    ("blank lines around", b"\n\n\n" + spaced(BEACON) + b"\n\n"),
    ("UTF-16", spaced(BEACON).decode().encode("utf-16")),
    ("UTF-16, other order", b"\xfe\xff" + spaced(BEACON).decode().encode("utf-16-be")),
    ("UTF-16 without a mark", spaced(BEACON).decode().encode("utf-16-le")),
    ("xxd in UTF-16", XXD.decode().encode("utf-16")),
    ("comments of shell", b"# captured on the roof\n" + spaced(BEACON) + b" # the end\n"),
]:
    case(f"hexadecimal text: {name}", 0, "kind: frame", ROOF, data=text)

case("pcap", 0, "kind: capture", "frame: beacon", ROOF, data=pcap([BEACON]))
case("pcap, other byte order", 0, "kind: capture", ROOF, data=pcap([BEACON], order=">"))
case("pcap, nanoseconds", 0, "kind: capture", ROOF, data=pcap([BEACON], magic=0xA1B23C4D))
case("pcap of radiotap", 0, "kind: capture", ROOF, data=pcap([RADIOTAP + BEACON], 127))
case("pcap without a packet", 0, "kind: capture", data=pcap([]))
case("pcap as hexadecimal text", 0, "kind: capture", ROOF, data=pcap([BEACON]).hex().encode())
case("pcap as xxd -i prints it", 0, "kind: capture", ROOF,
     data=b"unsigned char x_pcap[] = {\n  " + spaced(pcap([BEACON]), ", ",
                                                     "0x") + b"\n};\nunsigned int x_pcap_len = 123;\n")
case("pcapng", 0, "kind: capture", ROOF, data=section() + interface() + packet(BEACON))
case("pcapng, other byte order", 0, "kind: capture", ROOF,
     data=section(">") + interface(order=">") + packet(BEACON, order=">"))
case("pcapng with an unused interface of Ethernet", 0, "kind: capture", ROOF,
     data=section() + interface(1) + interface() + packet(BEACON, 1))
case("pcapng of two sections", 0, "kind: capture", ROOF, data=(section() + interface() + packet(BEACON)) * 2)
case("a name that is hidden", 0, "hidden: true", data=scan(attribute(47, bss(bytes([0, 0]) + ELEMENTS[6:]))))
case("one element", 0, "kind: elements", ROOF, data=ELEMENTS[:6])

# --- What is read in part, and said so ------------------------------------------------------------------------

case("pcap cut in a packet", 65, "kind: capture", ROOF, "not all could be read", data=pcap([BEACON] * 2)[:-10])
case("pcap cut in a packet's header", 65, ROOF, "not all could be read", data=pcap([BEACON] * 2)[:-len(BEACON) - 7])
case("pcap cut in its header", 65, "ends after 20 of the 24 bytes", data=pcap([])[:20])
case("pcap, magic only", 65, "ends after 4 of the 24 bytes", data=pcap([])[:4])
case("pcapng cut in a block", 65, ROOF, "not all could be read",
     data=section() + interface() + packet(BEACON) + packet(BEACON)[:-6])
case("pcapng, section only, cut", 65, "ends after 20 of the 28 bytes", data=section()[:20])
case("pcapng, a second section of another magic", 65, "magic", ROOF,
     data=section() + interface() + packet(BEACON) + section(magic=0x11223344))
case("pcapng, a second section of another version", 65, "version", ROOF,
     data=section() + interface() + packet(BEACON) + section(major=9))
case("messages that are cut", 65, "not all could be read", "hidden: false", data=MESSAGES + MESSAGES[:40])
cut_bss = attribute(1, ADDRESS) + attribute(5, struct.pack("<H", 0x11)) + struct.pack("<HH", 60, 6) + bytes([0, 4])
case(
    "a BSS whose elements are cut", 65, "ssid: unknown", "hidden: unknown", "Unknown", "truncation",
    data=scan(attribute(47, cut_bss)),
    without=("hidden: true", "Open"))
case("an error without a number", 65, "not all could be read", data=message(2, b"\xf0\xff") + MESSAGES)
case("an error with a positive number", 65, "no error number", data=message(2, struct.pack("<i", 5)) + MESSAGES)
case("an error that is INT_MIN", 65, "no error number", data=message(2, struct.pack("<i", -1 << 31)) + MESSAGES)

# --- What is refused, and why -----------------------------------------------------------------------------------

case("an empty file", 65, "the file is empty", data=b"")
case("empty standard input", 65, "standard input: the file is empty", stdin=b"", arguments=("-",))
case("/dev/null", 65, "/dev/null: the file is empty", arguments=("/dev/null",))
case("no such file", 66, "No such file", arguments=("FOLDER/nowhere",))
case("a folder", 66, "Is a directory", arguments=("FOLDER",))
case("a file as a folder", 66, "Not a directory", data=b"x", arguments=("FILE/more",))
case("an empty name", 66, "No such file", arguments=("",))
case("a name that is too long", 66, "File name too long", arguments=("x" * 5000,))
case("a link to itself", 66, "symbolic links", arguments=("FOLDER/loop",),
     make=lambda folder: os.symlink("loop", folder + "/loop"))
if os.geteuid() != 0:
    case("a file that may not be read", 66, "Permission denied", data=BEACON,
         make=lambda folder: os.chmod(folder + "/input", 0))
case("no file", 64, "Missing expected argument", arguments=())
case("two files", 64, "Unexpected argument", arguments=("a", "b"))
case("an unknown option", 64, "--kind", arguments=("--kind", "frame", "x"))
case("an unknown kind", 64, "- radiotap", arguments=("--as", "beacon", "x"))
case("an unknown format", 64, "xml", arguments=("--format", "xml", "x"))
case("--pretty without JSON", 64, "--pretty goes with --format json", arguments=("--pretty", "x"))
HOSTILE = "a\x1b[31mb\x07c\x9bd\u202ee\nf"
for name, arguments in [
    ("an unexpected argument", ("x", HOSTILE)), ("a kind", ("--as", HOSTILE, "x")),
    ("a format", ("--format=" + HOSTILE, "x")),
    ("an option", ("--" + HOSTILE, "x")),
]:
    case(f"control characters in {name}", 64, "\\", arguments=arguments)
case("control characters in the name of no file", 66, "\\", arguments=(HOSTILE,))
case("control characters in the name of an empty file", 65, "the file is empty", "\\", data=b"", name_of_file=HOSTILE)
case("control characters in the name of a bad file", 65, "nothing that is known", "\\", data=noise(300, 1),
     name_of_file=HOSTILE)
case("a name that is no UTF-8", 64, "is no UTF-8", arguments=(b"caf\xe9",))


def sparse(size):
    def make(folder):
        with open(folder + "/input", "wb") as file:
            file.truncate(size)
    return make


case("a file larger than is read", 74, "1073741824", make=sparse(5 << 30))
case("a file one byte larger than is read", 74, "1073741824", make=sparse(LIMIT + 1))
case("/dev/zero", 74, "1073741824", arguments=("/dev/zero",))

case("a capture in gzip", 0, "kind: capture", ROOF, data=gzip.compress(pcap([BEACON] * 9)))
case("a capture in two members of gzip", 0, "kind: capture", ROOF,
     data=gzip.compress(pcap([BEACON])) + gzip.compress(pcap([BEACON] * 2)[24:]))
case("a capture in gzip that is cut", 65, ROOF, "not all could be read",
     data=gzip.compress(pcap([BEACON] * 9), 0)[:-100])
case("a capture in gzip whose checksum is cut", 65, ROOF, "its compressed content was cut off",
     data=gzip.compress(pcap([BEACON] * 9))[:-3])
case("a capture in gzip that is damaged", 65, "its compressed content is damaged",
     data=gzip.compress(pcap([BEACON] * 9), 0)[:-8] + bytes(8))
for name, data in [
    ("xz", lzma.compress(pcap([BEACON] * 9))), ("bzip2", bz2.compress(pcap([BEACON] * 9))),
]:
    case(f"a capture in {name}", 65, f"a file of {name}, which is not read", data=data)
# Nine beacons, by zstd -19.
ZSTANDARD = bytes.fromhex("28b52ffd00687d020082c40e19b0a9350c03147b04d3a6557b4884c08392750048c162b72d53ac4dc25718c10111f438"
                          "ed148641dac4e470cfeed9f5e638fb7df9bab64ca22a2b0600c7b850c5296604a4dcabbb7911800b")
case("a capture in Zstandard", 0, "kind: capture", ROOF, data=ZSTANDARD)


def zstandard(*blocks, is_ended=True):
    """A frame of blocks that are not compressed, and of the empty one that ends it."""
    blocks = [struct.pack("<I", len(content) << 3)[:3] + content for content in blocks]
    return bytes.fromhex("28b52ffd0058") + b"".join(blocks) + bytes([1, 0, 0]) * is_ended


case("a capture in blocks of Zstandard", 0, "kind: capture", ROOF, data=zstandard(pcap([BEACON]), pcap([BEACON])[24:]))
case("a capture in Zstandard that is cut between blocks", 65, ROOF, "not all could be read: its compressed content was cut off",
     data=zstandard(pcap([BEACON] * 2), is_ended=False))
case("a capture in Zstandard that is cut within a block", 65, ROOF, "not all could be read",
     data=zstandard(pcap([BEACON] * 2), pcap([BEACON])[24:])[:-20])
case("a capture in Zstandard that is cut at its start", 65, "it was cut off before anything that could be read",
     data=ZSTANDARD[:20])
case("noise behind the magic of Zstandard", 65, "Zstandard", data=bytes.fromhex("28b52ffd") + noise(200, 2))
case("a PNG", 65, "PNG", data=b"\x89PNG\r\n\x1a\n" + noise(500, 3))
case("a ZIP", 65, "ZIP", data=b"PK\x03\x04" + noise(500, 4))
case("a program", 65, "ELF", arguments=("/bin/true",))
case("zlib", 65, "nothing that is known", data=zlib.compress(noise(400, 5)))
for count in (64, 100, 1000, 65_535, 65_536, 1_000_000):
    case(f"{count} random bytes", 65, "nothing that is known", "elements:", "--as", data=noise(count, count))
case("zeros", 65, "nothing that is known", data=bytes(1000))
case("ones", 65, "nothing that is known", data=b"\xff" * 1000)
case("a text", 65, "is text, but not hexadecimal", data=b"The quick brown fox jumps over the lazy dog.\n")
case("a text in UTF-8", 65, data="Größe: zwölf\n".encode() * 20)
case("JSON of this command", 65, "is text, but not hexadecimal",
     data=b'{"schema":"wifi-harness/decode/1","kind":"frame"}')
case("white space", 65, "there are no digits", data=b" \n\t \n")
case("an empty array", 65, "there are no digits", data=b"u8 x[] = { };\n")
case("a comment", 65, "there are no digits", data=b"# nothing here\n")
case("an odd number of digits", 65, "odd number of digits", data=BEACON.hex().encode()[:-1])
case("a letter too many", 65, "has other characters than digits", data=spaced(BEACON) + b" 0g")
case("base64 of noise", 65, "is text, but not hexadecimal", data=base64.b64encode(noise(300, 7)))
case("a text in UTF-16", 65, "is text, but not hexadecimal", data="The quick brown fox\r\n".encode("utf-16"))
case("UTF-32 hexadecimal text", 65, data=spaced(BEACON).decode().encode("utf-32"))
for options, form in [
    ("od -t u1", lambda line: "".join("%4d" % byte for byte in line)),
    ("od -t d1", lambda line: "".join("%5d" % (byte - 256 * (byte > 127)) for byte in line)),
    ("od -d", lambda line: "".join("%6d" % (line[i] | line[i + 1] << 8) for i in range(0, len(line) - 1, 2))),
    ("hexdump -d", lambda line: "".join("   %05d" % (line[i] | line[i + 1] << 8) for i in range(0, len(line) - 1, 2))),
]:
    case(options, 65, "it is a dump of decimal numbers",
         data=dump(BEACON, "%07o" if options[0] == "o" else "%07x", form))
case("od -c", 65, "is text, but not hexadecimal",
     data=b"0000000  \\0  \\a   L   a   b       P   S   K 001 004 202 204 213 226 335\n0000020\n")
case("xxd -b", 65, "is text, but not hexadecimal",
     data=dump(BEACON, "%08x: ", lambda line: " ".join("{:08b}".format(byte) for byte in line) + "  " + printable(line),
               6))
case("a dump with a line left out", 65, "do not add up",
     data=b"".join(line for number, line in enumerate(HEXDUMP_C.splitlines(True)) if number != 2))
case("a dump with its lines in another order", 65, "do not add up", data=b"".join(reversed(XXD.splitlines(True))))
case("od of the other byte order", 65, "do not add up",
     data=dump(BEACON, "%07o ", lambda line: line.hex(" ", 2)) + b"%07o\n" % len(BEACON))
case("a list of decimal numbers", 65, "read as hexadecimal", data=str(list(BEACON)).encode())
case("assembler", 65, "has other characters than digits", data=spaced(BEACON, "h "))
case("a capture behind another", 65, "kind: capture", ROOF, "not all could be read", data=pcap([BEACON]) * 2)
case("a capture behind a line end", 65, "nothing that is known", data=b"\n" + pcap([BEACON]))
case("a capture cut by its snapshot length", 0, "missing: %d" % (len(BEACON) - 30),
     data=pcap([]) + struct.pack("<IIII", 1, 2, 30, len(BEACON)) + BEACON[:30])
case("an Ethernet frame", 65, "nothing that is known", data=bytes.fromhex("ffffffffffff0200000000010800") + bytes(46))
case("a dump without text with a line left out", 65, "do not add up",
     data=dump(BEACON, "%04x  ", lambda line: line.hex(" ")).replace(b"0020", b"0030"))
for link, name in [(1, "Ethernet"), (101, "raw IP"), (195, "802.15.4"), (147, "a user's"), (65_000, "unknown")]:
    case(f"pcap of {name} frames", 65, "link type", data=pcap([BEACON], link))
case("pcapng of Ethernet only", 65, "link type", data=section() + interface(1) + packet(BEACON))
case("pcapng with no interface", 65, data=section() + packet(BEACON))
case("pcapng of an interface that is not there", 65, data=section() + interface() + packet(BEACON, 7))
case("pcap of nlmon", 0, "netlinkFamily: 16", "command: NEW_SCAN_RESULTS", ROOF,
     data=pcap([struct.pack(">HHH8sH", 4, 824, 0, bytes(8), 16) + MESSAGES], 253))
case("a beacon behind PPI", 0, "kind: ppi", "signalDBm: -40", ROOF, data=PPI + BEACON)
case("radiotap behind PPI", 0, "kind: ppi", ROOF, data=struct.pack("<BBHI", 0, 0, 8, 127) + RADIOTAP + BEACON)
case("a PPI field that overruns", 0, "truncation", ROOF,
     data=pcap([struct.pack("<BBHIHH", 0, 0, 12, 105, 2, 200) + BEACON], 192))
case("pcap of a header without a frame", 0, "zeroLengthPSDU: 1", data=pcap([bytes.fromhex("000009000000000401")], 127))
case("a beacon behind Prism", 0, "kind: prism", "signalDBm: -44", ROOF, data=PRISM + BEACON)
case("radiotap and nothing behind it", 65, "nothing that is known", "0 bytes behind the radiotap header",
     data=bytes.fromhex("000019006f08000008070605040302011000" "3c144001d0a102"))
case("sixteen bytes that count", 65, "nothing that is known", data=bytes(range(16)))
case("an S1G beacon", 0, "bufferedAIDs: 1, 6, 21, 23",
     data=bytes.fromhex("1c0000000c0e7600000140420f00010507000100000542a0"), arguments=("--as", "frame", "FILE"))
case("a WAPI network", 0, "summary: WAPI-Personal",
     data=HEADER + bytes(8) + struct.pack("<HH", 100,
         0x11) + bytes.fromhex("000141" "44160100010000147202010000147201001472010000" "0000"))
case("pcap, an unknown version", 65, "version", data=pcap([BEACON], version=(9, 9)))
case("pcap, a packet of 4 GB", 65, data=pcap([]) + struct.pack("<IIII", 1, 2, 0xFFFFFFFF, 0xFFFFFFFF) + BEACON)
case("too much for a frame", 65, "65535", data=BEACON + bytes(70_000), arguments=("--as", "frame", "FILE"))
case("too much for elements", 65, "65535", data=ELEMENTS * 3000, arguments=("--as", "elements", "FILE"))
case("elements as a capture", 65, "neither pcap nor pcapng", data=ELEMENTS, arguments=("--as", "capture", "FILE"))
case("elements as messages", 65, data=ELEMENTS, arguments=("--as", "nl80211", "FILE"))
case("a frame as radiotap", 65, data=BEACON, arguments=("--as", "radiotap", "FILE"))
case("a short frame", 65, data=BEACON[:9], arguments=("--as", "frame", "FILE"))
case("elements by order, of zeros", 0, "kind: elements", data=bytes(10), arguments=("--as", "elements", "FILE"))
case("elements by order, cut", 0, "kind: elements", "trailingHex", data=ELEMENTS[:-3],
     arguments=("--as", "elements", "FILE"))
case("two frames one behind the other", 0, "kind: frame", data=BEACON + BEACON)
case("a frame cut in an element", 0, "frame: beacon", ROOF, "complaints", data=BEACON[:-5])
# --- Several dumps, dumps among other text, base64 ----------------------------------------------------------------

TSHARK = dump(BEACON, "%04x  ", lambda line: line.hex(" ").ljust(47) + "   " + printable(line))
SCAPY = dump(BEACON, "%04X  ", lambda line: line.hex(" ").upper().ljust(47) + "  " + printable(line))
DEAUTHENTICATION_DUMP = dump(DEAUTHENTICATION, "%04x  ", lambda line: line.hex(" ").ljust(47) + "   " + printable(line))
TWO = TSHARK + b"\n" + DEAUTHENTICATION_DUMP
KERNEL = dump(BEACON, "[   12.345678] wlan0: rx 0000:00:14.3: %08x: ",
              lambda line: line.hex(" ").ljust(47) + "  " + printable(line))
JOURNAL = dump(BEACON, "Nov 25 00:44:47 host kernel: rx: %08x: ",
               lambda line: line.hex(" ").ljust(47) + "  " + printable(line))
LOG = [line for pair in zip(JOURNAL.splitlines(True), [b"Nov 25 00:44:47 host kernel: wlan0: associated\n"] * 99)
       for line in pair]
PROSE = b"Hello,\n\nthis is the beacon, added at once; face 1 of 2:\n\n" + XXD + b"\nIs it of 802.11? Thanks, A.\n"
for name, data in [
    ("scapy's hexdump", SCAPY), ("a dump of the kernel's log", KERNEL), ("a dump of the journal", JOURNAL),
    ("a log with other lines", b"".join(LOG)),
    ("a dump in a letter", PROSE), ("a dump that is quoted", b"> " + XXD.replace(b"\n", b"\n> ")),
    ("base64", base64.b64encode(BEACON)),
    ("base64 in lines", base64.encodebytes(BEACON)),
    ("base64 for names of files", base64.urlsafe_b64encode(BEACON).rstrip(b"=")),
]:
    case(name, 0, "kind: frame", "length: %d" % len(BEACON), ROOF, data=data)
for name, data in [
    ("two frames of tshark -x", TWO), ("two frames of tshark -x between words",
                                       b"Frame (61 bytes):\n" + TWO.replace(b"\n\n", b"\n\nFrame (26 bytes):\n")),
    ("two frames in the kernel's log", KERNEL + dump(DEAUTHENTICATION, "[   13.000001] rx: %08x: ",
                                                     lambda line: line.hex(" "))),
    ("xxd of two frames", XXD + dump(DEAUTHENTICATION, "%08x: ", lambda line: line.hex(" ", 2))),
    ("two packets of tcpdump -xx", b"12:00:00.000000 Beacon (Roof)\n" + dump(BEACON, "\t0x%04x:  ",
                                                                             lambda line: line.hex(" ", 2))
     + b"12:00:01.000000 DeAuthentication\n" + dump(DEAUTHENTICATION, "\t0x%04x:  ", lambda line: line.hex(" ", 2))),
]:
    case(name, 0, "frame: beacon", ROOF, "frame: deauthentication", "length: %d" % len(BEACON),
         "length: %d" % len(DEAUTHENTICATION), data=data)
    case(name + ", as ndjson", 0, '"frame":"beacon"', '"frame":"deauthentication"', data=data,
         arguments=("--format", "ndjson", "FILE"))
case("two dumps of which one is noise", 65, "dump 2 of 2: the input is nothing that is known",
     data=XXD + dump(noise(300, 8), "%08x: ", lambda line: line.hex(" ", 2)))
case("two dumps, and a line of one is missing", 65, "do not add up",
     data=b"".join(XXD.splitlines(True)[:1] + XXD.splitlines(True)[2:]) + XXD)
case("a base64 capture", 0, "kind: capture", ROOF, data=base64.encodebytes(pcap([BEACON])))
case("base64 that is cut", 65, "is text, but not hexadecimal", data=base64.b64encode(pcap([BEACON]))[:-3] + b"!")
with open(RECORDING, "rb") as recording:
    case("a recording", 65, "it is a recording; use `wifi-harness replay`", data=recording.read(),
         without=("hexadecimal",))

# --- A line each, and filters ---------------------------------------------------------------------------------------

OTHER = BEACON.replace(b"Roof", b"Yard").replace(ADDRESS, bytes.fromhex("020000000009"))
MANY = pcap([BEACON, OTHER, DEAUTHENTICATION])
case("a capture as ndjson", 0, '"frame":"beacon"', '"frame":"deauthentication"', data=MANY,
     arguments=("--format", "ndjson", "FILE"), without=("wifi-harness/decode",))
case("messages as ndjson", 0, '"command":"NEW_SCAN_RESULTS"', data=MESSAGES, arguments=("--format", "ndjson", "FILE"),
     without=("wifi-harness/decode",))
case("a frame as ndjson", 0, '"schema":"wifi-harness/decode/1"', data=BEACON, arguments=("--format", "ndjson", "FILE"))
case("a cut capture as ndjson", 65, '"fileComplaints":["', '"frame":"beacon"', data=MANY[:-3],
     arguments=("--format", "ndjson", "FILE"))
case("--name", 0, "Yard", data=MANY, arguments=("--name", "ya*", "FILE"), without=("Roof", "deauthentication"))
case("--not-name", 0, "Roof", data=MANY, arguments=("--not-name", "yard", "--format", "ndjson", "FILE"),
     without=("Yard", "deauthentication"))
case("--bssid", 0, "Yard", data=MANY, arguments=("--bssid", "02:00:00:00:00:09", "--json", "FILE"), without=("Roof",))
case("--band that nothing is on", 0, "no network passes the filter", data=MANY, arguments=("--band", "5", "FILE"),
     without=("Roof", "Yard"))
case("--name of messages", 0, "NEW_SCAN_RESULTS", ROOF, data=MESSAGES, arguments=("--name", "Roof", "FILE"))
case("--name that messages lack", 0, "--name matches whole names: try 'Yar*'", data=MESSAGES,
     arguments=("--name", "Yar", "FILE"), without=("NEW_SCAN_RESULTS",))
case("--name of one frame", 64, "is no capture", data=BEACON, arguments=("--name", "Roof", "FILE"))
case("--json and ndjson", 64, "exclude each other", arguments=("--json", "--format", "ndjson", "x"))
case("help", 0, "hexadecimal text", "--as", arguments=("--help",))


# --- Running ----------------------------------------------------------------------------------------------------


def problems_of(done, status, answers, without, arguments):
    text = (done.stdout + done.stderr).decode(errors="replace")
    lines = done.stdout.splitlines()
    if done.returncode != status:
        yield f"status {done.returncode}, not {status}"
    yield from (f"the answer lacks “{answer}”" for answer in answers if answer not in text)
    yield from (f"the answer has “{answer}”" for answer in without if answer in text)
    if status not in (0, 64) and not done.stderr.startswith(b"wifi-harness: "):
        yield "no sentence on standard error"
    if status == 64 and (done.stdout or not done.stderr):
        yield "no message, or one on standard output"
    if status == 0 and not done.stdout and not done.stderr.startswith(b"wifi-harness: "):
        yield "nothing on standard output"
    if done.stdout and status in (0, 65):
        try:
            for line in lines if "ndjson" in arguments else [done.stdout] if {"json",
                "--json"} & set(arguments) else []:
                json.loads(line)
        except ValueError as error:
            yield f"the answer is no JSON: {error}"
    for printed in (lines, done.stderr.splitlines()):
        half = len(printed) // 2
        if printed and (printed[::2] == printed[1::2] or printed[:half] == printed[half:]):
            yield "the answer is printed twice"
    if strange := [character for character in text if character != "\n"
                   and (ord(character) < 32 or 127 <= ord(character) < 160 or character == "\u202e")]:
        yield f"a control character in the answer: {strange[0]!r}"


def feed(name, status, answers, data, arguments, stdin, make, without, name_of_file):
    with tempfile.TemporaryDirectory(prefix="decode-") as folder:
        path = os.path.join(folder, name_of_file)
        if data is not None:
            write(path, data)
        if make:
            make(folder)
        words = [word.replace("FILE", path).replace("FOLDER", folder) if isinstance(word, str) else word
                 for word in arguments]
        done = harness("decode", *words, input=stdin or b"", text=False)
    problems = list(problems_of(done, status, answers, without, arguments))
    text = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    check(name, not problems, ("; ".join(problems), text[-1:]))
    if os.environ.get("SHOW"):
        print("\n".join(line[:200] for line in text[-14:]))


def write_late(folder):
    """A pipe with a name, whose writer comes late and writes in pieces."""
    path = folder + "/input"
    os.mkfifo(path)

    def write_pieces():
        with open(path, "wb", buffering=0) as pipe:
            for start in range(0, len(BEACON), 7):
                pipe.write(BEACON[start:start + 7])

    in_background(write_pieces)


case("a pipe with a name", 0, ROOF, make=write_late)
for one in CASES:
    if os.environ.get("ONLY", "") in one[0]:
        feed(*one)
