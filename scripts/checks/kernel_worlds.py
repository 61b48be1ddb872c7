"""The same scenarios (SCENARIOS) over the three real daemons as over the simulated ones.

A scenario passes where its expectations hold and what counts of its golden trace is the same, times aside.
"""
import os

from lib.kernel import DAEMONS, over

ALL = "right-password wrong-wpa2-password wrong-wpa3-password known-network-by-joining network-lost-while-it-joins"
# Each in a guest of its own, whose daemon knows no network.
for scenario in (os.environ.get("SCENARIOS") or ALL).split():
    over((os.environ.get("DAEMONS") or " ".join(DAEMONS)).split(), "worlds.py", scenario, limit=120, radios=10)
