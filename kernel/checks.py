"""Runs in the guest: the end-to-end checks, with the command as people get it.

    checks.py BINARY lab | real-time | no-radio

Prints `ok NAME` or `FAIL NAME: why` for each, then `N passed, N failed`.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import beacons
import hwsim
import nl80211
from guest import HERE, end, injected, lab, link, new_stick, unplug_access_point
from lib import checking
from netlink import attribute

COMPARE = f"{HERE}/../scripts/compare-with-iw"
COMMAND = "/run/bin/wifi-harness"
LIMIT = 90


class Failed(Exception):
    """A check that did not hold."""


def expect(condition, why):
    if not condition:
        raise Failed(why)


def check(name, *arguments):
    """Runs the function under it at once, as the check of this name."""

    def run_check(function):
        problem = None
        try:
            function(*arguments)
        except Exception as error:
            problem = f"{error}" if isinstance(error, Failed) else f"{type(error).__name__}: {error}"
        checking.check(name, problem is None, problem)
        return function

    return run_check


# --- Doing things -------------------------------------------------------------------------------------------


class Result:
    def __init__(self, status, output, errors):
        self.status = status
        self.output = output
        self.errors = errors.decode("utf-8", "replace").strip()

    def json(self):
        return json.loads(self.output)


def start(*arguments, command=COMMAND, prefix=(), **options):
    return checking.start(*prefix, command, *arguments, text=False, **options)


def finish(process, limit=LIMIT):
    status, *printed = checking.finish(process, limit)
    expect(status is not None, f"hung: {process.args} ran for {limit} s")
    return Result(status, *printed)


def succeed(process, limit=LIMIT):
    result = finish(process, limit)
    expect(result.status == 0, f"status {result.status}: {result.errors}")
    return result


def harness(*arguments, **options):
    """Runs wifi-harness to its end."""
    return finish(start(*arguments, **options))


def good(*arguments, **options):
    return succeed(start(*arguments, **options))


def refused(result, status, *words):
    """A failure has its own status and one sentence of its own on standard error, and prints nothing else."""
    expect(result.status == status, f"status {result.status} instead of {status}: {result.errors}")
    for word in words:
        expect(word in result.errors, f"“{word}” is not in: {result.errors}")
    expect(not result.output, f"standard output has: {result.output[:80]!r}")


def scanned(interface, *arguments, **options):
    return good("scan", "-i", interface, "--format", "json", *arguments, **options).json()


def run(*command):
    return subprocess.run(command, check=True, capture_output=True).stdout


def stick():
    """An adapter that can be pulled out; returns its interface, up."""
    interface = new_stick()
    link(interface, "up")
    return interface


def by_address(scan):
    return {bss["bssid"]: bss for bss in scan["bss"]}


def compare(interface, verbose=False):
    """iw and wifi-harness on the same table."""
    text, ours = "/run/iw.txt", "/run/ours.json"
    with open(text, "wb") as file:
        file.write(run("iw", "dev", interface, "scan", "dump", "-u"))
    with open(ours, "wb") as file:
        file.write(good("scan", "-i", interface, "--cached", "--format", "json").output)
    result = subprocess.run([sys.executable, COMPARE, text, ours], capture_output=True)
    said = result.stdout.decode("utf-8", "replace").strip().splitlines()
    expect(result.returncode == 0, "; ".join([*said[:6], *said[-1:]]))
    return said[-1]


# --- The lab ---------------------------------------------------------------------------------------------------

# the configuration of hostapd, and so what has to be reported: address, SSID, security, secret needed, MHz, width, generation
ACCESS_POINTS = [
    ("open", "02", 0, b"Lab Open", "Open", False, 2412, 20, None),
    ("WPA1 TKIP", "02", 1, b"Lab WPA1", "WPA-Personal", True, 2412, 20, None),
    ("WPA1+WPA2", "02", 2, b"Lab Mixed", "WPA/WPA2-Personal", True, 2412, 20, None),
    ("hidden", "02", 3, None, "WPA2-Personal", True, 2412, 20, None),
    ("WEP", "02", 4, b"Lab WEP", "WEP", True, 2412, 20, None),
    ("WPA2 HT40", "03", 0, b"Lab WPA2", "WPA2-Personal", True, 2437, 40, 4),
    ("FT and WPS", "03", 1, b"Lab FT WPS", "WPA2-Personal", True, 2437, 40, 4),
    ("PSK-SHA256", "03", 2, b"Lab PSK SHA-256", "WPA2-Personal", True, 2437, 40, 4),
    ("SAE VHT80", "05", 0, b"Lab SAE", "WPA3-Personal", True, 5180, 80, 5),
    ("transition", "05", 1, b"Lab Transition", "WPA2/WPA3-Personal", True, 5180, 80, 5),
    ("OWE", "05", 2, b"Lab OWE", "OWE", False, 5180, 80, 5),
    ("OWE transition, open side", "05", 3, b"Lab OWE pair", "OWE transition", False, 5180, 80, 5),
    ("enterprise HE80", "06", 0, b"Lab Enterprise", "WPA2/WPA3-Enterprise", True, None, 80, 6),
    ("enterprise 192", "06", 1, b"Lab Enterprise 192", "WPA3-Enterprise 192-bit", True, None, 80, 6),
    ("FILS", "06", 2, b"Lab FILS", "WPA2-Enterprise", True, None, 80, 6),
    ("Hotspot 2.0", "06", 3, b"Lab Hotspot", "WPA2-Enterprise", True, None, 80, 6),
    ("6 GHz SAE HE80", "07", 0, b"Lab 6 GHz", "WPA3-Personal", True, 6135, 80, 6),
    ("ends of the 2.4 GHz band", "08", 0, b"Lab Mortal", "WPA2-Personal", True, 2472, 20, 4),
]
HOSTILE = [
    ("NUL", b"a\0b"), ("invalid UTF-8", bytes.fromhex("fffe41c328e28228")),
    ("emoji", bytes.fromhex("f09f8c8820426c6f6220f09f8fb3efb88fe2808df09f8c88")),
    ("escape sequences", bytes.fromhex("1b5b33316d7265640d0a071b5d303b7469746c6507")),
    ("32 bytes", b"Thirty twe octets of a long name"),
    ("bidi override", bytes.fromhex("7361666520e280ae7478742e657865")), ("quotes", b'",\'\t%;\\x00<b>'),
    ("blanks", b"  blanks  "),
    ("NULs only", bytes(8)), ("C1 controls", bytes.fromhex("c29b33316d61e2808d62c2ad63")),
]


def lab_checks():
    lab()

    @check("scan: a plain scan succeeds")
    def _():
        for _ in range(3):
            scan = scanned("wlan0")
            expect(scan["complete"] is True, "a scan that was not complete")

    found = by_address(scanned("wlan0"))

    def access_point(radio, number, ssid, security, secured, frequency, width, generation):
        bss = found.get(f"02:00:00:00:{radio}:{number:02x}")
        expect(bss, "not reported")
        wanted = {"ssidHex": (ssid or b"").hex(), "hidden": ssid is None, "widthMHz": width, "generation": generation}
        if frequency:
            wanted["frequencyMHz"] = frequency
        for name, value in wanted.items():
            expect(bss[name] == value, f"{name} is {bss[name]!r}, not {value!r}")
        said = bss["security"]
        expect((said["summary"], said["isSecured"]) == (security, secured),
               f"security is {said['summary']}, secret {said['isSecured']}")

    for name, *wanted in ACCESS_POINTS:
        check(f"lab: {name}", *wanted)(access_point)

    @check("lab: WPS and fast transition are decoded")
    def _():
        elements = {element["name"]: element.get("value") for element in found["02:00:00:00:03:01"]["elements"]}
        expect("Lab Access Point" in json.dumps(elements.get("WPS", {})), "the WPS device name is missing")
        expect(any("Mobility Domain" in name for name in elements), "no mobility domain")
        expect("FT-PSK" in json.dumps(found["02:00:00:00:03:01"]["security"]),
               "FT-PSK is not among the key managements")

    @check("lab: every field that iw prints")
    def _():
        compare("wlan0")

    for number, (name, ssid) in enumerate(HOSTILE):

        @check(f"hostile: {name}")
        def _():
            bss = found[f"02:00:00:00:04:{number:02x}"]
            expect(bss["ssidHex"] == ssid.hex(), f"ssidHex is {bss['ssidHex']}")
            if name == "NULs only":
                expect(bss["hidden"] is True, "not reported as hidden")
                return
            typed = bss["ssid"]
            again = scanned("wlan0", "--ssid", typed, "--frequency", "2462")
            rows = [network for network in again["networks"] if network["ssidHex"] == ssid.hex()]
            expect(rows, f"the escaped form {typed!r} fed back to --ssid does not find it")

    def only_printable(data, what):
        # csv ends its lines as RFC 4180 says
        text = data.decode("utf-8").replace("\r\n", "\n")
        for character in text:
            code = ord(character)
            bad = (code < 0x20
                   and character != "\n") or 0x7F <= code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069
            expect(not bad, f"{what} has U+{code:04X}")

    @check("hostile: no control byte in any text")
    def _():
        for format in ("table", "csv", "wigle", "json", "ndjson"):
            only_printable(good("scan", "-i", "wlan0", "--cached", "--format", format).output, format)
        only_printable(good("scan", "-i", "wlan0", "--cached", "--bss").output, "--bss")

    @check("hostile: nothing but our own colours on a terminal")
    def _():
        main, other = os.openpty()
        process = subprocess.Popen(
            [COMMAND, "scan", "-i", "wlan0", "--cached"], stdin=subprocess.DEVNULL, stdout=other, stderr=other,
            env={**os.environ, "TERM": "xterm-256color"},
        )
        os.close(other)
        data = b""
        try:
            while piece := os.read(main, 65536):
                data += piece
        except OSError:
            pass
        expect(process.wait(timeout=LIMIT) == 0, "it failed")
        expect(b"Lab Open" in data, "no table")
        only_printable(re.sub(rb"\x1b\[[0-9;]*[mK]", b"", data), "the terminal")

    @check("formats: ndjson and csv have a line for each BSS, wigle its head")
    def _():
        count = len(scanned("wlan0", "--cached")["bss"])
        lines = good("scan", "-i", "wlan0", "--cached", "--format", "ndjson").output.splitlines()
        expect(len(lines) == count and all(json.loads(line)["bssid"] for line in lines),
               f"{len(lines)} lines of ndjson for {count}")
        csv = good("scan", "-i", "wlan0", "--cached", "--format", "csv").output.splitlines()
        expect(len(csv) == count + 1, f"{len(csv)} lines of csv for {count}")
        wigle = good("scan", "-i", "wlan0", "--cached", "--format", "wigle").output
        expect(wigle.startswith(b"WigleWifi-1.6"), f"wigle starts with {wigle[:20]!r}")

    @check("formats: Wireshark reads the pcapng")
    def _():
        scan = scanned("wlan0", "--cached")
        with open("/run/air.pcapng", "wb") as file:
            file.write(good("scan", "-i", "wlan0", "--cached", "--format", "pcapng").output)
        fields = ["-T", "fields", "-e", "wlan.bssid", "-e", "radiotap.dbm_antsignal", "-e", "_ws.malformed"]
        rows = run("tshark", "-r", "/run/air.pcapng", *fields).decode().splitlines()
        expect({row.split("\t")[0] for row in rows} == set(by_address(scan)), "not the same access points")
        expect(not any("Malformed" in row for row in rows), "frames that Wireshark calls malformed")

    @check("hidden: found by --ssid")
    def _():
        scan = scanned("wlan1", "--ssid", "Lab Hidden", "--frequency", "2412")
        names = [network["ssid"] for network in scan["networks"]]
        expect("Lab Hidden" in names, f"found only {names}")

    @check("passive: nothing answered, beacons were heard")
    def _():
        interface = stick()
        try:
            scan = scanned(interface, "--passive", "--frequency", "2437,5180")
            expect(len(scan["bss"]) >= 6, f"{len(scan['bss'])} access points")
            expect(not any(bss["fromProbeResponse"] for bss in scan["bss"]), "a probe response in a passive scan")
        finally:
            hwsim.remove_radio("stick")

    @check("frequency: only those of the list")
    def _():
        interface = stick()
        try:
            scan = scanned(interface, "--frequency", "2437", "--frequency", "5180")
            expect({bss["frequencyMHz"] for bss in scan["bss"]} == {2437, 5180}, "other frequencies")
            scan = scanned(interface, "--frequency", "6GHz")
            expect(6135 in {bss["frequencyMHz"] for bss in scan["bss"]}, "no 6 GHz access point for --frequency 6GHz")
        finally:
            hwsim.remove_radio("stick")

    @check("two adapters at once")
    def _():
        both = [start("scan", "-i", name, "--format", "json") for name in ("wlan0", "wlan1")]
        for process, name in zip(both, ("wlan0", "wlan1")):
            result = finish(process)
            expect(result.status == 0, f"{name}: status {result.status}: {result.errors}")
            expect(result.json()["interface"] == name and len(result.json()["bss"]) > 15, f"{name}: not its networks")

    unprivileged = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all")

    @check("no privilege: the cached table is shown")
    def _():
        result = good("scan", "-i", "wlan0", "--cached", "--format", "json", prefix=unprivileged)
        expect(len(result.json()["bss"]) > 20, "few access points")

    @check("no privilege: a scan is refused")
    def _():
        refused(harness("scan", "-i", "wlan0", prefix=unprivileged), 77, "CAP_NET_ADMIN", "--cached")

    @check("interface down")
    def _():
        link("wlan1", "down")
        try:
            refused(harness("scan", "-i", "wlan1"), 69, "wlan1", "ip link set wlan1 up")
        finally:
            link("wlan1", "up")

    @check("rfkill")
    def _():
        phy = os.path.basename(os.readlink("/sys/class/net/wlan1/phy80211"))
        switch = next(
            f"/sys/class/rfkill/{name}" for name in os.listdir("/sys/class/rfkill")
            if open(f"/sys/class/rfkill/{name}/name", encoding="ascii").read().strip() == phy
        )
        with open(f"{switch}/soft", "w", encoding="ascii") as file:
            file.write("1")
        try:
            refused(harness("scan", "-i", "wlan1"), 69, "rfkill")
        finally:
            with open(f"{switch}/soft", "w", encoding="ascii") as file:
                file.write("0")
            link("wlan1", "up")

    def foreign_scan(interface, **request):
        scanner = nl80211.Scanner()
        scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(nl80211.index_of(interface), **request))
        return scanner

    @check("busy: a foreign scan is waited for, then served")
    def _():
        foreign_scan("wlan0")
        scan = scanned("wlan0", "--frequency", "2412")
        expect(any(bss["ssid"] == "Lab Open" for bss in scan["bss"]), "not served")

    @check("busy: given up when it does not end")
    def _():
        # an access point that listens for radar keeps its radio on its channel
        subprocess.run(["hostapd", "-B", "-P", "/run/lab/radar.pid", "-f", "/run/lab/radar.log",
                        f"{HERE}/lab/radar.conf"], check=True)
        time.sleep(2)
        phy = os.path.basename(os.readlink("/sys/class/net/wlan9/phy80211"))
        run("iw", "phy", phy, "interface", "add", "beside", "type", "managed")
        link("beside", "up")
        try:
            refused(harness("scan", "-i", "beside"), 75, "beside", "Try again later")
        finally:
            end("radar")
            time.sleep(1)
            run("iw", "dev", "beside", "del")

    @check("bad frequency")
    def _():
        refused(harness("scan", "-i", "wlan0", "--frequency", "2413"), 64, "frequency")
        refused(harness("scan", "-i", "wlan0", "--frequency", "nonsense"), 64, "nonsense")

    @check("a frequency named twice, and a band with one of its frequencies")
    def _():
        scanned("wlan0", "--frequency", "2412,2412")
        scanned("wlan0", "--frequency", "2.4GHz,2412")

    @check("a dwell time that the driver does not know is not ignored")
    def _():
        refused(harness("scan", "-i", "wlan0", "--dwell", "100"), 69, "--dwell")

    @check("an access point, no interface of that name, none at all")
    def _():
        refused(harness("scan", "-i", "wlan2"), 69, "wlan2", "managed")
        refused(harness("scan", "-i", "lo"), 69, "lo", "doctor")
        refused(harness("scan", "-i", ""), 64, "--interface")

    @check("scenario: the file that passes on a simulated kernel and on a recording passes here")
    def _():
        path = f"{HERE}/../fixtures/scenarios/lab-scan-and-navigation.yaml"
        text = good("check", "-i", "wlan0", "--trace", path).output.decode()
        expect("1 scenario: 1 passed, 0 failed" in text, text[-200:])
        expect("Lab Mortal" in text, "the trace names no network that only the real air has")

    @check("scenario: one that does not hold here fails with its line")
    def _():
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            file.write("scenario: x\nsource: { interface: wlan0 }\nsteps:\n  - wait: { until: { contains: [Nobody] }, within: 9s }\n")
            file.flush()
            result = harness("check", file.name)
            expect(result.status == 1, f"status {result.status}: {result.errors}")
            expect(":4:" in result.output.decode() and "Nobody" in result.output.decode(), result.output.decode())

    @check("long SSID")
    def _():
        refused(harness("scan", "-i", "wlan0", "--ssid", "x" * 33), 64, "33")

    @check("no such adapter")
    def _():
        refused(harness("scan", "-i", "wlan99"), 69, "wlan99")
        refused(harness("scan", "-i", "lo"), 69, "lo")

    @check("not supported: scan on an access point")
    def _():
        refused(harness("scan", "-i", "wlan2"), 69, "wlan2")

    @check("adapter removed during a scan")
    def _():
        process = start("scan", "-i", stick())
        time.sleep(1)
        hwsim.remove_radio("stick")
        refused(finish(process), 69, "went away")

    @check("adapter removed while watching")
    def _():
        process = start("watch", "-i", stick(), "--interval", "1")
        time.sleep(13)
        hwsim.remove_radio("stick")
        result = finish(process)
        expect(result.status == 69, f"status {result.status}: {result.errors}")
        expect(result.errors, "no sentence")
        expect(b"Lab Open" in result.output, "it had found nothing")
        expect(b"lost" not in result.output, "networks called lost because the adapter was")

    def cut_short(action):
        process = start("scan", "-i", "wlan0", "--format", "json")
        time.sleep(1)
        action()
        result = succeed(process)
        expect(result.json()["complete"] is False, "called complete")
        expect("networks may be missing" in result.errors, f"not said on standard error: {result.errors}")

    @check("abort during a scan: a partial result")
    def _():
        index = attribute(nl80211.ATTR_IFINDEX, nl80211.index_of("wlan0"))
        cut_short(lambda: nl80211.Scanner().requests.request(nl80211.ABORT_SCAN, index))

    @check("link down during a scan: a partial result or its own error")
    def _():
        process = start("scan", "-i", "wlan0", "--format", "json")
        time.sleep(1)
        link("wlan0", "down")
        result = finish(process)
        link("wlan0", "up")
        expect(result.status in (0, 69), f"status {result.status}: {result.errors}")
        expect(result.errors, "not a word on standard error")

    @check("events lost: the scan still ends")
    def _():
        process = start("scan", "-i", "wlan0", "--format", "json")
        time.sleep(1)
        process.send_signal(signal.SIGSTOP)
        # more events than its socket holds, of the other adapter
        scanner = nl80211.Scanner()
        index = nl80211.index_of("wlan1")
        for _ in range(400):
            scanner.requests.request(nl80211.TRIGGER_SCAN, nl80211.scan_request(index))
            scanner.requests.request(nl80211.ABORT_SCAN, attribute(nl80211.ATTR_IFINDEX, index))
            scanner.wait(index)
        time.sleep(10)
        process.send_signal(signal.SIGCONT)
        result = succeed(process)
        scan = result.json()
        expect(len(scan["bss"]) > 15, f"{len(scan['bss'])} access points")
        # what was lost may be the end of the scan: then it is not called complete, and that is said
        expect(scan["complete"] or result.errors, "partial without a word")

    @check("two scans on one adapter at once: both are served")
    def _():
        for result in [succeed(process) for process in [start("scan", "-i", "wlan0", "--format", "json")
                                                        for _ in range(2)]]:
            expect(len(result.json()["bss"]) > 15, f"{len(result.json()['bss'])} access points")

    @check("watch --cached: hears of the scans of others")
    def _():
        process = start("watch", "-i", "wlan0", "--cached", "--count", "3", prefix=unprivileged)
        time.sleep(1)
        while process.poll() is None:
            scanned("wlan0")
        result = succeed(process)
        expect(b"Lab Open" in result.output, "it found nothing")

    @check("interrupted: ends at once by the signal, and the next scan is served")
    def _():
        for number in (signal.SIGINT, signal.SIGTERM):
            for command in (["scan"], ["watch"], ["record", "-o", "/run/interrupted.ndjson"]):
                process = start(*command, "-i", "wlan0")
                time.sleep(2 if command == ["scan"] else 9)
                process.send_signal(number)
                result = finish(process, 5)
                expect(result.status == -number, f"{command[0]}: status {result.status}: {result.errors}")
                expect(not result.errors, f"{command[0]}: says {result.errors}")
                expect(scanned("wlan0")["complete"] is True, f"{command[0]}: the next scan was not complete")
        expect(b"Lab Open" in good("replay", "/run/interrupted.ndjson").output, "nothing was recorded")

    @check("an access point that restarts during a scan and while watching")
    def _():
        def restart():
            unplug_access_point("ht40", "wlan3")
            lab("ht40")

        process = start("scan", "-i", "wlan0", "--format", "json")
        time.sleep(1)
        restart()
        result = succeed(process)
        process = start("watch", "-i", "wlan0", "--count", "4", "--interval", "0", "--format", "ndjson")
        time.sleep(8)
        restart()
        result = succeed(process)
        lost = [line for line in result.output.splitlines() if json.loads(line)["event"] == "lost"]
        expect(not lost, f"{len(lost)} networks called lost")

    @check("dump while the table changes: never an error")
    def _():
        scanned("wlan0")
        for _ in range(5):
            scanner = foreign_scan("wlan0")
            for _ in range(5):
                expect(len(scanned("wlan0", "--cached")["bss"]) > 0, "an empty table")
            scanner.wait(nl80211.index_of("wlan0"))

    @check("doctor")
    def _():
        result = good("doctor")
        for word in (b"wlan0", b"DE"):
            expect(word in result.output, f"{word} is not in the report")

    @check("doctor: the regulatory domain as iw prints it")
    def _():
        printed = subprocess.run(["iw", "reg", "get"], capture_output=True, text=True, check=True).stdout
        wanted = [
            (float(start), float(end), float(width), float(power))
            for start, end, width,
            power in re.findall(r"\(([\d.]+) - ([\d.]+) @ ([\d.]+)\), \((?:N/A|[\d.]+), ([\d.]+)\)", printed)
        ]
        domains = json.loads(good("doctor", "--format", "json").output)["regulatoryDomains"]
        # iw cuts fractions off.
        rules = [
            (rule["startKHz"] // 1000, rule["endKHz"] // 1000, rule["maximumBandwidthKHz"] // 1000,
             int(rule["maximumPowerDBm"]))
            for domain in domains
            for rule in domain["rules"]
        ]
        expect(wanted and sorted(rules) == sorted(wanted), f"{rules} is not {wanted}")
        names = {"dfs": "DFS", "indoorOnly": "NO-OUTDOOR", "noIR": "PASSIVE-SCAN", "autoBandwidth": "AUTO-BW",
                 "noOFDM": "NO-OFDM"}
        for name, word in names.items():
            count = sum(name in rule["restrictions"] for domain in domains for rule in domain["rules"])
            expect(count == len(re.findall(rf", {word}(?=,|$)", printed, re.M)), f"{name}: {count} rules, in {printed}")

    @check("doctor: an interface that is down, and what to do")
    def _():
        link("wlan1", "down")
        try:
            expect(b"ip link set wlan1 up" in good("doctor").output, "not said")
        finally:
            link("wlan1", "up")

    @check("doctor: no privilege, and what to do")
    def _():
        result = harness("doctor", prefix=unprivileged)
        expect(result.status == 77, f"status {result.status}: {result.errors}")
        expect(b"setcap cap_net_admin" in result.output, "not said")
        expect(json.loads(harness("doctor", "--format", "json", prefix=unprivileged).output)["ready"] is False,
               "called ready")

    for group in beacons.GROUPS:

        @check(f"injected: {group}: every field that iw prints")
        def _():
            interface = stick()
            try:
                with injected(group):
                    for _ in range(2):
                        scan = scanned(interface, "--frequency", "2412,2437,2462,5200,6135")
                wanted = {beacon.address for beacon in beacons.catalogue([group])}
                expect(wanted <= set(by_address(scan)), f"missing: {sorted(wanted - set(by_address(scan)))}")
                injected_facts.get(group, lambda found: None)(by_address(scan))
                compare(interface)
            finally:
                hwsim.remove_radio("stick")

    @check("watch: a killed access point is lost once, and nothing else is")
    def _():
        process = start("watch", "-i", "wlan0", "--interval", "1", "--format", "ndjson", "--count", "14")
        time.sleep(14)
        unplug_access_point("mortal", "wlan8")
        killed = time.monotonic()
        result = succeed(process, 150)
        events = [json.loads(line) for line in result.output.splitlines()]
        lost = [event["network"]["ssid"] for event in events if event["event"] == "lost"]
        expect(lost == ["Lab Mortal"], f"lost were {lost}")
        expect(time.monotonic() - killed > 30, "the watch was too short to decide")

    recording_checks()


def modern_facts(found):
    guests, things, split = found["02:11:00:00:01:01"], found["02:11:00:00:01:03"], found["02:11:00:00:01:11"]
    expect(guests["security"]["isSecured"] is False, "the open profile of a multi-BSSID set inherited RSN")
    expect(things["generation"] == 4, f"non-inheritance was ignored: generation {things['generation']}")
    expect(split["ssid"] == "Blob Split", "a profile over two elements was not joined")
    seven, wide = found["02:11:00:00:02:00"], found["02:11:00:00:02:10"]
    expect((seven["generation"], seven["widthMHz"]) == (7, 80),
           f"Wi-Fi 7 is {seven['generation']}, {seven['widthMHz']} MHz")
    expect((wide["generation"], wide["widthMHz"]) == (7, 320),
           f"320 MHz is {wide['generation']}, {wide['widthMHz']} MHz")
    long = json.dumps(found["02:11:00:00:03:00"]["elements"])
    expect("02:11:00:00:03:20" in long and "02:11:00:00:03:10" in long,
           "the fragmented multi-link element was not joined")


def name_facts(found):
    for bss in found.values():
        if not bss["ssid"].startswith("Named by "):
            continue
        vendor, name = bss["ssid"].removeprefix("Named by "), bss.get("apName")
        if vendor == "Hostile":
            expect(name == "\\x1b[2J\\x0a\\xff", f"{vendor}: name is {name!r}")
        elif vendor != "Meraki":
            # Meraki's layout is not published; the octets are there
            expect(name and name.startswith("roof-garden"), f"{vendor}: name is {name!r}")


def malformed_facts(found):
    for beacon in beacons.malformed():
        bss = found[beacon.address]
        expect("still here".encode().hex() in json.dumps(bss["elements"]) or not beacon.elements,
               f"{beacon.name}: its neighbour was lost")
    for address in ("01", "05", "08", "0c", "42", "43"):
        bss = found[f"02:11:00:00:07:{address}"]
        expect(bss["complaints"], f"{bss['ssid']}: no complaint")


injected_facts = {"modern": modern_facts, "names": name_facts, "malformed": malformed_facts}


# --- Recordings --------------------------------------------------------------------------------------------------


def recording_checks():
    def record(path, *arguments):
        return start("record", "-i", "wlan0", "-o", path, "--interval", "0", *arguments)

    def found_and_lost(output):
        return [line for line in output.decode().splitlines() if "  found  " in line or "  lost  " in line]

    @check("record: replay prints the same found and lost lines")
    def _():
        result = succeed(record("/run/whole.ndjson", "--count", "4"))
        again = good("replay", "/run/whole.ndjson")
        expect(found_and_lost(result.output), "nothing was found")
        expect(found_and_lost(result.output) == found_and_lost(again.output), "other lines")

    @check("record: killed, the file is still readable")
    def _():
        for moment in (7, 12, 17.3):
            path = f"/run/killed-{moment}.ndjson"
            process = record(path)
            time.sleep(moment)
            process.kill()
            process.communicate()
            expect(b"Lab Open" in good("replay", path).output, f"after {moment} s: nothing in it")

    with open("/run/whole.ndjson", "rb") as file:
        whole = file.read()

    @check("record: cut off anywhere in the last line, the rest is read")
    def _():
        last = whole.rstrip(b"\n").rfind(b"\n") + 1
        for length in (last, last + 1, (last + len(whole)) // 2, len(whole) - 2):
            with open("/run/cut.ndjson", "wb") as file:
                file.write(whole[:length])
            good("replay", "/run/cut.ndjson")

    @check("record: a full disk is said and loses nothing")
    def _():
        os.makedirs("/run/small", exist_ok=True)
        run("mount", "-t", "tmpfs", "-o", f"size={(len(whole) // 2 // 4096 + 1) * 4096}", "small", "/run/small")
        try:
            result = finish(record("/run/small/full.ndjson", "--count", "6"))
            expect(result.status == 74, f"status {result.status}: {result.errors}")
            expect(result.errors, "no sentence")
            expect(b"found" in good("replay", "/run/small/full.ndjson").output, "nothing in it")
        finally:
            run("umount", "/run/small")

    @check("record: one writer for each file")
    def _():
        both = [finish(process) for process in [record("/run/one.ndjson", "--count", "2") for _ in range(2)]]
        expect(sorted(result.status for result in both) == [0, 75], f"status {[result.status for result in both]}")
        expect("another process" in "".join(result.errors for result in both), "no sentence")
        good("replay", "/run/one.ndjson")

    @check("record: with no standard output nothing but scans is in the file")
    def _():
        command = 'exec "$0" record -i wlan0 --interval 0 --count 1 -o /run/closed.ndjson >&-'
        expect(subprocess.run(["sh", "-c", command, COMMAND], capture_output=True, timeout=LIMIT).returncode == 74,
               "not said")
        with open("/run/closed.ndjson", "rb") as file:
            for line in file:
                json.loads(line)

    @check("record: an unwritable path")
    def _():
        result = finish(record("/proc/nowhere.ndjson", "--count", "1"))
        expect(result.status == 74, f"status {result.status}: {result.errors}")
        expect("/proc/nowhere.ndjson" in result.errors, f"the path is not in: {result.errors}")

    @check("replay: a foreign file and a missing one")
    def _():
        refused(harness("replay", "/etc/passwd"), 65)
        refused(harness("replay", "/run/not-there.ndjson"), 66, "/run/not-there.ndjson")


# --- What needs true ticks ---------------------------------------------------------------------------------------


def real_time_checks():
    lab("ht40", "legacy")

    @check("flush: what was heard before is forgotten")
    def _():
        before = {bss["frequencyMHz"] for bss in scanned("wlan0", "--frequency", "2412,2437")["bss"]}
        expect(before == {2412, 2437}, f"heard on {before}")
        time.sleep(0.5)
        after = {bss["frequencyMHz"] for bss in scanned("wlan0", "--flush", "--frequency", "2437")["bss"]}
        expect(after == {2437}, f"after the flush still on {after}")

    @check("ages: counted from when it was heard")
    def _():
        scanned("wlan0", "--frequency", "2437")
        time.sleep(2)
        ages = [bss["lastSeenMs"] for bss in scanned("wlan0", "--cached")["bss"] if bss["frequencyMHz"] == 2437]
        expect(ages and all(1900 < age < 3500 for age in ages), f"ages are {ages}")


def no_radio_checks():
    @check("no adapter at all")
    def _():
        refused(harness("scan"), 69, "adapter")
        refused(harness("scan", "-i", "wlan0"), 69)

    @check("no adapter at all: doctor says so")
    def _():
        result = harness("doctor")
        expect(result.status == 69, f"status {result.status}: {result.errors}")
        expect(b"No wireless adapter has an interface that can scan." in result.output, "not said")


def main():
    os.makedirs("/run/bin", exist_ok=True)
    shutil.copy(sys.argv[1], COMMAND)
    {"lab": lab_checks, "real-time": real_time_checks, "no-radio": no_radio_checks}[sys.argv[2]]()
    sys.exit(checking.end())


main()
