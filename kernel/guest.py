"""What programs in the guest do with the lab: links, access points, injected beacons, an adapter that is plugged in."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import hwsim

HERE = os.path.dirname(os.path.abspath(__file__))


def link(interface, state):
    subprocess.run(["ip", "link", "set", interface, state], check=True)


def lab(*names):
    """Starts the access points of these configurations; without names those that lab/up names."""
    subprocess.run(["sh", f"{HERE}/lab/up", *names], check=True)


def end(name, number=signal.SIGTERM):
    """Sends a signal to the daemon of this name."""
    with open(f"/run/lab/{name}.pid", encoding="ascii") as file:
        os.kill(int(file.read()), number)


def unplug_access_point(name, interface):
    """Kills hostapd as a power cut does: the air falls silent at once, where a killed one leaves its beacons on it."""
    end(name, signal.SIGKILL)
    link(interface, "down")


def inject(*arguments):
    """Starts inject.py, which has begun when this returns."""
    medium = subprocess.Popen([sys.executable, f"{HERE}/inject.py", *arguments], stdout=subprocess.PIPE)
    medium.stdout.readline()
    return medium


@contextlib.contextmanager
def injected(*groups):
    """The beacons of groups on the air, for as long as the `with` lasts."""
    medium = inject(*groups)
    time.sleep(0.5)
    try:
        yield
    finally:
        medium.kill()
        medium.wait()


def new_stick():
    """An adapter that can be pulled out; returns its interface."""
    hwsim.new_radio("stick")
    return sorted(os.listdir("/sys/class/ieee80211/stick/device/net"))[0]
