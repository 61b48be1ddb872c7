"""Generic netlink over a raw AF_NETLINK socket, as much of it as the kernel lane needs.

Nothing here interprets what the kernel sends: messages are kept as the bytes received.
"""

import os
import socket
import struct
import time

NETLINK_GENERIC = 16
SOL_NETLINK = 270
NETLINK_ADD_MEMBERSHIP = 1
NETLINK_EXT_ACK = 11

NLMSG_ERROR = 2
NLMSG_DONE = 3
NLM_F_REQUEST = 0x001
NLM_F_ACK = 0x004
NLM_F_DUMP_INTR = 0x010
NLM_F_DUMP = 0x300
NLM_F_CAPPED = 0x100
NLM_F_ACK_TLVS = 0x200

GENL_ID_CTRL = 16
CTRL_CMD_GETFAMILY = 3
CTRL_ATTR_FAMILY_ID = 1
CTRL_ATTR_FAMILY_NAME = 2
CTRL_ATTR_MCAST_GROUPS = 7
CTRL_ATTR_MCAST_GRP_NAME = 1
CTRL_ATTR_MCAST_GRP_ID = 2

NLMSGERR_ATTR_MSG = 1
NLMSGERR_ATTR_OFFS = 2


def attribute(kind, value):
    """One netlink attribute, padded to 4."""
    if isinstance(value, int):
        value = struct.pack("=I", value)
    elif isinstance(value, str):
        value = value.encode() + b"\0"
    elif isinstance(value, (list, tuple)):
        value = b"".join(value)
    length = 4 + len(value)
    return struct.pack("=HH", length, kind) + value + b"\0" * (-length % 4)


def attributes(data):
    """The attributes of a message or a nest, as (type, bytes)."""
    offset = 0
    while offset + 4 <= len(data):
        length, kind = struct.unpack_from("=HH", data, offset)
        if length < 4 or offset + length > len(data):
            raise ValueError(f"attribute at {offset} claims {length} of {len(data) - offset} bytes")
        yield kind & 0x3FFF, data[offset + 4 : offset + length]
        offset += length + (-length % 4)


def messages(data):
    """The messages of a datagram or a file, each with its header and padding."""
    offset = 0
    while offset + 16 <= len(data):
        (length,) = struct.unpack_from("=I", data, offset)
        if length < 16 or offset + length > len(data):
            raise ValueError(f"message at {offset} claims {length} of {len(data) - offset} bytes")
        end = offset + length + (-length % 4)
        yield data[offset:end].ljust(end - offset, b"\0")
        offset = end


class Refused(OSError):
    """The kernel's error reply, with the message it was in."""

    def __init__(self, number, message, text, offset):
        super().__init__(number, os.strerror(number) + (f" ({text})" if text else ""))
        self.message = message
        self.text = text
        self.offset = offset


class Socket:
    """A generic netlink socket with extended acknowledgements."""

    def __init__(self, family=None, buffer=1 << 20):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, NETLINK_GENERIC)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.bind((0, 0))
        self.sequence = 0
        self.family = None
        self.groups = {}
        if family:
            self.resolve(family)

    def resolve(self, name):
        name_attribute = attribute(CTRL_ATTR_FAMILY_NAME, name)
        for message in self.request(CTRL_CMD_GETFAMILY, name_attribute, family=GENL_ID_CTRL):
            for kind, value in attributes(message[20:]):
                if kind == CTRL_ATTR_FAMILY_ID:
                    (self.family,) = struct.unpack("=H", value)
                elif kind == CTRL_ATTR_MCAST_GROUPS:
                    for _, group in attributes(value):
                        fields = dict(attributes(group))
                        group_name = fields[CTRL_ATTR_MCAST_GRP_NAME].rstrip(b"\0").decode()
                        (self.groups[group_name],) = struct.unpack("=I", fields[CTRL_ATTR_MCAST_GRP_ID])

    def join(self, *groups):
        for group in groups:
            self.socket.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, self.groups[group])

    def send(self, command, payload=b"", flags=NLM_F_ACK, family=None):
        self.sequence += 1
        body = struct.pack("=BBH", command, 0, 0) + payload
        header = struct.pack("=IHHII", 16 + len(body), family or self.family, flags | NLM_F_REQUEST, self.sequence, 0)
        self.socket.send(header + body)
        return self.sequence

    def receive(self, timeout=None):
        """The messages of the next datagram, or none when the time is up."""
        self.socket.settimeout(timeout)
        try:
            return list(messages(self.socket.recv(1 << 17)))
        except (TimeoutError, BlockingIOError):
            return []

    def request(self, command, payload=b"", flags=NLM_F_ACK, family=None, everything=False, timeout=10):
        """Sends one request and returns its replies; `everything` includes the acknowledgement or DONE."""
        sequence = self.send(command, payload, flags, family)
        replies = []
        deadline = time.monotonic() + timeout
        while True:
            received = self.receive(max(0.001, deadline - time.monotonic()))
            if not received:
                raise TimeoutError(f"no reply to command {command}")
            for message in received:
                _, kind, message_flags, of, _ = struct.unpack_from("=IHHII", message)
                if of != sequence:
                    continue
                if kind in (NLMSG_ERROR, NLMSG_DONE):
                    # a dump that could not start says so in its last message
                    (code,) = struct.unpack_from("=i", message, 16) if len(message) >= 20 else (0,)
                    # hwsim answers with the positive number of a new radio
                    if code < 0:
                        raise Refused(-code, message, *extended_acknowledgement(message))
                    return replies + [message] if everything else replies
                replies.append(message)

    def dump(self, command, payload=b"", everything=True):
        return self.request(command, payload, NLM_F_DUMP, everything=everything)


def extended_acknowledgement(message):
    """The text and the offset that the kernel attached to an error, where it did."""
    (_, kind, flags) = struct.unpack_from("=IHH", message)
    if not flags & NLM_F_ACK_TLVS:
        return None, None
    if kind == NLMSG_DONE:
        start = 16 + 4
    elif flags & NLM_F_CAPPED:
        start = 16 + 4 + 16
    else:
        (length,) = struct.unpack_from("=I", message, 20)
        start = 16 + 4 + length + (-length % 4)
    fields = dict(attributes(message[start:]))
    text = fields.get(NLMSGERR_ATTR_MSG)
    offset = fields.get(NLMSGERR_ATTR_OFFS)
    return (
        text.rstrip(b"\0").decode() if text else None,
        struct.unpack("=I", offset)[0] if offset else None,
    )
