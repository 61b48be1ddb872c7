import WiFi

/// Writes netlink messages into datagrams, without a buffer for each attribute.
struct MessageBuilder {
  /// The datagrams that are whole.
  private(set) var datagrams: [[UInt8]] = []

  private var bytes: [UInt8] = []
  private var messages = 0
  private let split: DatagramSplit
  private let sequence: UInt32
  private let port: UInt32

  init(split: DatagramSplit = .single, sequence: UInt32 = 0, port: UInt32 = 0) {
    self.split = split
    self.sequence = sequence
    self.port = port
  }

  /// Writes one message; `size` is about how large it will be.
  mutating func message(type: UInt16, flags: UInt16, size: Int = 256, _ body: (inout MessageBuilder) -> Void) {
    if messages >= split.maximumMessages || !bytes.isEmpty && bytes.count + size > split.maximumBytes { flush() }
    let start = bytes.count
    if start == 0 { bytes.reserveCapacity(size) }
    append(0 as UInt32)
    append(type)
    append(flags)
    append(sequence)
    append(port)
    body(&self)
    patch(UInt32(bytes.count - start), at: start)
    pad(bytes.count - start)
    messages += 1
  }

  mutating func generic(
    family: UInt16, flags: UInt16, command: UInt8, version: UInt8 = 1, size: Int = 256, _ body: (inout MessageBuilder) -> Void
  ) {
    message(type: family, flags: flags, size: size) { builder in
      builder.bytes.append(command)
      builder.bytes.append(version)
      builder.append(0 as UInt16)
      body(&builder)
    }
  }

  /// Ends the datagram; what follows begins another.
  mutating func flush() {
    if messages == 0 { return }
    datagrams.append(bytes)
    bytes = []
    messages = 0
  }

  // MARK: Attributes

  mutating func write<Integer: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(_ type: UInt16, _ value: Integer) {
    header(type, Integer.bitWidth / 8)
    append(value)
    pad(Integer.bitWidth / 8)
  }

  mutating func write(_ type: UInt16, _ value: MACAddress) {
    header(type, 6)
    // Most significant byte first, and the two bytes of padding behind.
    append((value.value << 16).byteSwapped)
  }

  mutating func write(_ type: UInt16, _ content: [UInt8]) {
    header(type, content.count)
    bytes.append(contentsOf: content)
    pad(content.count)
  }

  mutating func write(_ type: UInt16, _ text: String) { write(type, Array(text.utf8) + [0]) }

  mutating func writeFlag(_ type: UInt16) { header(type, 0) }

  /// Writes an attribute of attributes, without `NLA_F_NESTED` as nl80211 does.
  mutating func nest(_ type: UInt16, _ body: (inout MessageBuilder) -> Void) {
    let start = bytes.count
    header(type, 0)
    body(&self)
    patch(UInt16(truncatingIfNeeded: bytes.count - start), at: start)
  }

  /// Appends bytes that are no attribute.
  mutating func raw(_ content: some Sequence<UInt8>) { bytes.append(contentsOf: content) }

  mutating func raw(_ value: UInt32) { append(value) }

  private mutating func header(_ type: UInt16, _ length: Int) {
    append(UInt32(UInt16(truncatingIfNeeded: length + 4)) | UInt32(type) << 16)
  }

  /// Least significant byte first, all at once: each append looks whether the memory is shared and large enough.
  private mutating func append<Integer: FixedWidthInteger & BitwiseCopyable>(_ value: Integer) {
    unsafe withUnsafeBytes(of: value.littleEndian) { unsafe bytes.append(contentsOf: $0) }
  }

  private mutating func patch<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
    for index in 0..<Integer.bitWidth / 8 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }

  /// Appends the zeros that align a length to four bytes.
  mutating func pad(_ length: Int) {
    for _ in 0..<(4 - length & 3) & 3 { bytes.append(0) }
  }
}

/// How the kernel splits a list into datagrams.
///
/// It fills one buffer after the other; how large they are depends on how the program reads, so a program must not
/// depend on it.
public struct DatagramSplit: Hashable, Sendable {
  /// The most messages in one datagram.
  public var maximumMessages: Int
  /// The most bytes in one datagram, unless a single message is larger.
  public var maximumBytes: Int

  /// Splits by number of messages and by bytes.
  ///
  /// - Precondition: at least one message fits.
  public init(maximumMessages: Int = .max, maximumBytes: Int = 32_768) {
    precondition(maximumMessages > 0, "DatagramSplit: a datagram holds at least one message")
    self.maximumMessages = maximumMessages
    self.maximumBytes = maximumBytes
  }

  /// Everything in one datagram.
  static let single = DatagramSplit(maximumBytes: .max)
}

extension SimulatedKernel {
  /// What the answer to a request is written with, split for the program at the other end of the link.
  func builder(for request: Request) -> MessageBuilder {
    var split = configuration.split
    if let room = request.link.room { split.maximumBytes = min(split.maximumBytes, max(room, SimulatedLink.leastRoom)) }
    return MessageBuilder(split: split, sequence: request.sequence, port: request.link.port)
  }
}
