"""Tries every known way out of a simulation, as root in name spaces of its own.

A machine is planted around the simulation: an interface real0, a device of rfkill, a system bus and a control socket of
wpa_supplicant. Each way is a row of the table below: it is served by the simulated kernel or refused with a sentence.
Nothing of the planted machine may be read, and nothing of it may be changed.
"""
import ctypes
import os
import re
import shutil
import socket
import stat
import struct
import sys
import time

from lib import checking
from lib.checking import ROOT, check, fail, in_background, must as command, run, start, write

if os.geteuid() != 0:
    fail("`make check NAME=ways-out` needs root, to plant a machine in name spaces of its own.")
checking.go_inside("--net", "--mount", "--uts", "--pid", "--fork", "--kill-child")

# The machine.
address = "02:5e:cd:00:be:ef"
for words in [
    ("mount", "--make-rprivate", "/"), ("mount", "-t", "proc", "none", "/proc"),
    ("mount", "-t", "sysfs", "none", "/sys"),
    ("ip", "link", "add", "real0", "address", address, "type", "veth", "peer", "name", "real1"),
    ("ip", "link", "set", "lo", "up"),
    ("mount", "-t", "tmpfs", "none", "/run"),
]:
    command(*words)
os.makedirs("/run/udev/data")
write("/run/udev/data/n2", "REAL\n")
folder = checking.folder()
folder.chmod(0o755)
os.chdir(folder)
os.mkdir("devices")
command("mount", "-t", "tmpfs", "none", "devices")
for name in ("null", "zero", "urandom", "random", "tty"):
    command("cp", "-a", f"/dev/{name}", "devices")
os.makedirs("devices/net")
if os.path.exists("/dev/net/tun"):
    command("cp", "-a", "/dev/net/tun", "devices/net")
write("devices/rfkill", "REAL REAL")
command("mount", "--move", "devices", "/dev")
heard = []


def listen(path, kind):
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    listener = socket.socket(socket.AF_UNIX, kind)
    listener.bind(path)
    if kind == socket.SOCK_STREAM:
        listener.listen()

    def wait():
        while True:
            heard.append((path, listener.accept()[0] if kind == socket.SOCK_STREAM else listener.recv(4096)))

    in_background(wait)


listen("/run/dbus/system_bus_socket", socket.SOCK_STREAM)
listen("/run/wpa_supplicant/real0", socket.SOCK_DGRAM)
listen("\0wpa_global", socket.SOCK_DGRAM)
listen(f"{folder}/agent", socket.SOCK_STREAM)


def read(path):
    with open(path) as file:
        return file.read()


def files():
    """What /run and /dev hold: what each file is, and its text."""
    paths = [os.path.join(path, name) for top in ("/run", "/dev") for path, _, names in os.walk(top) for name in names]
    states = {path: os.lstat(path) for path in paths}
    return {path: (found.st_mode, found.st_rdev, read(path) if stat.S_ISREG(found.st_mode) else "") for path,
            found in states.items()}


class Adjustment(ctypes.Structure):
    """struct timex of adjtimex(2)."""

    _fields_ = [("modes", ctypes.c_uint), ("numbers", ctypes.c_long * 25)]


def clock():
    """What a program could change of the clock: how it is steered, and whether it is where it was (0.5 s are left to
    the machine).
    """
    adjustment = Adjustment()
    ctypes.CDLL(None).adjtimex(ctypes.byref(adjustment))
    return adjustment.numbers[4] & 0x3F, adjustment.numbers[10], abs(time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) - epoch) < 0.5


epoch = time.time() - time.clock_gettime(time.CLOCK_BOOTTIME)


def state():
    """What of the machine a program could change."""
    interface = "/sys/class/net/real0"
    return {
        "links": sorted(os.listdir("/sys/class/net")), "flags": read(f"{interface}/flags"),
        "mtu": read(f"{interface}/mtu"),
        "mode": os.stat(f"{interface}/mtu").st_mode, "files": files(),
        "routes": command("ip", "route", "show", "table", "all"),
        "rules": command("ip", "rule"), "addresses": command("ip", "-o", "address"),
        "neighbors": command("ip", "neighbor", "show", "nud", "all"),
        "forwarding": read("/proc/sys/net/ipv4/ip_forward"),
        "setting": read("/proc/sys/net/ipv4/conf/real0/forwarding"),
        "ipv6": read("/proc/sys/net/ipv6/conf/real0/disable_ipv6"),
        "clock": clock(), "packet filters": command("nft", "list", "ruleset"), "queues": command("tc", "qdisc", "show"),
        "traffic filters": command("tc", "filter", "show", "dev", "real0"), "name": socket.gethostname(),
        "daemons": list(heard), "victim": victim.poll(),
    }


# What the rows use.
source = f"{ROOT}/Tests/Programs/ways-out.c"
command("cc", "-Wall", "-Wextra", "-Werror", "-o", "ways-out", source)
command("cc", "-DSTATIC", "-static", "-w", "-o", "static", source)
ip = shutil.which("ip")
shutil.copy(ip, "set-user-id")
os.chmod("set-user-id", 0o4755)
shutil.copy(ip, "capable")
os.chmod("capable", 0o755)
command("setcap", "cap_net_admin+ep", "capable")
# A program of 32 bits: ends with 0.
code = bytes.fromhex("31db31c040cd80")
with open("foreign", "wb") as file:
    file.write(struct.pack("<4s12B", b"\x7fELF", 1, 1, 1, *[0] * 9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0x8048054,
        52, 0, 0, 52, 32, 1, 0, 0, 0))
    file.write(struct.pack("<IIIIIIII", 1, 0, 0x8048000, 0x8048000, 84 + len(code), 84 + len(code), 5, 4096) + code)
os.chmod("foreign", 0o755)
write("lookup.py",
      "import ctypes\nlibrary = ctypes.CDLL('libc.so.6', use_errno=True)\nnumber = library.if_nametoindex(b'wlan0')\n"
      "print('index', number, library.socket(16, 3, 0) >= 0, library.if_nametoindex(b'real0'))\n")
write("alarm.py",
      "import os, signal, sys, time\nsignal.signal(signal.SIGALRM, lambda *_: (print('woken', os.getpid()), os._exit(0)))\n"
      "signal.alarm(5)\ntime.sleep(3600)\nprint('slept')\n")
write("connect.py", """import os, socket, sys
os.makedirs("inside", exist_ok=True)
if len(sys.argv) > 2:
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen()
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    print("connected")
except FileNotFoundError:
    print("absent")
for path in sys.argv[2:]:
    os.unlink(path)
""")
# The process whose number a process of an inner name space could have.
victim = start("setsid", "sleep", "1000")
os.environ["VICTIM"] = str(victim.pid)
up, device = "../" * 12, "sys/devices/virtual/net/real0"

# MARK: The table: what, the command, and what it prints in the end.
# An error names the file that it is about, too.
served = r"^(?!.*(?:No such|[Dd]enied|not permitted|[Cc]annot|error )).*(?:wlan0|02:00:00:00:00:00)"
refused = r"^wifi-harness: .* a simulation is closed\.$"


def way(name):
    return ["./ways-out", name]


def shell(text):
    return ["sh", "-c", text]


table = [
    # Sockets.
    ("socket of the C library by a handle", way("looked_up"), "link wlan0"),
    ("the same in Python's ctypes", [sys.executable, "lookup.py"], r"index 3 True 0"),
    ("a generic netlink socket by its number", way("raw_generic"), refused),
    ("a route netlink socket by its number", way("raw_route"), refused),
    ("events of devices by the number", way("raw_uevent"), refused),
    ("a packet socket by its number", way("raw_packet"), refused),
    ("a socket of the firewall", way("netfilter"), refused),
    ("a packet socket of the old kind", way("old_packet"), refused),
    ("a socket of another radio", way("bluetooth"), refused),
    ("io_uring", way("io_uring"), refused),
    ("a static child", shell("./static raw_route"), refused),
    ("a static child that reads", shell("./static raw_open"), served),
    ("a static child that blocks the radio", shell("./static raw_block"), "blocked 1"),
    ("a call of the 32-bit system", way("foreign_call"), r"another architecture.*ended\.\n\Z"),
    ("names and addresses, without a sentence", way("addresses"), r"\Astatus 0\n\Z"),
    # Requests.
    ("the table of addresses by the number of ioctl", way("raw_table"), refused),
    ("an interface that is brought up by the number of ioctl", way("raw_up"), refused),
    ("wireless extensions by the number of ioctl", way("raw_wireless"), refused),
    ("a new bridge", way("bridge"), refused),
    ("a new tunnel", way("tunnel"), refused),
    ("route add", shell("route add -net 198.51.100.0/24 dev lo"), refused),
    ("route del", shell("route del -net 127.0.0.0/8 dev lo"), refused),
    ("arp -s", shell("arp -i real0 -s 198.51.100.7 02:00:00:00:00:07"), refused),
    ("ifconfig", shell("ifconfig real0 up"), r"real0: .*(No such device|not found)"),
    ("ip link set of a real interface", shell("ip link set real0 up"), "Cannot find device"),
    ("ip route add", shell("ip route add 198.51.100.0/24 dev lo"), "not supported"),
    ("a socket bound to a real interface", way("bind_to_device"), refused),
    ("a socket bound to the loopback", way("bind_to_loopback"), r"\Adone\n\Z"),
    ("a table of packet filters", way("packet_filter"), refused),
    ("the rules of packet filters", way("read_packet_filter"), refused),
    # Paths.
    ("a file of sysfs by its number", way("raw_open"), served),
    ("that of a real interface", way("raw_open_real"), "ENOENT"),
    ("openat2", way("raw_openat2"), served),
    ("a path with dots", way("raw_dots"), served),
    ("/proc/self/net/dev", way("raw_table_of_process"), served),
    ("/proc/thread-self/net/dev", way("raw_table_of_thread"), served),
    ("/proc/PID/task/TID/net/dev", way("raw_table_of_number"), served),
    ("/proc/1/net/dev", way("table_of_init"), served),
    ("/proc/self/root", way("by_root"), served),
    ("a symbolic link to /sys/class", way("by_link"), served),
    ("a symbolic link to /sys/class/net", way("by_link_real"), "ENOENT"),
    ("a path from /sys/class as the folder", way("by_folder"), served),
    ("a path from a folder of the simulated kernel", way("by_entered_folder"), served),
    ("that folder by the number of chdir", way("raw_enter"), refused),
    ("a path from a descriptor", way("by_descriptor"), served),
    ("a path through a descriptor in /proc", way("by_descriptor_link"), served),
    ("glob", way("pattern"), served),
    ("fts", way("tree"), served),
    ("ls", shell("ls -l /sys/class/net/ /sys/class/ieee80211/"), served),
    ("find", shell("find /sys/class/net/"), served),
    ("cat of the shell's folder", shell("cd /sys/class/net/wlan0 && cat address"), served),
    ("stat by its number", way("raw_status"), "done"),
    ("that of a real interface", way("raw_status_real"), "ENOENT"),
    ("readlink by its number", way("raw_link"), "ieee80211/phy0"),
    ("that of a real interface", way("raw_link_real"), "ENOENT"),
    ("a real interface among devices", way("device"), refused),
    ("the table of neighbors", way("neighbors"), refused),
    ("what udev knows of an interface", way("udev"), refused),
    ("a setting of a real interface", way("write_setting"), "ENOENT"),
    ("a setting of a simulated interface", way("write_own_setting"), r"done\n1"),
    ("that of a real one by the number", way("write_raw_setting"), "ENOENT"),
    ("forwarding", way("write_forwarding"), refused),
    ("sysctl -w", shell("sysctl -w net.ipv4.ip_forward=1"), refused),
    ("the largest packet of a real interface", way("write_size"), refused),
    ("that among devices", way("write_device"), refused),
    ("the mode of a file of sysfs", way("change_mode"), refused),
    ("that among devices", way("change_mode_of_device"), refused),
    ("the time and owner of a link itself", shell(f"ln -s /{device}/mtu own; touch -h own && chown -h 0 own && echo done"), r"\Adone\n\Z"),
    ("an attribute of it, which Linux refuses",
     [sys.executable, "-c", "import os\ntry: os.setxattr('own', 'user.a', b'', follow_symlinks=False)\n"
      "except OSError as error: print(error.errno)"], r"\A1\n\Z"),
    ("the owner of what it leads to", shell("chown 0 own 2>&-"), refused),
    ("the owner of a descriptor's file, with the flag of a link",
     [sys.executable, "-c", "import ctypes, os; ctypes.CDLL(None).fchownat(os.open('/sys/kernel', os.O_PATH), b'', 0, 0, 0x1100)"],
     refused),
    ("a watch", way("watch"), refused),
    ("a path up from the folder of the process", shell(f"cat /proc/self/cwd/{up}sys/class/net/real0/address"), "No such file"),
    ("that among devices", shell(f"cat /proc/self/cwd/{up}{device}/address 2>&-"), refused),
    ("that of the simulated interface", shell(f"cat /proc/thread-self/cwd/{up}sys/class/net/wlan0/address"), served),
    ("a path up from the root of another process", shell(f"cat /proc/1/root/../{device}/address 2>&-"), refused),
    ("forwarding by such a path", shell(f"exec 2>&-; echo 1 > /proc/self/cwd/{up}proc/sys/net/ipv4/ip_forward"), refused),
    ("a link to such a path", shell(f"ln -s /proc/self/root/../{device} up; cat up/address 2>&-"), refused),
    ("a link whose name is not UTF-8", shell("ln -s /sys/class/net \"$(printf '\\377')\" && cat \"$(printf '\\377')/wlan0/address\""),
     served),
    ("a real interface through it", shell("cat \"$(printf '\\377')/real0/address\""), "No such file"),
    ("a link in the folder of the process, with an accent behind the slash",
     shell(f"ln -s /{device} '\u0301real'; cat '/proc/self/cwd/\u0301real/address' 2>&-"), refused),
    # The device of rfkill.
    ("the device of rfkill", way("block"), "blocked 1"),
    ("by the number of open", way("raw_block"), "blocked 1"),
    ("by a symbolic link", way("block_by_link"), "blocked 1"),
    ("by a node of its own", way("block_by_node"), "blocked 1"),
    ("the device taken away", shell("rm -f /dev/rfkill"), refused),
    ("the shell", shell("printf x > /dev/rfkill; cat /sys/class/rfkill/rfkill0/soft"), r"\A0\n\Z"),
    # File systems.
    ("sysfs mounted anew", way("mount_classes"), refused),
    ("sysfs mounted elsewhere", way("mount_again"), refused),
    ("sysfs by fsopen", way("mount_anew"), refused),
    ("a network name space of its own",
     shell("unshare --net --mount sh -c 'cat /sys/class/net/real0/address; mount -t sysfs none /sys; ls /sys/class/net'"), served),
    ("openat2 with a root of its own", way("in_own_root"), "ENOENT"),
    ("layers over devices",
     shell("mkdir -p layers upper; mount -t overlay none -o lowerdir=/sys/devices/virtual/net:upper layers; ls layers"),
     refused),
    ("a mount over sysfs", shell("mount -t tmpfs none /sys/class/net"), refused),
    ("a mount in the machine", shell("mount -t tmpfs none devices; mount -t tmpfs none upper"), refused),
    ("a mount of its own",
     shell("unshare --mount sh -c 'mount -t tmpfs none upper && touch upper/new && echo mounted'; ls upper"), r"\Amounted\n\Z"),
    ("a control socket that is mounted elsewhere",
     shell("mkdir -p place; unshare --mount mount --bind /run/wpa_supplicant place"), refused),
    ("a path in a mount of its own, which is named as it was given",
     shell(f"ln -s /{device} upper/link; unshare --mount sh -c 'mount --bind upper devices; cat {folder}/devices/link/address'"),
     r"asked for \S*/devices/link/address, which"),
    ("an unmount of sysfs", way("unmount"), refused),
    ("a mode by fchmodat2", way("change_mode_newly"), refused),
    ("an attribute of a device", way("set_attribute"), refused),
    ("a control socket through a descriptor", way("supplicant_by_descriptor"), refused),
    ("a descriptor of another process", way("foreign_descriptor"), refused),
    ("a socket that is inherited", ["./ways-out", "inherited"], r"\Anone\n\Z"),
    ("a process name space with its own /proc", shell("unshare --pid --fork --mount-proc cat /proc/self/net/dev"),
     served),
    ("a process that keeps its memory to itself", way("undumpable"), served),
    ("attributes of the mount of sysfs", way("mount_attributes"), refused),
    # Processes.
    ("a trace of a process outside", way("trace"), refused),
    ("memory of a process outside", way("write_memory"), refused),
    ("that as a file", way("open_memory"), refused),
    ("a trace of a child", way("trace_own"), r"\Adone\n\Z"),
    ("kill", shell("kill $VICTIM 2>&-"), refused),
    ("pkill", shell("pkill -f 'sleep 1000'"), refused),
    ("a signal by a descriptor", way("signal_by_descriptor"), refused),
    ("a signal by a folder of procfs", way("signal_by_folder"), refused),
    ("a signal to a group outside", way("signal_by_group"), refused),
    ("signals of a descriptor for a process outside", way("signal_by_input"), refused),
    ("those for the process itself", way("signal_own_input"), r"\Adone\n\Z"),
    ("a limit of a process outside", way("limit_other"), refused),
    ("a setting of a process outside", shell("exec 2>&-; echo 500 > /proc/$VICTIM/oom_score_adj"), refused),
    ("a setting of the process itself", shell("echo 500 > /proc/self/oom_score_adj; echo done"), r"\Adone\n\Z"),
    ("a signal to a child that has ended", way("signal_ended_child"), r"\Adone\n\Z"),
    ("timeout", shell("timeout 1 sleep 9; echo $?"), r"^124$"),
    ("a signal to every process", way("signal_all"), refused),
    ("a signal to the group of the command, in which the caller of wifi-harness is",
     shell("trap 'echo caught' TERM; kill 0; echo after"), r"\Acaught\nafter\n\Z"),
    ("the same by the number of the group",
     shell("trap 'echo caught' TERM; kill -TERM -$(($(ps -o pgid= -p $$))); echo after"), r"\Acaught\nafter\n\Z"),
    ("a key that is typed into the terminal",
     [sys.executable, "-c", "import fcntl, termios; fcntl.ioctl(0, termios.TIOCSTI, b'x')"], refused),
    ("a selection that is pasted into a console", [sys.executable, "-c", "import fcntl; fcntl.ioctl(0, 0x541C, bytes([3]))"], refused),
    ("a signal to a child", shell("sleep 100 & kill $! && wait; echo ended"), r"\Aended\n\Z"),
    # Programs.
    ("execle without an environment", way("execute_emptied"), served),
    ("fexecve without an environment", way("execute_descriptor"), served),
    ("system without an environment", way("shell_emptied"), served),
    ("popen without an environment", way("pipe_emptied"), served),
    ("env -i", ["env", "-i", ip, "-o", "link"], served),
    ("execve by its number", way("raw_execute"), refused),
    ("a program of 32 bits", way("execute_foreign"), "another architecture.*ended"),
    ("a program of another user", way("execute_other_user"), "may not use the simulation"),
    ("a program with capabilities", way("execute_capable"), served + "|a simulation is closed"),
    # Daemons.
    ("the system bus", way("bus"), refused),
    ("the system bus by a link", way("bus_by_link"), refused),
    ("a control socket of wpa_supplicant", way("supplicant"), refused),
    ("the same by sendmsg", way("supplicant_message"), refused),
    ("the same at an address whose lower half is 0", way("supplicant_at_round_address"), refused),
    ("the same over a high descriptor", way("supplicant_by_high_descriptor"), refused),
    ("the same by an abstract name", way("supplicant_by_name"), refused),
    ("a control socket that is taken away", shell("rm -f /run/wpa_supplicant/real0"), refused),
    ("the same by another name", shell("mv /run/wpa_supplicant/real0 /run/other"), refused),
    ("the same by a second name", shell("ln /run/wpa_supplicant/real0 other"), refused),
    ("the folder of the same by another name", shell("mv /run/wpa_supplicant /run/other"), refused),
    ("who may use it", shell("chmod 777 /run/wpa_supplicant/real0"), refused),
    ("another in its place", shell("touch new; mv -f new /run/wpa_supplicant/real0"), refused),
    ("a socket of another program in a folder", [sys.executable, "connect.py", "agent"], refused),
    ("the same through a link whose name is not UTF-8",
     shell(f"ln -s . \"$(printf '\\376')\"; {sys.executable} connect.py \"$(printf '\\376')/agent\""), refused),
    ("a socket that is not there", [sys.executable, "connect.py", "nosuch"], r"\Aabsent\n\Z"),
    ("a socket of the simulation in a folder", [sys.executable, "connect.py", f"{folder}/inside/own", f"{folder}/inside/own"],
     r"\Aconnected\n\Z"),
    ("the same by a path from the folder", [sys.executable, "connect.py", f"{folder}/inside/own", "inside/own"], r"\Aconnected\n\Z"),
    ("the same by a link", shell(f"ln -sfn {folder}/inside linked; {sys.executable} connect.py inside/own linked/own"), r"\Aconnected\n\Z"),
    ("a daemon of the simulation", way("own_daemon"), r"\Adone\n\Z"),
    # The machine.
    ("the clock by its number", way("set_clock"), refused),
    ("an adjustment of the clock", way("adjust_clock"), refused),
    ("the state of the clock", way("read_clock"), r"\Adone\n\Z"),
    ("a module of the kernel", way("remove_module"), refused),
    ("a filter of the kernel", way("load_filter"), refused),
    ("the name of the machine", way("set_name"), refused),
    ("an alarm in a name space of processes", shell(f"unshare --pid --fork {sys.executable} alarm.py"), r"woken \d+"),
]

before = state()
assert "real0" in before["links"] and read("/sys/class/net/real0/address").strip() == address
for what, words, expected in table:
    done = run("sh", "-c", 'exec "$0" "$@" 9</sys/class/net/real0/address', checking.BINARY, "run", "--world",
               "home", "--seed", "7",
               "--pace", "virtual", "--", *words, stdout=-1, stderr=-2, timeout=30)
    said = "it hangs: " * (done.returncode == 124) + done.stdout
    is_expected = re.search(expected, said, re.MULTILINE) is not None
    shown = [word for word in (address, "REAL", "real1") if word in said]
    after = state()
    changed = {name: (before[name], after[name]) for name in before if before[name] != after[name]}
    check(what, is_expected and not shown and not changed, (said, shown, changed))
    before = after

# A standard stream of the machine.
with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
    done = run(checking.BINARY, "run", "--world", "home", "--seed", "7", "--", "readlink", "/proc/self/fd/0", stdin=netlink, stdout=-1)
    check("a netlink socket as standard input", done.stdout.strip() == "/dev/null", done.stdout)
