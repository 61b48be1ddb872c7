"""Every view gives the same: the shipped scenarios their golden traces, and SEEDS (1000) runs with random user input
one hash.
"""
import os
import re
import time

from lib.checking import check, harness

seeds = os.environ.get("SEEDS") or "1000"
counts, hashes = {}, {}
for view in ("headless", "terminal", "page"):
    done = harness("check", "--via", view, "fixtures/scenarios", timeout=1800)
    last = done.stdout.splitlines()[-1:]
    counts[view] = re.match(r"[1-9]\d* scenarios: ([1-9]\d*) passed", "".join(last))
    check(f"{view}: {last}", done.returncode == 0 and counts[view], done.stdout)
    began = time.monotonic()
    hashes[view] = re.search(r"violated; hash ([0-9a-f]+)",
                             harness("explore", "--once", "--seeds", f"0..<{seeds}", "--via", view, timeout=1800).stdout)
    check(f"{view}: {seeds} seeds in {time.monotonic() - began:.0f} s have a hash", hashes[view])
check("each view runs all scenarios", len({found and found[1] for found in counts.values()}) == 1, counts)
check("each view gives the same hash", len({found and found[1] for found in hashes.values()}) == 1, hashes)
