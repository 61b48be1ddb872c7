"""Beacons that hostapd cannot make, composed octet by octet from IEEE 802.11.

Each is a `Beacon`: an address, a channel and its elements. Names and addresses are
made up; the vendors' elements follow the layouts that their access points are known to send.
"""

import struct
from dataclasses import dataclass


def element(number, *octets):
    data = b"".join(bytes([part]) if isinstance(part, int) else part for part in octets)
    assert len(data) <= 255, f"element {number} has {len(data)} octets"
    return bytes([number, len(data)]) + data


def extension(number, *octets):
    return element(255, number, *octets)


def fragmented(number, data):
    """An extension element longer than 255 octets and its fragments (9.4.2.4, 10.28.11)."""
    whole = bytes([number]) + data
    pieces = [whole[i : i + 255] for i in range(0, len(whole), 255)]
    return element(255, pieces[0]) + b"".join(element(242, piece) for piece in pieces[1:])


def raw(text):
    return bytes.fromhex(text.replace(" ", ""))


def vendor(oui, *octets):
    return element(221, raw(oui), *octets)


def ssid(name):
    return element(0, name.encode() if isinstance(name, str) else name)


def u16(value):
    return struct.pack("<H", value)


def mac(text):
    return raw(text.replace(":", ""))


def rsn(akms, pairwise=(4,), group=4, capabilities=0x0000, tail=b""):
    """RSN element (9.4.2.24) of the standard's own selectors."""
    suites = lambda numbers: b"".join(raw("000fac") + bytes([n]) for n in numbers)
    return element(
        48, u16(1), suites((group,)), u16(len(pairwise)), suites(pairwise), u16(len(akms)), suites(akms),
        u16(capabilities), tail
    )


RATES = element(1, 0x82, 0x84, 0x8B, 0x96, 0x0C, 0x12, 0x18, 0x24) + element(50, 0x30, 0x48, 0x60, 0x6C)
RATES_5 = element(1, 0x8C, 0x12, 0x98, 0x24, 0xB0, 0x48, 0x60, 0x6C)
TIM = element(5, 0, 2, 0, 0)
PSK = rsn((2,))
SAE = rsn((8,), capabilities=0x00C0)
RSNX_H2E = element(244, 0x20)
WMM = vendor("0050f2", 2, 1, 1, raw("80 00 03a40000 27a40000 42435e00 62322f00"))

HT = element(45, u16(0x09EF), 0x17, raw("ffffff00 00000000 00000000 00000000"), u16(0), raw("00000000"), 0)


def ht_operation(channel, offset=0, protection=0):
    return element(61, channel, offset | (4 if offset else 0), protection, 0, 0, 0,
                   raw("00000000000000000000000000000000"))


VHT = element(191, raw("b279 9133"), raw("faff 0000 faff 0020"))


def vht_operation(width, first, second=0):
    return element(192, width, first, second, u16(0xFFFA))


HE_BODY = raw("0d 01 08 1a 40 10") + raw("04 63 40 88 ff 49 9d 1c 11 0a 00") + raw("faff faff") + raw("79 1c c7 71 1c c7 71")
HE = extension(35, HE_BODY)
HE_160 = extension(35,
                   raw("0d 01 08 1a 40 10") + raw("0c 63 40 88 ff 49 9d 1c 11 0a 00") + raw("faff faff faff faff") + raw("79 1c c7 71 1c c7 71"))
HE_OPERATION = extension(36, raw("f4 3f 00"), 0x15, u16(0xFFFC))
MU_EDCA = extension(38, 0x03, raw("a4ff27 84ff27 4243ff 6232ff"))
SPATIAL_REUSE = extension(39, 0x03, raw("0a"))


def eht_capabilities(mcs):
    return extension(108, raw("0700"), raw("e01f09e0187780 3600"), mcs)


def eht_operation(control=None, first=0, second=0, disabled=None):
    if control is None:
        return extension(106, 0x04, raw("11000000"))
    parameters = 0x05 | (0x02 if disabled is not None else 0)
    return extension(106, parameters, raw("44444444"), control, first, second,
                     u16(disabled) if disabled is not None else b"")


def station_profile(link, address, elements):
    """A complete Per-STA Profile subelement (802.11be 9.4.2.321.2.4)."""
    control = u16(link | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 8)
    information = mac(address) + u16(100) + raw("0102")
    body = control + bytes([1 + len(information)]) + information + u16(0x0411) + elements
    pieces = [body[i : i + 255] for i in range(0, len(body), 255)]
    profile = bytes([0, len(pieces[0])]) + pieces[0]
    for piece in pieces[1:]:
        profile += bytes([254, len(piece)]) + piece
    return profile


def multi_link(address, link, links=b""):
    """Basic Multi-Link element body (ext 107): link id, change count, medium delay, EML and MLD capabilities."""
    common = mac(address) + bytes([link, 5]) + raw("6451") + raw("0d80") + raw("0140")
    return u16(0x01F0) + bytes([1 + len(common)]) + common + links


def profile(index, name, *elements, capabilities=0x0411):
    """A Nontransmitted BSSID Profile subelement (9.4.2.45)."""
    body = element(83, u16(capabilities)) + ssid(name) + element(85, index, 2, 0) + b"".join(elements)
    return bytes([0, len(body)]) + body


@dataclass
class Beacon:
    name: str
    address: str
    frequency: int
    elements: bytes
    capabilities: int = 0x0401
    signal: int = -60
    interval: int = 100
    responds: bool = True

    def frame(self, timestamp, sequence, to=None):
        """The beacon, or the probe response to one station (9.3.3.2, 9.3.3.10)."""
        kind = 0x80 if to is None else 0x50
        header = struct.pack("<HH", kind, 0) + (to or b"\xff" * 6) + mac(self.address) * 2 + u16(sequence << 4 & 0xFFFF)
        body = struct.pack("<QHH", timestamp & (1 << 64) - 1, self.interval, self.capabilities)
        elements = self.elements
        if to is not None:
            elements = elements.replace(TIM, b"")
        return header + body + elements


def common(name, channel, *rest):
    return ssid(name) + RATES + element(3, channel) + TIM + b"".join(rest)


def common_5(name, *rest):
    return ssid(name) + RATES_5 + TIM + b"".join(rest)


def modern():
    """Multi-BSSID, Wi-Fi 6 and Wi-Fi 7."""
    ht40 = HT + ht_operation(40, 3)
    wifi6 = ht40 + VHT + vht_operation(1, 42) + HE + HE_OPERATION + MU_EDCA + SPATIAL_REUSE
    yield Beacon(
        "multi-bssid", "02:11:00:00:01:00", 5200,
        common_5(
            "Blob House", SAE,
            element(71, 3,
                profile(1, "Blob Guests", extension(56, 1, 48, 0), capabilities=0x0401),
                profile(2, "Blob Staff", rsn((1, 5), capabilities=0x0080)),
                profile(3, "Blob Things", PSK, extension(56, 2, 191, 192, 2, 35, 36)),
            ),
            element(127, raw("0400480000000040")), wifi6, RSNX_H2E, WMM, extension(55, 4, 3, 1),
        ),
        capabilities=0x0411, signal=-41,
    )
    # A profile too long for one element goes on in the next (9.4.2.45).
    long = element(83, u16(0x0411)) + ssid("Blob Split") + element(85, 1, 2, 0) + PSK
    rest = vendor("021100", bytes(range(60)))
    yield Beacon(
        "multi-bssid-split", "02:11:00:00:01:10", 5200,
        common_5(
            "Blob Annex", SAE,
            element(71, 2, 0, len(long), long),
            element(71, 2, 0, len(rest), rest, profile(2, "Blob Attic", SAE)),
            element(127, raw("0400480000000040")), wifi6, WMM,
        ),
        capabilities=0x0411, signal=-44,
    )
    eht80 = eht_capabilities(raw("444444"))
    neighbours = element(
        201,
        # 6 GHz, one neighbour with BSSID, short SSID, BSS parameters, PSD and MLD parameters
        raw("00 10"), 133, 37, 0xFF, mac("02:11:00:00:02:10"), raw("4d3c2b1a"), 0x48, 0xFE, raw("00 51 01"),
        # 2.4 GHz, two neighbours with BSSID and short SSID
        raw("10 0b"), 81, 1, 0x21, mac("02:11:00:00:02:20"), raw("4d3c2b1a"), 0xFF, mac("02:11:00:00:02:21"),
        raw("00000001"),
    )
    other = RATES + element(3,
        1) + HT + ht_operation(1) + HE + HE_OPERATION + eht_capabilities(raw("444444")) + eht_operation()
    mlo = multi_link("02:11:00:00:02:ff", 1, station_profile(0, "02:11:00:00:02:20", RATES + extension(56, 1, 191, 0)))
    yield Beacon(
        "wifi7", "02:11:00:00:02:00", 5200,
        common_5(
            "Blob Seven", SAE, element(11, 5, 0, 0x40, 0, 0), neighbours,
            HT + ht_operation(40, 3) + VHT + vht_operation(1, 42),
            HE + HE_OPERATION + eht80 + eht_operation(2, 42, 0, disabled=0x0008), extension(107, mlo), RSNX_H2E, WMM,
            extension(110, raw("0500 00")),
        ),
        capabilities=0x0411, signal=-48,
    )
    long_link = multi_link(
        "02:11:00:00:03:ff", 1,
        station_profile(0, "02:11:00:00:03:20", other + vendor("021100", bytes(70)))
        + station_profile(2, "02:11:00:00:03:10", other),
    )
    yield Beacon(
        "wifi7-fragmented", "02:11:00:00:03:00", 5200,
        common_5(
            "Blob Seven Long", SAE,
            HT + ht_operation(40, 3) + VHT + vht_operation(2, 42, 50),
            HE_160 + HE_OPERATION + eht_capabilities(raw("444444 444444")) + eht_operation(3, 42, 50),
            fragmented(107, long_link), WMM,
        ),
        capabilities=0x0411, signal=-53,
    )
    six = extension(36, raw("f4 3f 02"), 0x09, u16(0xFFFC), 37, 0x03, 39, 47, 6)
    yield Beacon(
        "wifi7-320", "02:11:00:00:02:10", 6135,
        common_5(
            "Blob Seven", rsn((24, 8), pairwise=(9, 4), group=9, capabilities=0x00C0, tail=u16(0) + raw("000fac0d")),
            HE_160 + six, extension(59, raw("3f 02")), element(195, 0x58, raw("28")), element(195, 0x18, raw("10")),
            eht_capabilities(raw("444444 444444 444444")) + eht_operation(4, 47, 63),
            extension(107, multi_link("02:11:00:00:02:ff", 2)), element(244, raw("6120")), WMM,
        ),
        capabilities=0x0411, signal=-58,
    )


def access_point_names():
    """What vendors call the box on the ceiling."""
    def ap(number, vendor_name, *octets):
        return Beacon(
            f"name-{vendor_name.lower()}", f"02:11:00:00:04:{number:02x}", 2412,
            common(f"Named by {vendor_name}", 1, PSK, *octets), capabilities=0x0411, signal=-50 - number,
        )

    name = b"roof-garden-7"
    yield ap(1, "Aerohive", vendor("001977", 0x21, 1, 0, len(name) + 1, name, 0))
    yield ap(2, "Cisco", element(133, raw("00008f00030007000400"), name.ljust(16, b"\0"), raw("0000002c")))
    yield ap(3, "Cisco 2", vendor("004096", 0x2F, b"roof-garden-with-a-long-name-7"), vendor("004096", 0x0B, 0x89))
    yield ap(4, "MikroTik", vendor("000c42", raw("00000001 1e 00100000196326060000"), name.ljust(20, b"\0"),
                                   raw("0502a809")))
    yield ap(5, "Ubiquiti", vendor("00156d", 0x01, name))
    yield ap(6, "Aruba", vendor("000b86", 0x01, 0x03, 0x00, name))
    yield ap(7, "Meraki", vendor("00180a", 0x07, raw("001122"), name))
    yield ap(8, "Fortinet", vendor("00090f", 0x0A, 0, 1, len(name), name))
    yield ap(9, "Ruckus", vendor("001392", 0x03, name))
    yield ap(10, "Mist", vendor("5c5b35", 0x01, name))
    yield ap(11, "Extreme", vendor("00a0f8", 0x01, bytes(7), len(name), name))
    yield ap(12, "Hostile", vendor("001977", 0x21, 1, 0, 6, raw("1b5b324a0aff")))


def passpoint():
    """Interworking, roaming consortium, HS 2.0, OSEN, FILS, P2P, WPS with every attribute."""
    yield Beacon(
        "passpoint", "02:11:00:00:05:00", 2437,
        common(
            "Blob Roaming", 6, rsn((1, 14), capabilities=0x0080),
            element(107, 0x12, 2, 8, mac("02:11:00:00:05:ff")),
            element(108, 0x7F, 0, 0x80, 1, 0x7F, 221, 4, raw("02110001")),
            element(111, 2, 0x53, raw("021122"), raw("2233445566"), raw("aabbcc")),
            element(127, raw("00000080 00000000 00 01")),
            element(240, u16(0x0145), u16(0x1234), raw("abcd"), mac("02:11:00:00:05:fe")[:4]),
            vendor("506f9a", 0x10, 0x21, raw("3412")),
        ),
        capabilities=0x0411,
    )
    osen = raw("000fac07") + u16(1) + raw("000fac04") + u16(1) + raw("506f9a01") + u16(0)
    yield Beacon("osen", "02:11:00:00:05:01", 2437, common("Blob Sign Up", 6, vendor("506f9a", 0x12, osen)),
                 capabilities=0x0411)
    tlv = lambda kind, data: struct.pack(">HH", kind, len(data)) + data
    wps = b"".join((
        tlv(0x104A, b"\x10"), tlv(0x1044, b"\x02"), tlv(0x1041, b"\x01"), tlv(0x1012, b"\x00\x04"),
        tlv(0x1053, b"\x22\x8c"), tlv(0x103B, b"\x03"), tlv(0x1047, bytes(range(16))),
        tlv(0x1021, b"Example Radios"), tlv(0x1023, b"Blobfi"), tlv(0x1024, b"42"), tlv(0x1042, b"0008"),
        tlv(0x1054, raw("0006 0050f204 0001")), tlv(0x1011, b"Roof Blob"), tlv(0x1008, b"\x01\x8c"),
        tlv(0x103C, b"\x03"), tlv(0x1057, b"\x01"), tlv(0x1049, raw("00372a 00 01 20")), tlv(0x10FF, b"\x01\x02"),
    ))
    yield Beacon("wps", "02:11:00:00:05:02", 2437, common("Blob Push", 6, PSK, vendor("0050f2", 4, wps)),
                 capabilities=0x0411)
    hostile = tlv(0x104A, b"\x10") + tlv(0x1044, b"\x02") + tlv(0x1011, b"\x1b[2J\r\nroot#\xff") + tlv(0x1021,
        raw("e280ae") + b"gpj")
    yield Beacon("wps-hostile", "02:11:00:00:05:03", 2437, common("Blob Shove", 6, PSK, vendor("0050f2", 4, hostile)),
                 capabilities=0x0411)
    p2p = raw("02 0200 2503") + raw("03 0600") + mac("02:11:00:00:05:fd") + raw("0c 0200 0100")
    yield Beacon("p2p", "02:11:00:00:05:04", 2437, common("DIRECT-xy-Blob", 6, PSK, vendor("506f9a", 9, p2p)),
                 capabilities=0x0411)
    yield Beacon(
        "owe-band", "02:11:00:00:05:05", 2437,
        common("Blob Open", 6, vendor("506f9a", 0x1C, mac("02:11:00:00:05:06"), 9, b"Blob OWE!", 115, 36)),
    )
    yield Beacon(
        "wpa-odd", "02:11:00:00:05:07", 2437,
        common(
            "Blob Ciphers", 6,
            rsn((2, 3, 4, 6, 8, 9, 13, 15, 18, 19, 20, 99), pairwise=(4, 2, 8, 9, 10, 5), group=1, capabilities=0x3FFF,
                tail=u16(1) + bytes(range(16)) + raw("000fac06")),
            vendor("0050f2", 1, u16(1), raw("0050f202"), u16(2), raw("0050f202 0050f204"), u16(2),
                   raw("0050f201 0050f202"), u16(0x000C)),
            vendor("0050f2", 2, 0, 1, 0x8F), vendor("0050f2", 0x11, raw("0102")), vendor("506f9a", 0x16, raw("010180")),
        ),
        capabilities=0xFFFD,
    )


def radio_measurement():
    """Country, power, load, switches, neighbours, mesh, S1G: the elements that are rarely looked at."""
    yield Beacon(
        "spectrum", "02:11:00:00:06:00", 5200,
        common_5(
            "Blob Spectrum",
            element(7, b"DEO", 36, 4, 23, 52, 4, 20, 201, 5, 9, 100, 11, 27, 0),
            element(32, 3), element(35, 17, 0), element(37, 1, 100, 12), element(60, 1, 115, 100, 12), element(62, 1),
            element(40, 1, 10, u16(50), u16(8)), element(11, u16(27), 201, u16(31250)),
            element(33, 0, 20), element(36, 36, 4, 100, 11), element(54, raw("b2a1"), 1),
            element(70, raw("730100000c")), element(66, 40, 221, 5, raw("021100"), 1, 2),
            element(51, 81, 1, 6, 11), element(51, 115, 36, 40), element(59, 115, 116, 117, 118, 130, 5),
            element(74, u16(20), u16(10), u16(300), u16(200), u16(20), u16(5), u16(25)),
            HT + ht_operation(40, 1, protection=0x17), VHT + vht_operation(0, 0), element(195, 2, 40, 33, 26),
            element(127, bytes([0xFF] * 10)), element(52, mac("02:11:00:00:06:01"), raw("8f000000"), 115, 36, 9),
            element(69, 2, bytes(10), bytes(5), 1), WMM,
        ),
        capabilities=0x1501,
    )
    yield Beacon(
        "mesh", "02:11:00:00:06:10", 2462,
        ssid("") + RATES + element(3, 11) + TIM
        + element(114, b"blob mesh") + element(113, 1, 1, 0, 1, 0, 0x85, 0x5D) + HT + ht_operation(11),
        capabilities=0x0000,
    )
    yield Beacon(
        "ibss", "02:11:00:00:06:11", 2462,
        ssid("Blob Ad Hoc") + RATES + element(3, 11) + element(6, u16(5)), capabilities=0x0002,
    )
    yield Beacon(
        "s1g", "02:11:00:00:06:12", 2462,
        common(
            "Blob Far", 11, element(214, u16(500)),
            element(217, raw("ffc3 0f55 aa3f 81ff 7f01"), raw("fa 00 fa 00 00")),
            element(232, 0xA3, 68, 1, 1, raw("2654")), element(213, u16(3), u16(100), raw("04030201")),
        ),
    )
    yield Beacon("erp", "02:11:00:00:06:13", 2462,
                 common("Blob Old", 11, element(42, 7), element(47, 0), element(2, raw("0a00020000"))))
    yield Beacon(
        "unknown", "02:11:00:00:06:14", 2462,
        common("Blob Future", 11, element(222, raw("c0ffee")), extension(200, raw("beef")),
               vendor("021100", raw("00ff00")), element(173)),
    )


def malformed():
    """One broken element each, and healthy neighbours around it."""
    after = vendor("021100", b"still here")

    def broken(number, what, octets, **how):
        return Beacon(f"bad-{what}", f"02:11:00:00:07:{number:02x}", 2462, common(f"Bad {what}", 11, octets, after),
                      **how)

    yield broken(1, "rsn-short", element(48, 1))
    yield broken(2, "rsn-count", element(48, raw("0100 000fac04 ff00 000fac04 0100 000fac02")), capabilities=0x0411)
    yield broken(3, "rsn-tail", element(48, raw("0100 000fac04 0100 000fac04 0100 000fac02 0000 0200 00")),
                 capabilities=0x0411)
    yield broken(4, "rsn-empty", element(48), capabilities=0x0411)
    yield broken(5, "ht-short", element(45, raw("ef0917")) + element(61, 11, 0))
    yield broken(6, "ht-long", element(45, bytes(30)) + element(61, 11, bytes(30)))
    yield broken(7, "vht-short", element(191, raw("b279")) + element(192, 1, 42))
    yield broken(8, "he-short", extension(35, raw("0d01081a40")) + extension(36, raw("f43f")))
    yield broken(9, "he-mcs", extension(35, HE_BODY[:6], 0x1C, HE_BODY[7:17], raw("faff")) + extension(36,
        raw("f47f02"), 1, u16(0xFFFC)))
    yield broken(10, "eht-short", extension(108, raw("07")) + extension(106, raw("05 44")) + extension(107,
        raw("f001")))
    yield broken(11, "multi-link-length", extension(107, raw("f001 40 021100000711 01")))
    yield broken(12, "tim", element(5, raw("00")))
    yield broken(13, "tim-long", element(5, 0, 3, 0, bytes(251)))
    yield broken(14, "country", element(7, b"D"))
    yield broken(15, "country-odd", element(7, b"DE ", 1, 13))
    yield broken(16, "empty-extension", element(255) + element(221) + element(221, 0x00, 0x50))
    yield broken(17, "wps", vendor("0050f2", 4, raw("104a 0001 10 1044 00ff 02")))
    yield broken(18, "wmm", vendor("0050f2", 2, 1, 1, 0) + vendor("0050f2", 2) + vendor("0050f2", 1, 1))
    yield broken(19, "rnr", element(201, raw("10 0b 51 01 ff 0211")))
    yield broken(20, "multi-bssid", element(71, 3, 0, 40, 83, 2) + element(71))
    yield broken(21, "rates", element(1) + element(50, bytes([0x80] * 40)))
    yield broken(22, "fixed", element(11, 1, 2) + element(32) + element(35, 1) + element(42) + element(62,
        9) + element(70, 1) + element(74, 1) + element(195, 7, 1))
    yield broken(23, "interworking", element(107, raw("12 02")) + element(111, 1) + element(111, 1, 0xFF,
        1) + element(108, 0x7F) + element(240, 1))
    yield broken(24, "hotspot", vendor("506f9a", 0x10) + vendor("506f9a", 0x12, 0) + vendor("506f9a", 0x1C, 1,
        2) + vendor("506f9a", 9, 2, 9, 0, 1))
    yield broken(25, "mesh", element(113, 1, 2) + element(114, bytes([0x41] * 40)))
    yield broken(26, "s1g", element(214, 1) + element(217, 1, 2) + element(232, 1))
    yield broken(27, "two-ssids", ssid("second name"))
    yield broken(28, "fragment-alone", element(242, raw("0102")))
    yield Beacon("bad-long-ssid", "02:11:00:00:07:40", 2462,
                 element(0, b"S" * 40) + RATES + element(3, 11) + TIM + after)
    yield Beacon("bad-no-ssid", "02:11:00:00:07:41", 2462, RATES + element(3, 11) + TIM + after)
    yield Beacon("bad-truncated", "02:11:00:00:07:42", 2462,
                 common("Bad truncated", 11, after, raw("30 14 0100000fac04")))
    yield Beacon("bad-one-octet", "02:11:00:00:07:43", 2462, common("Bad one octet", 11, after, raw("dd")))
    yield Beacon("bad-nothing", "02:11:00:00:07:44", 2462, b"")
    yield Beacon("bad-wrong-channel", "02:11:00:00:07:45", 2462, common("Bad channel", 6, after))


def crowd(count):
    """Many plain access points, for size."""
    for number in range(count):
        yield Beacon(
            f"crowd-{number}", f"02:12:00:00:{number >> 8:02x}:{number & 255:02x}", 2462,
            common(f"Crowd {number}", 11, PSK, HT, ht_operation(11), WMM), capabilities=0x0411,
            signal=-40 - number % 50,
        )


GROUPS = {
    "modern": modern,
    "names": access_point_names,
    "passpoint": passpoint,
    "measurement": radio_measurement,
    "malformed": malformed,
}


def catalogue(names):
    """The beacons of the groups named; `crowd=N` is a group too."""
    for name in names:
        if name.startswith("crowd="):
            yield from crowd(int(name.partition("=")[2]))
        else:
            yield from GROUPS[name]()
