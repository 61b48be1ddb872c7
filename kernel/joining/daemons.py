"""Runs in the guest: the three daemons, each with two networks that it knew before, or others, its own client, and what it keeps.

`Daemon(KIND)`, where KIND is supplicant, networkmanager or iwd.
"""

import glob
import json
import os
import re
import subprocess
import time

# Known to the daemon from the start; neither is joined by itself.
BEFORE, OTHER = "Join Before", "Join Other"


def quiet(*command, timeout=120):
    """Runs a command without input and returns what it wrote."""
    environment = {**os.environ, "PAGER": "cat", "TERM": "dumb", "LC_ALL": "C.UTF-8"}
    try:
        result = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=timeout, env=environment)
    except subprocess.TimeoutExpired:
        return f"(no answer within {timeout} s)"
    return result.stdout.decode("utf-8", "replace")


def shell(command):
    return quiet("sh", "-c", command)


def write(path, text, mode=0o600):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def joined_network():
    """The name of the network that the kernel says wlan0 is in."""
    found = re.search(r"^\tSSID: (.*)$", quiet("iw", "dev", "wlan0", "link"), re.MULTILINE)
    return found.group(1) if found else None


class Daemon:
    """What all three have."""

    def __init__(self, known=(BEFORE, OTHER), files=None):
        self.known = known
        os.environ["WPA_CTRL_DIR"] = "/run/wpa"
        os.makedirs("/run/wpa", exist_ok=True)
        os.makedirs("/run/log", exist_ok=True)
        self.prepare()
        for path, text in (files or {}).items():
            write(path, text)
        self.start()

    def bus(self):
        os.makedirs("/run/dbus", exist_ok=True)
        subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/var/lib"], check=True)
        for folder in ("dbus", "NetworkManager", "iwd"):
            os.makedirs(f"/var/lib/{folder}")
        # The bus would start a daemon that does not run when a client asks for it, and without the options that keep it off the access points.
        if os.path.isdir("/usr/share/dbus-1/system-services"):
            subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/usr/share/dbus-1/system-services"], check=True)
        subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)

    def start(self):
        shell(self.start_command)
        time.sleep(self.patience)

    def stop(self):
        shell(self.kill_command)
        time.sleep(1)

    def join_before(self):
        """Joins the network that is to be returned to."""
        self.other_join(BEFORE)
        for _ in range(60):
            if joined_network() == BEFORE:
                time.sleep(1)
                return True
            time.sleep(0.5)
        return False

    def files(self):
        """What the daemon has on disk."""
        found = {}
        for pattern in self.stores:
            for path in glob.glob(pattern):
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        found[path] = file.read()
        return found


class Supplicant(Daemon):
    kind, client_name, title = "supplicant", None, "wpa_supplicant 2.10"
    patience = 2
    start_command = "wpa_supplicant -B -i wlan0 -D nl80211 -c /run/store/wpa.conf -f /run/log/wpa.log"
    kill_command = "killall -9 wpa_supplicant; rm -f /run/wpa/wlan0"
    stores = ("/run/store/*",)
    command = ("wpa_cli", "-p", "/run/wpa", "-s", "/run", "-i", "wlan0")

    def prepare(self):
        os.makedirs("/run/store", exist_ok=True)
        self.configure()

    def configure(self):
        known = "".join(f'\nnetwork={{\n\tssid="{name}"\n\tkey_mgmt=NONE\n\tdisabled=1\n}}\n' for name in self.known)
        write("/run/store/wpa.conf", f"ctrl_interface=/run/wpa\nupdate_config=1\n{known}")

    settings = ("priority=7", 'id_str="mine"')

    def know(self, name, password):
        """Lets it know a network, with settings that are not those of a new one."""
        with open("/run/store/wpa.conf", "a", encoding="ascii") as file:
            file.write(f'\nnetwork={{\n\tssid="{name}"\n\tpsk="{password}"\n\tpriority=7\n\tid_str="mine"\n\tdisabled=1\n}}\n')
        quiet(*self.command, "reconfigure")
        quiet(*self.command, "disconnect")
        time.sleep(1)

    def other_join_command(self, name):
        return f"{' '.join(self.command)} select_network {(BEFORE, OTHER).index(name)} >/dev/null"

    def other_join(self, name):
        shell(self.other_join_command(name))

    def profiles(self):
        """What it knows now, in memory."""
        return sorted(line.split("\t")[1] for line in quiet(*self.command, "list_networks").splitlines() if line[:1].isdigit())

    def reset(self):
        quiet(*self.command, "disconnect")
        self.configure()
        quiet(*self.command, "reconfigure")
        quiet(*self.command, "bssid_ignore", "clear")
        quiet(*self.command, "disconnect")
        time.sleep(2)

    def client(self, name, password):
        return None


class NetworkManager(Daemon):
    kind, client_name, title = "networkmanager", "nmcli", "NetworkManager 1.42"
    patience = 10
    start_supplicant_command = "wpa_supplicant -B -u -s -O DIR=/run/wpa -f /run/log/wpa.log"
    kill_supplicant_command = "killall -9 wpa_supplicant; rm -f /run/wpa/wlan0"
    start_command = (
        f"pidof wpa_supplicant >/dev/null || {start_supplicant_command}; "
        "NetworkManager --config /run/nm.conf --config-dir /run/none --no-daemon >>/run/log/nm.log 2>&1 &")
    kill_command = "killall -9 NetworkManager"
    stores = ("/run/store/*", "/run/NetworkManager/system-connections/*")

    def prepare(self):
        self.bus()
        # Without udev NetworkManager would wait for it for ever; a read-only /sys shows it that there is none.
        subprocess.run(["mount", "-o", "remount,ro", "/sys"], check=True)
        os.makedirs("/run/store", exist_ok=True)
        write(
            "/run/nm.conf",
            "[main]\nplugins=keyfile\nauth-polkit=root-only\ndhcp=internal\nrc-manager=unmanaged\ndns=none\nno-auto-default=*\n"
            "[keyfile]\nunmanaged-devices=except:interface-name:wlan0\npath=/run/store\n[connectivity]\nenabled=false\n")
        for number, name in enumerate(self.known):
            write(
                f"/run/store/{name}.nmconnection",
                f"[connection]\nid={name}\nuuid=86882720-8edc-4c37-acd9-00000000000{number}\ntype=wifi\nautoconnect=false\n\n"
                f"[wifi]\nmode=infrastructure\nssid={name}\n\n[ipv4]\nmethod=auto\n")

    settings = ("uuid=86882720-8edc-4c37-acd9-000000000009", "autoconnect-priority=7", "autoconnect=false", "zone=trusted", "dns=1.1.1.1;")

    def know(self, name, password):
        write(
            f"/run/store/{name}.nmconnection",
            f"[connection]\nid={name}\nuuid=86882720-8edc-4c37-acd9-000000000009\ntype=wifi\nautoconnect=false\nautoconnect-priority=7\n"
            f"zone=trusted\n\n[wifi]\nmode=infrastructure\nssid={name}\n\n[wifi-security]\nkey-mgmt=wpa-psk\npsk={password}\n\n"
            "[ipv4]\ndns=1.1.1.1;\nmethod=auto\n")
        quiet("nmcli", "connection", "reload")
        time.sleep(1)

    def other_join_command(self, name):
        return f"nmcli -w 0 connection up id '{name}' >/dev/null 2>&1"

    def other_join(self, name):
        shell(self.other_join_command(name))

    def stop(self):
        shell(f"{self.kill_command}; {self.kill_supplicant_command}")
        time.sleep(1)

    def profiles(self):
        lines = quiet("nmcli", "-t", "-f", "TYPE,NAME", "connection", "show").splitlines()
        return sorted(line.split(":", 1)[1] for line in lines if line.startswith("802-11-wireless:"))

    def reset(self):
        quiet("nmcli", "device", "disconnect", "wlan0")
        time.sleep(1)
        for line in quiet("nmcli", "-t", "-f", "TYPE,UUID,NAME", "connection", "show").splitlines():
            kind, uuid, name = (line.split(":", 2) + ["", ""])[:3]
            if kind == "802-11-wireless" and name not in (BEFORE, OTHER):
                quiet("nmcli", "connection", "delete", "uuid", uuid)
        time.sleep(2)

    def client(self, name, password):
        return ["nmcli", "-w", "60", "device", "wifi", "connect", name] + (["password", password] if password else [])


class IWD(Daemon):
    kind, client_name, title = "iwd", "iwctl", "iwd 2.3"
    patience = 10
    start_command = "CONFIGURATION_DIRECTORY=/run/iwd /usr/libexec/iwd -i wlan0 >>/run/log/iwd.log 2>&1 &"
    kill_command = "killall -9 iwd"
    stores = ("/var/lib/iwd/*",)

    def prepare(self):
        self.bus()
        # Otherwise the interface is its own and ends with it.
        os.makedirs("/run/iwd")
        write("/run/iwd/main.conf", "[General]\nUseDefaultInterface=true\n", 0o644)
        for name in self.known:
            write(f"/var/lib/iwd/{name}.open", "[Settings]\nAutoConnect=false\n")

    settings = ("AutoConnect=false",)

    def know(self, name, password):
        write(f"/var/lib/iwd/{name}.psk", f"[Security]\nPassphrase={password}\n\n[Settings]\nAutoConnect=false\n")
        time.sleep(1)

    def other_join_command(self, name):
        return f"iwctl station wlan0 connect '{name}' >/dev/null 2>&1 </dev/null"

    def other_join(self, name):
        shell("iwctl station wlan0 scan >/dev/null 2>&1 </dev/null; sleep 7")
        shell(self.other_join_command(name))

    def profiles(self):
        return sorted(os.path.basename(path) for path in glob.glob("/var/lib/iwd/*.*") if not path.endswith(".freq"))

    def reset(self):
        for path in glob.glob("/var/lib/iwd/*.*"):
            name, _, kind = os.path.basename(path).rpartition(".")
            if name not in (BEFORE, OTHER) and kind in ("psk", "open", "8021x"):
                quiet("iwctl", "known-networks", f"{name}.{kind}", "forget")
                quiet("iwctl", "known-networks", name, "forget")
        quiet("iwctl", "station", "wlan0", "disconnect")
        time.sleep(2)

    def client(self, name, password):
        return ["iwctl", *(["--passphrase", password] if password else []), "station", "wlan0", "connect", name]


KINDS = {daemon.kind: daemon for daemon in (Supplicant, NetworkManager, IWD)}


def kill_all():
    shell("killall -9 dbus-daemon wpa_supplicant NetworkManager iwd hostapd")


def report_of(output):
    """The JSON report of the command, or None."""
    try:
        return json.loads(output)
    except ValueError:
        return None
