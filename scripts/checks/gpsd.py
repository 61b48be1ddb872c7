"""Scans along a track that gpsfake plays to gpsd, and metrics that promtool reads.

The track begins and ends without a fix. What is recorded is at places of the track, in its order, with the accuracy
that gpsd reports, and nowhere while there is no fix.
"""
import csv
import io
import json
import os
import re
import signal
import socket
import time

from lib import checking
from lib.checking import check, harness, in_background, run, start, until

HOME = ("--simulate", "home", "--seed", "7")
folder = checking.folder()


def sentence(body):
    sum = 0
    for letter in body:
        sum ^= ord(letter)
    return f"${body}*{sum:02X}\r\n"


def degrees(value, width):
    whole = int(value)
    return f"{whole:0{width}d}{(value - whole) * 60:07.4f}"


def epoch(second, place):
    """What a receiver says in a second: time, fix, errors."""
    clock = f"{12 + second // 3600:02d}{second // 60 % 60:02d}{second % 60:02d}.00"
    if place is None:
        return sentence(f"GPGGA,{clock},,,,,0,00,,,M,,M,,") + sentence("GPGSA,A,1,,,,,,,,,,,,,,,") + sentence(f"GPRMC,{clock},V,,,,,,,221126,,,N")
    (latitude, longitude) = place
    where = f"{degrees(latitude, 2)},N,{degrees(longitude, 3)},E"
    return (
        sentence(f"GPGGA,{clock},{where},1,08,1.0,545.4,M,46.9,M,,")
        + sentence("GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,1.8,1.0,1.5")
        + sentence(f"GPGST,{clock},6.0,4.0,3.0,30.0,3.0,4.0,7.0")
        + sentence(f"GPRMC,{clock},A,{where},002.7,045.0,221126,,,A"))


fixes = [(48.0 + 0.0001 * n, 11.5 + 0.0002 * n) for n in range(60)]
track = [None] * 12 + fixes + [None] * 200
log = checking.write(folder / "track.nmea", "".join(epoch(second, place) for second, place in enumerate(track)))


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens():
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
        return True
    except OSError:
        return False


reported_by_gpsd = set()


def listen():
    """Keeps the accuracies that gpsd reports to a direct client."""
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(b'?WATCH={"enable":true,"json":true}')
        for line in client.makefile():
            report = json.loads(line)
            if report["class"] == "TPV" and "eph" in report:
                reported_by_gpsd.add(report["eph"])


port = free_port()
gpsfake = start("gpsfake", "-1", "-n", "-q", "-c", "0.06", "-P", str(port), log, stdout=-3, stderr=-3,
                start_new_session=True)
try:
    until(listens)
    in_background(listen)
    recording, metrics = folder / "walk.ndjson", folder / "walk.prom"
    done = harness("record", *HOME, "--frequency", "2412,2437", "--interval", "200ms", "--count", "60", "--gpsd",
                   f"localhost:{port}",
                   "-o", recording, "--metrics", metrics, "--format", "ndjson", timeout=200)
    check("a walk is recorded", done.returncode == 0, done.stderr)
    scans = [json.loads(line) for line in open(recording)][1:]
    places = [scan.get("position") for scan in scans]
    known = [place for place in places if place]

    def index(place):
        """Which place of the track it is; NMEA has four places of minutes, some 0.2 m."""
        near = [n for n, (a, b) in enumerate(fixes)
                if abs(a - place["latitudeDegrees"]) < 2e-6 and abs(b - place["longitudeDegrees"]) < 2e-6]
        return near[0] if near else None

    indices = [index(place) for place in known]
    # The first and the last may be at the edge of the track.
    gaps = [n for n in range(places.index(known[0]), len(places) - places[::-1].index(known[-1]))
            if not places[n]] if known else []
    print(f"       {len(scans)} scans, {len(known)} with a position, places {indices[:3]} … {indices[-3:]}")
    check("before the first fix there is no position", places[0] is None, places[0])
    check("many scans have a position", len(known) >= 10, len(known))
    check("and all between the first and the last", not gaps, gaps)
    check("each is a place of the track", None not in indices, known)
    check("they follow the track", indices == sorted(indices) and len(set(indices)) > 5, indices)
    check("each has an altitude above the ellipsoid", all(abs(place["altitudeM"] - 592.3) < 0.2 for place in known),
          known[:2])
    check("each has the accuracy that gpsd reports", {place["accuracyM"] for place in known} <= reported_by_gpsd,
          (known[:2], reported_by_gpsd))
    counts = [json.loads(line) for line in done.stdout.splitlines() if '"event":"scan"' in line]
    check("the lines of scans have the positions", [count.get("position") for count in counts] == places, counts[:1])

    export = harness("replay", recording, "--format", "wigle")
    rows = list(csv.DictReader(io.StringIO(export.stdout.split("\n", 1)[1])))
    reported = {(row["CurrentLatitude"], row["CurrentLongitude"], row["AltitudeMeters"], row["AccuracyMeters"])
            for row in rows}
    numbers = {tuple(float(value) for value in row) for row in reported}
    expected = {tuple(place[key] for key in ["latitudeDegrees", "longitudeDegrees", "altitudeM", "accuracyM"])
                for place in known} | {(0, 0, 0, 0)}
    check("WiGLE CSV has the positions, and 0, 0 where there is none", len(numbers) > 5 and numbers <= expected,
          numbers - expected)
    export = harness("replay", recording, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(export.stdout)))
    check("CSV has the positions, and nothing where there is none",
          {row["latitudeDegrees"] for row in rows} - {""} <= {f"{place['latitudeDegrees']:.9f}".rstrip("0").rstrip(".")
                                                              for place in known}
          and any(row["latitudeDegrees"] == "" for row in rows) and any(row["accuracyM"] for row in rows), rows[:1])
    hidden = folder / "nobody.ndjson"
    checking.must(checking.BINARY, "record", "--replay", recording, "--anonymise", "-o", hidden)
    anonymous = [json.loads(line) for line in open(hidden)][1:]
    check("an anonymised recording has its scans, and no position",
          len(anonymous) == len(scans) and not any("position" in scan for scan in anonymous))

    judged = run("promtool", "check", "metrics", stdin=open(metrics))
    check("promtool accepts the metrics", judged.returncode == 0 and not judged.stderr.strip(),
          judged.stdout + judged.stderr)
    check("the metrics count the scans", re.search(r"^wifi_harness_scans_total 60$", open(metrics).read(), re.M),
          open(metrics).read())

    # The track goes on without a fix after its last place.
    for _ in range(60):
        scan = harness("scan", *HOME, "--gpsd", f"127.0.0.1:{port}", "--format", "json")
        if scan.returncode or "position" not in json.loads(scan.stdout):
            break
        time.sleep(0.25)
    check("one scan, without a fix again", scan.returncode == 0 and "position" not in json.loads(scan.stdout),
          scan.stderr)
finally:
    # Its handler of SIGTERM ends gpsd alone, and a write to a terminal without a reader never ends.
    os.killpg(gpsfake.pid, signal.SIGKILL)
    gpsfake.wait()

# What is not gpsd, and what goes away.
done = harness("scan", *HOME, "--format", "json", "--gpsd", f"127.0.0.1:{free_port()}")
check("no gpsd listens: a sentence, status 69",
      done.returncode == 69 and "Connection refused" in done.stderr and not done.stdout, done)
for text in ["localhost:", "localhost:0", "localhost:70000", "a b", "[::1", ""]:
    done = harness("scan", *HOME, "--format", "json", "--gpsd", text)
    check(f"--gpsd “{text}” is no address: a sentence, status 64",
          done.returncode == 64 and "--gpsd" in done.stderr and not done.stdout, done)
done = harness("watch", "--replay", recording, "--gpsd", "localhost")
check("a recording keeps its positions: status 64", done.returncode == 64 and "--replay" in done.stderr, done)


def serve(answers):
    """A server that gives each connection the next of some lists of lines."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        for answer in answers:
            client, _ = listener.accept()
            with client:
                for line in answer:
                    try:
                        client.sendall(line)
                        client.recv(1000)
                    except OSError:
                        break
    in_background(answer)
    return listener.getsockname()[1]


greeting = b'{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}\n'
fix = b'{"class":"POLL","active":1,"tpv":[{"class":"TPV","mode":2,"lat":1.5,"lon":2.5}],"sky":[]}\n'
port = serve([[greeting] + [fix] * 200])
done = harness("scan", *HOME, "--gpsd", f"127.0.0.1:{port}", "--format", "json")
check("one scan, with a fix", done.returncode == 0
      and json.loads(done.stdout).get("position") == {"latitudeDegrees": 1.5, "longitudeDegrees": 2.5}, done.stderr)
port = serve([[b"SSH-2.0-OpenSSH_9.2\r\n"]])
done = harness("scan", *HOME, "--format", "json", "--gpsd", f"127.0.0.1:{port}")
check("another server is called that: status 69", done.returncode == 69 and "not gpsd" in done.stderr, done)


def chatter():
    """A server that greets, and then reports positions all the time without ever answering."""
    listener = socket.create_server(("127.0.0.1", 0))

    def answer():
        client, _ = listener.accept()
        with client:
            try:
                client.sendall(greeting)
                while True:
                    client.sendall(b'{"class":"TPV","mode":1}\n' * 20)
                    time.sleep(0.001)
            except OSError:
                pass
    in_background(answer)
    return listener.getsockname()[1]


began = time.monotonic()
done = harness("scan", *HOME, "--format", "json", "--gpsd", f"127.0.0.1:{chatter()}")
check("a server that talks all the time and does not answer is given up: status 69",
      done.returncode == 69 and "it does not answer" in done.stderr and time.monotonic() - began < 30, done)
# How often it is asked is the business of the command: the second connection has answers for longer than it is asked.
port = serve([[greeting, fix, fix], [greeting] + [fix] * 200])
done = harness("watch", *HOME, "--frequency", "2412", "--interval", "100ms", "--count", "12", "--format", "ndjson",
               "--gpsd", f"127.0.0.1:{port}")
counts = [json.loads(line) for line in done.stdout.splitlines() if '"event":"scan"' in line]
check("a connection that closes is said, and opened again",
      done.returncode == 0 and len(counts) == 12 and done.stderr.count("closed the connection") == 1
      and done.stderr.count("answers again") == 1,
      (done.stderr, [count.get("position") for count in counts]))
done = harness("watch", *HOME, "--frequency", "2412", "--count", "1", "--metrics", "/proc/none/air.prom")
check("metrics that cannot be written: a sentence, status 74", done.returncode == 74 and "air.prom" in done.stderr,
      done)
