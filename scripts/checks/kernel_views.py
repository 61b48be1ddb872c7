"""The panel, live over a real daemon: joins, a link that is lost, and the switch of the radio.

DAEMONS names others than wpa_supplicant; SHOW=1 prints the last picture of each step.
"""
import os

from lib.kernel import over

over((os.environ.get("DAEMONS") or "supplicant").split(), "views.py", os.environ.get("SHOW", ""), limit=300, radios=10)
