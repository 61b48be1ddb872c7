// What the preload library and the server of `wifi-harness run … -- COMMAND` say to each other.
//
// The server listens on a Unix socket of type SOCK_SEQPACKET in a folder of its own, which the environment names. Every
// packet is one message; numbers are in the byte order of the host. `Sources/Simulator/Programs/ProgramCall.swift` is
// the other side of this file.
//
// A program has two kinds of connections:
//   - a channel for each thread: calls, each answered by one packet with the number of the call;
//   - one for each netlink socket and timer: the file descriptor that the program holds. What comes over it are
//     datagrams, so poll, select and epoll work on it as they are.
#ifndef WIFI_HARNESS_PROTOCOL_H
#define WIFI_HARNESS_PROTOCOL_H

#include <stdint.h>

#define PROTOCOL_VERSION 3

// The folder of the server: the socket, the page with the time, and the files that stand in for those of the kernel.
#define PROTOCOL_VARIABLE "WIFI_HARNESS_KERNEL"
#define PROTOCOL_SOCKET "socket"
#define PROTOCOL_TIME "time"

// Connections of the library lie above those that the program numbers, and below what select can take.
#define PROTOCOL_FIRST_DESCRIPTOR 800

enum call_kind {
  CALL_HELLO = 1,    // pid, tid: the first call of a channel
  CALL_OPEN,         // protocol: the first call of a netlink socket, on its own connection; answered with its number
  CALL_TIMER_OPEN,   // nothing: the first call of a timer, on its own connection; answered with its number
  CALL_BIND,         // socket, port, groups: a port of 0 is any
  CALL_NAME,         // socket: answered with port and groups
  CALL_MEMBERSHIP,   // socket, group, 1 to join and 0 to leave
  CALL_OPTION,       // socket, option of SOL_NETLINK or OPTION_ROOM, value
  CALL_SEND,         // socket, how often the program received from it, datagram
  CALL_IOCTL,        // request, capacity of what it points to, struct ifreq or iwreq; answered with the struct and what it points to
  CALL_WAIT,         // time since boot in ns, -1 for ever: answered when the time has come
  CALL_CANCEL,       // nothing: ends the wait of this channel
  CALL_TIMER_SET,    // timer, time since boot in ns or 0 for off, interval in ns
  CALL_TIMER_GET,    // timer: answered with what is left in ns and the interval in ns
  CALL_ALARM,        // ns until the signal or 0 for off, interval in ns; answered as CALL_TIMER_GET
  CALL_OPTION_VALUE, // socket, option of SOL_NETLINK: answered with its value
  CALL_SLEEP,        // as CALL_WAIT: nothing but the answer and signals end the wait
};

// No option of the kernel: the most bytes that the program has made room for when it received.
#define OPTION_ROOM 0x10000

struct call_header {
  uint8_t version;
  uint8_t kind;
  uint16_t reserved;
  uint32_t number;
};

struct answer_header {
  uint32_t number;
  int32_t error;  // as errno has it; 0 where it went well
};

// Before each datagram of a netlink socket. A timer sends the number of its expirations, a u64, behind it.
struct datagram_header {
  uint32_t group;  // 0 for an answer
  int32_t error;   // instead of a datagram, what receiving fails with
};

enum pace { PACE_REAL = 0, PACE_SCALED = 1, PACE_VIRTUAL = 2 };

// The page with the time. Time since boot of the simulated kernel in ns:
//   virtual: `now`;  scaled: `now` + (CLOCK_BOOTTIME - `origin`) * `speed`.
struct time_page {
  uint32_t version;
  uint32_t pace;
  int64_t now;
  int64_t origin;
  int64_t speed;
  int64_t wall;  // CLOCK_REALTIME at the time since boot 0
};

#endif
