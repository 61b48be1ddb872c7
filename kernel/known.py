"""Runs in the guest: what `wifi-harness known` does with the networks of one real daemon.

    known.py BINARY supplicant | networkmanager | iwd DAEMONS

Prints `ok` or `FAIL` for each check. After each change the daemon's own files are read: what was asked for is there, every other line is as it was.
"""

import glob
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import overlay

BINARY, KIND, DAEMONS = sys.argv[1:4]
PASSWORD = "blobby boots"
OTHER = "another boots"
failed = 0


def check(what, holds, detail=""):
    global failed
    failed += not holds
    print(f"{'ok' if holds else 'FAIL'} {KIND}: {what}{'' if holds else ': ' + str(detail)[:600]}", flush=True)


def shell(command):
    subprocess.run(["sh", "-c", command], check=False, stdin=subprocess.DEVNULL)


def start(*command):
    subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o600)


def bus():
    os.makedirs("/run/dbus", exist_ok=True)
    write("/run/bus.conf", """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd"><busconfig><type>system</type>
<listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth><policy context="default"><allow user="*"/><allow own="*"/>
<allow send_type="method_call"/><allow send_type="signal"/><allow send_type="method_return"/><allow send_type="error"/>
<allow receive_type="method_call"/><allow receive_type="signal"/><allow receive_type="method_return"/><allow receive_type="error"/>
</policy></busconfig>""")
    os.chmod("/run/bus.conf", 0o644)
    subprocess.run(["dbus-daemon", "--config-file=/run/bus.conf", "--fork"], check=True)


def daemon():
    os.makedirs("/run/profiles", exist_ok=True)
    if KIND == "supplicant":
        write("/run/profiles/wpa.conf", f"""ctrl_interface=/run/wpa
update_config=1

network={{
\tssid="Home"
\tpsk="{PASSWORD}"
\tpriority=3
\tid_str="mine"
}}

network={{
\tssid="Work"
\tkey_mgmt=WPA-EAP
\teap=PEAP
\tidentity="me"
\tpassword="{PASSWORD}"
}}
""")
        start("wpa_supplicant", "-i", "wlan0", "-D", "nl80211", "-c", "/run/profiles/wpa.conf")
        time.sleep(2)
        return
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/var/lib"], check=True)
    os.makedirs("/var/lib/NetworkManager")
    os.makedirs("/var/lib/iwd")
    bus()
    if KIND == "iwd":
        write("/var/lib/iwd/Home.psk", f"[Security]\nPassphrase={PASSWORD}\n")
        write("/var/lib/iwd/Work.8021x", "[Security]\nEAP-Method=PEAP\nEAP-Identity=me\n")
        start("/usr/libexec/iwd", "-i", "wlan0")
    else:
        # Without udev NetworkManager would wait for it for ever; a read-only /sys tells it that there is none.
        subprocess.run(["mount", "-o", "remount,ro", "/sys"], check=True)
        write("/run/nm.conf", "[main]\nplugins=keyfile\nauth-polkit=false\nrc-manager=unmanaged\ndns=none\n"
              "[keyfile]\nunmanaged-devices=except:interface-name:wlan0\npath=/run/profiles\n")
        for name, security in (("Home", f"key-mgmt=wpa-psk\npsk={PASSWORD}\n"), ("Work", "key-mgmt=wpa-eap\n")):
            write(f"/run/profiles/{name}.nmconnection",
                  f"[connection]\nid={name}\nuuid=86882720-8edc-4c37-acd9-{name.encode().hex():0>12}\ntype=wifi\nzone=trusted\n\n"
                  f"[wifi]\nmode=infrastructure\nssid={name}\n\n[wifi-security]\n{security}"
                  + ("\n[802-1x]\neap=peap;\nidentity=me\npassword=x\nphase2-auth=mschapv2\n" if name == "Work" else "")
                  + "\n[ipv4]\ndns=1.1.1.1;\nmethod=auto\n")
        start("wpa_supplicant", "-u", "-s", "-O", "DIR=/run/wpa")
        start("NetworkManager", "--config", "/run/nm.conf", "--config-dir", "/run/none", "--no-daemon")
    time.sleep(12)


def files():
    """What the daemon has on disk."""
    folder = "/var/lib/iwd/*" if KIND == "iwd" else "/run/profiles/*"
    text = ""
    for path in sorted(glob.glob(folder)):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                text += f"# {os.path.basename(path)}\n{file.read()}"
    return text


def known(*arguments, password=None):
    command = [BINARY, "known", *arguments, "-i", "wlan0", "--via", KIND, "--format", "json", "--record", "/run/known.control"]
    if password is not None:
        command += ["--password-file", "-"]
    result = subprocess.run(command, input=(password or "").encode(), capture_output=True, check=False, timeout=60)
    written = result.stdout + result.stderr
    with open("/run/known.control", "rb") as file:
        written += file.read()
    for secret in (PASSWORD, OTHER):
        shown = secret.encode() in written or secret.encode().hex().encode() in written
        check(f"{arguments[0]} shows no password", not shown)
    try:
        report = json.loads(result.stdout)
    except ValueError:
        report = {"failure": {"reason": result.stderr.decode()}}
    return result.returncode, report


def names(report):
    return sorted(network["ssid"] for network in report.get("networks", []))


def network(report, name):
    return next((network for network in report.get("networks", []) if network["ssid"] == name), {})


def main():
    os.environ["WPA_CTRL_DIR"] = "/run/wpa"
    overlay.put(DAEMONS)
    daemon()
    before = files()
    status, report = known("list")
    check("lists what it knows", status == 0 and names(report) == ["Home", "Work"], report)
    check("listing changes nothing", files() == before)
    can = KIND != "iwd"

    status, report = known("add", "Cabin", "--security", "psk", "--priority", "4", "--no-autoconnect", password=OTHER)
    if can:
        check("adds one", status == 0 and network(report, "Cabin").get("priority") == 4, report)
        check("it is on disk with its password", OTHER in files(), files())
        check("it is not joined by itself", network(report, "Cabin").get("autoconnect") is False, report)
    else:
        check("refuses to add", status == 69 and report["failure"]["reason"] == "cannot", report)

    status, report = known("edit", "Home", "--no-autoconnect", *(["--priority", "7"] if can else []))
    home = network(report, "Home")
    check("edits one", status == 0 and home.get("autoconnect") is False and home.get("priority") == (7 if can else None), report)
    check("its password stays", files().count(PASSWORD) == before.count(PASSWORD), files())
    for line in ('id_str="mine"', "zone=trusted", "dns=1.1.1.1;", "EAP-Identity=me", 'identity="me"', "identity=me"):
        check(f"{line} stays", files().count(line) == before.count(line), files())

    status, report = known("duplicate", "Home", "--as", "Home 5G",
                           password=OTHER if KIND == "networkmanager" else None)
    if can:
        check("copies one", status == 0 and network(report, "Home 5G").get("priority") == 7, report)
        copies = files().count(PASSWORD) - before.count(PASSWORD)
        check("the copy has a password", copies == 1 if KIND == "supplicant" else files().count(OTHER) == 2, files())
    else:
        check("refuses to copy", status == 69, report)

    status, report = known("edit", "Work", "--autoconnect", *(["--priority", "1"] if can else []))
    check("edits an enterprise network without its credentials", status == 0, report)
    status, report = known("forget", "Home", "--yes")
    check("forgets one", status == 0 and "Home" not in names(report), report)
    check("the others are there", "Work" in names(report), report)
    status, report = known("forget", "Home", "--yes")
    check("forgets it once only", status == 1, report)
    shell("killall -9 wpa_supplicant NetworkManager iwd 2>/dev/null")
    time.sleep(1)
    status, report = known("list")
    check("says that no daemon runs", status == 69, report)
    shell("killall -9 dbus-daemon 2>/dev/null")
    sys.exit(1 if failed else 0)


main()
