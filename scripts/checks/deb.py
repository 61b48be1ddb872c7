"""Installs the Debian package in a copy of this system that is thrown away, uses it as three users, attacks it, and
removes it.

Needs root and overlay mounts; the copy is a mount of its own, so nothing of this system changes. An attack tries to run
a program of the member's own with CAP_NET_ADMIN; the check fails where one succeeds, and where one no longer attacks.
"""
import atexit
import gzip
import json
import os
import pathlib
import re
import shutil
import tempfile
import time

from lib import checking
from lib.checking import BINARY, ROOT, check, must, run, start, until, write
from lib.layers import changed, differences

package = os.environ.get("WIFI_HARNESS_PACKAGE") or must(ROOT / "scripts/deb", BINARY, timeout=600).strip()
os.environ["WIFI_HARNESS_PACKAGE"] = package
checking.go_inside("--mount", "--propagation", "private")
done = run("lintian", "--fail-on", "error", package, timeout=600)
check("lintian finds no error", done.returncode == 0, done)

# Removed only when it is empty: what is mounted below is this system's.
space = pathlib.Path(tempfile.mkdtemp(prefix="deb-"))
atexit.register(lambda: run("umount", "-l", space).returncode or space.rmdir())
must("mount", "-t", "tmpfs", "none", space)
upper, root = space / "upper", space / "root"
for path in (upper, space / "work", root):
    path.mkdir()
must("mount", "-t", "overlay", "overlay", "-o", f"lowerdir=/,upperdir={upper},workdir={space}/work", root)
for name in ("proc", "dev"):
    must("mount", "--rbind", f"/{name}", root / name)
shutil.copy(package, root / "package.deb")
HELPER = "/usr/libexec/wifi-harness/wifi-harness-privileged"
DOCUMENTS = root / "usr/share/doc/wifi-harness"


def within(*command, **options):
    return run("chroot", root, *command, env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
               **({"timeout": 600} | options))


def prepare(*command):
    done = within(*command)
    if done.returncode:
        checking.fail(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def as_user(user, *command, **options):
    return within("runuser", "-u", user, "--", *command, **options)


for user in ("member", "other"):
    prepare("useradd", "--create-home", user)
prepare("apt-get", "install", "-y", "--no-install-recommends", "adduser", "libcap2-bin")
changed_before, groups_before = changed(upper), sorted(prepare("getent", "group").splitlines())
done = within("apt-get", "install", "-y", "--no-install-recommends", "/package.deb")
check("it installs", done.returncode == 0, done)
check("changed() sees what is installed", str(HELPER) in changed(upper))
check("the group is there", within("getent", "group", "wifi-harness").returncode == 0)
within("usermod", "-aG", "wifi-harness", "member")
capabilities = [within("getcap", name).stdout for name in (HELPER, "/usr/bin/wifi-harness")]
check("the helper has its capability, the command none", "cap_net_admin=ep" in capabilities[0] and not capabilities[1],
      capabilities)
done = as_user("member", "wifi-harness", "doctor")
check("a member of the group may scan", "CAP_NET_ADMIN: yes" in done.stdout.splitlines(), done)
done = as_user("other", "wifi-harness", "doctor")
check("another user may not, and reads what to do", "sudo adduser" in done.stdout, done)
done = as_user("other", HELPER, "--version")
check("another user may not start the helper", done.returncode != 0 and "ermission denied" in done.stderr, done)

# --- Attacks of a member -------------------------------------------------------------------------------------

place = root / "home/member/attack"


def started():
    """The capabilities of the member's program each time that it was started since it was forgotten."""
    return [path.read_text().split() for path in place.glob("started.*")]


def with_capability():
    return [numbers for numbers in started() if any(int(number, 16) for number in numbers)]


def crash(command):
    """Ten crashes of `scan` at ten moments, with so many arguments that reading them takes a while."""
    for path in place.glob("started.*"):
        path.unlink()
    for number in range(1, 11):
        as_user("member", "bash", "-c", """names=(); for index in {1..4000}; do names+=(--name "n$index"); done
            SWIFT_BACKTRACE=$1 "$2" scan "${names[@]}" >/dev/null 2>&1 &
            sleep "$3"; kill -SEGV $! 2>/dev/null; wait $! 2>/dev/null; exit 0""", "-", backtrace, command, f"0.0{number * 9 + 5}")


prepare("install", "-d", "-o", "member", "-m", "755", "/home/member/attack")
# Capabilities are its own: a grep that it started would show only what it inherits.
write(place / "program", """#!/bin/bash
while read -r name value; do
  case $name in CapPrm:) permitted=$value ;; CapEff:) effective=$value ;; CapAmb:) ambient=$value ;; esac
done </proc/$$/status
echo "$permitted $effective $ambient" >"/home/member/attack/started.$$"
""", 0o755)
program = "/home/member/attack/program"
backtrace = f"enable=yes,swift-backtrace={program}"
# The same helper with the caller's environment, as another one could pass it: this shows that the crashes do start a
# program of the member's, and that the command alone keeps the capability to itself.
source = (ROOT / "packaging/debian/privileged.c").read_text()
another = source.replace("execve(COMMAND, arguments, passed)", "execve(COMMAND, arguments, environment)")
check("the helper passes no environment of the caller's", another != source)
must("cc", "-Os", "-static", "-Wno-unused", "-x", "c", "-o", root / "usr/libexec/wifi-harness/open", "-", input=another)
prepare("chgrp", "wifi-harness", "/usr/libexec/wifi-harness/open")
prepare("setcap", "cap_net_admin=ep", "/usr/libexec/wifi-harness/open")
crash("/usr/libexec/wifi-harness/open")
check(f"a command that crashes with the caller's environment starts the program that it names ({len(started())} of 10)",
      started())
check("and that program has no capability", not with_capability(), started())
(root / "usr/libexec/wifi-harness/open").unlink()
crash(HELPER)
check("a crash after the helper starts no program of the member's", not started(), started())
crash("wifi-harness")
check("nor does a crash of the command that starts itself again give a capability", not with_capability(), started())
as_user("member", HELPER, "watch", "--simulate", "home", "--seed", "7", "--count", "3", "--exec", program)
as_user("member", HELPER, "run", "--world", "home", "--seed", "7", "--", program)
check("programs that the command starts for events and on a simulated kernel have no capability",
      started() and not with_capability(), started())
# What the command gets of the environment, and what its user can read of it, while it waits for its input.
os.mkfifo(place / "input")
owner = place.stat()
os.chown(place / "input", owner.st_uid, owner.st_gid)
passed = ["LD_PRELOAD=", "LD_LIBRARY_PATH=/tmp", "GLIBC_TUNABLES=glibc.malloc.check=3", f"SWIFT_BACKTRACE={backtrace}",
          "SWIFT_DEBUG_ENABLE_MALLOC_SCRIBBLE=1",
          "TERMINFO=/tmp", "TERMINFO_DIRS=/tmp", "NCURSES_TRACE=1", "LOCPATH=/tmp", "NLSPATH=/tmp", "TZ=:/etc/shadow",
          "TZDIR=/tmp", "HOSTALIASES=/tmp/hosts",
          "RES_OPTIONS=debug", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/tmp/bus", "WPA_CTRL_DIR=/tmp",
          "WIFI_HARNESS_KERNEL=/tmp", "MALLOC_TRACE=/tmp/trace",
          "TERM=xterm", "LC_ALL=C.UTF-8"]
start("chroot", root, "runuser", "-u", "member", "--", "env", *passed, "bash", "-c",
      'echo $$ >"$1/pid"; exec "$2" panel --linear <"$1/input"', "-",
      "/home/member/attack", HELPER, stdout=-3, stderr=-3)
with open(place / "input", "w"):
    pid = until(lambda: (place / "pid").exists() and (place / "pid").read_text().strip())
    process = pathlib.Path("/proc") / pid
    until(lambda: (process / "comm").read_text() == "wifi-harness\n", 5)
    time.sleep(0.2)
    variables = dict(one.partition("=")[::2] for one in (process / "environ").read_text().split("\0") if one)
    allowed = re.compile("(HOME|LANG|LANGUAGE|LC_.*|LOGNAME|PATH|PWD|SHELL|SWIFT_BACKTRACE|TERM|USER|WIFI_HARNESS_PRIVILEGED|XDG_.*)")
    check("of the environment the command gets what is on the list",
          variables.get("SWIFT_BACKTRACE") == "enable=no" and all(map(allowed.fullmatch, variables)), variables)
    held = {name: int(value, 16) for name, value in re.findall(r"(Cap\w+):\s*(\w+)", (process / "status").read_text())}
    check("the command has the capability, and hands none on",
          held["CapEff"] and not held["CapAmb"] and not held["CapInh"], held)
    done = as_user("member", "bash", "-c", 'exec 3<"/proc/$1/mem"', "-", pid)
    check("its user cannot open its memory", done.returncode != 0 and "ermission denied" in done.stderr, done)
headers = must("readelf", "-hl", f"{root}{HELPER}")
check("the helper is a static program that the kernel places at random",
      re.search(r"Type:\s+DYN", headers) and "INTERP" not in headers, headers)
shutil.rmtree(place)

# --- What is in it, and what is left -------------------------------------------------------------------------

done = as_user("other", "wifi-harness", "simulate", "--seed", "7", "--world", "home", "--duration", "20s")
check("another user simulates", done.returncode == 0, done)
listed = as_user("other", "wifi-harness", "--help").stdout.partition("SUBCOMMANDS:")[2]
for command in ("", *re.findall(r"^  ([a-z]+) ", listed, re.M)):
    name = "wifi-harness" + (f"-{command}" if command else "")
    page = root / f"usr/share/man/man1/{name}.1.gz"
    text = gzip.decompress(page.read_bytes()).decode() if page.exists() else ""
    check(f"the manual page {name} is there",
          re.search(r"^\.(Sh|SH) NAME", text, re.M) and name in text and len(text) > 500, text[:200])
licences = {path.name.removesuffix(".txt").removesuffix(".NOTICE") for path in (DOCUMENTS / "licenses").glob("*")
            if path.stat().st_size}
check("the licences of what is linked into it are there",
      licences >= {"swift", "libnl3", "ncurses", "libyaml", "libzstd", "glibc", "gcc-12", "swift-nio"}
      and "llhttp" in (DOCUMENTS / "licenses/swift-nio.NOTICE.txt").read_text()
      and "LGPL" in (DOCUMENTS / "licenses/libnl3.txt").read_text(), licences)
copyright = " ".join((DOCUMENTS / "copyright").read_text().split())
check("and how to link it with a changed libnl or C library, as the LGPL asks",
      "You may change them and link this program with what you changed (section 6 of that licence)" in copyright
      and "`make deb` links it with the libraries that are installed then" in copyright, copyright[-1000:])
bill = json.loads((DOCUMENTS / "wifi-harness.spdx.json").read_text())
names = {part["name"] for part in bill["packages"]}
check("the bill of materials names each of them",
      bill["spdxVersion"] == "SPDX-2.3" and len(names) == len(bill["packages"]) >= 12
      and licences == names - {"wifi-harness"}
      and all(part["versionInfo"] and part["licenseConcluded"] for part in bill["packages"])
      and {one["relatedSpdxElement"] for one in bill["relationships"] if one["relationshipType"] == "STATIC_LINK"}
      == {part["SPDXID"] for part in bill["packages"][1:]}, (names, licences))
# A group with members stays, as another administrator's decision would.
prepare("gpasswd", "--delete", "member", "wifi-harness")
done = within("apt-get", "purge", "-y", "wifi-harness")
check("it is removed", done.returncode == 0, done)
within("apt-get", "clean")
left = differences(changed_before, changed(upper))
check("nothing is left of it, and no other file is changed", not left, left)
check("nor its group", sorted(prepare("getent", "group").splitlines()) == groups_before)
