"""The end-to-end checks: the released command in a real kernel with real access points, and a selection of joins over
the three daemons.
"""
from lib.checking import BINARY, check
from lib.kernel import DAEMONS, guest, over

guest("checks.py", BINARY, "no-radio", limit=150, radios=0)
guest("checks.py", BINARY, "lab", limit=150, radios=10)
guest("checks.py", BINARY, "real-time", limit=150, radios=10, real_time=True)
for daemon, lines in over(DAEMONS, "joining/joins.py", "short", limit=1800, radios=10).items():
    check(f"{daemon}: passwords were looked for",
          any(line.startswith(f"ok {daemon}: no password in any file") for line in lines))
