public import WiFi

/// A call of the preload library, which stands before the C library in a program that uses a ``SimulatedKernel``.
///
/// Numbers are in the byte order of the host, which is little-endian wherever Swift runs. The other side is
/// `Sources/Preload/protocol.h`.
public struct ProgramCall: Hashable, Sendable {
  /// The version of the protocol (`PROTOCOL_VERSION`).
  public static let version: UInt8 = 3

  /// The number of the call, which its answer carries; never 0.
  public var number: UInt32
  /// What is asked.
  public var request: Request

  /// `OPTION_ROOM`, which the kernel does not have.
  static let roomOption: UInt32 = 0x10000

  /// What a program asks (`enum call_kind`).
  public enum Request: Hashable, Sendable {
    /// The first call of a thread.
    case hello(process: UInt32, thread: UInt32)
    /// Opens a netlink socket on the connection of the call; the protocol is that of `socket(2)`, such as
    /// `NETLINK_GENERIC`.
    case open(protocol: UInt32)
    /// Opens a timer on the connection of the call.
    case timerOpen
    /// `bind(2)`: the port (`nl_pid`, 0 for any) and the first 32 groups as bits (`nl_groups`).
    case bind(socket: UInt32, port: UInt32, groups: UInt32)
    /// `getsockname(2)`.
    case name(socket: UInt32)
    /// `NETLINK_ADD_MEMBERSHIP` and `NETLINK_DROP_MEMBERSHIP`.
    case membership(socket: UInt32, group: UInt32, isMember: Bool)
    /// Any other option of `SOL_NETLINK`.
    case option(socket: UInt32, option: UInt32, value: UInt32)
    /// `getsockopt(2)` of `SOL_NETLINK`.
    case optionValue(socket: UInt32, option: UInt32)
    /// `sendmsg(2)`, and how often the program received from the socket so far.
    case send(socket: UInt32, received: UInt32, datagram: [UInt8])
    /// `ioctl(2)` about an interface: 40 bytes of the structure, and how many bytes what it points to may have.
    case interface(request: UInt32, capacity: UInt32, structure: [UInt8])
    /// Waits until a time since boot, in ns; `nil` for as long as it takes.
    case wait(until: Int64?)
    /// The same, where nothing but the answer or a signal ends the wait.
    case sleep(until: Int64?)
    /// Ends the wait of the thread.
    case cancel
    /// `timerfd_settime(2)`: a time since boot in ns, 0 for off, and the interval in ns, 0 for once.
    case timerSet(timer: UInt32, time: Int64, interval: Int64)
    /// `timerfd_gettime(2)`.
    case timerGet(timer: UInt32)
    /// `setitimer(2)` of `ITIMER_REAL`: what is left in ns, 0 for off, and the interval in ns, 0 for once.
    case alarm(after: Int64, interval: Int64)
  }

  /// Makes a call from its parts.
  public init(number: UInt32, request: Request) {
    self.number = number
    self.request = request
  }

  /// Reads one packet.
  ///
  /// - Throws: ``/WiFi/WireError`` where it is cut off, longer than its kind, or of another version.
  public init(parsing bytes: [UInt8]) throws(WireError) {
    var cursor = ByteCursor(bytes)
    let version = try cursor.readUInt8()
    guard version == Self.version else {
      throw WireError(offset: 0, reason: .invalid("version \(version) of the protocol instead of \(Self.version)"))
    }
    let kind = try cursor.readUInt8()
    try cursor.skip(2)
    number = try cursor.readUInt32()
    guard number != 0 else { throw WireError(offset: 4, reason: .invalid("number 0 of a call")) }
    guard let kind = Kind(rawValue: kind) else { throw WireError(offset: 1, reason: .invalid("kind \(kind) of a call")) }
    switch kind {
    case .hello: request = .hello(process: try cursor.readUInt32(), thread: try cursor.readUInt32())
    case .open: request = .open(protocol: try cursor.readUInt32())
    case .timerOpen: request = .timerOpen
    case .bind:
      request = .bind(socket: try cursor.readUInt32(), port: try cursor.readUInt32(), groups: try cursor.readUInt32())
    case .name: request = .name(socket: try cursor.readUInt32())
    case .membership:
      request = .membership(socket: try cursor.readUInt32(), group: try cursor.readUInt32(), isMember: try cursor.readUInt32() != 0)
    case .option:
      request = .option(socket: try cursor.readUInt32(), option: try cursor.readUInt32(), value: try cursor.readUInt32())
    case .optionValue: request = .optionValue(socket: try cursor.readUInt32(), option: try cursor.readUInt32())
    case .send:
      request = .send(socket: try cursor.readUInt32(), received: try cursor.readUInt32(), datagram: cursor.readRemaining())
    case .interface:
      request = .interface(
        request: try cursor.readUInt32(), capacity: try cursor.readUInt32(), structure: try cursor.readBytes(Self.structureSize))
    case .wait, .sleep:
      let time = Int64(bitPattern: try cursor.readUInt64())
      request = kind == .wait ? .wait(until: time < 0 ? nil : time) : .sleep(until: time < 0 ? nil : time)
    case .cancel: request = .cancel
    case .timerSet:
      request = .timerSet(timer: try cursor.readUInt32(), time: try cursor.readTime(), interval: try cursor.readTime())
    case .timerGet: request = .timerGet(timer: try cursor.readUInt32())
    case .alarm: request = .alarm(after: try cursor.readTime(), interval: try cursor.readTime())
    }
    guard cursor.isAtEnd else {
      throw WireError(offset: cursor.position, reason: .invalid("\(cursor.remaining) bytes behind a call"))
    }
  }

  /// The size of the structure of an `ioctl`, in bytes (`struct ifreq`).
  static let structureSize = 40

  /// The bytes of the packet.
  public var encoded: [UInt8] {
    var writer = ByteWriter()
    writer.write(Self.version)
    writer.write(kind.rawValue)
    writer.write(0 as UInt16)
    writer.write(number)
    switch request {
    case .hello(let first, let second), .optionValue(let first, let second): writer.write(first, second)
    case .open(let word), .name(let word), .timerGet(let word): writer.write(word)
    case .timerOpen, .cancel: break
    case .bind(let first, let second, let third), .option(let first, let second, let third):
      writer.write(first, second)
      writer.write(third)
    case .membership(let socket, let group, let isMember):
      writer.write(socket, group)
      writer.write(isMember ? 1 : 0 as UInt32)
    case .send(let socket, let received, let datagram):
      writer.write(socket, received)
      writer.write(datagram)
    case .interface(let request, let capacity, let structure):
      writer.write(request, capacity)
      writer.write(structure)
    case .wait(let time), .sleep(let time): writer.write(UInt64(bitPattern: time ?? -1))
    case .timerSet(let timer, let time, let interval):
      writer.write(timer)
      writer.write(UInt64(bitPattern: time))
      writer.write(UInt64(bitPattern: interval))
    case .alarm(let time, let interval):
      writer.write(UInt64(bitPattern: time))
      writer.write(UInt64(bitPattern: interval))
    }
    return writer.bytes
  }

  private enum Kind: UInt8 {
    case hello = 1
    case open, timerOpen, bind, name, membership, option, send, interface, wait, cancel, timerSet, timerGet, alarm, optionValue, sleep
  }

  private var kind: Kind {
    switch request {
    case .hello: .hello
    case .open: .open
    case .timerOpen: .timerOpen
    case .bind: .bind
    case .name: .name
    case .membership: .membership
    case .option: .option
    case .optionValue: .optionValue
    case .send: .send
    case .interface: .interface
    case .wait: .wait
    case .sleep: .sleep
    case .cancel: .cancel
    case .timerSet: .timerSet
    case .timerGet: .timerGet
    case .alarm: .alarm
    }
  }
}

extension ByteCursor {
  /// Reads a time in ns, which is never negative.
  fileprivate mutating func readTime() throws(WireError) -> Int64 {
    let start = position
    let time = Int64(bitPattern: try readUInt64())
    guard time >= 0 else { throw WireError(offset: start, reason: .invalid("a time of \(time) ns")) }
    return time
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ first: UInt32, _ second: UInt32) {
    write(first)
    write(second)
  }
}

/// What answers a ``ProgramCall`` (`struct answer_header`).
package struct ProgramAnswer: Hashable, Sendable {
  /// The number of the call.
  package var number: UInt32
  /// Why it fails, as `errno` has it; 0 where it does not.
  package var error: Int32
  /// What it gives.
  package var bytes: [UInt8]

  /// Makes an answer from its parts.
  package init(number: UInt32, error: Int32 = 0, bytes: [UInt8] = []) {
    self.number = number
    self.error = error
    self.bytes = bytes
  }

  /// The bytes of the packet.
  package var encoded: [UInt8] { packet(number, error, bytes) }
}

/// What comes over the file descriptor of a netlink socket or a timer (`struct datagram_header`).
public struct ProgramDatagram: Hashable, Sendable {
  /// The multicast group of an event; 0 for an answer.
  public var group: UInt32
  /// Why receiving fails, as `errno` has it; 0 where it does not.
  public var error: Int32
  /// The datagram.
  public var bytes: [UInt8]

  /// Makes a datagram from its parts.
  public init(group: UInt32 = 0, error: Int32 = 0, bytes: [UInt8] = []) {
    self.group = group
    self.error = error
    self.bytes = bytes
  }

  /// The bytes of the packet.
  public var encoded: [UInt8] { packet(group, error, bytes) }
}

private func packet(_ number: UInt32, _ error: Int32, _ bytes: [UInt8]) -> [UInt8] {
  var writer = ByteWriter(capacity: 8 + bytes.count)
  writer.write(number, UInt32(bitPattern: error))
  writer.write(bytes)
  return writer.bytes
}
