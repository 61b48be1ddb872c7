"""Runs in the guest: a DHCP server for the interfaces named, enough for a client that asks once.

    dhcp.py INTERFACE…

Offers 10.0.0.100 with a lease of an hour to every client (RFC 2131). It answers through a packet socket, because client and server
are on one machine, where the kernel would not route between them.
"""

import select
import socket
import struct
import sys

SERVER = bytes([10, 0, 0, 1])
CLIENT = bytes([10, 0, 0, 100])


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def answer(frame, address):
    """The frame that answers a request, or None."""
    if frame[12:14] != b"\x08\x00" or len(frame) < 34 or frame[23] != 17:
        return None
    start = 14 + (frame[14] & 15) * 4
    source, destination = struct.unpack("!HH", frame[start:start + 4])
    request = frame[start + 8:]
    if destination != 67 or len(request) < 241 or request[0] != 1:
        return None
    kind = next((value[0] for code, value in options(request[240:]) if code == 53), 0)
    if kind not in (1, 3):
        return None
    reply = bytearray(struct.pack("!BBBB", 2, 1, 6, 0) + request[4:8] + bytes(4) + bytes(4) + CLIENT + SERVER + bytes(4))
    reply += request[28:44] + bytes(192) + bytes([99, 130, 83, 99])
    reply += bytes([53, 1, 2 if kind == 1 else 5, 54, 4]) + SERVER + bytes([51, 4, 0, 0, 14, 16, 1, 4, 255, 255, 255, 0, 255])
    udp = struct.pack("!HHHH", 67, 68, 8 + len(reply), 0) + bytes(reply)
    header = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, 64, 17, 0) + SERVER + b"\xff\xff\xff\xff"
    header = header[:10] + struct.pack("!H", checksum(header)) + header[12:]
    return request[28:34] + address + b"\x08\x00" + header + udp


def options(data):
    index = 0
    while index + 1 < len(data) and data[index] != 255:
        if data[index] == 0:
            index += 1
            continue
        yield data[index], data[index + 2:index + 2 + data[index + 1]]
        index += 2 + data[index + 1]


def main():
    sockets = {}
    for name in sys.argv[1:]:
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0800))
        opened.bind((name, 0x0800))
        with open(f"/sys/class/net/{name}/address", encoding="ascii") as file:
            sockets[opened] = bytes.fromhex(file.read().strip().replace(":", ""))
    while True:
        for ready in select.select(list(sockets), [], [])[0]:
            try:
                frame = answer(ready.recv(2048), sockets[ready])
                if frame:
                    ready.send(frame)
            except OSError:
                # The interface is down for now.
                continue


main()
