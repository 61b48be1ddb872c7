"""Lists the networks that a scan hears, with pyroute2: python3 scan.py INTERFACE"""
import socket
import sys

from pyroute2.iwutil import IW

iw = IW()
for message in iw.scan(socket.if_nametoindex(sys.argv[1] if len(sys.argv) > 1 else "wlan0")):
    bss = message.get_attr("NL80211_ATTR_BSS")
    signal = bss.get_attr("NL80211_BSS_SIGNAL_MBM")
    signal = signal["SIGNAL_STRENGTH"]["VALUE"] if isinstance(signal, dict) else signal / 100
    print(bss.get_attr("NL80211_BSS_BSSID"), bss.get_attr("NL80211_BSS_FREQUENCY"), "MHz", int(signal), "dBm")
iw.close()
