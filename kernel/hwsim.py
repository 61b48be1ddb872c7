"""Virtual radios made and removed while the kernel runs, numbers from drivers/net/wireless/mac80211_hwsim.h."""

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


def new_radio(name):
    """Makes a radio; its wiphy is called `name`, its interface wlanN with the next free N."""
    Socket("MAC80211_HWSIM").request(CMD_NEW_RADIO, attribute(ATTR_RADIO_NAME, name))


def remove_radio(name):
    """Removes a radio with its interfaces, as pulling out a USB adapter does."""
    Socket("MAC80211_HWSIM").request(CMD_DEL_RADIO, attribute(ATTR_RADIO_NAME, name))


if __name__ == "__main__":
    import sys

    {"new": new_radio, "remove": remove_radio}[sys.argv[1]](sys.argv[2])
