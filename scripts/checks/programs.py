"""Runs programs of others on the simulated kernel.

Unmodified iw, ip, wpa_supplicant and wavemon, a program of C with libnl, one of Python with pyroute2, and this command:
each lists the networks of the world, and no other. What is not installed is passed over with a sentence. Needs no root,
no adapter and no network.
"""
import json
import os
import re
import shutil
import signal
import sys
import time

from lib import checking
from lib.checking import BINARY, DEBUG, ROOT, check, harness, has, skip, start, until
from lib.terminals import Tmux

folder = checking.folder()
# Where the command makes the folder of each kernel.
kernels = folder / "kernels"
kernels.mkdir()
os.environ["XDG_RUNTIME_DIR"] = str(kernels)


def simulate(*command, world="home", seed=7, pace="virtual", options=()):
    return [BINARY, "run", "--world", world, "--seed", str(seed), "--pace", pace, *options, "--", *command]


def run(*command, **settings):
    done = checking.run(*simulate(*command, **settings), stdout=-1, stderr=-2, timeout=150, cwd=folder)
    return done.returncode, done.stdout


def shell(text, **settings):
    return run("sh", "-c", text, **settings)


def write(name, text):
    return checking.write(folder / name, text)


def addresses(text):
    return sorted({address.lower() for address in re.findall(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b", text)})


def says(title, done, *words, status=0):
    """Checks the status of a command, and that it said all of these words."""
    check(title, done[0] == status and all(word in done[1] for word in words), done)


def prints(title, done, expected):
    """Checks that a command succeeded and said this alone."""
    check(title, done == (0, expected), done)


def prints_compiled(title, name, text, expected, *options):
    """The same of a program of C."""
    source = write(f"{name}.c", text)
    if has("cc"):
        checking.must("cc", *options, "-o", str(folder / name), source)
        prints(title, run(str(folder / name)), expected)
    else:
        skip(title, "there is no C compiler")


# The command itself: its arguments, and its exit status.
check("the exit status is that of the command", shell("exit 5")[0] == 5)
check("and the signal that ended it", shell("kill -KILL $$")[0] == -signal.SIGKILL)
says("a program that is not there is reported", run("nosuch-program"), "there is no program nosuch-program", status=66)
says("and a file that is none", run("/etc/passwd"), "not a program that you may run", status=66)
source = write("static.c", "int main(void) { return 0; }\n")
static = str(folder / "static")
if has("cc") and checking.run("cc", "-static", "-o", static, source).returncode == 0:
    says("a static program is refused with the reason", run(static), "linked statically", status=69)
    script = write("script", f"#!{static}\n")
    os.chmod(script, 0o755)
    check("so is a script that one interprets", run(script)[0] == 69)
else:
    skip("a static program", "there is no C compiler with a static C library")
for arguments, sentence in [
    (("--world", "preview", "--seed", "7", "--", "true"), "a world with a kernel"),
    (("--world", "home", "--seed", "7", "--pace", "virtual"), "which program?"),
    (("--world", "home", "--seed", "7", "--pace", "0x", "--", "true"), "--pace"),
]:
    result = harness("run", *arguments)
    check(f"`run {' '.join(arguments)}` is usage", result.returncode == 64 and sentence in result.stderr,
          result.stderr)
few = checking.run("sh", "-c", 'ulimit -n 64 && exec "$@"', "sh", *simulate("true"), stdout=-1, stderr=-1, timeout=60)
check("a limit of files that is too low is named",
      few.returncode == 71 and "may open only 64 files" in few.stderr and "seccomp" not in few.stderr, few)
# Each socket of each program is a file of the host, too; some are left to it for what it has to look at.
many = write("many.py", """
import socket, sys, time
held = []
try:
    for _ in range(600):
        held.append(socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16))
except ConnectionRefusedError:
    pass
time.sleep(4)
print(len(held), open("/sys/class/net/wlan0/address").read().strip())
""")
for limit, is_enough in (("-S -n 1024", True), ("-n 1024", False)):
    done = checking.run("sh", "-c", f'ulimit {limit} && exec "$@"', "sh", *simulate(
        "sh", "-c", f"{sys.executable} {many} & {sys.executable} {many}; wait; cat /sys/class/net/wlan0/address", pace="real"),
        stdout=-1, stderr=-1, timeout=100)
    lines = done.stdout.split()
    counts = [int(word) for word in lines[0:4:2] if word.isdigit()]
    check(f"two programs with 600 sockets each, of `ulimit {limit}`",
          done.returncode == 0 and len(counts) == 2 and lines[1::2] == ["02:00:00:00:00:00"] * 2 and lines[4:] == ["02:00:00:00:00:00"]
          and (sum(counts) == 1200 if is_enough else 800 < sum(counts) < 1024)
          and ("daemon of the machine" not in done.stderr) and ("a socket was refused" in done.stderr) == (not is_enough),
          done)
process = start(*simulate("sleep", "1000", pace="real"))
time.sleep(1)
process.send_signal(signal.SIGTERM)
check("a signal passes through", checking.finish(process, 20)[0] == -signal.SIGTERM)
process = start(*simulate("sh", "-c", "trap 'kill $!; exit 9' INT; sleep 1000 & wait", pace="real"))
time.sleep(1)
process.send_signal(signal.SIGINT)
check("one that the command handles, too", checking.finish(process, 20)[0] == 9)

# Virtual time.
began = time.monotonic()
status, said = shell("date -u +%s; sleep 86400; date -u +%s")
first, last = (int(word) for word in said.split())
check("a day of sleep is a day on the clock",
      status == 0 and 86400 <= last - first <= 86401 and time.monotonic() - began < 60, said)
check("the command's day is the seed's", run("date", "-u", "+%F", seed=9)[1] == "2026-01-10\n",
      run("date", "-u", "+%F", seed=9))
if has("strace"):
    status, said = shell("strace -f -o trace sh -c 'sleep 2 & sleep 3; wait; exit 7'; echo $?; grep -c +++ trace")
    check("a trace of several processes goes on", said == "7\n3\n", said)


def seconds(count):
    before = time.monotonic()
    check(f"{count} processes sleep", shell(f"for i in $(seq {count}); do sleep 100 & done; wait; date -u +%T")[0] == 0)
    return time.monotonic() - before


few, many = seconds(50), seconds(200)
check("what sleeps costs nothing while others wake", many < 10 * few, (few, many))

# iw.
networks = None
if has("iw"):
    says("iw dev", run("iw", "dev"), "Interface wlan0", "type managed")
    says("iw phy", run("iw", "phy"), "Wiphy phy0", "* 2412 MHz [1] (20.0 dBm)", "Band 4")
    says("iw phy phy0, whose number is in a file", run("iw", "phy", "phy0", "info"), "Wiphy phy0")
    says("iw reg get", run("iw", "reg", "get"), "country DE: DFS-ETSI")
    says("iw link", run("iw", "dev", "wlan0", "link"), "Not connected.")
    status, said = run("iw", "dev", "wlan0", "survey", "dump")
    check("iw survey dump", status == 0 and said.count("Survey data from wlan0") == 61, said)
    check("iw station dump", run("iw", "dev", "wlan0", "station", "dump") == (0, ""))
    check("iw scan dump before any scan", run("iw", "dev", "wlan0", "scan", "dump") == (0, ""))
    check("iw scan abort without a scan", "(-2)" in run("iw", "dev", "wlan0", "scan", "abort")[1])
    check("an interface that is not there", run("iw", "dev", "wlan7", "scan")[0] != 0)
    scans = {run("iw", "dev", "wlan0", "scan") for _ in range(5)}
    check("one seed gives iw scan the same bytes", len(scans) == 1 and list(scans)[0][0] == 0, scans)
    networks = addresses(list(scans)[0][1])
    status, said = run("iw", "dev", "wlan0", "scan", seed=8)
    check("another seed gives others", status == 0 and addresses(said) and addresses(said) != networks, said)
    twice = {shell("iw dev wlan0 scan >a 2>&1 & iw dev wlan0 scan >b 2>&1; wait; cat a b") for _ in range(3)}
    check("of two that scan at once one gets EBUSY, the same in each run", len(twice) == 1 and "(-16)" in str(twice),
          twice)
    status, said = shell(
        "iw event -t -f & event=$!; sleep 1; iw dev wlan0 scan trigger; sleep 1; iw dev wlan0 scan abort; sleep 1; "
        "iw dev wlan0 scan trigger; sleep 10; iw dev wlan0 scan dump >dump; kill $event")
    events = [re.sub(r":.*", "", line.split("(phy #0): ")[1]) for line in said.splitlines() if "(phy #0): " in line]
    check("iw event hears of scans of others",
          events == ["scan started", "scan aborted", "scan started", "scan finished"], said)
    with open(folder / "dump") as file:
        check("a scan that was triggered is there afterwards", len(addresses(file.read())) >= 5)
    status, said = shell(
        "iw event -t & event=$!; sleep 1; iw dev wlan0 scan sched_start interval 2000; sleep 20; iw dev wlan0 scan sched_stop; sleep 1; kill $event")
    check(
        "scheduled scans report and stop", "scheduled scan started" in said
        and said.count("got scheduled scan results") >= 3
        and "sched scan stopped" in said, said)
    check("a fault of scenarios", "(-16)" in run("iw", "dev", "wlan0", "scan", options=("--fault", "busy"), seed=3)[1]
          or "(-16)" in "".join(run("iw", "dev", "wlan0", "scan", options=("--fault", "busy"), seed=seed)[1]
                                for seed in range(20)))
    for name in ("rfkill", "interfaceDown"):
        status, said = run("iw", "dev", "wlan0", "scan", options=("--fault", name))
        check(f"{name} is there from the start", status != 0 and "command failed" in said, said)
    status, said = run("iw", "dev", "wlan0", "scan", options=("--fault", "rfkill:at=60s"))
    check("a switch that is thrown later lets a scan through", status == 0 and len(addresses(said)) >= 5, said)
    status, said = shell("iw dev wlan0 scan >/dev/null && sleep 11; iw dev wlan0 scan",
                         options=("--fault", "interfaceDown:at=10s"))
    check("an interface that goes down at its time", "(-100)" in said, said)
    status, said = shell("sleep 11; iw dev; ls /sys/class/net; sleep 30; iw dev", options=("--fault", "adapterRemoved"))
    check("an adapter that is pulled out and back", said.startswith("lo\n") and "Interface wlan0" in said, said)
    status, said = run("iw", "dev", "wlan0", "scan", pace="20x")
    check("twenty times as fast", status == 0 and len(addresses(said)) >= 5, said)
    began = time.monotonic()
    status, said = run("sleep", "60", pace="20x")
    check("a minute is three seconds then", status == 0 and 2.5 < time.monotonic() - began < 15,
          time.monotonic() - began)
else:
    skip("iw", "it is not installed (Debian: iw)")

# Names, addresses and flags, wherever they can be asked.
status, said = shell("cat /sys/class/net/wlan0/address /sys/class/net/wlan0/ifindex /sys/class/ieee80211/phy0/macaddress; ls /sys/class/net; "
                     "realpath /sys/class/net/wlan0/phy80211; grep -c wlan0 /proc/net/dev")
check("files", said == "02:00:00:00:00:00\n3\n02:00:00:00:00:00\nlo\nwlan0\n/sys/class/ieee80211/phy0\n1\n", said)
# A program whose room is small gets every message whole.
small = write("small.py", r"""
import os, socket, struct, sys
def attribute(kind, data): return struct.pack("HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)
def ask(kind, flags, command, attributes):
    body = struct.pack("BBH", command, 1, 0) + attributes
    netlink.send(struct.pack("IHHII", 16 + len(body), kind, flags, 1, 0) + body)
def messages(data):
    at = 0
    while at + 16 <= len(data):
        size, kind = struct.unpack_from("IH", data, at)
        yield kind, data[at:at + size]
        at += size + 3 & ~3
room = int(sys.argv[1])
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
netlink.bind((0, 0))
ask(16, 1, 3, attribute(2, b"nl80211\0"))
at, reply, family = 20, netlink.recv(room), None
while at < len(reply):
    size, kind = struct.unpack_from("HH", reply, at)
    if kind == 1:
        family = struct.unpack_from("H", reply, at + 4)[0]
    at += size + 3 & ~3
if len(sys.argv) > 2:
    netlink = socket.socket(fileno=os.dup(netlink.fileno()))
    try:
        netlink.recv(100, socket.MSG_DONTWAIT)
    except BlockingIOError:
        pass
ask(family, 0x301, 32, attribute(3, struct.pack("I", socket.if_nametoindex("wlan0"))))
count, cut, largest, ended = 0, 0, 0, False
while not ended:
    data, _, flags, _ = netlink.recvmsg(room)
    cut += bool(flags & socket.MSG_TRUNC)
    largest = max(largest, len(data))
    for kind, message in messages(data):
        count += kind == family
        ended = ended or kind == 3
print(count, cut, *([largest > 16384] if len(sys.argv) > 2 else []))
""")
for room in (4096, 8192, 65536):
    status, said = shell(f"iw dev wlan0 scan >scan.txt && grep -c ^BSS scan.txt && {sys.executable} {small} {room}",
                         world="stadium")
    words = said.split()
    check(f"a program with room for {room} bytes gets every message whole",
          status == 0 and words[1:] == [words[0], "0"] and int(words[0]) > 500, said)
status, said = shell(f"iw dev wlan0 scan >scan.txt && {sys.executable} {small} 65536 copied", world="stadium")
check("a copy of a socket has its room", status == 0 and said.split()[1:] == ["0", "True"], said)
# Sockets: two lists at once, ports, options and groups, as Linux has them.
sockets = write("sockets.py", r"""
import ctypes, errno, os, socket, struct
def family(flags, number):
    body = struct.pack("BBH", 3, 2, 0) + (b"" if flags & 0x300 else struct.pack("HH", 11, 2) + b"nlctrl\0\0")
    return struct.pack("IHHII", 16 + len(body), 16, flags, number, 0) + body
def messages(netlink):
    while True:
        data = netlink.recv(65536)
        while data:
            size, kind, _, number, port = struct.unpack_from("IHHII", data)
            yield kind, number, port, data[16:size]
            data = data[size + 3 & ~3:]
def end(netlink, number):
    for kind, found, _, payload in messages(netlink):
        if found == number and kind in (2, 3):
            return errno.errorcode.get(-struct.unpack_from("i", payload)[0], 0)
def value(netlink, option, size=64):
    try:
        return netlink.getsockopt(270, option, size).hex()
    except OSError as error:
        return errno.errorcode[error.errno]
def attempt(function, *arguments):
    try:
        return function(*arguments)
    except OSError as error:
        return errno.errorcode[error.errno]
def netlink():
    return socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 16)
first = netlink()
first.send(family(0x301, 1))
first.send(family(0x301, 2))
print("a second list", end(first, 2))
first = netlink()
copy = socket.socket(fileno=os.dup(first.fileno()))
first.send(family(0x301, 1))
print("a list", end(copy, 1))
first.send(family(0x301, 2))
print("the next list", end(first, 2))
del first, copy
first, second, third = netlink(), netlink(), netlink()
first.send(family(1, 3))
print("ports", first.getsockname()[0] == os.getpid(), {port for _, number, port, _ in [next(messages(first))]} == {os.getpid()})
second.connect((0, 0))
print(attempt(second.bind, (0, 0)), second.getsockname()[0] >= 1 << 31, attempt(third.bind, (os.getpid(), 0)))
class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
class Message(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("name_size", ctypes.c_uint), ("parts", ctypes.POINTER(Part)), ("count", ctypes.c_size_t),
                ("control", ctypes.c_void_p), ("control_size", ctypes.c_size_t), ("flags", ctypes.c_long), ("size", ctypes.c_ulong)]
library, several = ctypes.CDLL(None, use_errno=True), (Message * 4)()
buffers = [ctypes.create_string_buffer(65536) for _ in several]
for message, buffer in zip(several, buffers):
    ctypes.memmove(buffer, family(1, 5), 32)
    message.parts, message.count = ctypes.pointer(Part(ctypes.addressof(buffer), 32)), 1
print("several", library.sendmmsg(third.fileno(), several, 3, 0), [message.size for message in several])
for message in several:
    message.parts[0].size = 65536
print(library.recvmmsg(third.fileno(), several, 4, 0x10000, None), {buffer[4] for buffer in buffers[:3]}, min(message.size for message in several[:3]) > 32)
print(library.recvmmsg(third.fileno(), several, 4, 0x40, None), ctypes.get_errno() == errno.EAGAIN)
print("options", [value(third, option) for option in (3, 4, 5, 10, 11, 12, 13)], value(third, 10, 2), value(third, 9))
for option in (3, 10, 11, 12):
    third.setsockopt(270, option, 1)
print([value(third, option) for option in (3, 4, 5, 10, 11, 12)])
print([attempt(third.setsockopt, 270, 1, group) for group in (0, 16, 30, 1000)], value(third, 9)[:8])
""")
expected = """a second list EBUSY
a list 0
the next list 0
ports True True
EINVAL True EADDRINUSE
several 3 [32, 32, 32, 0]
3 {b'\\x10'} True
-1 True
options ['00000000', '00000000', '00000000', '00000000', '00000000', '00000000', 'ENOPROTOOPT'] EINVAL 
['01000000', '00000000', '00000000', '01000000', '01000000', '01000000']
['EINVAL', None, None, 'EINVAL'] 00800020
"""
prints("sockets refuse a second list, and have the ports, options and groups of Linux", run(sys.executable, sockets), expected)
machine = checking.run(sys.executable, sockets)
if machine.returncode == 0:
    check("so has the kernel of the machine", machine.stdout == expected, machine.stdout)
else:
    skip("the same on the kernel of the machine", "it has no generic netlink for this user")
# The controller of generic netlink.
if has("genl"):
    status, said = run("genl", "ctrl", "list")
    check("genl lists the families with their commands",
          status == 0 and said.count("Name: ") == 2 and "ID-0x21" in said and said.count("ID-0x") == 23, said)
else:
    skip("genl", "it is not installed (Debian: iproute2)")
# Clocks, waits with limits, and what is refused.
clocks = write("clocks.py", """
import ctypes, errno, queue, select, signal, threading, time
start = time.monotonic()
assert not threading.Event().wait(0.3)
found = queue.Queue()
threading.Timer(0.2, found.put, [5]).start()
assert found.get(timeout=5) == 5
try:
    found.get(timeout=0.2)
    raise SystemExit("nothing was there, and came")
except queue.Empty:
    pass
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])
assert signal.sigtimedwait([signal.SIGUSR2], 300) is None
assert select.epoll().poll(200) == []
library, semaphore, past = ctypes.CDLL(None, use_errno=True), ctypes.create_string_buffer(64), (ctypes.c_long * 2)(1, 0)
library.sem_init(semaphore, 0, 0)
assert library.sem_timedwait(semaphore, past) == -1 and ctypes.get_errno() == errno.ETIMEDOUT
assert library.clock_nanosleep(time.CLOCK_REALTIME, 1, past, None) == 0
print(round(time.monotonic() - start, 1))
for value in (0.0, time.time()):
    try:
        time.clock_settime(time.CLOCK_REALTIME, value)
        raise SystemExit("the clock was set")
    except PermissionError:
        pass
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 8.5, 2)
time.sleep(1)
assert [round(left, 1) for left in signal.getitimer(signal.ITIMER_REAL)] == [7.5, 2.0]
signal.alarm(10)
time.sleep(3.7)
assert signal.alarm(0) == 6
start = time.monotonic()
library.ualarm(500000, 0)
signal.pause()
assert round(time.monotonic() - start, 1) == 0.5
""")
prints("limits of locks, signals and polls are over when their time has come, and no clock is set",
       run(sys.executable, clocks), "500.7\n")
# An alarm ends with its process, though the parent waits for that, and moves no time; the number may be another's.
gone = write("gone.py", """
import os, signal, time
start = time.monotonic()
child = os.fork()
if child == 0:
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    os._exit(0)
os.waitpid(child, 0)
input()
print(time.monotonic() - start < 5)
""")
process = start(*simulate(sys.executable, gone), stdin=-1)
time.sleep(2)
process.stdin.write("now\n")
process.stdin.flush()
status, said, problems = checking.finish(process, 60)
check("the alarm of a process that is gone is forgotten", (status, said) == (0, "True\n"), (status, said, problems))
prints_compiled("sleeps and limits of the threads of C11 are in virtual time, too", "threads", r"""
#include <stdio.h>
#include <threads.h>
#include <time.h>
int main(void) {
  mtx_t lock;
  struct timespec start, limit, end, pause = {.tv_sec = 300};
  timespec_get(&start, TIME_UTC);
  thrd_sleep(&pause, NULL);
  mtx_init(&lock, mtx_timed);
  mtx_lock(&lock);
  timespec_get(&limit, TIME_UTC);
  limit.tv_sec += 1;
  int result = mtx_timedlock(&lock, &limit);
  timespec_get(&end, TIME_UTC);
  printf("%d %ld\n", result == thrd_timedout, (long)(end.tv_sec - start.tv_sec));
}
""", "1 301\n")
prints_compiled("limits of queues of messages, joins and semaphores are in virtual time", "limits", r"""
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>
static mqd_t queue;
static struct timespec soon(clockid_t clock, long seconds) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += seconds;
  return time;
}
static void *sends(void *unused) {
  sleep(1000);
  mq_send(queue, "1", 1, 0);
  return unused;
}
static void *never(void *unused) {
  while (1) pause();
  return unused;
}
int main(void) {
  struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 8};
  char name[32], text[8];
  struct timespec start = soon(CLOCK_MONOTONIC, 0), limit, end, second = {.tv_sec = 1};
  pthread_t thread;
  snprintf(name, sizeof name, "/limits-%d", getpid());
  queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
  mq_unlink(name);
  limit = soon(CLOCK_REALTIME, 300);
  int received = mq_timedreceive(queue, text, 8, NULL, &limit) < 0 && errno == ETIMEDOUT;
  pthread_create(&thread, NULL, sends, NULL);
  received += mq_receive(queue, text, 8, NULL) == 1;
  int sent = mq_send(queue, "2", 1, 0) == 0;
  limit = soon(CLOCK_REALTIME, 300);
  sent += mq_timedsend(queue, "3", 1, 0, &limit) < 0 && errno == ETIMEDOUT;
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, never, NULL);
  limit = soon(CLOCK_REALTIME, 1);
  int joined = pthread_timedjoin_np(thread, NULL, &limit) == ETIMEDOUT;
  limit = soon(CLOCK_MONOTONIC, 1);
  joined += pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &limit) == ETIMEDOUT;
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf operation = {.sem_op = -1}, now = {.sem_op = -1, .sem_flg = IPC_NOWAIT};
  int waited = semtimedop(set, &operation, 1, &second) < 0 && errno == EAGAIN;
  waited += semtimedop(set, &now, 1, &second) < 0 && errno == EAGAIN;
  semctl(set, 0, IPC_RMID);
  clock_gettime(CLOCK_MONOTONIC, &end);
  printf("%d %d %d %d %ld\n", received, sent, joined, waited, (long)(end.tv_sec - start.tv_sec));
}
""", "2 2 2 2 1603\n", "-pthread")
before = time.time()
check("the clock of the machine is not set", run("date", "-s", "2020-01-01")[0] != 0 and abs(time.time() - before) < 60)
# Packet sockets, over which nothing comes.
silent = write("silent.py", """
import socket, struct, time
start = time.monotonic()
for option in (struct.pack("ll", 0, 300000), struct.pack("ll", 0, 200000)):
    packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, option)
    for receive in (packets.recv, packets.recvfrom, packets.recvmsg):
        try:
            receive(100)
            raise SystemExit("something came")
        except BlockingIOError:
            pass
print(1.5 <= time.monotonic() - start < 2.5)
""")
for pace in ("virtual", "real"):
    prints(f"what waits for packets for so long only (--pace {pace}) ends then", run(sys.executable, silent, pace=pace), "True\n")
# By calls for several, too.
several = write("several.py", """
import ctypes, os, socket, struct, time
library, message = ctypes.CDLL(None, use_errno=True), (ctypes.c_char * 64)()
packets = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
packets.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", 1, 0))
start = time.monotonic()
try:
    os.readv(packets.fileno(), [bytearray(100), bytearray(100)])
except BlockingIOError:
    print(1 <= time.monotonic() - start < 1.5)
start = time.monotonic()
ended = library.recvmmsg(packets.fileno(), message, 1, 0, None) < 0
print(1 <= time.monotonic() - start < 1.5, ended and ctypes.get_errno() == 11)
""")
for pace in ("virtual", "real"):
    prints(f"so does what waits for several of them (--pace {pace})", run(sys.executable, several, pace=pace), "True\nTrue True\n")
# Programs that look again and again without waiting.
spin = write("spin.py", """
import os, select, socket, sys, threading, time
start = time.monotonic()
done = threading.Event()
threading.Thread(target=lambda: (time.sleep(1), done.set())).start()
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK, 16)
while not done.is_set():
    if sys.argv[1] == "yield":
        os.sched_yield()
    elif sys.argv[1] == "poll":
        select.select([netlink], [], [], 0)
    else:
        try:
            netlink.recv(4096)
        except BlockingIOError:
            pass
print(1 <= time.monotonic() - start < 2)
""")
for how in ("yield", "poll", "recv"):
    prints(f"a program that only looks ({how}) comes to the end of a second", run(sys.executable, spin, how), "True\n")
# What is started from within.
status, said = run("env", "-i", shutil.which("ip") or "/usr/sbin/ip", "-o", "link")
check("a program with an empty environment is on the simulated kernel",
      status == 0 and "wlan0" in said and len(said.splitlines()) == 2, said)
if os.access(static, os.X_OK):
    prints("a static program that a shell starts runs", shell(static), "")
marks = f"{os.getpid()}.5"
status, said = shell(f"sleep 8639{marks} & (iw event >/dev/null & ) ; sleep 1", pace="real")
left = checking.run("ps", "-eo", "args=").stdout
check("what a program leaves running ends with its kernel",
      status == 0 and f"8639{marks}" not in left and "iw event" not in left, (status, said))
# Links that are not changed are not said to be.
says("a change of a link that has no effect is refused", shell(
    "ip link set wlan0 down && ip link set wlan0 up && ip link set wlan0 mtu 1500 && ! ip link set wlan0 mtu 1400 && ! ip link set wlan0 name w0"),
    "not supported")
python = "import socket; print(socket.if_nameindex(), socket.if_nametoindex('wlan0'), socket.if_indextoname(3))"
status, said = run(sys.executable, "-c", python)
check("the C library", said == "[(1, 'lo'), (3, 'wlan0')] 3 wlan0\n", said)
unsent = """import fcntl, socket
server = socket.create_server(("127.0.0.1", 0))
print(fcntl.ioctl(socket.create_connection(server.getsockname()), 0x894B, bytes(4)))
"""
status, said = run(sys.executable, "-c", unsent)
check("what a socket of TCP has not sent (SIOCOUTQNSD) is no question about an interface", said == f"{bytes(4)}\n", said)
if has("ip"):
    status, said = shell("ip -br link; ip link set wlan0 down; ip -br link show wlan0; cat /sys/class/net/wlan0/flags; iw dev wlan0 scan; "
                         "ip link set wlan0 up; ip -br link show wlan0")
    check(
        "ip lists the interface, brings it down and up",
        "wlan0            DOWN           02:00:00:00:00:00 <NO-CARRIER,BROADCAST,MULTICAST,UP>" in said
        and "02:00:00:00:00:00 <BROADCAST,MULTICAST>" in said and "0x1002" in said and "(-100)" in said, said)
else:
    skip("ip", "it is not installed (Debian: iproute2)")


def lists_all(what, *command, read=addresses):
    """Checks that a program lists exactly the access points that the kernel has heard of then."""
    words = " ".join(f"'{word}'" for word in command)
    status, said = shell(f"{words} >out; echo status $?; iw dev wlan0 scan dump | grep ^BSS")
    with open(folder / "out") as file:
        heard = file.read()
    known = addresses(said)
    check(f"{what} lists the networks of the world", "status 0" in said and len(known) >= 5 and read(heard) == known,
          (said, heard))


# Programs of others, each of which scans once.
if networks:
    program = str(folder / "scan")
    flags = checking.run("pkg-config", "--cflags", "--libs", "libnl-genl-3.0").stdout.split()
    if has("cc") and flags:
        checking.must("cc", "-Wall", "-Wextra", "-Werror", "-o", program, f"{ROOT}/Examples/Programs/scan.c", *flags)
        lists_all("a program of C with libnl", program, "wlan0")
    else:
        skip("a program of C", "there is no C compiler or no libnl (Debian: gcc, libnl-genl-3-dev)")
    pythons = [path for path in (sys.executable, "/usr/bin/python3") if os.access(path, os.X_OK)]
    pythons = [path for path in pythons if checking.run(path, "-c", "import pyroute2").returncode == 0]
    if pythons:
        lists_all("a program of Python with pyroute2", pythons[0], f"{ROOT}/Examples/Programs/scan.py", "wlan0")
    else:
        skip("a program of Python", "pyroute2 is not installed (Debian: python3-pyroute2)")
    ours = [path for path in [BINARY, DEBUG] if os.access(path, os.X_OK)]
    dynamic = [path for path in ours if "linked statically" not in run(path, "--version")[1]]
    for path in set(ours) - set(dynamic):
        check("our own command, which is static, is refused", run(path, "--version")[0] == 69)
    if dynamic:
        lists_all("our own command", dynamic[0], "scan", "--json",
                  read=lambda text: sorted(bss["bssid"] for bss in json.loads(text)["bss"]))
        check("the same bytes each time", len({run(dynamic[0], "scan", "--json") for _ in range(3)}) == 1)
    else:
        skip("our own command", "there is no dynamically linked build of it (make build)")
    if has("wpa_supplicant"):
        control = folder / "control"
        write("supplicant.conf", f"ctrl_interface={control}\n")
        client = f"wpa_cli -p {control} -i wlan0"
        status, said = shell(
            f"wpa_supplicant -B -i wlan0 -D nl80211 -c supplicant.conf -f supplicant.log; sleep 1; {client} scan; sleep 10; {client} scan_results; "
            f"{client} terminate; sleep 1")
        heard = addresses(said)
        check("wpa_supplicant lists networks of the world alone", status == 0 and len(heard) >= 5 and "OK" in said
              and set(heard) <= set(addresses(shell("for n in 1 2 3 4 5 6; do iw dev wlan0 scan; sleep 3; done")[1])),
              (said, networks))
    else:
        skip("wpa_supplicant", "it is not installed (Debian: wpasupplicant)")
if has("wavemon", "tmux"):
    window = Tmux("100x40", " ".join(f"'{word}'" for word in simulate("wavemon", "-i", "wlan0", pace="real")))

    def lists_some():
        window.keys("F3")
        return len(addresses(window.shown())) >= 5

    check("wavemon lists networks in its scan window", until(lists_some, 20, 0.5), window.shown())
    window.close()
else:
    skip("wavemon", "it or tmux is not installed (Debian: wavemon, tmux)")
until(lambda: not os.listdir(kernels))
# A kernel that was killed leaves its folder to the next one; a folder with a kernel, or another's, stays.
process = start(*simulate("sh", "-c", "exec sleep 1000", pace="real"))
until(lambda: os.listdir(kernels))
abandoned = os.listdir(kernels)
process.kill()
process.wait()
(kernels / "wifi-harness.others").mkdir()
names = shell(f"ls {kernels}")[1].split()
check("the folder of a kernel that was killed goes with the next one", len(abandoned) == 1 and len(names) == 2
      and "wifi-harness.others" in names and abandoned[0] not in names, (abandoned, names))
(kernels / "wifi-harness.others").rmdir()
# One that begins takes none away that begins at the same time.
begun = [start(*simulate("true", pace="real")) for _ in range(20)]
check("kernels that begin at once keep their folders", [checking.finish(one, 60)[0] for one in begun] == [0] * 20)
check("no folder of a kernel is left behind", not os.listdir(kernels), os.listdir(kernels))
