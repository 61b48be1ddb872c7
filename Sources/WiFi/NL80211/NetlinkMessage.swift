/// One netlink message: header and payload (`struct nlmsghdr` in `<linux/netlink.h>`).
///
/// Integers are in the byte order of the host, which is little-endian wherever Swift runs.
public struct NetlinkMessage: Hashable, Sendable {
  /// `nlmsg_type`: a control type below 16, or a family's number.
  public var type: UInt16
  /// `nlmsg_flags`.
  public var flags: UInt16
  /// `nlmsg_seq`: a reply carries that of its request; an event carries zero.
  public var sequence: UInt32
  /// `nlmsg_pid`: the port of the socket.
  public var port: UInt32
  /// The bytes behind the header.
  public var payload: [UInt8]

  /// Makes a message from its parts.
  public init(type: UInt16, flags: UInt16 = 0, sequence: UInt32 = 0, port: UInt32 = 0, payload: [UInt8]) {
    self.type = type
    self.flags = flags
    self.sequence = sequence
    self.port = port
    self.payload = payload
  }

  /// The size of the header, in bytes (`NLMSG_HDRLEN`).
  public static let headerSize = 16

  /// `nlmsg_type` of messages that belong to no family.
  public enum ControlType {
    public static let noOperation: UInt16 = 1
    public static let error: UInt16 = 2
    public static let done: UInt16 = 3
    public static let overrun: UInt16 = 4
    /// The first number of a family (`NLMSG_MIN_TYPE`); also that of the generic netlink controller.
    public static let genericController: UInt16 = 16
  }

  /// Bits of `nlmsg_flags`.
  public enum Flag {
    public static let request: UInt16 = 0x001
    public static let multi: UInt16 = 0x002
    public static let acknowledge: UInt16 = 0x004
    public static let dumpInterrupted: UInt16 = 0x010
    public static let dump: UInt16 = 0x300
    public static let capped: UInt16 = 0x100
    public static let acknowledgeTLVs: UInt16 = 0x200
  }

  /// Writes header, payload and padding.
  public func encode(into writer: inout ByteWriter) {
    let length = Self.headerSize + payload.count
    writer.write(UInt32(truncatingIfNeeded: length))
    writer.write(type)
    writer.write(flags)
    writer.write(sequence)
    writer.write(port)
    writer.write(payload)
    for _ in 0..<paddingToFour(length) { writer.write(0 as UInt8) }
  }

  /// The bytes of header, payload and padding.
  public var encoded: [UInt8] { ByteWriter.bytes(capacity: Self.headerSize + payload.count + 3, encode) }

  /// Reads every message of a datagram, or of a file of messages one behind the other.
  ///
  /// - Returns: the messages that are whole, and what was wrong behind them, if anything.
  public static func messages(in bytes: [UInt8]) -> (messages: [NetlinkMessage], error: WireError?) {
    var walk = NetlinkWalk(bytes)
    var messages: [NetlinkMessage] = []
    while let header = walk.next() { messages.append(header.message(of: bytes)) }
    return (messages, walk.error)
  }
}

/// The payload of a generic netlink message: command, version and attributes (`struct genlmsghdr`).
public struct GenericNetlinkMessage: Hashable, Sendable {
  /// The command of the family, such as ``NL80211/Command``.
  public var command: UInt8
  /// The version of the family's interface.
  public var version: UInt8
  /// The attributes as bytes; ``AttributeWalk`` goes through them.
  public var attributes: [UInt8]

  /// The size of the header, in bytes (`GENL_HDRLEN`).
  public static let headerSize = 4

  /// Makes a message from its parts.
  public init(command: UInt8, version: UInt8 = 0, attributes: [UInt8] = []) {
    self.command = command
    self.version = version
    self.attributes = attributes
  }

  /// Reads the payload of a netlink message.
  public init(payload: [UInt8]) throws(WireError) {
    var cursor = ByteCursor(payload)
    command = try cursor.readUInt8()
    version = try cursor.readUInt8()
    try cursor.skip(2)
    attributes = cursor.readRemaining()
  }

  /// The bytes of header and attributes.
  public var payload: [UInt8] {
    var writer = ByteWriter(capacity: Self.headerSize + attributes.count)
    writer.write(command)
    writer.write(version)
    writer.write(0 as UInt16)
    writer.write(attributes)
    return writer.bytes
  }
}

/// Where one message of a datagram is, before its payload was copied or read.
public struct NetlinkHeader: Hashable, Sendable {
  /// `nlmsg_type`.
  public var type: UInt16
  /// `nlmsg_flags`.
  public var flags: UInt16
  /// `nlmsg_seq`.
  public var sequence: UInt32
  /// `nlmsg_pid`.
  public var port: UInt32
  /// The offsets of the payload.
  public var payload: Range<Int>

  /// The message with a payload of its own.
  public func message(of bytes: [UInt8]) -> NetlinkMessage {
    NetlinkMessage(type: type, flags: flags, sequence: sequence, port: port, payload: Array(bytes[payload]))
  }

  /// The command of a generic netlink message, or `nil` where the payload is too short for one.
  public func command(of bytes: [UInt8]) -> UInt8? {
    payload.count >= GenericNetlinkMessage.headerSize ? bytes[payload.lowerBound] : nil
  }

  /// The offsets of the attributes of a generic netlink message.
  public var attributes: Range<Int> {
    min(payload.lowerBound + GenericNetlinkMessage.headerSize, payload.upperBound)..<payload.upperBound
  }
}

/// Goes through the messages of a datagram without copying them.
public struct NetlinkWalk: Sequence, IteratorProtocol, Sendable {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int

  /// Why the walk ended early, if it did.
  public private(set) var error: WireError?

  /// Goes through `bytes`.
  public init(_ bytes: [UInt8]) { self.init(bytes, in: 0..<bytes.count) }

  /// Goes through `range` of `bytes`.
  public init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// The next message, or `nil` at the end.
  public mutating func next() -> NetlinkHeader? {
    guard position < end else { return nil }
    var cursor = ByteCursor(bytes, in: position..<end)
    do throws(WireError) {
      let length = Int(try cursor.readUInt32())
      var header = NetlinkHeader(
        type: try cursor.readUInt16(), flags: try cursor.readUInt16(), sequence: try cursor.readUInt32(),
        port: try cursor.readUInt32(), payload: 0..<0)
      guard length >= NetlinkMessage.headerSize else {
        throw WireError(offset: position, reason: .length(declared: length, allowed: NetlinkMessage.headerSize...Int.max))
      }
      guard length <= end - position else {
        throw WireError(offset: position, reason: .truncated(needed: length, available: end - position))
      }
      header.payload = cursor.position..<position + length
      position = Swift.min(position + length + paddingToFour(length), end)
      return header
    } catch {
      self.error = error
      position = end
      return nil
    }
  }
}
