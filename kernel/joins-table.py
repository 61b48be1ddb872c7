"""Writes the table of joins from what joins.py left in a folder: joins-table.py FOLDER"""

import json
import os
import sys

DAEMONS = [("supplicant", "wpa_supplicant 2.10", None), ("networkmanager", "NetworkManager 1.42", "nmcli"), ("iwd", "iwd 2.3", "iwctl")]
# What a client must say so that its user knows the reason.
WORDS = {
    "joined": ("successfully activated", "(nothing)"), "wrongPassword": ("password", "passphrase", "secret", "key"),
    "impossiblePassword": ("invalid", "length", "psk", "passphrase"), "outOfRange": ("found", "no network with ssid"), "lost": ("timed out", "time"),
    "refused": ("refused", "full", "denied"), "noAddress": ("ip", "address", "dhcp"), "notSupported": ("802.1x", "enterprise", "not supported"),
}


def load(folder, daemon):
    path = f"{folder}/joins-{daemon}.ndjson"
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {item["situation"]: item for item in map(json.loads, file)}


def is_right(item):
    words = item["client"]["words"].lower()
    return any(word in words for truth in item["truth"].split(" or ") for word in WORDS.get(truth, ()))


def main():
    results = [(title, client, load(sys.argv[1], name)) for name, title, client in DAEMONS]
    print("# Joining: what each daemon reports, and what is true\n")
    print("Made by `kernel/joins` in the kernel lane: Linux 6.1 in User Mode Linux, virtual radios, hostapd 2.10, the daemons of Debian 12.")
    print("Times are virtual. *likely* stands where the daemon's words allow another reading; the report then carries the lines.\n")
    for title, client, rows in results:
        right = sum(item["holds"] for item in rows.values())
        print(f"## {title}\n")
        print(f"wifi-harness is right in {right} of {len(rows)} situations", end="")
        asked = [item for item in rows.values() if item["client"]]
        print(f"; `{client}` names the reason in {sum(map(is_right, asked))} of {len(asked)}.\n" if client else ".\n")
        print("| situation | true is | wifi-harness | time |" + (f" `{client}` | time |" if client else ""))
        print("| --- | --- | --- | --- |" + (" --- | --- |" if client else ""))
        for item in rows.values():
            ours = item["ours"]
            said = ours["reason"] + (", likely" if ours["certainty"] == "likely" else "")
            line = f"| {item['situation']} | {item['truth']} | {said if item['holds'] else f'**{said}**'} | {ours['seconds']:.1f} s |"
            if client:
                other = item["client"]
                line += f" {other['words'].replace('|', ' ')} | {other['seconds']:.1f} s |" if other else " | |"
            print(line)
        print()


main()
