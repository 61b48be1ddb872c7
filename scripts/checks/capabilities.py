"""Gives the command CAP_NET_ADMIN as the package's helper does, and reads what it keeps of it while it runs.

Needs root, or user name spaces.
"""
import os
import pathlib
import re
import shutil
import subprocess

from lib import checking
from lib.checking import BINARY, check, line_with, start, until

folder = pathlib.Path(checking.folder())
# The user below may not reach the folder in which it was built.
folder.chmod(0o755)
command = shutil.copy(BINARY, folder / "wifi-harness")
shutil.copy(pathlib.Path(BINARY).with_name("libwifi-harness-preload.so"), folder)
given = (["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=+net_admin", "--ambient-caps=+net_admin"]
         if os.geteuid() == 0 else ["unshare", "--user", "--map-current-user", "--keep-caps"])
CAP_NET_ADMIN = 1 << 12
HOME = ("--simulate", "home", "--seed", "7")


def begin(*arguments):
    """Starts the command, which waits for its input or for time to pass."""
    return start(*given, command, *arguments, stdin=subprocess.PIPE, cwd=folder, env=os.environ | {"WIFI_HARNESS_PRIVILEGED": "1"})


def held(process):
    """What any thread of a process has in any of its sets."""
    sets = 0
    for task in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        for value in re.findall(r"Cap(?:Inh|Prm|Eff|Amb):\s*(\w+)", (task / "status").read_text()):
            sets |= int(value, 16)
    return sets


# It lists what the kernel hears, and tries again where there is no adapter.
process = begin("panel", "--linear")
check("a command that asks an adapter starts", line_with(process.stdout, "Type help"))
check("and has the capability", held(process) & CAP_NET_ADMIN, hex(held(process)))
for arguments in (["watch", *HOME], ["panel", "--linear", *HOME], ["serve", "--port", "0", *HOME], ["replay", "-"], ["decode", "-"]):
    process = begin(*arguments)
    check(f"{' '.join(arguments)} has no capability", until(lambda: held(process) == 0, 10) and process.poll() is None,
          (process.poll(), hex(held(process)) if process.poll() is None else process.communicate()))
process = begin("run", "--world", "home", "--seed", "7", "--pace", "real", "--", "sh", "-c", "echo begun; sleep 30")
check("run has no capability", line_with(process.stdout, "begun") and held(process) == 0, process.poll())
