"""Runs in the guest: what `wifi-harness known` does with the networks of one real daemon.

    known.py BINARY supplicant | networkmanager | iwd DAEMONS

Prints `ok` or `FAIL` for each check. After each change the daemon's own files are read: what was asked for is there,
every other line is as it was.
"""

import json
import os
import sys
import time

import daemons
import overlay
from lib import checking
from lib.checking import run

BINARY, KIND, DAEMONS = sys.argv[1:4]
PASSWORD = "blobby boots"
OTHER = "another boots"
# The networks that each daemon knows, with settings of their user.
FILES = {
    "supplicant": {"/run/store/wpa.conf": f"""ctrl_interface=/run/wpa
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
"""},
    "networkmanager": {
        f"/run/store/{name}.nmconnection": f"[connection]\nid={name}\nuuid=86882720-8edc-4c37-acd9-{name.encode().hex():0>12}\ntype=wifi\nzone=trusted\n\n"
        f"[wifi]\nmode=infrastructure\nssid={name}\n\n[wifi-security]\n{security}\n[ipv4]\ndns=1.1.1.1;\nmethod=auto\n"
        for name, security in (
            ("Home", f"key-mgmt=wpa-psk\npsk={PASSWORD}\n"),
            ("Work", "key-mgmt=wpa-eap\n\n[802-1x]\neap=peap;\nidentity=me\npassword=x\nphase2-auth=mschapv2\n"))},
    "iwd": {"/var/lib/iwd/Home.psk": f"[Security]\nPassphrase={PASSWORD}\n",
            "/var/lib/iwd/Work.8021x": "[Security]\nEAP-Method=PEAP\nEAP-Identity=me\n"},
}


def check(what, holds, detail=""):
    checking.check(f"{KIND}: {what}", holds, detail)


def files():
    """What the daemon has on disk."""
    return "".join(f"# {os.path.basename(path)}\n{data.decode()}" for path, data in sorted(daemon.files().items()))


def known(*arguments, password=None):
    command = [BINARY, "known", *arguments, "-i", "wlan0", "--via", KIND, "--format", "json", "--record",
               "/run/known.control"]
    if password is not None:
        command += ["--password-file", "-"]
    result = run(*command, input=(password or "").encode(), text=False)
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


overlay.put(DAEMONS)
daemon = daemons.KINDS[KIND](known=(), files=FILES[KIND])
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
check("edits one", status == 0 and home.get("autoconnect") is False and home.get("priority") == (7 if can else None),
      report)
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
daemon.stop()
time.sleep(1)
status, report = known("list")
check("says that no daemon runs", status == 69, report)
daemons.kill_all()
sys.exit(checking.end())

