"""Runs in the guest: installs the Debian package over an overlay, and scans as a member of its group and as another
user.

    package.py PACKAGE

Prints `ok` or `FAIL` for each check.
"""

import json
import os
import sys

from lib import checking
from lib.checking import check, must, run
from lib.layers import changed, differences

HERE = os.path.dirname(os.path.abspath(__file__))
SPACE = "/run/space"
ROOT = f"{SPACE}/root"
HELPER = "/usr/libexec/wifi-harness/wifi-harness-privileged"


def within(*command):
    return run("chroot", ROOT, *command)


def member(user, *command):
    """Runs a command as a user who logged in: with the groups of that user, and no capability."""
    return within("runuser", "-u", user, "--", *command)


# What is written goes to memory: the root of the guest is the host's, and is read only.
os.makedirs(SPACE)
must("mount", "-t", "tmpfs", "tmpfs", SPACE)
for name in ["upper", "work", "root"]:
    os.mkdir(f"{SPACE}/{name}")
must("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={SPACE}/upper,workdir={SPACE}/work", ROOT)
for name in ["proc", "sys", "dev"]:
    must("mount", "--rbind", f"/{name}", f"{ROOT}/{name}")
for name in ["tmp", "run"]:
    must("mount", "-t", "tmpfs", "-o", "mode=1777" if name == "tmp" else "mode=755", "tmpfs", f"{ROOT}/{name}")
with open(sys.argv[1], "rb") as source, open(f"{ROOT}/tmp/package.deb", "wb") as target:
    target.write(source.read())

must("sh", f"{HERE}/lab/up")
for user in ["walker", "other"]:
    must("chroot", ROOT, "useradd", "--no-create-home", user)
before = changed(f"{SPACE}/upper")
installed = within("dpkg", "--install", "--force-depends", "/tmp/package.deb")
check("it installs", HELPER in changed(f"{SPACE}/upper") and installed.returncode == 0, installed.stdout + installed.stderr)
must("chroot", ROOT, "usermod", "-aG", "wifi-harness", "walker")
caps = within("getcap", HELPER)
check("the helper has its capability", "cap_net_admin=ep" in caps.stdout, caps)
name = within("sh", "-c", "command -v wifi-harness").stdout.strip()
check("the command is the package's, without a capability",
      name == "/usr/bin/wifi-harness" and not within("getcap", name).stdout.strip(), name)

everything = within("wifi-harness", "scan", "--interface", "wlan0", "--format", "json")
check("root scans", everything.returncode == 0, everything.stderr)
heard = {bss["ssid"] for bss in json.loads(everything.stdout or '{"bss": []}')["bss"]}
scan = member("walker", "wifi-harness", "scan", "--interface", "wlan0", "--flush", "--format", "json")
check("a member of the group scans", scan.returncode == 0, scan.stderr)
heard_by_member = json.loads(scan.stdout or '{"bss": [], "completion": ""}')
check("what a member hears is what root hears",
      {"Lab SAE", "Lab Mixed"} <= {bss["ssid"] for bss in heard_by_member["bss"]} & heard, heard_by_member["bss"][:1])
check("it was a scan of their own", heard_by_member["completion"] == "complete", heard_by_member["completion"])
scan = member("other", "wifi-harness", "scan", "--interface", "wlan0")
check("another user may not scan: status 77, and how to change it", scan.returncode == 77 and "adduser" in scan.stderr,
      scan)
scan = member("other", "wifi-harness", "scan", "--interface", "wlan0", "--cached")
check("another user sees what the kernel knows", scan.returncode == 0 and "Lab SAE" in scan.stdout, scan)
watch = member("walker", "wifi-harness", "watch", "--interface", "wlan0", "--count", "1", "--exec",
               "sh -c 'cat /proc/self/status >/tmp/child.$$'")
child = within("sh", "-c", "cat /tmp/child.*").stdout.split("\n")
held = {line.split()[1] for line in child if line.startswith(("CapInh:", "CapPrm:", "CapEff:", "CapAmb:"))}
check("what a command starts for a member has no capability", held == {"0" * 16}, (watch, held))
# A group with members stays, as another administrator's decision would.
must("chroot", ROOT, "gpasswd", "--delete", "walker", "wifi-harness")
removed = within("dpkg", "--purge", "--force-depends", "wifi-harness")
check("it is removed", removed.returncode == 0, removed.stdout + removed.stderr)
left = differences(before, changed(f"{SPACE}/upper"))
check("nothing is left of it, and no other file is changed", not left, left)
check("nor is it known to dpkg", within("dpkg", "-s", "wifi-harness").returncode != 0)
sys.exit(checking.end())
