"""Gives the command what it cannot use, and holds its sentences and its exit status to a list. No adapter, no root, no
network.
"""
import datetime
import json
import os
import re
import shutil
import stat
import struct
import subprocess
import time

from lib import checking
from lib.checking import BINARY, ROOT, check, finish, harness, has, in_background, line_with, start, write
from lib.checking import RECORDING as recording

os.chdir(checking.folder())
HOME = ("--simulate", "home", "--seed", "7")
scenario = str(ROOT / "fixtures/scenarios/tap-open-selects-at-once.yaml")


def run(*arguments, **options):
    done = harness(*arguments, **options)
    # Those of the files that are given here.
    shown = [secret for secret in ("\033", "blob blob", "wrong wrong", "abcdefgh") if secret in done.stdout
             + done.stderr]
    if shown:
        check(" ".join(arguments) + " shows no password and no escape sequence", False, shown)
    return done


def refuses(status, *arguments, says=(), silent=()):
    done = run(*arguments)
    said = done.stderr
    check(" ".join(arguments), done.returncode == status and all(text in said
        for text in says) and not any(text in said for text in silent)
          and not (status == 64 and done.stdout), done)


def file(name, content=b""):
    return write(name, content)


# A pipe for figures would hold up each scan; one that is open already does not.
os.mkfifo("figures")
refuses(64, "watch", "--replay", recording, "--metrics", "figures",
        says=["--metrics names a pipe, figures, which would hold up each scan", "name a file"])
done = run("watch", "--replay", recording, "--count", "1", "--format", "ndjson", "--metrics", "/dev/stdout")
check("--metrics /dev/stdout", done.returncode == 0 and "# TYPE" in done.stdout, done)

# A fault that a command cannot see is refused, and one of a switch begins when that is said; without a time at once.
down = ["simulate", "--world", "home", "--seed", "7", "--fault"]
for name in ("wrongPassword", "connectTimeout"):
    refuses(64, "run", *down[1:], name, "--", "true", says=[f"--fault {name}: it makes joins fail, and nothing is joined here."])
refuses(64, *down, "rfkil", says=["unknown fault “rfkil”", "Did you mean “rfkill”?"])
refuses(64, *down, "rfkill:permille=3", says=["“permille=3” is no number of rfkill; it takes at=…, for=…."])
refuses(64, *down, "rfkill:at=soon", says=["give “at” a number and a unit"])
refuses(64, "simulate", "--world", "preview", "--seed", "5", "--fault", "busy", says=["--fault is for worlds with a kernel"])
# What was spelled otherwise says how it is spelled now.
for old, new in ((["simulate", "--seeds", "5"], "wifi-harness explore --seeds"), (["scan", "--audit"], "wifi-harness audit"),
                 (["simulate", "--seed", "7", "--pace", "virtual"], "wifi-harness run --seed"),
                 (["scan", "--rules", "wep"], "wifi-harness audit --rules"),
                 (["run", *HOME, "--", "true"], "wifi-harness run --world home"),
                 (["simulate", *HOME], "wifi-harness simulate --world home"),
                 (["simulate", "--verify-statistics"], "wifi-harness explore statistics"),
                 (["simulate", "--world", "home", "--seed", "7", "--", "true"], "wifi-harness run --world")):
    refuses(64, *old, says=[new])
at = {time: run(*down, f"rfkill:at={time}", "--duration", "9s").stdout for time in ("0s", "6s", "20s")}
check("a fault begins when that is said", len(set(at.values())) == 3 and " found " not in at["0s"]
      and " found " in at["20s"], at)

# An option that is not known is said before what is missing for want of it.
refuses(64, "simulate", "--sede", "7", says=["Unknown option '--sede'. Did you mean “--seed”?"], silent=["is missing"])
refuses(64, "scan", "--simulate", "home", "--sed", "7", says=["Unknown option '--sed'."])
refuses(64, "scan", "--simulate", "home", says=["--simulate needs a --seed"], silent=["Unknown"])

# What is no scenario is not quoted; a name that no network has says how many were heard.
refuses(65, "check", file("accounts.yaml", b"root:x:0:0:root:/root:/bin/bash\n" * 50), says=["not a text of 1599 characters."],
        silent=["root:x", "bin/bash"])
refuses(0, "scan", "--replay", recording, "--name", "lab",
        says=["no network passes the filter (", " heard on wlan0). --name matches whole names: try 'lab*'."])

for command in (["scan", "--replay", recording, "--format", "json"], ["audit", "--replay", recording],
                ["watch", "--replay", recording, "--speed", "1000000"],
                ["replay", recording], ["replay", "--format", "csv", recording],
                ["record", "-o", "none.ndjson", "--replay", recording], ["diff", recording, recording]):
    refuses(0, *command, "--name", "lab", says=["no network passes the filter",
                                                " --name matches whole names: try 'lab*'."])

# Lines name the access point where each has one, and the time of day where that is wanted.
lines = run("replay", "--bss", recording).stdout.splitlines()
check("--bss names addresses", lines and all(re.search(" (found|lost|changed)  .*([0-9a-f]{2}:){5}[0-9a-f]{2}", line)
                                             for line in lines), lines[:3])
named = run("replay", recording, "--not-name", "").stdout
check("without --bss no line names one", named and not re.search("([0-9a-f]{2}:){5}[0-9a-f]{2}  ", named), named[:200])
simulated = run("simulate", "--world", "home", "--seed", "7", "--bss").stdout.splitlines()[:-1]
check("simulate --bss names addresses", simulated and all(re.search("([0-9a-f]{2}:){5}[0-9a-f]{2}", line)
                                                          for line in simulated), simulated[:3])
os.environ["TZ"] = "XYZ-05:30"
lines = run("replay", "--absolute-time", recording).stdout.splitlines()
times = [json.loads(line).get("time") for line in run("replay", "--format", "ndjson", recording).stdout.splitlines()
         if '"event"' in line]
check("--absolute-time", lines and all(re.match(r"2026-11-21T\d\d:\d\d:\d\d\.\d{3}\+05:30  (found|lost|changed) ",
                                                line) for line in lines), lines[:3])
moments = [datetime.datetime.fromisoformat(line.split()[0]) for line in lines]
check("--absolute-time is the time of ndjson",
      set(moments) <= {datetime.datetime.fromisoformat(time.replace("Z", "+00:00")) for time in times})
printed = run("record", *HOME, "--count", "2", "-o", "clock.ndjson", "--absolute-time").stdout
check("a simulated world has UTC", re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00  found ", printed),
      printed[:80])
with open(recording, "rb") as old:
    lines = old.readlines()[:5]
again = b'{"format":"wifi-harness/recording/1","source":"wlan0","began":"2026-11-23 10:00:00"}\n'
file("continued.ndjson", b"".join(lines[:3] + [again] + lines[3:]))
printed = run("record", "--replay", "continued.ndjson", "--format", "ndjson", "-o", "copied.ndjson").stdout
whole = run("replay", "--format", "ndjson", "continued.ndjson").stdout
check("a recording of one that was continued has the times of each part",
      printed == whole == run("replay", "--format", "ndjson", "copied.ndjson").stdout and "2026-11-23T10:00:0" in whole, printed)
del os.environ["TZ"]
refuses(64, "replay", "--absolute-time", "--json", recording, says=["--absolute-time goes with --format lines"])

# A simulated world is watched on its own time, as fast as is wanted.
world = ["watch", *HOME, "--count", "6", "--speed", "1000"]
for more in ([], ["--format", "ndjson"], ["--format", "table"], ["--absolute-time"], ["--format", "wigle"]):
    first, second = run(*world, *more).stdout, run(*world, *more).stdout
    check(f"watch --simulate {' '.join(more)} is the same each time", first == second != "", (first, second))
began = time.monotonic()
run("watch", "--simulate", "still", "--seed", "7", "--count", "3", "--interval", "1s", "--speed", "2")
pace = time.monotonic() - began
check("--speed 2 takes half the time", 5 < pace < 14, pace)
for factor in ("1000000x", "1000000"):
    for command in (["watch", "--count", "3", "--replay", recording], ["replay", recording]):
        done = run(*command, "--speed", factor)
        check(f"{command[0]} --speed {factor}", done.returncode == 0 and done.stdout, done)
done = run("run", "--world", "still", "--seed", "7", "--pace", "20", "--", "true")
check("run --pace 20", done.returncode == 0, done)
began = time.monotonic()
done = run("watch", "--replay", recording, "--speed", "100000")
check("--speed of a recording", done.returncode == 0 and done.stdout and time.monotonic() - began < 20, done)
refuses(64, "watch", "--speed", "2", says=["--speed goes with --replay and --simulate."])
refuses(64, "watch", "--replay", recording, "--speed", "0", says=["--speed takes 0.001 to 1000000"])

# What holds a secret, and others can read, is warned of.
file("secret", b"abcdefgh\n")
file("token", b"0" * 32 + b"\n")
for mode, warns in ((0o644, True), (0o640, True), (0o600, False)):
    os.chmod("secret", mode)
    os.chmod("token", mode)
    said = run("join", "x", "-i", "lo", "--via", "supplicant", "--security", "psk", "--password-file", "secret").stderr
    check(f"a password file of mode {mode:o}",
          ("--password-file: others can read secret; make it yours alone with `chmod 600`." in said) == warns, said)
    said = run("serve", "--listen", "203.0.113.9", "--port", "0", "--replay", recording, "--token-file", "token").stderr
    check(f"a token file of mode {mode:o}",
          ("--token-file: others can read token; make it yours alone with `chmod 600`." in said) == warns, said)

# The link of a server that listens on all addresses can be opened elsewhere.
own = json.loads(checking.run("ip", "-j", "address").stdout or "[]") if has("ip") else []
own = {address["local"] for one in own for address in one["addr_info"] if address["scope"] == "global"}
for listen in ("0.0.0.0", "::", "[::]", "127.0.0.1", "[::1]"):
    process = start(BINARY, "serve", "--listen", listen, "--port", "0", "--replay", recording)
    link = process.stdout.readline()
    process.terminate()
    said = finish(process)[2]
    host = re.sub(r"^Serving on http://(.*):\d+/#token=.*\n", r"\1", link)
    fits = host.strip("[]") in own if own and listen in ("0.0.0.0", "::", "[::]") else host not in ("0.0.0.0", "[::]")
    # A machine without IPv6 has no such address.
    check(f"--listen {listen}", link and fits or ":" in listen and ("no such address" in said or "cannot listen" in said),
          (link, own, said))

# Names that a spreadsheet computes.
names = [b"=1+2", b"+1", b"-1", b"@x", b"Roof"]
packets = [bytes.fromhex("00000c00080000006c09a000"
                         + "80000000ffffffffffff02000000000%d02000000000%d0000" % (i, i) + "00" * 8 + "64000100")
           + bytes([0, len(name)]) + name for i, name in enumerate(names)]
capture = file("sums.pcap", bytes.fromhex("d4c3b2a1020004000000000000000000ffff00007f000000")
               + b"".join(struct.pack("<IIII", 1, 0, len(packet), len(packet)) + packet for packet in packets))
for command in (["scan", "--replay", capture], ["replay", capture]):
    exact = {line.split(",")[1] for line in run(*command, "--format", "wigle").stdout.splitlines()[2:]}
    defused = {line.split(",")[1] for line in run(*command, "--format", "wigle", "--defuse").stdout.splitlines()[2:]}
    check(f"{command[0]} --format wigle", exact == {name.decode() for name in names}, exact)
    check(f"{command[0]} --format wigle --defuse", defused == {"'=1+2", "'+1", "'-1", "'@x", "Roof"}, defused)
    refuses(64, *command, "--format", "csv", "--defuse",
            says=["--defuse goes with --format wigle; csv does so always."])

# More than a week of a simulated world, of which the kernel forgets what is older.
week = run("record", *HOME, "--duration", "170h", "--interval", "1h", "--frequency",
           "2412", "-o", "week.ndjson", timeout=300)
scans = open("week.ndjson").read().splitlines()[1:]
hours = json.loads(scans[-1])["endNs"] / 3.6e12
check("record --simulate for 170 hours", week.returncode == 0 and 169 <= len(scans) <= 170 and 168 < hours < 170.1,
      (week.stderr, len(scans), hours))
check("what is recorded late is replayed", run("replay",
    "week.ndjson").stdout == week.stdout and "+60" in week.stdout.splitlines()[-1])

week = run("simulate", "--world", "home", "--seed", "7", "--duration", "170h", "--interval", "1h")
check("simulate for 170 hours", week.returncode == 0 and "\nhome, seed 7, 612000 s: " in week.stdout and not week.stderr, week)

# Names, addresses and perhaps positions are not for other users.
for name in ("private.ndjson", "private.ndjson.zst"):
    run("record", *HOME, "--count", "1", "-o", name, umask=0o022)
    check(f"{name} is its owner's alone", os.path.exists(name) and os.stat(name).st_mode & 0o777 == 0o600)

# make run scans where it may, shows what was heard where it may not scan, and simulates where there is no adapter.
fake = file("fake", b"""#!/bin/sh
[ "$1" = doctor ] && exit $DOCTOR
echo "RAN $*"
""")
os.chmod(fake, 0o755)
for status, ran in (("0", "RAN scan --bss\n"), ("77", "RAN scan --cached --bss\n"),
                    ("69", "RAN simulate --seed 7 --world home --duration 20s\n")):
    done = checking.run(ROOT / "scripts/run", "--bss",
                        env=os.environ | {"WIFI_HARNESS": os.path.abspath(fake), "DOCTOR": status})
    check(f"make run where doctor ends with {status}",
          done.returncode == 0 and ran in done.stdout and ("No adapter found" in done.stdout) == (status == "69")
          and ("This user may not start scans" in done.stdout) == (status == "77"), done)

# A simulated machine joins, knows and switches as a real one does, and touches nothing of this one.
still = ["--simulate", "still", "--seed", "7"]
for name, content in (("right", b"blob blob\n"), ("wrong", b"wrong wrong\n"), ("five", b"short\n")):
    os.chmod(file(name, content), 0o600)
for via in ("networkmanager", "iwd", "supplicant"):
    over = ["--via", via]
    done = run("join", "SFR_7E55", *HOME, *over, "--password-file", "right")
    check(f"join over {via}", done.returncode == 0 and done.stdout.startswith("joined SFR_7E55 with wlan0"), done)
    check(f"join over {via}, again", run("join", "SFR_7E55", *HOME, *over, "--password-file",
                                         "right").stdout == done.stdout)
    refuses(1, "join", "SFR_7E55", *HOME, *over, "--password-file", "wrong", says=["SFR_7E55: The password is wrong."])
    refuses(1, "join", "Nowhere", *HOME, *over, "--password-file", "right",
            says=["Nowhere: The network is out of range"])
    # The daemon knows that it is open.
    refuses(1, "join", "Airport", *HOME, *over, "--known", says=["Airport: The network is out of range"], silent=["needs a password"])
    refuses(1, "join", "SFR_7E55", *HOME, *over, "--security", "open",
            says=["SFR_7E55: The network announces WPA2/WPA3-Personal, not Open"])
    for security in ("auto", "personal"):
        refuses(1, "join", "HP-Print-F748", *HOME, *over, "--security", security, "--password-file", "five",
                says=["a WPA password has 8 to 63 characters, or 64 hexadecimal digits; this one has 5."])
    if via != "iwd":
        refuses(1, "join", "SFR_7E55", *HOME, *over, "--bssid", "02:00:00:00:00:09", "--password-file", "right",
                says=["The access point 02:00:00:00:00:09 was not heard",
                      "that was: 3c:a6:2f:f7:58:80, 3c:a6:2f:f7:58:90."])
    check(f"join an open network over {via}", run("join", "Blob's World", *still, *over).returncode == 0)
    listed = run("known", *still, *over).stdout
    check(f"known over {via}", "Airport" in listed and "Cabin" in listed
          and re.search("Nacho Wi-Fi 5G .* (in range|joined)", listed), listed)
    done = run("known", "forget", "Airport", "--yes", *HOME, *over)
    check(f"known forget over {via}", done.stdout == "forgot Airport\n" and "Airport" in run("known", *HOME,
        *over).stdout, done)
    refuses(1, "known", "forget", "Nowhere", "--yes", *HOME, *over, says=["no network “Nowhere” is known"])
    added = run("known", "add", "New", *HOME, *over, "--password-file", "right")
    check(f"known add over {via}", added.returncode == 69 if via == "iwd" else added.stdout.startswith("added New"),
          added)
    states = [run("radio", asked, *HOME, *over) for asked in ("on", "off", "status")]
    check(f"radio over {via}", [state.stdout.split()[-1] for state in states] == ["on", "off",
        "on"] and not any(state.returncode for state in states), states)
for security in ("open", "owe"):
    for command in (["join", "SFR_7E55"], ["known", "add", "New"]):
        refuses(64, *command, *HOME, "--security", security, "--password-file", "right",
                says=[f"--security {security} has no password: leave out --password-file."])
done = run("join", "SFR_7E55", *HOME, "--password-file", "right", "--json", "--record", "talk.txt")
check("join as JSON, recorded without the password",
      json.loads(done.stdout)["joined"] and json.loads(done.stdout)["via"] == "networkmanager"
      and os.path.getsize("talk.txt") > 1000
      and "blob blob" not in open("talk.txt", errors="replace").read() and os.stat("talk.txt").st_mode & 0o077 == 0,
      done)
for command in (["join", "x"], ["known"], ["radio"]):
    refuses(64, *command, "--simulate", "preview", "--seed", "7", says=["--simulate preview has no daemon"])
    refuses(64, *command, "--simulate", "home", says=["--simulate needs a --seed"])
    refuses(64, *command, "--seed", "7", says=["--seed goes with --simulate."])

# Without a daemon, as without an adapter, a simulated one can be asked.
nothing = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "WPA_CTRL_DIR": "/nowhere"}
has_adapter = os.path.isdir("/sys/class/ieee80211") and os.listdir("/sys/class/ieee80211")
for command in (["join", "x", "-i", "wlan0"], ["known", "list", "-i", "wlan0"], ["known", "--via", "networkmanager"], ["radio"],
                *([] if has_adapter else [["scan"]])):
    done = run(*command, env=nothing)
    # A machine of its own may have switches.
    if command != ["radio"] or done.returncode:
        check(f"{' '.join(command)} names --simulate", done.returncode == 69 and
              "Without an adapter, `--simulate home --seed 7` shows a simulated home." in done.stderr, done)

# Which channel is the least busy, and why.
advice = run("scan", "--simulate", "office", "--seed", "7", "--channels").stdout.splitlines()
check("scan --channels", [line.split(":")[0] for line in advice] == ["2.4GHz", "5GHz",
    "6GHz"] and all(re.match(r"\S+: channel \d+ \(busy \d+ %, ", line) for line in advice)
      and "PSC" in advice[2], advice)
check("scan --channels of a recording", re.match(r"2.4GHz: channel \d+ \(\d+ access points, the strongest -\d+ dBm",
                                                 run("scan", "--replay", recording, "--channels").stdout))
for other in (["--bss"], ["--format", "ndjson"], ["--columns", "name"], ["--sort", "name"], ["--makers"]):
    refuses(64, "scan", "--replay", recording, "--channels", *other, says=["--channels goes with --format table and json"])
for other in (["--channels"], ["--json"], ["--format", "csv"]):
    refuses(64, "scan", "--replay", recording, "--color", "always", *other, says=["--color colours the table of networks"])
    refuses(0, "scan", "--replay", recording, "--color", "never", *other)
for command in (["diff", recording, recording, "--json"], ["watch", "--replay", recording], ["replay", recording],
                ["record", "--replay", recording, "-o", "x", "--json"]):
    refuses(64, *command, "--color", "always", says=["goes with --format table"])
refuses(64, "explain", scenario, "--color", "always", "-o", "-", says=["--color colours the text; a page (--output) has its own colours."])
refuses(64, "scan", "--channels", "--gpsd", "localhost", says=["--channels goes with --format table and json", "--gpsd"])
for other in (["--name", "lab"], ["--not-name", "lab"], ["--bssid", "02:00:00"], ["--channel", "1-11"], ["--min-signal", "-70"],
              ["--security", "open"], ["--not-security", "wpa3"]):
    refuses(64, "scan", "--replay", recording, "--channels", *other,
            says=[f"--channels counts every access point: leave out {other[0]}; --band and --not-band choose bands."])
of_bands = run("scan", "--simulate", "office", "--seed", "7", "--channels", "--band", "2.4,5", "--not-band", "5").stdout
check("scan --channels of a band", [line.split(":")[0] for line in of_bands.splitlines()] == ["2.4GHz"], of_bands)
best = json.loads(run("scan", "--simulate", "office", "--seed", "7", "--channels", "--json").stdout)
check("scan --channels --json", best["schema"] == "wifi-harness/channels/1" and [
    f'{one["band"]}: channel {one["channels"][0]["channel"]} (busy {one["channels"][0]["busyPercent"]} %' for one in best["bands"]]
      == [line.partition(",")[0] for line in advice], (best, advice))

# gpsd is not asked for a position that is shown nowhere.
for command, formats, others in ((["scan"], "json, csv and wigle", ("table", "ndjson", "pcapng")),
                                 (["watch"], "ndjson, csv and wigle", ("table", "lines", "pcapng"))):
    for form in others:
        refuses(64, *command, "--gpsd", "localhost", "--format", form,
                says=[f"--gpsd goes with --format {formats}: {form} has no place for positions."])
refuses(64, "watch", "--gpsd", "localhost", says=["--gpsd goes with --format ndjson, csv and wigle: lines has no place"])

# A pause is typed the same way everywhere.
for interval, shown in (("10", "10 s"), ("10s", "10 s"), ("2m", "120 s"), ("500ms", "0.5 s"), ("1h", "3600 s"), ("0", "0.1 s")):
    done = run("panel", *HOME, "--once", "--after", "1s", "--interval", interval, "--size", "100x30")
    check(f"panel --interval {interval}", done.returncode == 0 and f"every {shown}" in done.stdout, done)
for command in (["panel"], ["serve"], ["watch"], ["record", "--count", "1", "-o", "x"]):
    refuses(64, *command, *HOME, "--interval", "61m", says=["--interval 61m: at most an hour."])

# What has times of its own has no pause between scans, and what starts no scan gives none up.
for command in (["panel", "--once"], ["serve"], ["watch"], ["record", "-o", "x"]):
    refuses(64, *command, "--replay", recording, "--interval", "1s", says=["--replay has scans", "so --interval has nothing to apply to"])
for command in (["watch"], ["record", "--count", "1", "-o", "x"]):
    refuses(64, *command, "--simulate", "preview", "--seed", "7", "--interval", "2s", says=["so --interval has nothing to apply to"])
refuses(64, "simulate", "--seed", "7", "--interval", "2s", says=["the world preview has a scan each second", "--interval"])
for command in (["scan"], ["audit"], ["watch"], ["record", "-o", "x"], ["panel", "--once"], ["serve"]):
    refuses(64, *command, "--replay", recording, "--timeout", "20s",
            says=["--replay starts no scan, so --timeout has nothing to apply to."])
refuses(64, "scan", "--simulate", "preview", "--seed", "7", "--timeout", "5s", says=["so --timeout has nothing to apply to"])
refuses(64, "panel", "--once", *HOME, "--timeout", "5s", says=["so --timeout has nothing to apply to"])
refuses(64, "scan", "--cached", "--timeout", "5s", says=["--cached starts no scan, so --timeout has nothing to apply to."])
refuses(0, "scan", "--simulate", "still", "--seed", "7", "--timeout", "5s", "--json")

# Figures replace their file after each scan.
for figures in ("both.ndjson", "./both.ndjson", os.path.abspath("both.ndjson")):
    refuses(64, "record", "--simulate", "still", "--seed", "7", "--count", "2", "-o", "both.ndjson", "--metrics", figures,
            says=["--metrics and --output name one file"])
# What two options write has two files, also where a folder is still to be made. A device gets one after the other.
quiet = ["--world", "still", "--seed", "7"]
for one, other, command in (
    ("--junit twice.svg", "--markdown ./twice.svg", ["check", scenario]),
    ("--output twice.svg", "--plot twice.svg", ["simulate", *quiet]),
    ("--metrics twice.svg", "--plot twice.svg", ["replay", recording]),
    ("--output twice", "--junit twice/shard-0-of-1.ndjson", ["explore", "--seeds", "1"]),
    ("--output twice", "--junit twice/report-1-of-4.md", ["explore", "--seeds", "1", "--shard", "1/4"]),
    ("--output twice", "--junit ./twice/report.json", ["explore", "merge", "twice"]),
):
    refuses(64, *command, *one.split(), *other.split(),
            says=[f"{one.split()[0]} and {other.split()[0]} name one file, {other.split()[1]}, in which one would replace the other"])
check("and nothing is written", not os.path.exists("twice") and not os.path.exists("twice.svg"))
refuses(0, "check", scenario, "--junit", "/dev/null", "--markdown", "/dev/null")

# Two worlds are not one recording.
world = ["record", "--count", "1", "-o", "world.ndjson", "--simulate"]
check("record a world", run(*world, "home", "--seed", "3").returncode == 0 and run(*world, "home", "--seed",
    "3").returncode == 0)
refuses(65, *world, "office", "--seed", "3",
        says=["world.ndjson is there already, a recording of simulation home, seed 3; it was left as it is."])

# A scan of a world shows what its panel shows, at the time that was asked for.
for world, after in (("preview", "1s"), ("still", "1m")):
    listed = run("scan", "--simulate", world, "--seed", "5", "--format", "json").stdout
    names = {network["ssid"] for network in json.loads(listed)["networks"]}
    picture = run("panel", "--simulate", world, "--seed", "5", "--once", "--after", after, "--size", "200x60").stdout
    check(f"scan and panel of {world}", names and all(name[:10] in picture for name in names), (names, picture))
    found = {line.split(" found ")[1].lstrip().split("  ")[0]
             for line in run("watch", "--simulate", world, "--seed", "5", "--count", "1").stdout.splitlines()}
    check(f"scan and the first scan of watch of {world}",
          {name for name in names if name.isascii()} == {name for name in found if name.isascii()}, (names, found))
picture = run("panel", "--simulate", "preview", "--seed", "5", "--once", "--after", "1s", "--size", "100x30").stdout
check("panel --once --after", "+1.0 s" in picture.split("\n")[0], picture)

# Two panels of one world show the same at the same time. A busy machine starts one of them late, at times.
for _ in range(3):
    panels = []
    for _ in range(2):
        panels.append((time.monotonic(), start(BINARY, "panel", "--linear", *HOME, "--interval",
                                               "1500ms", stdin=subprocess.PIPE)))
        time.sleep(0.3)
    for began, panel in panels:
        time.sleep(max(began + 14.5 - time.monotonic(), 0))
        panel.stdin.write("list\nquit\n")
        panel.stdin.flush()
    pictures = [finish(panel) for _, panel in panels]
    if pictures[0] == pictures[1]:
        break
check("two panels of one seed", len(pictures[0][1].splitlines()) > 15 and pictures[0] == pictures[1], pictures)

# Numbers that begin with a minus.
refuses(64, "scan", "--at", "-1", "--replay", recording, says=["--at counts from 1"])
refuses(64, "watch", "--count", "-1", says=["--count takes at least 1"])
refuses(64, "record", "--count", "-1", "-o", "x", says=["--count takes at least 1"])
refuses(64, "replay", "--speed", "-1", recording, says=["--speed takes 0.001 to 1000000"])
refuses(64, "scan", "--simulate", "home", "--seed", "-4",
        says=["'-4' is invalid for '--seed <seed>': give a whole number from 0 to 18446744073709551615, such as 7."])
refuses(64, "watch", "--interval", "-1s",
        says=["'-1s' is invalid for '--interval <time>': give a number and a unit, such as"])
refuses(64, "simulate", "--seed", "18446744073709551616",
        says=["for '--seed <seed>': give a whole number from 0 to 18446744073709551615, such as 7."])
refuses(64, "watch", "--count", "9223372036854775808",
        says=["for '--count <n>': give a whole number up to 9223372036854775807, such as 7."])
# A time is typed the same way wherever one is taken, and refused in the same words.
timed = [
    ["watch", "--interval"], ["record", "-o", "x", "--interval"], ["record", "-o", "x", "--duration"],
    ["panel", "--interval"],
    ["panel", "--once", *HOME, "--after"], ["serve", "--interval"], ["scan", "--timeout"],
    ["watch", "--exec", "true", "--exec-limit"], ["simulate", "--seed", "7", "--duration"],
    ["simulate", "--seed", "7", "--interval"],
    ["explore", "--seeds", "1", "--length"],
]
for command in timed:
    for bad in ("soon", "-1s", "10x", "1.5.5s", "9999999h"):
        refuses(64, *command, bad,
                says=[f"'{bad}' is invalid for '{command[-1]} <time>': give a number and a unit, such as 500ms, 90s, 10m or 2h; 876000h are the most."])
spelled = {time: run("simulate", "--world", "home", "--seed", "7", "--duration", time, "--interval", "10s").stdout
           for time in ("90", "90s", "90000ms", "1.5m", "0.025h")}
check("one time in five spellings", len(set(spelled.values())) == 1 and ", 90 s: " in spelled["90"], spelled)
pictures = {run("panel", *HOME, "--once", "--after", time, "--size", "90x30").stdout
            for time in ("20", "20s", "20000ms")}
for long in ("25h", "86401s", "876000h"):
    refuses(64, "panel", *HOME, "--once", "--after", long, says=[f"--after {long}: at most a day"])
check("--after in three spellings", len(pictures) == 1 and len(pictures.pop()) > 100)
lengths = {run("explore", "--seeds", "2", "--worlds", "still", "--length", time, "--jobs", "1").stdout
           for time in ("5", "5s")}
check("--length in two spellings", len(lengths) == 1 and len(lengths.pop()) > 10, lengths)
rules = {run(*down, f"rfkill:at={time}", "--duration", "9s").stdout for time in ("6", "6s", "6000ms")}
check("the time of a fault in three spellings", rules == {at["6s"]}, rules)
for dwell in ("0", "0s", "68s", "x"):
    refuses(64, "scan", "--dwell", dwell,
        says=["for '--dwell <tu>': give a whole number of TU from 1 to 65535, such as 100, or a time such as 100ms."])
for dwell in ("100", "100ms", "0.1s"):
    done = run("scan", *HOME, "--dwell", dwell)
    check(f"--dwell {dwell}", done.returncode == 0 and done.stdout, done)
# What is accepted stands in the messages of the parser, too.
refuses(64, "scan", "--seed",
        says=["Missing value for '--seed <seed>': give a whole number from 0 to 18446744073709551615, such as 7."])
refuses(64, "watch", "--count", "many", says=["'many' is invalid for '--count <n>': give a whole number"])
refuses(64, "scan", "--dwell", "70000",
        says=["'70000' is invalid for '--dwell <tu>': give a whole number of TU from 1 to 65535"])
refuses(64, "scan", "--replay", says=["Missing value for '--replay <file>': give the name of a file."])
refuses(64, "replay", says=["Missing expected argument '<file>': give the name of a file."])
refuses(64, "replay", "--speed", "fast", recording,
        says=["'fast' is invalid for '--speed <factor>': give a number, such as 10x, 10 or 0.5."])
refuses(64, "replay", "--from", "noon", recording,
        says=["'noon' is invalid for '--from <moment>': give a time such as 90s", "or a moment in UTC"])
refuses(64, "run", "--seed", "7", "--pace", "fast",
        says=["'fast' is invalid for '--pace <pace>': give real, virtual, or a factor such as 20x or 20."])
refuses(64, "known", "add", "x", "--autoconnect", "--no-autoconnect",
        says=["--autoconnect and --no-autoconnect exclude each other."])
# How to sort, and which columns, where there is no table.
for option in (["--sort", "name"], ["--reverse"], ["--columns", "name"]):
    for command in (["watch", "--replay", recording], ["replay", recording],
                    ["record", "--replay", recording, "-o", "x"]):
        refuses(64, *command, *option,
                says=[f"{option[0]} goes with --format table; without a terminal the default is lines."])
        refuses(64, *command, "--json", *option, says=[f"{option[0]} goes with --format table."],
                silent=["the default"])
    check(f"a table with {option[0]}", run("replay", recording, "--format", "table", *option).returncode == 0)
refuses(64, "scan", "--replay", recording, "--format", "pcapng", "--reverse",
        says=["--reverse goes with every format but pcapng"])
refuses(64, "audit", "--replay", recording, "--sort", "name", says=["Unknown option '--sort'"])
# Addresses, and what is left out.
for bad in ("02:00:0", "nobody", "02:00,"):
    refuses(64, "scan", "--replay", recording, "--bssid", bad,
            says=["--bssid ", "give an address such as 02:00:00:00:00:01, or how it begins"])
refuses(64, "diff", recording, recording, "--not-band", "7", says=["--not-band 7: choose from 2.4, 5, 6 and 60"])
refuses(64, "watch", "--not-security", "WPA9", says=["--not-security WPA9: choose from open, owe"])


def addresses(*arguments):
    return {line.split(",")[0] for line in run("scan", "--replay", recording, "--format", "csv",
                                               *arguments).stdout.splitlines()[1:]}


everything = addresses()
for one, other in (("--name", "lab*"), ("--security", "open,owe"), ("--band", "5")):
    wanted, rest = addresses(one, other), addresses("--not-" + one[2:], other)
    check(f"--not-{one[2:]} leaves out what {one} shows",
          wanted and rest and wanted | rest == everything and not wanted & rest, (wanted, rest))
some = sorted(everything)[0]
check("--bssid takes upper case", addresses("--bssid", some.upper()) == {some})
check("--bssid takes how addresses begin", some in addresses("--bssid",
    some[:8]) == {one for one in everything if one.startswith(some[:8])})
table = run("scan", "--replay", recording, "--columns", "signal").stdout.splitlines()[1:]
check("--reverse", run("scan", "--replay", recording, "--columns", "signal",
                       "--reverse").stdout.splitlines()[1:] == table[::-1] and len(table) > 2)
# The panel and the page take the filters of scan.
for source in (("--replay", recording), HOME,
               ("--simulate", "preview", "--seed", "7")):
    names = [n["ssid"] for n in json.loads(run("scan", *source, "--format", "json").stdout)["networks"]
             if n["ssid"].isascii() and "\\" not in n["ssid"]]
    after = ["--after", "1s"] if "preview" in source else []
    picture = run("panel", *source, *after, "--name", names[0], "--once", "--size", "200x60").stdout
    check(f"panel --name of {source[1]}", names[0][:10] in picture and not any(name in picture for name in names
        if name and names[0][:10] not in name), (names, picture))
for command in ("panel", "serve"):
    refuses(64, command, "--replay", recording, "--security", "wpa9", says=["--security wpa9", "choose from"])
    # How to scan is for adapters there; scan and watch scan a world so.
    for option in (["--cached"], ["--passive"], ["--frequency", "6GHz"], ["--ssid", "x"], ["--dwell", "100"]):
        refuses(64, command, *HOME, *option, says=[f"so {option[0]} has nothing to apply to"])
# What is to be opened must be possible there.
refuses(69, "serve", "--replay", recording, "--open", "connect/lab-sae", says=["A recording has no networks to join"])
done = run("panel", *HOME, "--once", "--after", "20s", "--open", "detail/Nowhere")
check("panel --open of a network that is not there",
      done.returncode == 66 and not done.stdout and "--open detail/Nowhere: no such network was heard." in done.stderr, done)
# What is suggested was nearly typed.
refuses(64, "check", "--json", scenario, says=["Unknown option '--json'."], silent=["Did you mean"])
refuses(64, "replay", "--sped", "3", recording, says=["Did you mean '--speed'?"])
refuses(64, "watch", "--json", "--format", "lines", says=["--json and --format lines exclude each other"])
refuses(64, "panel", *HOME, "--linear", "--open", "known", says=["--open names a place of the picture"])
for colours in (["--color", "16"], ["--background", "light"]):
    refuses(64, "panel", *HOME, "--linear", *colours, says=["--linear prints sentences, without colours"])
check("--json is ndjson", run("replay", "--json", recording).stdout == run("replay", "--format", "ndjson",
                                                                           recording).stdout != "")

# Files with nothing in them.
empty = file("empty")
for command in [["scan", "--replay"], ["replay"], ["watch", "--replay"], ["record", "-o", "x", "--replay"],
                ["audit", "--replay"],
                ["diff", recording], ["decode"], ["panel", "--once", "--replay"], ["check"], ["explain"],
                ["serve", "--replay"], ["check", scenario, "--replay"], ["explain", scenario, "--replay"],
                ["explore", "orders"]]:
    refuses(65, *command, empty, says=["empty"])
    refuses(66, *command, "nowhere", says=["cannot open"])
refuses(66, "explain", ".", says=["is a folder"])
one = file("one.ndjson", b"".join(open(recording, "rb").readlines()[:2]))
for number in ("3", "99"):
    refuses(64, "scan", "--replay", one, "--at", number, says=[f"--at {number}: the recording holds scans 1 to 1."])
# A file that is given twice is read twice; what is wrong with it is said once.
cut = file("twice.ndjson", open(recording, "rb").read()[:-7])
for command in (["diff", cut, cut], ["audit", "--replay", cut, "--known", cut]):
    check(" ".join(command), run(*command).stderr.count("skipped one incomplete line") == 1)
# The limit of open files.
few = 'ulimit -n "$1" && shift && exec "$@"'
for limit in range(4, 9):
    for command in (["scan", *HOME], ["check", scenario], ["decode", recording]):
        done = checking.run("sh", "-c", few, "sh", str(limit), BINARY, *command, stdout=-1, stderr=-1)
        check(f"{' '.join(command)} with {limit} files", done.returncode == 71 and "ulimit -n 256" in done.stderr,
              done)
# A clock that steps back is one warning.
lines = open(recording, "rb").readlines()
back = file("back.ndjson", lines[0] + lines[3] + lines[1] + lines[2])
for command in (["replay", back], ["scan", "--replay", back], ["panel", "--once", "--replay", back],
                ["diff", back, back]):
    said = run(*command).stderr
    check(" ".join(command), "back.ndjson: its clock steps back" in said and said.count("\n") == 1, said)
# Frames without a time have none in what is written of them.
packet = bytes.fromhex("00000c00080000006c09a000" + "80000000ffffffffffff0200000000010200000000010000" + "00" * 8
                       + "64000100" + "00024142")
block = struct.pack("<III", 3, 16 + len(packet) + -len(packet) % 4, len(packet)) + packet + bytes(-len(packet) % 4)
untimed = file("untimed.pcapng", bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000")
               + struct.pack("<IIHHII", 1, 20, 127, 0, 0, 20) + block + struct.pack("<I", len(block) + 4))
run("record", "--replay", untimed, "-o", "untimed.ndjson")
for source in (untimed, "untimed.ndjson"):
    for command in (["scan", "--replay", source, "--format", "wigle"], ["replay", source, "--format", "csv"],
                    ["replay", source, "--json"], ["replay", source, "--absolute-time"],
                    ["replay", source, "--format", "plot"], ["diff", source, source]):
        done = run(*command)
        check(" ".join(command), done.returncode == 0 and done.stdout and "1970" not in done.stdout, done)
# A panel without room is a sentence.
picture = run("panel", *HOME, "--once", "--size", "1x1")
check("panel --once --size 1x1", picture.returncode == 0 and "needs 40 × 15 cells" in picture.stdout, picture)
# The subcommands of explore refuse what they have no use for.
for command, options in (
    (["orders", scenario], ["--worlds", "preview", "--length", "9s", "--via", "page", "--once", "--keep", "3",
                            "--stop-at-first", "--no-shrink", "--daemon", "iwd", "--access-points", "9",
                            "--junit", "x.xml"]),
    (["statistics"], ["--output", "x", "--jobs", "3"]), (["merge", "x"], ["--jobs", "3"]),
):
    refuses(64, "explore", *options, *command,
            says=["leave out --", *[option for option in options if option.startswith("--")]])
# Seeds of explore: any range that has an end, or a sentence about what is wrong with it.
for seeds, sentence in (("0", "no seed would be run"), ("5..5", "the range is empty"), ("5..<5", "give one such as 5..6"),
                        ("9..5", "the range is reversed; the lower seed comes first: 5..9"), ("-5..5", "a range such as 0..10000"),
                        ("x", "a range such as 0..10000"), ("0..18446744073709551615", "more than the 1000000000000"),
                        ("1000000000001", "--shard runs side by side")):
    refuses(64, "explore", "--seeds", seeds, says=[f"--seeds {seeds}: ", sentence])
done = run("explore", "--seeds", "18446744073709551600..18446744073709551615", "--worlds", "preview", "--length", "1s", "--jobs", "1")
check("the highest seeds are explored", done.returncode == 0 and done.stdout.startswith("15 seeds, "), done)
for jobs in ("-1", "0", "1025"):
    for command in (["check", scenario], ["explore", "--seeds", "1"], ["explore", "orders", scenario]):
        refuses(64, *command, "--jobs", jobs, says=["--jobs takes 1 to 1024."])
refuses(64, "explore", "--seeds", "1", "--jobs", "x", says=["a whole number from 1 to 1024, such as 2"])
refuses(64, "explore", "orders", scenario, "--runs", "-1", says=["--runs takes 1 to 10000000."])
refuses(64, "explore", "orders", scenario, "--deviations", "-1", says=["--deviations takes 0 to 1000."])
refuses(64, "explore", "--seeds", "1", "--keep", "-1", says=["--keep takes 1 to 100000."])
refuses(64, "explore", "--seeds", "1", "--keep", "3", says=["--keep says how many findings stay in the folder of --output"])
refuses(64, "explore", "--seeds", "1", "--access-points", "-1", says=["--access-points takes "])
# What an exploration writes is refused before it runs, and written before it prints.
file("afile")
for command in (["explore", "--seeds", "1"], ["explore", "merge", "x"], ["explore", "orders", scenario]):
    refuses(64, *command, "-o", "afile", says=["--output takes a folder, and afile is a file"])
for command in (["explore", "--seeds", "1000000"], ["check", scenario]):
    refuses(74, *command, "--junit", "none/x.xml", says=["cannot write to none/x.xml: No such file"])
done = run("explore", "orders", scenario, "-o", "afile/in/here")
check("a folder that cannot be made is refused before orders run",
      done.returncode == 74 and not done.stdout and "cannot write to afile/in/here/" in done.stderr, done)
seeds = ["--seeds", "64", "--worlds", "home", "--length", "1s", "--once", "--jobs", "1"]
alone = start(BINARY, "explore", *seeds, "-o", "alone", "--junit", "alone.xml")
alone.stdout.close()
said = alone.stderr.read()
check("a reader that went away changes neither the files nor the status",
      alone.wait(60) == 1 and os.path.exists("alone/report.json") and os.path.exists("alone.xml"), (alone.returncode, said))
alone = start(BINARY, "explore", "merge", "alone", "-o", "merged")
alone.stdout.close()
check("nor does it of merge", alone.wait(60) == 1 and os.path.exists("merged/report.json"), alone.stderr.read())
refuses(1, "explore", "merge", "alone", "-o", "merged/in/here")
done = run("explore", "--seeds", "1", "--worlds", "preview", "--length", "1s", "--jobs", "1", "-o", "alone/in/here")
check("folders above an output are made, too",
      os.path.exists("merged/in/here/report.json") and os.path.exists("alone/in/here/shard-0-of-1.ndjson"), done)
failing = file("failing.yaml", b"scenario: a\nsource: { simulate: { world: preview, seed: 7, churn: off } }\nsteps:\n"
               b"  - expect: { wifi: off }\n")
for command, written in ((["check", failing, "--junit", "failing.xml"], "failing.xml"),
                         (["explore", "orders", failing, "-o", "orders"], "orders/failing-order.yaml"),
                         (["explore", "orders", failing, "-o", "orders/in/here"], "orders/in/here/failing-order.yaml"),
                         (["explore", "orders", failing], failing)):
    alone = start(BINARY, *command)
    alone.stdout.close()
    said = alone.stderr.read()
    check(f"nor does it of {' '.join(command)}", alone.wait(60) == 1 and os.path.exists(written), (alone.returncode, said))
# What is written of scenarios has a file for each of them, and replaces none.
os.makedirs("again", exist_ok=True)
shutil.copy(failing, "again/failing.yaml")
done = run("explore", "orders", failing, "again/failing.yaml", "-o", "twice")
check("scenarios of one name are written to two files",
      done.returncode == 1 and sorted(os.listdir("twice")) == ["failing-order-2.yaml", "failing-order.yaml"], done)
shutil.copy(failing, "again/failing-order.yaml")
refuses(64, "explore", "orders", "again", "-o", "./again",
        says=["--output names a scenario, ./again/failing-order.yaml, which it would replace; give another name."])
check("the scenario in its place is as it was", open("again/failing-order.yaml").read() == open(failing).read())
os.makedirs("other/again", exist_ok=True)
shutil.copy(failing, "other/again/failing.yaml")
for one, two in (("again/failing.yaml", "other/failing.yaml"), ("again/failing.yaml", "again/failing.yml")):
    shutil.copy(failing, two)
    refuses(64, "check", one, two, "--update", says=[f"--update: {one} and {two} have one golden trace, traces/failing.trace; give one"])
    os.remove(two)
check("no trace is written", not os.path.exists("traces/failing.trace"))
# A batch that stands twice in a journal counts once.
report, lines = run("explore", *seeds, "-o", "alone").stdout, open("alone/shard-0-of-1.ndjson").read().splitlines(True)
check("a journal has a header and a batch a line", len(lines) == 2, lines)
for content in ("".join(lines + lines[1:]), "".join(lines)[:-9], lines[0][:9]):
    file("alone/shard-0-of-1.ndjson", content.encode())
    check(f"a journal of {len(content)} bytes gives the same report", run("explore", *seeds, "-o", "alone").stdout == report != "")
# Every option that takes a file or a folder refuses an empty name.
def paths(command, path=()):
    for argument in command.get("arguments", []):
        if argument["kind"] == "option" and {"file", "directory"} & set(argument.get("completionKind", {})):
            yield from ((path, ("--" if name["kind"] == "long" else "-") + name["name"]) for name in argument["names"])
    for below in command.get("subcommands", []):
        yield from paths(below, (*path, below["commandName"]))


# A command of the shell may be completed as a file, and is none.
named = [one for one in paths(json.loads(harness("--experimental-dump-help").stdout)["command"]) if one[1] != "--world-command"]
check("options that take a file are found", len(named) > 25, named)
for path, option in named:
    refuses(64, *path, option, "", says=[f"{option}: the name is empty"])
refuses(64, "explore", "--seeds", "1", "--output=", says=["--output: the name is empty"])
check("nothing is written to /", not os.path.exists("/shard-0-of-1.ndjson"))
# What help shows of seeds can be typed into a shell.
shown = [line for path in ((), ("explore",), ("explore", "merge")) for line in run(*path, "--help").stdout.splitlines() if re.search(r"(?<!')\b\d+\.\.<", line)]
check("no range in help is a redirection", not shown, shown)
# Captures that are none, or damaged.
for length in [5, 23]:
    refuses(65, "scan", "--replay", file("cut.pcap",
                                         bytes.fromhex("d4c3b2a1020004000000000000000000ffff00006900000000")[:length]),
            says=["cut.pcap", f"ends after {length} of the 24 bytes"])
refuses(65, "scan", "--replay", file("cut.pcapng",
                                     bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000")[:27]),
        says=["cut.pcapng", "ends after 27 of the 28 bytes"])
refuses(65, "scan", "--replay", file("version.pcap", bytes.fromhex("d4c3b2a10200ffff0000000000000000ffff000069000000")),
        says=["version.pcap", "version 2.65535"])
file("damaged.pcapng", harness("replay", "--format", "pcapng", recording, text=False).stdout[:-30])
refuses(65, "scan", "--replay", "damaged.pcapng", says=["damaged.pcapng: cut off at byte"])

# Standard input can be read once, and has no folder for a trace.
for command in (["check", "-", "-"], ["check", "-", "--replay", "-"], ["explain", "-", "--replay", "-"],
                ["serve", "--replay", "-", "--token-file", "-"]):
    refuses(64, *command, says=["- stands for standard input, which can be read once"])
refuses(64, "check", "-", "--update", says=["--update writes traces", "standard input (-) has none"])

# Outputs that would destroy what is read, and those that are no files.
# All that is wrong with a scenario is said at once, whatever reads it.
wrong = file("wrong.yaml", b"name: x\nsource: nothing\nsteps:\n  - scan: 3\n  - foo: 3\n")
for command in (["check"], ["explain"], ["explore", "orders"]):
    refuses(65, *command, wrong, says=["wrong.yaml:1:1: ", "wrong.yaml:2:9: ", "wrong.yaml:4:5: ", "wrong.yaml:5:5: "])
refuses(64, "help", "jion", says=["there is no command “jion”", "Did you mean “join”?"])
refuses(64, "scan", "--replay", recording, "--columns", "name,signal,NAME", says=["--columns: “NAME” is there twice."])
# Without an adapter a scenario has tested nothing.
adapter = file("adapter.yaml", b"scenario: a\nsource: { interface: wlan99 }\nsteps:\n  - expect: { wifi: on }\n")
refuses(69, "check", adapter, says=["adapter.yaml:1:1: ", "wireless"])
refuses(69, "explain", adapter, says=["adapter.yaml:1:1: ", "wireless"])
# What was heard is never replaced.
heard = file("heard.ndjson", open(recording, "rb").read())
capture = file("heard.pcapng", harness("scan", "--replay", recording, "--format", "pcapng", text=False).stdout)
for kept, what in ((heard, "recording"), (capture, "capture")):
    before = open(kept, "rb").read()
    for arguments in (
        ["check", scenario, "--junit", kept], ["check", scenario, "--markdown", kept],
        ["explain", scenario, "-o", kept],
        ["watch", "--replay", recording, "--metrics", kept],
        ["panel", "--replay", recording, "--once", "--export", kept],
        ["panel", "--replay", heard, "--once", "--export", kept],
    ):
        refuses(64, *arguments, says=[f"names a {what}, ", "which it would replace; give another name."])
    check(f"{kept} is as it was", len(before) > 0 and open(kept, "rb").read() == before)
# What could not be written at the end is refused before anything runs.
plotted = file("heard.svg", open(recording, "rb").read())
for command in (["simulate", *quiet], ["replay", recording]):
    refuses(64, *command, "--plot", plotted, says=["--plot names a recording, heard.svg, which it would replace; give another name."])
for arguments in (["simulate", *quiet, "--plot", "none/x.svg"], ["replay", recording, "--plot", "none/x.svg"],
                  ["explain", scenario, "-o", "none/x.svg"],
                  ["panel", "--once", "--replay", recording, "--export", "none/x.svg"]):
    done = run(*arguments)
    check(" ".join(arguments),
          done.returncode == 74 and not done.stdout and "cannot write to none/x.svg: No such file" in done.stderr, done)
refuses(64, "record", "--replay", recording, "-o", "-", says=["--output takes a file"])
refuses(64, "run", "--world", "home", "--seed", "7", "--plot", "x.svg", "--", "true", says=["Unknown option '--plot'"])
tables = run("replay", recording, "--format", "table").stdout
check("tables in a pipe move no cursor", tables.startswith("NETWORK") and "\033" not in tables and "\r" not in tables,
      tables[:200])
# Who replays what is damaged hears of it from the exit status, too.
damaged = file("cut.pcapng", open(capture, "rb").read()[:-7])
for arguments in (["scan", "--replay", damaged], ["replay", damaged], ["watch", "--replay", damaged],
                  ["record", "--replay", damaged, "-o", "cut.ndjson"],
                  ["diff", damaged, recording], ["panel", "--replay", damaged, "--once"],
                  ["audit", "--replay", damaged]):
    done = run(*arguments)
    check(" ".join(arguments), done.returncode == 65 and "cut.pcapng: cut off at byte" in done.stderr and done.stdout,
          done)
served = start(BINARY, "serve", "--replay", damaged, "--port", "0")
said = line_with(served.stderr, "cut.pcapng: cut off at byte")
served.stdout.readline()
served.terminate()
check("serve --replay cut.pcapng", finish(served)[0] == 65 and said, (said, served.returncode))
refuses(65, "check", file("cut.yaml",
                          b"scenario: a\nsource: { replay: cut.pcapng }\nsteps:\n  - expect: { wifi: on }\n"),
        says=["cut.yaml:2:19: cut.pcapng cannot be replayed: cut off at byte"])
# Packets of another link beside those of IEEE 802.11 are no damage; where there are no others, the capture is of no
# use.
section = bytes.fromhex("0a0d0d0a1c0000004d3c2b1a01000000ffffffffffffffff1c000000")
ethernet = section + struct.pack("<IIHHII", 1, 20, 1, 0, 0, 20) + struct.pack("<7I16xI", 6, 48, 0, 0, 0, 16, 16, 48)
mixed, foreign = file("mixed.pcapng", ethernet + open(capture, "rb").read()), file("foreign.pcapng", ethernet)
for status, arguments in ((65, ["scan", "--replay"]), (65, ["replay"]), (65, ["watch", "--replay"]),
                          (65, ["record", "-o", "mixed.ndjson", "--replay"]),
                          (65, ["panel", "--once", "--replay"]), (65, ["diff", mixed]),
                          (65, ["audit", "--replay"])):
    done = run(*arguments, mixed)
    check(" ".join(arguments), done.returncode in (0,
        1) and "mixed.pcapng: link type 1 at byte 36 carries no 802.11 frames" in done.stderr, done)
    if "-o" in arguments:
        os.remove("mixed.ndjson")
    refuses(status, *arguments, foreign, says=["foreign.pcapng: link type 1 at byte 36 carries no 802.11 frames"])
# The reader of the changes may go; the recording goes on.
command = start(BINARY, "record", *HOME, "--count", "20", "-o", "alone.ndjson")
command.stdout.close()
said = command.stderr.read()
check("record goes on without a reader, and says so once",
      command.wait(60) == 0 and said.count("the reader of standard output is gone") == 1
      and len(open("alone.ndjson").readlines()) == 21, said)
# The address of a group is no access point's, nor is 65535 MHz a channel; a beacon below 1 GHz is of no network that is
# listed.
beacon = bytes.fromhex("80000000ffffffffffff0300000000010300000000010000" + "00" * 8 + "64000100" + "000161")
strange = bytes.fromhex("00000c0008000000ffff8000") + beacon.replace(bytes.fromhex("030000000001"),
                                                                     bytes.fromhex("020000000001"))
packets = [bytes.fromhex("00000c00080000006c09a000") + beacon, strange,
           bytes.fromhex("0000080000000000" "1c0000000c0e7600000140420f00010507000100000542a0")]
group = b"".join(struct.pack("<IIII", 1, 0, len(packet), len(packet)) + packet for packet in packets)
group = file("group.pcap", bytes.fromhex("d4c3b2a1020004000000000000000000ffff00007f000000") + group)
for command in (["scan", "--replay"], ["watch", "--replay"], ["panel", "--once", "--replay"]):
    done = run(*command, group)
    check(" ".join(command),
          "group.pcap: a beacon or probe response was left out: the BSSID is the address of a group" in done.stderr
          and "group.pcap: a beacon or probe response was left out: neither the receiver" in done.stderr
          and "03:00:00" not in done.stdout
          and "group.pcap: a beacon or probe response was left out: networks of 60 GHz (DMG) and below 1 GHz (S1G)" in done.stderr, done)
mine = file("mine.yaml", open(scenario, "rb").read())
refuses(64, "explain", mine, "-o", "./mine.yaml", says=["which it would replace"])
refuses(64, "check", mine, "--junit", "mine.yaml", says=["which it would replace"])
check("the scenario is as it was", open(mine, "rb").read() == open(scenario, "rb").read())
# Nor is anything else that a command reads.
for kept, what, arguments in (
    ("mine.key", "the file of the password", ["join", "x", *HOME, "--password-file", "./mine.key", "--record", "mine.key"]),
    *[("mine.key", "the file of the password", ["known", change, "x", *HOME, "--password-file", "./mine.key", "--record", "mine.key"])
      for change in ("add", "edit", "duplicate")],
    ("mine.ndjson", "a journal", ["explore", "merge", "mine.ndjson", "--junit", "mine.ndjson"]),
    ("mine.sh", "the program", ["run", *quiet, "--frames", "mine.sh", "--", "./mine.sh"]),
    ("traces/mine.trace", "a golden trace", ["explain", "scenarios/mine.yaml", "-o", "traces/mine.trace"]),
    ("traces/mine.trace", "a golden trace", ["check", "scenarios/mine.yaml", "--markdown", "traces/mine.trace"]),
    ("mine.hex", "what is read", ["watch", "--replay", "mine.hex", "--metrics", "mine.hex"]),
    ("mine.hex", "what is read", ["record", "-o", "x", "--replay", "mine.hex", "--metrics", "mine.hex"]),
    ("mine.svg", "what is read", ["replay", "mine.svg", "--plot", "mine.svg"]),
):
    os.makedirs(os.path.dirname(kept) or ".", exist_ok=True)
    file(kept, b"mine")
    refuses(64, *arguments, says=[f"names {what}, {kept}, which it would replace; give another name."])
    check(f"{kept} is as it was", open(kept, "rb").read() == b"mine")
copy = file("copy.ndjson", open(recording, "rb").read())
refuses(64, "record", "--replay", copy, "-o", "./copy.ndjson", says=["appended to itself"])
check("the recording is as it was", open(copy, "rb").read() == open(recording, "rb").read())
os.mkfifo("pipe")
received = []
reader = in_background(lambda: received.append(open("pipe", "rb").read()))
check("explain -o pipe", run("explain", scenario, "-o", "pipe").returncode == 0)
reader.join(30)
check("the reader of a pipe gets the page", received and received[0].startswith(b"<!")
      and received[0].rstrip().endswith(b"</html>") and stat.S_ISFIFO(os.stat("pipe").st_mode), received)
os.symlink("true.xml", "link.xml")
file("true.xml", b"old")
os.chmod("true.xml", 0o600)
check("check --junit link", run("check", scenario, "--junit", "link.xml").returncode == 0)
check("it is whole", open("link.xml").read().rstrip().endswith("</testsuites>"))
check("a link stays one, its file keeps its mode",
      os.path.islink("link.xml") and os.stat("true.xml").st_mode & 0o777 == 0o600
      and open("true.xml").read().startswith("<?xml"))
refuses(74, "explain", scenario, "-o", "/nonexistent/page.html",
        says=["/nonexistent/page.html", "No such file or directory"])
if os.path.exists("/dev/full") and not os.access("/dev", os.W_OK):
    refuses(74, "explain", scenario, "-o", "/dev/full", says=["No space left on device"])
if os.path.exists("/dev/full"):
    for command in (["simulate", "--world", "home", "--seed", "7", "-o", "/dev/full"],
                    ["record", *HOME, "--count", "2", "-o", "/dev/full"],
                    ["run", "--world", "still", "--seed", "7", "--frames", "/dev/full", "--", "true"]):
        refuses(74, *command, says=["cannot write to /dev/full: No space left on device."])

# Recordings through pipes with names, and times as the program writes them.
os.mkfifo("named")
writer = in_background(lambda: open("named", "wb").write(open(recording, "rb").read()))
through = run("replay", "named")
writer.join(30)
check("a recording through a pipe", through.returncode == 0 and through.stdout == run("replay", recording).stdout != "",
      through.stderr)
first = run("replay", "--format", "csv", recording).stdout.splitlines()[1].split(",")[1]
check("--from takes the times of CSV", "T" in first and "." in first and run("replay", "--from", first,
                                                                             recording).returncode == 0, first)
refuses(64, "replay", "--from", "2026-01-08T00:00:00.Z", recording, says=["invalid for '--from"])
known = '{"schema":"wifi-harness/known/1","networks":[{"ssidHex":"486f6d65","security":"WPA9"}]}'
refuses(65, "audit", "--replay", recording, "--known", file("known.json", known.encode()),
        says=["known.json, network 1", "“WPA9”"])

# Names that are no text, passwords and files of a join: nothing is asked of a daemon, and no bus is touched.
os.environ["DBUS_SYSTEM_BUS_ADDRESS"] = "unix:path=/nonexistent/bus"
os.environ["WPA_CTRL_DIR"] = "/nonexistent"
raw = harness(b"join", b"caf\xe9", text=False)
check("an argument that is no UTF-8", raw.returncode == 64 and rb"argument 2 is no UTF-8: caf\xe9." in raw.stderr, raw)
refuses(64, "join", "", says=["the name of the network is empty"])
refuses(74, "join", "x", "-i", "lo", "--via", "supplicant", "--security", "open", "--record", "/nonexistent/x",
        says=["cannot write to /nonexistent/x"])
refuses(64, "join", "x", "-i", "lo", "--via", "supplicant", "--security", "open", "--record", copy,
        says=["which it would replace"])
refuses(69, "join", "x", "-i", "a" * 200, "--via", "supplicant", "--security", "open",
        says=["no such wireless interface"])
refuses(69, "join", "x", "-i", "lo", "--via", "supplicant", "--security", "open", "--record", "talk",
        says=["The daemon does not run."])
check("the conversation is kept where nothing was joined", os.path.getsize("talk") > 0)
check("the password of a file may follow a byte order mark", "cannot be right" not in run(
    "join", "x", "-i", "lo", "--via", "supplicant", "--security", "psk", "--password-file",
    file("marked", b"\xef\xbb\xbfabcdefgh\r\n")).stderr
    and "cannot be right" in run(
    "join", "x", "-i", "lo", "--via", "supplicant", "--security", "psk", "--password-file",
    file("short", b"\xef\xbb\xbfabcdefg\n")).stderr)
