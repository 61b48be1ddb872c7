"""Writes docs/joining.md from what joins.py left in a folder: table.py FOLDER"""

import json
import os
import sys

from daemons import KINDS

# What a client must say so that its user knows the reason. A client that says nothing has joined, where its status is 0.
WORDS = {
    "joined": ("successfully activated", "(nothing)"), "wrongPassword": ("password", "passphrase", "secret", "key"),
    "impossiblePassword": ("invalid", "length", "psk", "passphrase"), "outOfRange": ("found", "no network with ssid", "invalid network name"),
    "lost": ("timed out", "time"), "timedOut": ("timed out", "time"), "refused": ("refused", "full", "denied"), "dismissed": ("refused", "full", "too many"),
    "noAddress": ("ip", "address", "dhcp"), "notSupported": ("802.1x", "enterprise", "not supported"), "passwordMissing": ("secret", "passphrase", "password"),
    "interfaceDown": ("down", "rfkill", "switched off", "disabled", "unavailable"),
}
STEPS = ("search", "authentication", "association", "handshake", "address")

HEAD = """# Joining: what each daemon reports, and what is true

Made by `make check NAME=kernel-joins`: Linux 6.1 in User Mode Linux, virtual radios, hostapd 2.10, and an access point that answers frame by frame as its
script says, for what hostapd cannot be made to do. The daemons and their clients are those of Debian 12. Times are virtual. *likely* stands where what was received
allows another reading; the report then carries the lines.

In every situation the run also fails where

- a password stands in anything that was written (output, recordings, logs, crash text), that went over netlink or the loopback interface, or in the arguments or
  the environment of a process, as it is, in hexadecimal, in base64, escaped, in UTF-16 or as the key that WPA2 makes of it; passwords that are planted first
  must be found in each of these places;
- the daemon knows other networks afterwards than before, or one of its files changed;
- a failed join does not return to the network that was joined before;
- the join takes longer than 65 s.
"""

NOTES = """## What the daemons do by themselves

- iwd remembers every network that it joins; `--once` cannot change that.
- wpa_supplicant writes a network to its file, with its password, when the access point announces that WPA2 is over (transition disable) and the file may be
  written (`update_config=1`), whether it was asked to or not.
- wpa_supplicant 2.10 passes over WPA3 networks that want hash-to-element alone. `join` sets `sae_pwe` to 2 where a WPA3 network is not found, and back where
  the join fails.
- NetworkManager sets the interface up by itself; the other two do not.
- NetworkManager goes on without wpa_supplicant, and joins nothing until that is there again: `join` waits 5 s for it, to return to the network that was joined before.
- iwd does not bind a network to a BSS, which `join --bssid` says. NetworkManager binds a profile: `join --known --bssid` joins over one that is bound to that BSS, and
  without one says that the password is needed, because a saved one cannot be copied to another profile. wpa_supplicant's known network is bound for the time of the join, and its
  password stays where it is.
- iwd leaves addresses to other programs unless its configuration says otherwise.
- A join of a known network that is cancelled, with none joined before, is ended: NetworkManager does not join that network by itself then until it is asked to; iwd, and wpa_supplicant where
  the network is enabled, join none.
- iwd 2.3 ended with a crash when `iwctl` was asked for a passphrase and had no terminal to ask on; that cell is left out.

## A network that was known before

`join` with a password, and without `--once`, leaves one known network, with the new password and everything else as its user had set it. What was known stays as it
was until the new password has proved right, and where it is wrong; no other profile is left behind. “Another password known” in the tables tries it.

| daemon | what becomes of the network that was known by the same name and kind of security |
| --- | --- |
| NetworkManager | The join uses a copy in memory. Then each older profile gets the password and keeps its UUID, priority and settings; the preferred one is activated in the place of the copy, which interrupts the link once. A password that an agent kept is kept by NetworkManager from then on. A profile that may not be changed stays, and the new one is saved beside it. |
| wpa_supplicant | The new network takes over priority, `id_str`, `bgscan`, `mac_addr`, `freq_list`, `scan_freq` and `scan_ssid` of the first older one, and replaces all of them. It has a new number, as every network after a restart, and is enabled. |
| iwd | It has one profile for a name and a kind of security, and changes the password in it. It asks for a new one only after the saved one failed in the handshake of WPA2; with WPA3 the report is that the saved password is wrong, and the network has to be forgotten first. |

A profile that is bound to a BSS is another one than one that is not. An open network that NetworkManager knows is joined with the profile that there is.

## Try another program

The situations are a suite that any program can be held to, with all three daemons:

```
make check NAME=kernel-joins PROGRAM=kernel/joining/nmcli-program DAEMONS=networkmanager
```

`COMMAND` runs as root in the guest, in the folder that `make check NAME=kernel-joins` was started in, with two arguments, the interface and the name of the network. The password is the first line of its
standard input, empty where there is none. `JOIN_DAEMON` is `supplicant`, `networkmanager` or `iwd`, and `JOIN_OPTIONS` has what `wifi-harness join` was given besides, such as
`--hidden`. It has 120 s. The last line that it prints is its verdict: one of `joined`, `wrongPassword`, `impossiblePassword`, `passwordMissing`, `outOfRange`, `lost`, `refused`,
`dismissed`, `timedOut`, `noAddress`, `notSupported` and `interfaceDown`. The table gets a column for it, and how many verdicts are right. `kernel/joining/nmcli-program` is an
example: `nmcli` and what its words mean. A run of some situations, as with `ONLY="wrong password"`, writes no table; `OUT=DIR` keeps what
`kernel/joining/table.py DIR` makes one of.
"""


def load(folder, daemon):
    path = f"{folder}/joins-{daemon}.ndjson"
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def is_right(item):
    words = item["client"]["words"].lower()
    truths = item["truth"].split(" or ")
    if words == "(nothing)":
        return "joined" in truths and item["client"]["status"] == 0
    return any(word in words for truth in truths for word in WORDS.get(truth, ()))


def verdict_is_right(item):
    return item["program"]["words"] in item["truth"].split(" or ")


def said(item):
    ours = item["ours"]
    text = ours["reason"] + (", likely" if ours["certainty"] == "likely" else "")
    return text if item["holds"] else f"**{text}**"


def cell(words):
    return words.replace("|", " ")


def situations(rows, client):
    has_program = any(row["program"] for row in rows)
    heads = ["situation", "true is", "wifi-harness", "time"] + ([f"`{client}`", "time"] if client else []) + (["program", "time"] if has_program else [])
    print("| " + " | ".join(heads) + " |\n| " + " | ".join("---" for _ in heads) + " |")
    for item in rows:
        line = [item["situation"], item["truth"], said(item), f"{item['ours']['seconds']:.1f} s"]
        for name, is_shown in (("client", client), ("program", has_program)):
            if is_shown:
                other = item[name]
                line += [cell(other["words"]), f"{other['seconds']:.1f} s"] if other else ["", ""]
        print("| " + " | ".join(line) + " |")
    print()


def middle(rows, client):
    print("| in the middle | " + " | ".join(STEPS) + " |\n| --- | " + " | ".join("---" for _ in STEPS) + " |")
    cells = {}
    for item in rows:
        what, _, step = item["situation"].rpartition(": ")
        cells.setdefault(what, {})[step] = f"{said(item)}, {item['ours']['seconds']:.1f} s"
        if item["client"]:
            words = cell(item["client"]["words"])
            cells.setdefault(f"{what}: `{client}` reports", {})[step] = f"{words}, {item['client']['seconds']:.1f} s"
    for what, steps in cells.items():
        print(f"| {what} | " + " | ".join(steps.get(step, "") for step in STEPS) + " |")
    print()


def main():
    print(HEAD)
    for name, title, client in [(one.kind, one.title, one.client_name) for one in KINDS.values()]:
        rows = load(sys.argv[1], name)
        alone = [row for row in rows if row["situation"].rpartition(": ")[2] not in STEPS]
        between = [row for row in rows if row not in alone]
        right = sum(row["holds"] for row in alone)
        print(f"## {title}\n")
        text = f"wifi-harness is right in {right} of {len(alone)} situations"
        if between:
            text += f", and in {sum(row['holds'] for row in between)} of {len(between)} where something ends in the middle"
        asked = [row for row in alone if row["client"]]
        if client:
            text += f"; `{client}` names the reason in {sum(map(is_right, asked))} of the {len(asked)} that it was asked"
        tried = [row for row in alone if row["program"]]
        if tried:
            text += f"; the program's verdict is right in {sum(map(verdict_is_right, tried))} of {len(tried)}"
        print(text + ".\n")
        situations(alone, client)
        if between:
            middle(between, client)
    print(NOTES, end="")


if __name__ == "__main__":
    main()
