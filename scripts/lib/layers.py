"""What a package does to a copy of a system that is an overlay (overlayfs) of this one."""

import hashlib
import os
import pathlib
import re
import stat

# A package may leave the records of dpkg and apt, caches, logs, and the copies that the tools for users keep.
LEFT = re.compile(r"/(tmp|root|var/lib/dpkg|var/lib/apt|var/log|var/cache)(/|$)|/etc/[a-z]+-$")


def state(path):
    """What a file is: its mode, its owner and its content."""
    found = path.lstat()
    content = None
    if path.is_symlink():
        content = os.readlink(path)
    elif path.is_file():
        content = hashlib.sha256(path.read_bytes()).hexdigest()
    return found.st_mode, found.st_uid, found.st_gid, content


def changed(upper):
    """What of the copy is other than this system: new, changed, or missing (a character device: overlayfs, "whiteouts")."""
    found = {}
    for folder, folders, names in os.walk(upper):
        for name in folders + names:
            path = pathlib.Path(folder, name)
            place = pathlib.Path("/") / path.relative_to(upper)
            if LEFT.match(str(place)):
                continue
            now = None if stat.S_ISCHR(path.lstat().st_mode) else state(path)
            if now != (state(place) if os.path.lexists(place) else None):
                found[str(place)] = now
    return found


def differences(before, after):
    return {path: (before.get(path), after.get(path)) for path in before | after if before.get(path) != after.get(path)}
