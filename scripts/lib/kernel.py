"""The kernel lane: a User Mode Linux kernel with virtual radios, built from Debian's source, and commands that run in
it. Needs neither root, nor modules, nor KVM. Python programs of kernel/ run in the guest, which sees the files of this
machine read-only."""

import fcntl
import hashlib
import os
import pathlib
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile

from lib.checking import BINARY, ROOT, check, count, fail, run

KERNEL = ROOT / "kernel"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "wifi-harness"
PYTHON = "/usr/bin/python3"
DAEMONS = ("supplicant", "networkmanager", "iwd")


# How many bytes of a processor's registers the kernel keeps for each program (HOST_FP_SIZE): 2,696 is up to AVX-512,
# and where there is more, as with AMX, Linux takes none back (PTRACE_SETREGSET gives EFAULT) and the guest dies.
REGISTERS = "s/HOST_FP_SIZE, 2696/HOST_FP_SIZE, 12288/"


def key(*parts):
    return hashlib.sha256("".join(parts).encode()).hexdigest()[:16]


def build():
    """The path of the kernel: `allnoconfig` plus fragment.config, built once and cached by both and the version of the
    source.
    """
    package = "linux-source-6.1"
    archive = f"/usr/src/{package}.tar.xz"
    fragment = (KERNEL / "fragment.config").read_text()
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        fail("User Mode Linux is built for Linux on x86_64.", 69)
    version = run("dpkg-query", "-W", "-f", "${Version}", package).stdout
    if not version or not os.path.exists(archive) or not os.path.exists("/lib/firmware/regulatory.db"):
        fail("the source of the kernel is missing: scripts/setup kernel installs it.", 69)
    cache = CACHE / "kernel"
    kernel = cache / key(fragment, f"{package} {version}\n", REGISTERS) / "linux"
    if kernel.exists():
        return kernel
    cache.mkdir(parents=True, exist_ok=True)
    if shutil.disk_usage(cache).free < 3e9:
        fail(f"building needs 3 GB in {cache}; XDG_CACHE_HOME names another folder.", 69)
    # One build at a time; a process that waited finds the result, and leaves the log to the one that builds.
    with open(cache / "lock", "w") as lock, tempfile.TemporaryDirectory(dir=cache) as work:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kernel.exists():
            return kernel
        log = open(cache / "build.log", "w")
        print(f"building {package} {version} (once, about 5 minutes on two processors); log: {log.name}",
              file=sys.stderr, flush=True)
        make = ["make", "-C", work, "ARCH=um", f"CC={os.environ.get('CC', 'gcc')}"]
        # Drivers that no configuration of ours compiles make up a third of the archive.
        for command in (
            ["tar", "-C", work, "-xf", archive, "--strip-components=1", "--exclude=*/drivers/gpu/drm/*.[ch]",
             "--exclude=*/arch/*/boot/dts/*.dts*",
             "--exclude=*/Documentation/*.rst"],
            ["sed", "-i", REGISTERS, f"{work}/arch/x86/um/user-offsets.c"],
            [*make, f"KCONFIG_ALLCONFIG={KERNEL}/fragment.config", "allnoconfig"],
            [*make, f"-j{os.cpu_count()}", "linux"],
        ):
            if subprocess.run(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL).returncode:
                fail(f"`{' '.join(command[:3])} …` failed; the end of {log.name} says why.", 69)
            # A symbol that a missing dependency silently dropped would show much later, as a radio that is not there.
            if command[-1] == "allnoconfig":
                accepted = pathlib.Path(work, ".config").read_text().splitlines()
                if dropped := [line for line in fragment.splitlines() if line.startswith("CONFIG_")
                               and line not in accepted]:
                    fail(f"this source does not accept {dropped} (kernel/fragment.config).", 69)
        kernel.parent.mkdir(exist_ok=True)
        shutil.copy(f"{work}/.config", kernel.parent / "config")
        subprocess.run(["strip", "-o", f"{kernel}.new", f"{work}/linux"], check=True)
        os.rename(f"{kernel}.new", kernel)
    return kernel


def boot(*command, radios=2, real_time=False, limit=120, out=None, start=1_600_000_000, stdout=None):
    """Boots the kernel, runs one command in it as root, and gives its exit status: 70 where the guest died, 124 where
    it did not end.

    Time is virtual, a sleep costs nothing, unless `real_time` is wanted. The guest has the radios wlan0 … and sees
    `out`, writable, as $OUT.
    """
    kernel = build()
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(out or f"{scratch}/out").resolve()
        out.mkdir(parents=True, exist_ok=True)
        if set(f"{out}{KERNEL}") & set(" \t\n,"):
            fail(f"a path with a blank or a comma cannot be given to the kernel: {out}, {KERNEL}", 64)
        # The command travels as a file, because a kernel command line cannot carry it.
        (out / ".command").write_text(f"set -- {shlex.join(map(str, command))}\nexec \"$@\"\n")
        (out / ".status").unlink(missing_ok=True)
        time = [] if real_time else ["time-travel=inf-cpu", f"time-travel-start={start}000000000"]
        with open(f"{scratch}/errors", "w+") as errors:
            # One processor: a guest that moves between processors is several times slower.
            done = subprocess.run(
                ["timeout", "--foreground", "-k", "5", str(limit), "taskset", "-c", str(max(os.sched_getaffinity(0))),
                 kernel, "mem=512M",
                 "rootfstype=hostfs", "rootflags=/", "ro", "con0=fd:0,fd:1", "con=null", "ssl=null", "quiet",
                 f"mac80211_hwsim.radios={radios}",
                 *time, f"init={KERNEL}/init", f"HARNESS_OUT={out}", f"umid=harness-{os.getpid()}",
                 f"uml_dir={scratch}/"],
                stdin=subprocess.DEVNULL, stdout=stdout, stderr=errors, env=os.environ | {"TMPDIR": "/dev/shm"})
            errors.seek(0)
            said = errors.read()
        (out / ".command").unlink()
        status = out / ".status"
        if status.exists():
            result = int(status.read_text())
            status.unlink()
            return result
    print(f"the guest did not end within {limit} s."
          if done.returncode == 124 else f"the guest died ({done.returncode}):\n{said[-2000:]}",
          file=sys.stderr, flush=True)
    return 124 if done.returncode == 124 else 70


def guest(name, *arguments, **options):
    """Runs a Python program of kernel/ in the guest, and counts its lines `ok` and `FAIL`; gives them."""
    what = " ".join([name, *(str(one) for one in arguments if one and "/" not in str(one))])
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        status = boot(PYTHON, KERNEL / name, *arguments, stdout=output, **options)
        output.seek(0)
        lines = output.read().splitlines()
    print("\n".join(lines), flush=True)
    count(lines)
    has_failed = any(line.startswith("FAIL ") for line in lines)
    check(f"{what} came to its end", status == 1 and has_failed or status == 0 and not has_failed, f"status {status}")
    return lines


def over(daemons, name, *arguments, **options):
    """Runs a program of kernel/ for each daemon."""
    folder = unpacked_daemons()
    return {daemon: guest(name, BINARY, daemon, folder, *arguments, **options) for daemon in daemons}


def unpacked_daemons():
    """The folder with the daemons that join networks; empty where all are installed.

    An installed NetworkManager begins to manage the machine. So Debian's packages of it and of iwd are unpacked into
    the cache, with the libraries that the machine lacks, and kernel/overlay.py puts them where they belong in the
    guest.
    """
    def is_installed(package):
        return "ok installed" in run("dpkg-query", "-W", "-f", "${Status}", package).stdout

    missing = [name for name in ("dbus", "hostapd", "iwd", "network-manager", "wpasupplicant")
               if not is_installed(name)]
    if not missing:
        return ""
    known = run("apt-cache", "show", "--no-all-versions", *missing).stdout.splitlines()
    versions = [line for line in known if line.startswith("Version: ")]
    if not versions:
        fail(f"apt knows none of {missing}; run: sudo apt-get update", 69)
    folder = CACHE / "daemons" / key(*missing, *versions)
    if folder.exists():
        return str(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        # Their libraries, too, but not what boots a machine.
        lines = run("apt-get", "install", "--print-uris", "-qq", "-y", "--no-install-recommends",
                    *missing).stdout.splitlines()
        names = [line.split()[1].partition("_")[0] for line in lines if line.startswith("'")]
        names = [name for name in names if "systemd" not in name and "udev" not in name]
        print("unpacking", *names, file=sys.stderr, flush=True)
        done = run("apt-get", "download", "-qq", *names, cwd=work, timeout=600)
        if done.returncode or not names:
            fail(f"the packages {names} could not be downloaded: {done.stderr}", 69)
        root = pathlib.Path(work, "root")
        for package in pathlib.Path(work).glob("*.deb"):
            subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
        # A root whose /lib is a link to /usr/lib has one place for both.
        for name in ("bin", "sbin", "lib"):
            if (root / name).exists():
                shutil.copytree(root / name, root / "usr" / name, symlinks=True, dirs_exist_ok=True)
                shutil.rmtree(root / name)
        for name in ("doc", "locale", "man"):
            shutil.rmtree(root / "usr/share" / name, ignore_errors=True)
        subprocess.run(["chmod", "-R", "u+w", root], check=True)
        shutil.move(root, folder)
    return str(folder)
