"""Runs in the guest: joins that must succeed or fail for a known reason, over one daemon.

    joins.py BINARY supplicant | networkmanager | iwd

For each situation it runs `wifi-harness join --format json`, then the daemon's own client, and writes one JSON object a line to
$OUT/joins-DAEMON.ndjson: the situation, what is true, what each reported and how long it took in virtual time. It looks for the password in all that
the command wrote, its recording of the conversation among it, and prints `ok` or `FAIL` for each situation.
"""

import json
import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import overlay

OUT = os.environ["OUT"]
RIGHT = "blobby boots"
WRONG = "wrong boots!"
RECORD = "/run/join.control"

# name, network, password, options, what is true
SITUATIONS = [
    ("WPA2, right password", "Lab WPA2", RIGHT, [], "joined"),
    ("WPA2, wrong password", "Lab WPA2", WRONG, [], "wrongPassword"),
    ("WPA3, right password", "Lab SAE", RIGHT, [], "joined"),
    ("WPA3, wrong password", "Lab SAE", WRONG, [], "wrongPassword"),
    ("WPA2/WPA3, right password", "Lab Transition", RIGHT, [], "joined"),
    ("WPA2/WPA3, wrong password", "Lab Transition", WRONG, [], "wrongPassword"),
    ("WPA2, password too short", "Lab WPA2", "boots", [], "impossiblePassword"),
    ("fast transition, right password", "Lab FT WPS", RIGHT, [], "joined"),
    ("OWE", "Lab OWE", None, [], "joined"),
    ("open", "Join Open", None, [], "joined"),
    ("hidden, right password", "Join Hidden", RIGHT, ["--hidden", "--security", "psk"], "joined"),
    ("enterprise", "Lab Enterprise", RIGHT, [], "notSupported"),
    ("access point full", "Join Full", RIGHT, [], "refused"),
    ("address refused", "Join Denied", RIGHT, [], "refused"),
    ("no address", "Join No Address", RIGHT, ["--address"], "noAddress"),
    ("never there", "Lab Nowhere", RIGHT, [], "outOfRange"),
    ("gone before", "Lab SAE", RIGHT, [], ("lost", "outOfRange")),
    ("daemon killed before", "Lab WPA2", RIGHT, [], "noDaemon"),
]


def shell(command, **options):
    return subprocess.run(["sh", "-c", command], check=False, **options)


def start(*command, log="/dev/null"):
    with open(log, "wb") as file:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file)


def lab():
    os.makedirs("/run/lab", exist_ok=True)
    with open("/run/lab/denied", "w", encoding="ascii") as file:
        with open("/sys/class/net/wlan0/address", encoding="ascii") as address:
            file.write(address.read())
    subprocess.run(["sh", f"{HERE}/lab/up", "ht40", "vht80", "enterprise", "joins"], check=True)
    names = ["wlan3", "lab_ft_wps", "wlan5", "lab_transition", "lab_owe", "wlan2", "join_hidden"]
    start(sys.executable, f"{HERE}/dhcp.py", *names)


def daemon(kind):
    os.makedirs("/run/wpa", exist_ok=True)
    if kind == "supplicant":
        with open("/run/wpa.conf", "w", encoding="ascii") as file:
            file.write("ctrl_interface=/run/wpa\nupdate_config=1\n")
        start("wpa_supplicant", "-i", "wlan0", "-D", "nl80211", "-c", "/run/wpa.conf", log="/run/wpa.log")
        time.sleep(2)
        return
    os.makedirs("/run/dbus", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/var/lib"], check=True)
    for folder in ("dbus", "NetworkManager", "iwd"):
        os.makedirs(f"/var/lib/{folder}")
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    if kind == "iwd":
        start("/usr/libexec/iwd", "-i", "wlan0", log="/run/iwd.log")
    else:
        # Without udev NetworkManager would wait for it for ever; a read-only /sys tells it that there is none.
        subprocess.run(["mount", "-o", "remount,ro", "/sys"], check=True)
        os.makedirs("/run/profiles")
        with open("/run/nm.conf", "w", encoding="ascii") as file:
            file.write(
                "[main]\nplugins=keyfile\nauth-polkit=false\ndhcp=internal\nrc-manager=unmanaged\ndns=none\n"
                "[keyfile]\nunmanaged-devices=except:interface-name:wlan0\npath=/run/profiles\n")
        start("wpa_supplicant", "-u", "-s", "-O", "DIR=/run/wpa", log="/run/wpa.log")
        start("NetworkManager", "--config", "/run/nm.conf", "--config-dir", "/run/none", "--no-daemon", log="/run/nm.log")
    time.sleep(10)


def join(binary, name, password, options):
    command = [binary, "join", "-i", "wlan0", "--once", "--format", "json", "--record", RECORD, *options, name]
    if password is None:
        command.append("--known")
    else:
        command += ["--password-file", "-"]
    began = time.monotonic()
    result = subprocess.run(command, input=(password or "").encode(), capture_output=True, check=False, timeout=300)
    took = time.monotonic() - began
    written = result.stdout + result.stderr
    if os.path.exists(RECORD):
        with open(RECORD, "rb") as file:
            written += file.read()
        os.remove(RECORD)
    secret = (password or "").encode()
    if secret and (secret in written or secret.hex().encode() in written):
        return {"reason": "password shown", "sentence": "", "certainty": None, "seconds": took}
    try:
        report = json.loads(result.stdout)
    except ValueError:
        return {"reason": f"status {result.returncode}", "sentence": result.stderr.decode()[:200], "certainty": None, "seconds": took}
    failure = report.get("failure")
    return {
        "reason": failure["reason"] if failure else "joined", "certainty": failure["certainty"] if failure else None,
        "sentence": failure["sentence"] if failure else "joined", "seconds": took,
        "evidence": [item["line"] for item in failure["evidence"]] if failure else [],
    }


def client(kind, name, password):
    """What the daemon's own client says of the same join: its last line."""
    if kind == "networkmanager":
        command = ["nmcli", "-w", "60", "device", "wifi", "connect", name] + (["password", password] if password else [])
    elif kind == "iwd":
        command = ["iwctl", *(["--passphrase", password] if password else []), "station", "wlan0", "connect", name]
    else:
        return None
    began = time.monotonic()
    environment = {**os.environ, "PAGER": "cat", "TERM": "dumb"}
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=120, env=environment)
        text = (result.stdout + result.stderr).decode("utf-8", "replace")
    except subprocess.TimeoutExpired:
        text = "(no answer within 120 s)"
    lines = [line.strip() for line in text.replace("\r", "\n").split("\n") if line.strip()]
    seconds = time.monotonic() - began
    forget(kind, name)
    return {"words": lines[-1][:160] if lines else "(nothing)", "seconds": seconds}


def forget(kind, name):
    """Takes away what the client left, so that the next join begins anew."""
    if kind == "networkmanager":
        subprocess.run(["nmcli", "connection", "delete", "id", name], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    else:
        subprocess.run(["iwctl", "known-networks", name, "forget"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        subprocess.run(["iwctl", "station", "wlan0", "disconnect"], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    time.sleep(2)


def main():
    binary, kind, folder = sys.argv[1:4]
    overlay.put(folder)
    os.environ["WPA_CTRL_DIR"] = "/run/wpa"
    lab()
    daemon(kind)
    failed = 0
    with open(f"{OUT}/joins-{kind}.ndjson", "w", encoding="utf-8") as output:
        for title, name, password, options, truth in SITUATIONS:
            options = [*options]
            if kind == "iwd" and title == "no address":
                # iwd leaves addresses to other programs unless it is configured otherwise.
                truth = ("noAddress", "joined")
            if title == "gone before":
                shell("killall -9 hostapd; for i in wlan2 wlan3 wlan5 wlan6; do ip link set $i down; done", capture_output=True)
            if title == "daemon killed before":
                shell("killall -9 wpa_supplicant NetworkManager iwd", capture_output=True)
                options += ["--via", kind]
            ours = join(binary, name, password, options)
            other = None
            if title != "daemon killed before":
                if kind == "iwd":
                    forget(kind, name)
                other = client(kind, name, password)
            accepted = truth if isinstance(truth, tuple) else (truth,)
            holds = ours["reason"] in accepted
            failed += not holds
            print(f"{'ok' if holds else 'FAIL'} {kind}: {title}: {ours['reason']}, {ours['seconds']:.1f} s", flush=True)
            line = {"situation": title, "truth": " or ".join(accepted), "holds": holds, "ours": ours, "client": other}
            output.write(json.dumps(line, ensure_ascii=False) + "\n")
    shell("killall -9 dbus-daemon wpa_supplicant NetworkManager iwd hostapd", capture_output=True)
    sys.exit(1 if failed else 0)


main()
