"""Runs in the guest: shipped scenarios over one real daemon.

    worlds.py BINARY supplicant | networkmanager | iwd SCENARIO…

Each is checked with `wifi-harness check --interface wlan0 --daemon DAEMON`, which compares what counts of its golden trace. What happens to access
points is done by worlds-event.
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


def forget(binary):
    """Every scenario begins with a daemon that knows no network."""
    listed = subprocess.run(
        [binary, "known", "list", "-i", "wlan0", "--format", "json"], capture_output=True, check=False, text=True).stdout
    for name in ("Lab WPA2", "Lab SAE"):
        if name in listed:
            subprocess.run([binary, "known", "forget", "-i", "wlan0", name], capture_output=True, check=False)
    time.sleep(5)


def main():
    binary, kind, *names = sys.argv[1:]
    os.environ["WPA_CTRL_DIR"] = "/run/wpa"
    subprocess.run(["sh", f"{HERE}/lab/up", "ht40", "vht80"], check=True)
    start(sys.executable, f"{HERE}/dhcp.py", "wlan3", "wlan5")
    daemon(kind)
    failed = 0
    for name in names:
        forget(binary)
        result = subprocess.run(
            [binary, "check", "--interface", "wlan0", "--daemon", kind, "--world-command", f"{HERE}/worlds-event",
             f"{SCENARIOS}/daemon-{name}.yaml"], capture_output=True, check=False, text=True)
        failed += result.returncode != 0
        print(f"{'ok' if result.returncode == 0 else 'FAIL'} {kind}: {name}", flush=True)
        if result.returncode != 0:
            print(result.stdout + result.stderr, flush=True)
    sys.exit(1 if failed else 0)


main()
