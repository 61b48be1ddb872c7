"""Runs in the guest: puts the files of unpacked packages where they belong, over a root that stays as it is.

    overlay.put(FOLDER)     FOLDER is what unpacked_daemons gives (scripts/lib/kernel.py); empty where everything is installed

A tmpfs covers /usr. It has links to what was there, and copies of what the packages bring: NetworkManager loads no
plugin that another user than root owns, and on the host these files belong to the user who unpacked them.
"""

import os
import shutil
import subprocess

BELOW = "/run/below"


def put(folder):
    if not folder:
        return
    os.makedirs(BELOW, exist_ok=True)
    subprocess.run(["mount", "--bind", "/usr", BELOW], check=True)
    made = "/run/usr"
    os.makedirs(made)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", made], check=True)
    merge(f"{folder}/usr", BELOW, made)
    subprocess.run(["mount", "--move", made, "/usr"], check=True)


def merge(above, below, made):
    """Fills the folder `made` with what is in either, that above first."""
    upper = set(os.listdir(above))
    for name in os.listdir(below) if os.path.isdir(below) else ():
        if name not in upper:
            os.symlink(f"{below}/{name}", f"{made}/{name}")
    for name in sorted(upper):
        source, target = f"{above}/{name}", f"{made}/{name}"
        if os.path.isdir(source) and not os.path.islink(source):
            os.mkdir(target)
            merge(source, f"{below}/{name}", target)
        else:
            shutil.copy(source, target, follow_symlinks=False)
