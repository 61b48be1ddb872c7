"""Compares what `wifi-harness decode` reads from other projects' captures with what tshark reads.

Without FILES the captures are taken from Debian's source packages of tcpdump, wireshark and gopacket. They are kept in
.build/captures and are no part of this project. Every 802.11 frame is compared field by field: radiotap, header, fixed
fields, the place and the bytes of each element, and the values within. A difference with a written reason (REASONS
below) is let pass and counted; so is a frame that one of the two does not read. At least LEAST fields (50000) of KINDS
kinds (190) are compared. Then one field of each kind is changed, and each change has to be seen.
"""

import glob
import gzip
import json
import os
import re
import shutil
import tempfile
import xml.etree.ElementTree as XML
from collections import Counter

from lib import checking
from lib.checking import ROOT, check, fail, harness, must, run
from lib.elements import EXTENDED_CAPABILITIES, RM_CAPABILITIES

STORE = os.path.join(ROOT, ".build", "captures")
PACKAGES = ["tcpdump", "wireshark", "gopacket"]
CAPTURE = re.compile(r"\.(pcap|pcapng|cap|pcap\.gz|pcapng\.gz)$")

# --- Differences that are meant to be -------------------------------------------------------------------
#
# (field, function of (tshark's values, ours, our frame) that says whether the reason applies, why)

REASONS = [
    (
        "radiotap.datarate", lambda tshark, ours, frame: ours is None,
        "tshark computes a rate from the MCS field where there is no Rate field; decode gives the Rate field only",
    ),
    (
        "element", lambda tshark, ours, frame: tshark is None and frame.get("trailingHex") is not None,
        "tshark stops at the first element that is cut; the elements before it are compared",
    ),
    (
        "element", lambda tshark, ours, frame: ours is None and frame.get("trailingHex") is not None,
        "tshark lists an element that is cut; decode complains of it and keeps its bytes apart, as trailingHex",
    ),
]

# --- Values of elements: tshark's field, and the same from our JSON -------------------------------------


def hexadecimal(value):
    return [int(value, 16)]


def flag(names, name):
    return [int(name in names)]


def each(prefix, pairs, read):
    """A reader for each of tshark's fields, which are given as `FIELD=NAME` with the name of ours."""
    names = [pair.split("=") for pair in pairs.split()]
    return {f"{prefix}.{field}": lambda v, name=name: read(v, name) for field, name in names}


def same(prefix, pairs):
    return each(prefix, pairs, lambda v, name: [v[name]])


def truths(prefix, pairs):
    return each(prefix, pairs, lambda v, name: [int(v[name])])


def flags(prefix, pairs, key="capabilities"):
    return each(prefix, pairs, lambda v, name: flag(v[key], name))


def rsn_flags(prefix, pairs):
    """Capabilities of RSN, where the element goes so far."""
    return each(prefix, pairs, lambda v, name: flag(v["capabilities"], name) if "capabilitiesHex" in v else [])


CIPHERS = {"CCMP-128": 4, "TKIP": 2, "WEP-40": 1, "WEP-104": 5, "GCMP-128": 8, "GCMP-256": 9, "CCMP-256": 10,
           "BIP-CMAC-128": 6,
           "use group cipher": 0, "group cipher": 0, "BIP-GMAC-256": 12, "BIP-GMAC-128": 11, "BIP-CMAC-256": 13,
           "no group traffic": 7}
AKMS = {"802.1X": 1, "PSK": 2, "FT-802.1X": 3, "FT-PSK": 4, "802.1X-SHA256": 5, "PSK-SHA256": 6, "TDLS": 7, "SAE": 8,
        "FT-SAE": 9,
        "802.1X-Suite-B": 11, "802.1X-Suite-B-192": 12, "FILS-SHA256": 14, "FILS-SHA384": 15, "OWE": 18,
        "SAE-EXT-KEY": 24, "FT-SAE-EXT-KEY": 25}


def numbers(names, table):
    return [table.get(name, name) for name in names]


def suites(prefix, group, pairwise, akms):
    return {
        f"{prefix}.{group}": lambda v: numbers([v["groupCipher"]], CIPHERS),
        f"{prefix}.{pairwise}": lambda v: numbers(v["pairwiseCiphers"], CIPHERS),
        f"{prefix}.{akms}": lambda v: numbers(v["akms"], AKMS),
    }


def triplets(name):
    return lambda v: [triplet[name] for triplet in v["triplets"] if name in triplet]


def maps(name):
    """Three bits to the maximum MCS of each number of streams: 0, 1, 2 are 7, 8, 9, and 3 is none."""
    return lambda v: [{7: 0, 8: 1, 9: 2, -1: 3}[mcs] for mcs in v[name]]


def bits(prefix, names, key="capabilities"):
    """A flag for each bit that tshark has a field of its own for, by the number of the bit."""
    return {f"{prefix}.b{bit}": lambda v, name=name: flag(v[key], name) for bit, name in names.items()}


def streams(prefix, name):
    """What a map says of each number of streams; tshark shows a field for each."""
    return {f"{prefix}.ss{number}": lambda v, number=number: maps(name)(v)[number - 1:number] for number in range(1, 9)}


ELEMENTS = {
    (127, None): bits("wlan.extcap", {bit: name for bit, name in EXTENDED_CAPABILITIES.items() if bit not in (1, 3, 72)}),
    (70, None): {
        **bits("wlan.rmcap", RM_CAPABILITIES),
        "wlan.rmcap.b18to20": lambda v: [v["operatingChannelMaximumMeasurementDuration"]],
        "wlan.rmcap.b21to23": lambda v: [v["nonoperatingChannelMaximumMeasurementDuration"]],
        "wlan.rmcap.b24to26": lambda v: [v["measurementPilotCapability"]],
    },
    (0, None): {"wlan.ssid": lambda v: [v["ssidHex"]]},
    (1, None): {"wlan.supported_rates": lambda v: list(bytes.fromhex(v["octetsHex"]))},
    (50, None): {"wlan.extended_supported_rates": lambda v: list(bytes.fromhex(v["octetsHex"]))},
    (3, None): {"wlan.ds.current_channel": lambda v: [v["currentChannel"]]},
    (5, None): {
        **same("wlan.tim",
            "dtim_count=dtimCount dtim_period=dtimPeriod partial_virtual_bitmap=partialVirtualBitmapHex"),
        "wlan.tim.bmapctl": lambda v: hexadecimal(v["bitmapControlHex"]),
        "wlan.tim.bmapctl.multicast": lambda v: [int(v["isGroupTrafficBuffered"])],
    },
    (7, None): {
        "wlan.country_info.code": lambda v: [v["countryStringHex"][:4]],
        "wlan.country_info.environment": lambda v: [int(v["countryStringHex"][4:], 16)],
        "wlan.country_info.fnm.fcn": triplets("firstChannel"),
        "wlan.country_info.fnm.nc": triplets("channelCount"),
        "wlan.country_info.fnm.mtpl": triplets("maximumPowerDBm"),
    },
    (11, None): {
        **same("wlan.qbss", "scount=stationCount cu=channelUtilization255ths adc=availableAdmissionCapacity32us"),
    },
    (32, None): {"wlan.powercon.local": lambda v: [v["localPowerConstraintDB"]]},
    (33, None): {"wlan.powercap.min": lambda v: [v["minimumPowerDBm"]],
                 "wlan.powercap.max": lambda v: [v["maximumPowerDBm"]]},
    (35, None): {"wlan.tcprep.trsmt_pow": lambda v: [v["transmitPowerDBm"] & 255],
                 "wlan.tcprep.link_mrg": lambda v: [v["linkMarginDB"] & 255]},
    (42, None): {
        "wlan.erp_info": lambda v: hexadecimal(v["parametersHex"]),
        **flags("wlan.erp_info", "erp_present=nonERPPresent use_protection=useProtection "
            "barker_preamble_mode=barkerPreambleMode", "parameters"),
    },
    (45, None): {
        "wlan.ht.capabilities": lambda v: hexadecimal(v["capabilitiesHex"]),
        **flags("wlan.ht.capabilities",
            "ldpccoding=ldpcCoding width=supportedChannelWidth40MHz short20=shortGI20MHz short40=shortGI40MHz "
            "txstbc=txSTBC green=greenfield delayedblockack=delayedBlockAck dsscck=dsssCCK40MHz psmp=psmp "
            "40mhzintolerant=fortyMHzIntolerant lsig=lSIGTXOPProtection"),
        **same("wlan",
            "ht.capabilities.rxstbc=rxSTBCStreams htex.capabilities.transtime=pcoTransitionTime "
            "htex.capabilities.mcs=mcsFeedback ht.ampduparam.maxlength=maximumAMPDULengthExponent "
            "ht.mcsset.highestdatarate=rxHighestRateMbps"),
        "wlan.ht.capabilities.sm": lambda v: [["static", "dynamic", "reserved", "disabled"].index(v["smPowerSave"])],
        "wlan.ht.ampduparam.mpdudensity": lambda v: [[0, 250, 500, 1000, 2000, 4000, 8000,
                                                      16000].index(v["minimumMPDUStartSpacingNs"])],
        **flags("wlan.htex.capabilities", "pco=pco htc=htcHT rdresponder=rdResponder", "extendedCapabilities"),
        "wlan.ht.capabilities.amsdu": lambda v: [int(v["maximumAMSDULengthOctets"] == 7935)],
        "wlan.ht.ampduparam": lambda v: hexadecimal(v["ampduParametersHex"]),
        "wlan.ht.mcsset.txsetdefined": lambda v: [int(v["txMCSSetDefined"])],
        "wlan.htex.capabilities": lambda v: hexadecimal(v["extendedCapabilitiesHex"]),
    },
    (48, None): {
        **same("wlan.rsn", "version=version pmkid.count=pmkidCount"),
        **suites("wlan.rsn", "gcs.type", "pcs.type", "akms.type"),
        "wlan.rsn.pcs.count": lambda v: [len(v["pairwiseCiphers"])],
        "wlan.rsn.akms.count": lambda v: [len(v["akms"])],
        "wlan.rsn.capabilities": lambda v: hexadecimal(v["capabilitiesHex"]) if "capabilitiesHex" in v else [],
        **rsn_flags("wlan.rsn.capabilities",
            "preauth=preauthentication no_pairwise=noPairwise mfpr=managementFrameProtectionRequired "
            "mfpc=managementFrameProtectionCapable jmr=jointMultiBandRSNA peerkey=peerKeyEnabled "
            "extended_key_id_iaf=extendedKeyID"),
        "wlan.rsn.gmcs.type": lambda v: numbers([v["groupManagementCipher"]], CIPHERS),
        "wlan.rsn.capabilities.ptksa_replay_counter": lambda v: [{1: 0, 2: 1, 4: 2, 16: 3}[v["ptksaReplayCounters"]]]
        if "capabilitiesHex" in v else [],
        "wlan.rsn.capabilities.gtksa_replay_counter": lambda v: [{1: 0, 2: 1, 4: 2, 16: 3}[v["gtksaReplayCounters"]]]
        if "capabilitiesHex" in v else [],
    },
    (54, None): {"wlan.mobility_domain.mdid": lambda v: hexadecimal(v["mobilityDomainIDHex"])},
    (61, None): {
        **same("wlan.ht.info", "primarychannel=primaryChannel chan_center_freq_seg_2=centerFrequencySegment2"),
        "wlan.ht.info.secchanoffset": lambda v: [{"none": 0, "above": 1, "below": 3}.get(v["secondaryChannelOffset"],
            2)],
        "wlan.ht.info.chanwidth": lambda v: [int(v["staChannelWidth"] == "any")],
        **truths("wlan.ht.info",
            "rifs=rifs greenfield=nongreenfieldPresent obssnonht=obssNonHTPresent secondarybeacon=stbcBeacon "
            "lsigprotsupport=lSIGTXOPProtection pco.active=pcoActive pco.phase=pcoPhase dualbeacon=dualBeacon "
            "dualcts=dualCTSProtection"),
        "wlan.ht.info.ht_protection": lambda v: [["none", "nonmember", "20MHz", "nonHTMixed"].index(v["htProtection"])],
    },
    (191, None): {
        "wlan.vht.capabilities": lambda v: [int.from_bytes(bytes.fromhex(v["capabilitiesHex"][2:]), "big")],
        "wlan.vht.capabilities.maxmpdulength": lambda v: [[3895, 7991, 11454,
                                                           None].index(v["maximumMPDULengthOctets"])],
        **same("wlan.vht",
            "capabilities.supportedchanwidthset=supportedChannelWidthSet "
            "capabilities.ext_nss_bw_support=extendedNSSBWSupport mcsset.rxhighestlonggirate=rxHighestRateMbps "
            "mcsset.txhighestlonggirate=txHighestRateMbps mcsset.max_nsts_total=maximumNSTSTotal "
            "capabilities.rxstbc=rxSTBCStreams capabilities.maxampdu=maximumAMPDULengthExponent"),
        **flags("wlan.vht.capabilities",
            "short160=shortGI160MHz subeamformer=suBeamformer subeamformee=suBeamformee mubeamformer=muBeamformer "
            "mubeamformee=muBeamformee vhttxopps=txopPS vhthtc=htcVHT rxpatconsist=rxAntennaPatternConsistency "
            "txpatconsist=txAntennaPatternConsistency rxldpc=rxLDPC short80=shortGI80MHz txstbc=txSTBC"),
        "wlan.vht.capabilities.beamformee_sts_cap": lambda v: [v["beamformeeSTS"] - 1],
        "wlan.vht.capabilities.soundingdimensions": lambda v: [v["soundingDimensions"] - 1],
        "wlan.vht.capabilities.linkadapt": lambda v: [["noFeedback", "reserved", "unsolicited",
                                                       "both"].index(v["linkAdaptation"])],
        **streams("wlan.vht.mcsset.rxmcsmap", "rxMaximumMCS"),
        **streams("wlan.vht.mcsset.txmcsmap", "txMaximumMCS"),
        "wlan.vht.ncsset.ext_nss_bw_cap": lambda v: [int(v["extendedNSSBWCapable"])],
    },
    (192, None): {
        **same("wlan.vht.op",
            "channelwidth=channelWidth channelcenter0=centerFrequencySegment0 channelcenter1=centerFrequencySegment1"),
        "wlan.vht.op.basicmcsmap": lambda v: hexadecimal(v["basicMCSMapHex"]),
    },
    (255, 36): {"wlan.ext_tag.bss_color_information.bss_color": lambda v: [v["bssColor"]]},
    (221, "WMM"): {
        "wlan.wfa.ie.wme.version": lambda v: [v["version"]],
        "wlan.wfa.ie.wme.qos_info": lambda v: hexadecimal(v["qosInfoHex"]),
        "wlan.wfa.ie.wme.acp.aifsn": lambda v: [category["aifsn"] for category in v.get("accessCategories", [])],
        "wlan.wfa.ie.wme.acp.acm": lambda v: [int(category["admissionControlMandatory"])
                                              for category in v.get("accessCategories", [])],
        "wlan.wfa.ie.wme.acp.cw.max": lambda v: [category["cwMax"] for category in v.get("accessCategories", [])],
        "wlan.wfa.ie.wme.acp.cw.min": lambda v: [category["cwMin"] for category in v.get("accessCategories", [])],
        "wlan.wfa.ie.wme.acp.txop_limit": lambda v: [category["txopLimitUs"] // 32
                                                     for category in v.get("accessCategories", [])],
    },
    (221, "WPA"): suites("wlan.wfa.ie.wpa", "mcs.type", "ucs.type", "akms.type"),
    (221, "Vendor Specific"): {"wlan.tag.oui": lambda v: [int(v["oui"].replace("-", ""), 16)]},
}

SUBTYPES = {
    "associationRequest": 0, "associationResponse": 1, "reassociationRequest": 2, "reassociationResponse": 3,
    "probeRequest": 4,
    "probeResponse": 5, "beacon": 8, "atim": 9, "disassociation": 10, "authentication": 11, "deauthentication": 12,
    "action": 13, "actionNoAck": 14,
}
# The bodies that decode keeps as bytes, and whose fields it lists none the less.
BODIES = {"disassociation", "authentication", "deauthentication", "action", "actionNoAck"}
CAPABILITIES = {
    "ess": "ESS", "ibss": "IBSS", "privacy": "Privacy", "short_preamble": "ShortPreamble", "spec_man": "SpectrumMgmt",
    "short_slot_time": "ShortSlotTime", "apsd": "APSD", "radio_measurement": "RadioMeasure",
}


def subtype(frame):
    name = frame["frame"]
    return [SUBTYPES[name] if name in SUBTYPES else int(name.rsplit(" ", 1)[1])]


HEADER = {
    "wlan.fc.type_subtype": subtype,
    **same("wlan",
        "ra=receiver ta=transmitter bssid=bssid seq=sequenceNumber frag=fragmentNumber fixed.timestamp=timestampUs "
        "fixed.beacon=beaconIntervalTU fixed.capabilities=capabilityBits fixed.listen_ival=listenInterval "
        "fixed.current_ap=currentAP fixed.aid=aid fixed.status_code=statusCode fixed.reason_code=reasonCode "
        "fixed.auth.alg=algorithm fixed.auth_seq=transaction fixed.action_code=action fixed.publicact=action "
        "fixed.finite_cyclic_group=group fixed.send_confirm=sendConfirm fixed.transaction_id=transactionID "
        "fixed.followup_dialog_token=followUpDialogToken fixed.gas_comeback_delay=comebackDelayTU "
        "fixed.sta_address=station fixed.target_ap_address=targetAP fixed.bss_transition_query_reason=queryReason "
        "fixed.bss_transition_status_code=transitionStatus fixed.bss_transition_target_bss=targetBSSID"),
    "wlan.fixed.category_code": lambda f: [f["category"] | (0x80 if "isError" in f else 0)],
    **{f"wlan.fixed.capabilities.{bit}": lambda f, name=name: flag(f["capabilities"], name) for bit,
       name in CAPABILITIES.items()},
}
RADIOTAP = {
    **same("radiotap", "mactime=timestampUs flags=flags channel.freq=frequencyMHz"),
    "radiotap.datarate": lambda r: [r["rateKbps"] / 1000],
}
# These a header may have for each antenna, too; the first is compared.
RADIOTAP_FIRST = {
    **same("radiotap", "dbm_antsignal=signalDBm dbm_antnoise=noiseDBm antenna=antenna"),
}
BYTES = {"wlan.ssid", "wlan.tim.partial_virtual_bitmap", "wlan.country_info.code"}


class Comparison:
    def __init__(self, planted=None):
        self.fields, self.reasons, self.kinds, self.differences, self.unread = 0, Counter(), Counter(), [], Counter()
        self.planted, self.seen = set(planted or []), set()

    def compare(self, place, name, tshark, ours, frame):
        """One field: a list of values on each side; counts its values."""
        kind = name.split(" ")[0]
        changed = kind in self.planted and bool(ours)
        if changed:
            ours = ["planted"] + ours[1:]
            self.planted.discard(kind)
        self.fields += max(len(tshark or []), 1)
        self.kinds[kind] += 1
        if tshark == ours:
            return
        for field, applies, why in REASONS:
            if field == kind and applies(tshark, ours, frame):
                self.reasons[why] += 1
                return
        if changed:
            self.seen.add(kind)
            return
        self.differences.append(f"{place}: {name}: tshark {tshark}, decode {ours}")


def value(field):
    """The value of a field of PDML: a number where it shows one, an address as text, bytes as hexadecimal digits."""
    name, show = field.get("name"), field.get("show", "")
    if name in BYTES:
        return field.get("value", "")
    if re.fullmatch(r"([0-9a-f]{2}:){5}[0-9a-f]{2}", show):
        return show
    if show in ("True", "False"):
        return int(show == "True")
    try:
        return int(show, 0)
    except ValueError:
        try:
            return float(show)
        except ValueError:
            return show


def fields(node):
    """All fields within, those within others too, by name."""
    result = {}
    for field in node.iter("field"):
        result.setdefault(field.get("name"), []).append(value(field))
    return result


def packets(path):
    """The packets of a file as tshark reads them: the dissection and the bytes of each."""
    keep = ["-o", "wlan.ignore_wep:No", "-o", "wlan.enable_decryption:FALSE", "-n"]
    tshark = lambda *arguments: run("tshark", "-r", path, *keep, *arguments, text=False, timeout=600).stdout
    raw = [bytes.fromhex(packet["_source"]["layers"]["frame_raw"][0])
           for packet in json.loads(tshark("-T", "jsonraw", "-j", "frame") or b"[]")]
    with tempfile.TemporaryFile() as file:
        file.write(tshark("-T", "pdml"))
        file.seek(0)
        number = 0
        for _, node in XML.iterparse(file):
            if node.tag == "packet":
                yield node, raw[number]
                number += 1
                node.clear()


def compare_file(path, comparison):
    done = harness("decode", "--format", "json", path, timeout=600)
    if done.returncode not in (0, 65):
        comparison.differences.append(f"{os.path.basename(path)}: decode ended with {done.returncode}: {done.stderr[-300:]}")
    if not done.stdout:
        comparison.unread[done.stderr.strip().replace(path, "FILE")[:160]] += 1
        return
    decoded = json.loads(done.stdout)
    frames, content = decoded["frames"], open(path, "rb").read()
    at, count, index = 0, 0, 0
    for packet, raw in packets(path):
        # A packet that decode could not read at all is no frame but a complaint about the file: frames are identified by
        # their place.
        at = content.find(raw, at)
        end = at + len(raw)
        if index < len(frames) and at <= frames[index]["offset"] <= end:
            compare_frame(f"{os.path.basename(path)} {index + 1}", packet, raw, frames[index], comparison)
            index += 1
        else:
            comparison.unread["a packet that decode complains of"] += 1
            count += 1
        at = end
    complaints = len(decoded["fileComplaints"])
    comparison.compare(os.path.basename(path), "frames", [0, True], [len(frames) - index, count <= complaints], {})


def compare_table(place, table, tshark, ours, frame, comparison, first=False):
    for name, read in table.items():
        if name not in tshark:
            continue
        try:
            expected = read(ours)
        except KeyError:
            expected = None
        comparison.compare(place, name, tshark[name][:1] if first else tshark[name], expected, frame)


def compare_frame(place, packet, raw, frame, comparison):
    protocols = {}
    for protocol in packet.findall("proto"):
        protocols.setdefault(protocol.get("name"), protocol)
    if "radiotap" in frame and "radiotap" in protocols:
        tshark = fields(protocols["radiotap"])
        compare_table(place, RADIOTAP, tshark, frame["radiotap"], frame, comparison)
        compare_table(place, RADIOTAP_FIRST, tshark, frame["radiotap"], frame, comparison, first=True)
    wlan = protocols.get("wlan")
    header = fields(wlan) if wlan is not None else {}
    if "wlan.fc" not in header or "unreadable" in frame:
        comparison.unread["a frame that is too short for its header"] += 1
        return
    start = int(wlan.get("pos"))
    if frame["frame"] == "other":
        body = bytes.fromhex(frame["hex"])
        comparison.compare(place, "bytes", [raw[start : start + len(body)].hex()], [frame["hex"]], frame)
        comparison.compare(place, "wlan.fc", [header["wlan.fc"][0]], [int(frame["hex"][:4], 16)], frame)
        if len(body) >= 10 and "wlan.ra" in header:
            comparison.compare(place, "wlan.ra", header["wlan.ra"][:1],
                               [":".join(re.findall("..", frame["hex"][8:20]))], frame)
        return
    if frame["frame"] not in SUBTYPES and "management" not in frame["frame"]:
        comparison.unread["a beacon of another band"] += 1
        return
    management = protocols.get("wlan.mgt")
    if management is not None:
        header.update({name: values for name, values in fields(management).items() if name.startswith("wlan.fixed.")})
    if "listenInterval" not in frame:
        header.pop("wlan.fixed.listen_ival", None)
    # What decode does not know of an action it says nothing of; the bytes are compared above.
    known = {"wlan.fixed.category_code", "wlan.fixed.action_code", "wlan.fixed.publicact"}
    if frame["frame"] in BODIES and "actionName" not in frame and frame["frame"].startswith("action"):
        header = {name: values for name, values in header.items() if not name.startswith("wlan.fixed.")
                  or name in known and "action" in frame}
    elif frame["frame"] not in SUBTYPES:
        header = {name: values for name, values in header.items() if not name.startswith("wlan.fixed.")}
    compare_table(place, HEADER, {name: values[:1] for name, values in header.items()}, frame, frame, comparison)
    if "elements" not in frame or management is None:
        return
    tagged = next((node for node in management.iter("field") if node.get("name") == "wlan.tagged.all"), None)
    ours = {element["offset"]: element for element in frame["elements"]}
    theirs = {}
    for node in tagged if tagged is not None else []:
        if node.get("name") in ("wlan.tag", "wlan.ext_tag"):
            theirs[int(node.get("pos")) - start] = node
    for offset in sorted(set(ours) | set(theirs)):
        compare_element(f"{place} at {offset}", theirs.get(offset), ours.get(offset), raw[start:], frame, comparison)


def compare_element(place, node, element, raw, frame, comparison):
    comparison.compare(place, "element", None if node is None else [1], None if element is None else [1], frame)
    if node is None or element is None:
        return
    tshark = fields(node)
    offset = element["offset"]
    comparison.compare(place, "wlan.tag.number", tshark["wlan.tag.number"][:1], [element["id"]], frame)
    if "extension" in element:
        comparison.compare(place, "wlan.ext_tag.number", tshark.get("wlan.ext_tag.number", [])[:1],
                           [element["extension"]], frame)
    comparison.compare(place, "wlan.tag.length", [raw[offset + 1]], [element["length"]], frame)
    comparison.compare(place, "element.size", [int(node.get("size"))], [2 + len(element["hex"]) // 2], frame)
    comparison.compare(place, "element.bytes", [raw[offset + 2 : offset + 2 + element["length"]].hex()],
                       [element["hex"][: 2 * element["length"]]], frame)
    if "value" not in element:
        return
    table = ELEMENTS.get((element["id"], element["name"] if element["id"] == 221 else element.get("extension")), {})
    compare_table(f"{place} ({element['name']})", table, tshark, element["value"], frame, comparison)


def fetch():
    """The captures of the packages, unpacked below STORE; what was fetched before is not fetched again."""
    for name in PACKAGES:
        target = os.path.join(STORE, name)
        if os.path.isdir(target):
            continue
        folder = tempfile.mkdtemp(prefix="captures-")
        try:
            # Lists of their own, so that what the machine installs from stays as it is.
            for part in ["lists/partial", "cache/archives/partial"]:
                os.makedirs(os.path.join(STORE, "apt", part), exist_ok=True)
            sources = os.path.join(STORE, "apt", "sources.list")
            release = re.search(r"VERSION_CODENAME=(\w+)", open("/etc/os-release").read())[1]
            with open(sources, "w") as file:
                file.write(f"deb-src http://deb.debian.org/debian {release} main\n")
            options = [f"Dir::Etc::sourcelist={sources}", "Dir::Etc::sourceparts=/dev/null",
                       f"Dir::State::Lists={STORE}/apt/lists",
                       f"Dir::Cache={STORE}/apt/cache", "APT::Sandbox::User=root"]
            apt = ["apt-get", "-qq"] + [part for option in options for part in ("-o", option)]
            if not glob.glob(os.path.join(STORE, "apt", "lists", "*Sources*")):
                must(*apt, "update", timeout=600)
            command = [*apt, "source", "--download-only", name]
            done = run(*command, cwd=folder, timeout=1800)
            archives = [path for path in glob.glob(folder + "/*.tar.*") if not path.endswith(".asc")
                        and ".debian." not in path]
            if not archives:
                print(f"{name} could not be fetched: {done.stderr.strip()[-200:]}", flush=True)
                continue
            for archive in archives:
                shutil.unpack_archive(archive, folder)
            os.makedirs(target)
            for path in glob.glob(folder + "/**", recursive=True):
                if os.path.isfile(path) and CAPTURE.search(path):
                    shutil.copyfile(path, os.path.join(target, os.path.basename(path)))
        finally:
            shutil.rmtree(folder)
    return [os.path.join(STORE, name) for name in PACKAGES]


def captures(paths, scratch):
    """The files with 802.11 frames, uncompressed; small ones of one link type are put together, for tshark takes long
    to start.
    """
    names = []
    for path in paths:
        names += sorted(glob.glob(path + "/**", recursive=True)) if os.path.isdir(path) else [path]
    names = [name for name in names if os.path.isfile(name) and CAPTURE.search(name)]
    if not names:
        return []
    listing = run("capinfos", "-E", *names).stdout
    chosen, small = [], {}
    for name, kind in re.findall(r"File name:\s+(.*)\nFile encapsulation:\s+(.*)", listing):
        if "802.11" not in kind:
            continue
        if name.endswith(".gz"):
            plain = os.path.join(scratch, os.path.basename(name)[:-3])
            with gzip.open(name) as packed, open(plain, "wb") as file:
                shutil.copyfileobj(packed, file)
            name = plain
        if os.path.getsize(name) < 16384 and name.endswith(".pcap"):
            small.setdefault(kind, []).append(name)
        else:
            chosen.append(name)
    for number, group in enumerate(small.values()):
        merged = os.path.join(scratch, f"small-{number}.pcap")
        done = run("mergecap", "-a", "-F", "pcap", "-w", merged, *group)
        chosen += [merged] if done.returncode == 0 else group
    return sorted(set(chosen))


def compare(files, planted=None):
    comparison = Comparison(planted)
    for path in files:
        compare_file(path, comparison)
    return comparison


files = captures(os.environ.get("FILES", "").split() or fetch(),
                 str(checking.folder())) or fail("there are no captures to compare", 69)
least, kinds = int(os.environ.get("LEAST") or 50_000), int(os.environ.get("KINDS") or 190)
honest = compare(files)
for why, times in (honest.reasons + honest.unread).most_common():
    print(f"{times} times: {why}")
check(f"{honest.fields} fields of {len(files)} files are compared, at least {least}", honest.fields >= least)
check(f"{len(honest.kinds)} kinds of fields are compared, at least {kinds}", len(honest.kinds) >= kinds)
check("no field differs without a reason", not honest.differences, "\n".join(map(str, honest.differences[:200])))
unseen = sorted(set(honest.kinds) - compare(files, honest.kinds).seen)
check("a difference that is planted is seen in each kind of field", honest.kinds and not unseen, unseen)
