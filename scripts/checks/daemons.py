"""Lets NetworkManager and iwd list the networks of a simulated world.

Needs root, for the daemons do, and runs them in name spaces of their own, so that they see no other interface and write
nowhere but to memory. What is not installed, or not allowed, is passed over with a sentence. iwd needs the cryptography
of the kernel (AF_ALG).
"""
import os
import re
import socket

from lib import checking
from lib.checking import BINARY, has, skip

# The bus of the daemons, and what they write, are in the memory that is mounted below.
folder = "/run/programs"
# The networks of the world; which of them are heard depends on where the station is then.
names = ["MagentaWLAN-00D6", "MagentaWLAN-4F18", "SFR_7E55", "SFR_D214", "HP-Print-F748", "HP-Print-9475", "Home-E1E1"]

isolated = f"""
mount -t sysfs -o ro none /sys 2>/dev/null || mount -o bind,remount,ro /sys
mount -t tmpfs none /run
[ ! -d /var/lib/NetworkManager ] || mount -t tmpfs none /var/lib/NetworkManager
mkdir -p {folder}/empty /run/NetworkManager
cat >{folder}/bus.conf <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>custom</type><listen>unix:path={folder}/bus</listen><auth>EXTERNAL</auth><policy context="default"><allow user="*"/>
<allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
END
cat >{folder}/nm.conf <<'END'
[main]
plugins=keyfile
dns=none
rc-manager=unmanaged
auth-polkit=false
END
export XDG_RUNTIME_DIR=/run DBUS_SYSTEM_BUS_ADDRESS=unix:path={folder}/bus
exec "$0" run --world home --seed 7 -- sh -c "$1"
"""

manager = f"""
dbus-daemon --config-file={folder}/bus.conf --nofork --nopidfile 2>/dev/null & bus=$!
sleep 1
wpa_supplicant -u >{folder}/supplicant.log & supplicant=$!
NetworkManager --no-daemon --config={folder}/nm.conf --config-dir={folder}/empty --system-config-dir={folder}/empty \\
  --intern-config={folder}/intern --state-file={folder}/state --pid-file={folder}/pid >{folder}/log 2>&1 & manager=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  sleep 2
  nmcli -t -f SSID,BSSID dev wifi list --rescan no >{folder}/list 2>&1
  [ $(grep -c : {folder}/list) -lt 8 ] || break
done
cat {folder}/list
kill $supplicant
# It does not end where its bus went first.
kill -KILL $manager
kill $bus
"""

iwd = f"""
export STATE_DIRECTORY={folder}/iwd CONFIGURATION_DIRECTORY={folder}/empty
mkdir -p $STATE_DIRECTORY
dbus-daemon --config-file={folder}/bus.conf --nofork --nopidfile 2>/dev/null & bus=$!
sleep 1
/usr/libexec/iwd >{folder}/log 2>&1 & daemon=$!
for try in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
  sleep 2
  iwctl station wlan0 get-networks </dev/null >{folder}/list 2>&1
  [ $(grep -c -e MagentaWLAN -e SFR_ -e HP-Print -e Home-E1E1 {folder}/list) -lt 3 ] || break
done
cat {folder}/list
kill $daemon $bus
"""


def check(what, script):
    result = checking.run("unshare", "-m", "-n", "sh", "-c", isolated, BINARY, script, stdout=-1, stderr=-2,
                          timeout=120)
    said = re.sub(r"\x1b\[[0-9;]*m", "", result.stdout)
    checking.check(f"{what} lists the networks of the world", sum(name in said for name in names) >= 3, said)


def has_kernel_cryptography():
    try:
        socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET).close()
        return True
    except OSError:
        return False


if os.geteuid() != 0:
    skip("NetworkManager and iwd", "they need root")
elif not has("dbus-daemon", "unshare"):
    skip("NetworkManager and iwd", "dbus-daemon or unshare is not installed (Debian: dbus, util-linux)")
elif checking.run("unshare", "-m", "-n", "true").returncode != 0:
    skip("NetworkManager and iwd", "name spaces cannot be made here")
else:
    if has("NetworkManager", "wpa_supplicant"):
        check("NetworkManager over wpa_supplicant", manager)
    else:
        skip("NetworkManager", "it or wpa_supplicant is not installed (Debian: network-manager, wpasupplicant)")
    if not os.access("/usr/libexec/iwd", os.X_OK) or not has("iwctl"):
        skip("iwd", "it is not installed (Debian: iwd)")
    elif not has_kernel_cryptography():
        skip("iwd", "the kernel here has no AF_ALG")
    else:
        check("iwd", iwd)

