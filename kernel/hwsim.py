"""Virtual radios made and removed while the kernel runs, numbers from drivers/net/wireless/mac80211_hwsim.h."""

import struct

import beacons
from netlink import Socket, attribute

CMD_REGISTER = 1
CMD_FRAME = 2
CMD_TX_INFO_FRAME = 3
CMD_NEW_RADIO = 4
CMD_DEL_RADIO = 5

ATTR_ADDR_RECEIVER = 1
ATTR_ADDR_TRANSMITTER = 2
ATTR_FRAME = 3
ATTR_FLAGS = 4
ATTR_RX_RATE = 5
ATTR_SIGNAL = 6
ATTR_TX_INFO = 7
ATTR_COOKIE = 8
ATTR_RADIO_NAME = 17
ATTR_FREQ = 19


def address_of(phy):
    """The address that hwsim knows a radio by, its second."""
    with open(f"/sys/class/ieee80211/{phy}/macaddress", encoding="ascii") as file:
        first = beacons.mac(file.read().strip())
    return bytes([first[0] | 0x40]) + first[1:]


def heard(receiver, frame, frequency, dbm):
    """What CMD_FRAME carries of a frame that a radio hears."""
    return (
        attribute(ATTR_ADDR_RECEIVER, receiver) + attribute(ATTR_FRAME, frame) + attribute(ATTR_RX_RATE, 0)
        + attribute(ATTR_SIGNAL, struct.pack("=i", dbm)) + attribute(ATTR_FREQ, frequency))


def new_radio(name):
    """Makes a radio; its wiphy is called `name`, its interface wlanN with the next free N."""
    Socket("MAC80211_HWSIM").request(CMD_NEW_RADIO, attribute(ATTR_RADIO_NAME, name))


def remove_radio(name):
    """Removes a radio with its interfaces, as pulling out a USB adapter does."""
    Socket("MAC80211_HWSIM").request(CMD_DEL_RADIO, attribute(ATTR_RADIO_NAME, name))


if __name__ == "__main__":
    import sys

    {"new": new_radio, "remove": remove_radio}[sys.argv[1]](sys.argv[2])
