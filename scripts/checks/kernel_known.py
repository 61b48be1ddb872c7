"""Known networks of the three real daemons: listed, added, edited, copied and forgotten by the command, and compared
with what the daemon has on disk.
"""
from lib.kernel import DAEMONS, over

over(DAEMONS, "known.py", limit=120, radios=2)
