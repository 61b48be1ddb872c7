"""Runs in the guest: a shipped scenario over one real daemon.

    worlds.py BINARY KIND DAEMONS SCENARIO

KIND is supplicant, networkmanager or iwd; DAEMONS is the folder of the unpacked daemons, empty where all are installed. The scenario is checked with
`wifi-harness check --interface wlan0 --daemon KIND`, which compares what counts of its golden trace. worlds-event does to access points what it says.
"""

import os
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SCENARIOS = os.path.join(HERE, "..", "fixtures", "scenarios")


def start(*command):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def daemon(kind):
    os.makedirs("/run/wpa", exist_ok=True)
    if kind == "supplicant":
        with open("/run/wpa.conf", "w", encoding="ascii") as file:
            file.write("ctrl_interface=/run/wpa\nupdate_config=1\n")
        start("wpa_supplicant", "-i", "wlan0", "-D", "nl80211", "-c", "/run/wpa.conf")
        return time.sleep(2)
    os.makedirs("/run/dbus", exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "tmpfs", "/var/lib"], check=True)
    for folder in ("dbus", "NetworkManager", "iwd"):
        os.makedirs(f"/var/lib/{folder}")
    subprocess.run(["dbus-daemon", "--system", "--fork"], check=True)
    if kind == "iwd":
        start("/usr/libexec/iwd", "-i", "wlan0")
    else:
        # Without udev NetworkManager would wait for it for ever; a read-only /sys tells it that there is none.
        subprocess.run(["mount", "-o", "remount,ro", "/sys"], check=True)
        os.makedirs("/run/profiles")
        with open("/run/nm.conf", "w", encoding="ascii") as file:
            file.write(
                "[main]\nplugins=keyfile\nauth-polkit=false\ndhcp=internal\nrc-manager=unmanaged\ndns=none\n"
                "[keyfile]\nunmanaged-devices=except:interface-name:wlan0\npath=/run/profiles\n")
        start("wpa_supplicant", "-u", "-s", "-O", "DIR=/run/wpa")
        start("NetworkManager", "--config", "/run/nm.conf", "--config-dir", "/run/none", "--no-daemon")
    return time.sleep(10)


def main():
    binary, kind, daemons, name = sys.argv[1:]
    if daemons:
        import overlay  # Beside this file; of no use where all daemons are installed.

        overlay.put(daemons)
    os.environ["WPA_CTRL_DIR"] = "/run/wpa"
    subprocess.run(["sh", f"{HERE}/lab/up", "ht40", "vht80"], check=True)
    start(sys.executable, f"{HERE}/joining/dhcp.py", "wlan3", "wlan5")
    daemon(kind)
    result = subprocess.run(
        [binary, "check", "--interface", "wlan0", "--daemon", kind, "--world-command", f"{HERE}/worlds-event",
         f"{SCENARIOS}/daemon-{name}.yaml"], capture_output=True, check=False, text=True)
    held = result.returncode == 0 and "1 passed" in result.stdout
    print(f"{'ok' if held else 'FAIL'} {kind}: {name}", flush=True)
    if not held:
        print(result.stdout + result.stderr, flush=True)
    sys.exit(not held)


main()
