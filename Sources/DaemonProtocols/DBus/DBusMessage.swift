public import WiFi

/// A message of the D-Bus protocol (D-Bus Specification 0.43, “Message Format”).
///
/// What is decoded encodes to the same bytes: the byte order, the flags and the order of the header fields are kept,
/// unknown fields among them.
public struct DBusMessage: Hashable, Sendable {
  /// What a message is.
  public enum Kind: Hashable, Sendable {
    /// A call of a method.
    case methodCall
    /// What a method returned.
    case methodReturn
    /// Why a method failed.
    case error
    /// A signal.
    case signal
    /// A type that is not known, to be ignored; never 0.
    case other(UInt8)

    var rawValue: UInt8 {
      switch self {
      case .methodCall: 1
      case .methodReturn: 2
      case .error: 3
      case .signal: 4
      case .other(let value): value
      }
    }

    init(rawValue: UInt8) {
      self = [Kind.methodCall, .methodReturn, .error, .signal].first { $0.rawValue == rawValue } ?? .other(rawValue)
    }
  }

  /// The flags of a message.
  public enum Flag {
    /// The caller wants no reply (`NO_REPLY_EXPECTED`).
    public static let noReplyExpected: UInt8 = 1
    /// The bus must not start the destination (`NO_AUTO_START`).
    public static let noAutoStart: UInt8 = 2
  }

  /// The codes of header fields.
  public enum FieldCode {
    public static let path: UInt8 = 1
    public static let interface: UInt8 = 2
    public static let member: UInt8 = 3
    public static let errorName: UInt8 = 4
    public static let replySerial: UInt8 = 5
    public static let destination: UInt8 = 6
    public static let sender: UInt8 = 7
    public static let signature: UInt8 = 8
    static let unixFDs: UInt8 = 9
  }

  /// One field of the header.
  public struct Field: Hashable, Sendable {
    /// What the field is (``FieldCode``).
    public var code: UInt8
    /// Its value, without the variant around it.
    public var value: DBusValue

    /// Makes a field from its parts.
    public init(_ code: UInt8, _ value: DBusValue) {
      self.code = code
      self.value = value
    }
  }

  /// What the message is.
  public var kind: Kind
  /// Its flags (``Flag``).
  public var flags: UInt8
  /// Its number, unique to its sender and never 0.
  public var serial: UInt32
  /// The fields of the header, in the order they are sent.
  public var fields: [Field]
  /// The arguments.
  public var body: [DBusValue]
  /// Whether numbers are sent most significant byte first.
  public var isBigEndian: Bool

  /// Makes a message from its parts; the signature is added where there is a body and none among the fields.
  public init(
    _ kind: Kind, serial: UInt32, flags: UInt8 = 0, fields: [Field], body: [DBusValue] = [], isBigEndian: Bool = false
  ) {
    self.kind = kind
    self.serial = serial
    self.flags = flags
    self.fields = fields
    self.body = body
    self.isBigEndian = isBigEndian
    if !body.isEmpty, self[FieldCode.signature] == nil {
      self.fields.append(Field(FieldCode.signature, .signature(DBusSignature(body.map(\.type)))))
    }
  }

  /// The value of the first header field of a code.
  public subscript(code: UInt8) -> DBusValue? { fields.first { $0.code == code }?.value }

  /// The object that is called or that sends the signal.
  public var path: DBusObjectPath? { self[FieldCode.path]?.path }
  /// The interface of the member.
  public var interface: String? { self[FieldCode.interface]?.text }
  /// The name of the method or signal.
  public var member: String? { self[FieldCode.member]?.text }
  /// The name of the error.
  public var errorName: String? { self[FieldCode.errorName]?.text }
  /// The number of the message that this replies to.
  public var replySerial: UInt32? { self[FieldCode.replySerial]?.integer.flatMap { UInt32(exactly: $0) } }
  /// Whom it is for.
  public var destination: String? { self[FieldCode.destination]?.text }
  /// Who sent it; the bus fills this in, so it can be trusted.
  public var sender: String? { self[FieldCode.sender]?.text }
  /// The types of the body.
  public var signature: DBusSignature {
    if case .signature(let signature) = self[FieldCode.signature] { signature } else { DBusSignature([]) }
  }

  // MARK: Making

  /// A call of a method.
  public static func call(
    _ destination: String, _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [],
    serial: UInt32, flags: UInt8 = 0
  ) -> DBusMessage {
    DBusMessage(
      .methodCall, serial: serial, flags: flags,
      fields: [
        Field(FieldCode.path, .objectPath(path)), Field(FieldCode.destination, .string(destination)),
        Field(FieldCode.interface, .string(interface)), Field(FieldCode.member, .string(member)),
      ], body: body)
  }

  /// A signal.
  public static func signal(
    _ path: DBusObjectPath, _ interface: String, _ member: String, _ body: [DBusValue] = [], sender: String? = nil,
    serial: UInt32
  ) -> DBusMessage {
    var message = DBusMessage(
      .signal, serial: serial, flags: Flag.noReplyExpected,
      fields: [
        Field(FieldCode.path, .objectPath(path)), Field(FieldCode.interface, .string(interface)),
        Field(FieldCode.member, .string(member)),
      ], body: body)
    if let sender { message.fields.append(Field(FieldCode.sender, .string(sender))) }
    return message
  }

  /// What this call returns.
  public func reply(_ body: [DBusValue] = [], serial: UInt32) -> DBusMessage {
    var fields = [Field(FieldCode.replySerial, .uint32(self.serial))]
    if let sender { fields.append(Field(FieldCode.destination, .string(sender))) }
    return DBusMessage(.methodReturn, serial: serial, flags: Flag.noReplyExpected, fields: fields, body: body)
  }

  /// Why this call fails.
  public func failure(_ name: String, _ sentence: String? = nil, serial: UInt32) -> DBusMessage {
    var fields = [Field(FieldCode.errorName, .string(name)), Field(FieldCode.replySerial, .uint32(self.serial))]
    if let sender { fields.append(Field(FieldCode.destination, .string(sender))) }
    return DBusMessage(
      .error, serial: serial, flags: Flag.noReplyExpected, fields: fields, body: sentence.map { [.string($0)] } ?? [])
  }
}

// MARK: Bytes

extension DBusMessage {
  /// The bytes that say how long a message is.
  static let fixedHeaderSize = 16

  /// The length of the message that begins with these bytes, or `nil` where there are fewer than 16.
  ///
  /// - Throws: ``/WiFi/WireError`` where no message begins like this, or one is longer than `limit`.
  public static func length(
    of bytes: some RandomAccessCollection<UInt8>, limit: Int = DBusLimits.messageLength
  ) throws(WireError) -> Int? {
    guard bytes.count >= fixedHeaderSize else { return nil }
    let header = Array(bytes.prefix(fixedHeaderSize))
    let isBigEndian = try byteOrder(header[0])
    guard header[3] == 1 else { throw WireError(offset: 3, reason: .invalid("protocol version \(header[3])")) }
    var reader = DBusReader(header, in: 4..<16, isBigEndian: isBigEndian)
    let body = Int(try reader.readUInt32())
    _ = try reader.readUInt32()
    let fields = Int(try reader.readUInt32())
    guard fields <= DBusLimits.arrayLength else {
      throw WireError(offset: 12, reason: .length(declared: fields, allowed: 0...DBusLimits.arrayLength))
    }
    let length = (fixedHeaderSize + fields + 7) / 8 * 8 + body
    guard length <= limit else { throw WireError(offset: 4, reason: .length(declared: length, allowed: 0...limit)) }
    return length
  }

  private static func byteOrder(_ mark: UInt8) throws(WireError) -> Bool {
    switch mark {
    case UInt8(ascii: "l"): false
    case UInt8(ascii: "B"): true
    default: throw WireError(offset: 0, reason: .invalid("byte order 0x\(Hex.string([mark]))"))
    }
  }

  private static let fieldsType = DBusType.array(.structure([.byte, .variant]))

  /// Decodes one whole message.
  ///
  /// - Throws: ``/WiFi/WireError`` at the byte that is wrong: a type, a length, padding, text that is not UTF-8, a name
  ///   that is not valid, a required field that is missing, or bytes behind the body.
  public init(_ bytes: [UInt8]) throws(WireError) {
    guard let length = try Self.length(of: bytes) else {
      throw WireError(offset: bytes.count, reason: .truncated(needed: Self.fixedHeaderSize, available: bytes.count))
    }
    guard length == bytes.count else {
      throw length > bytes.count
        ? WireError(offset: bytes.count, reason: .truncated(needed: length, available: bytes.count))
        : WireError(offset: length, reason: .invalid("bytes behind the message"))
    }
    isBigEndian = try Self.byteOrder(bytes[0])
    guard bytes[1] != 0 else { throw WireError(offset: 1, reason: .invalid("message type 0")) }
    kind = Kind(rawValue: bytes[1])
    flags = bytes[2]
    var reader = DBusReader(bytes, in: 8..<bytes.count, isBigEndian: isBigEndian)
    serial = try reader.readUInt32()
    guard serial != 0 else { throw WireError(offset: 8, reason: .invalid("serial 0")) }
    fields = []
    for case .structure(let parts) in try reader.read(Self.fieldsType).elements ?? [] {
      guard case .byte(let code) = parts[0], case .variant(let value) = parts[1] else { continue }
      fields.append(Field(code, value))
    }
    try reader.align(to: 8)
    let start = reader.position
    try Self.validate(fields, kind)
    body = []
    guard fields.count(where: { $0.code == FieldCode.signature }) <= 1 else {
      throw WireError(offset: 16, reason: .invalid("two signatures"))
    }
    for type in signature.types { body.append(try reader.read(type)) }
    guard reader.isAtEnd else {
      throw WireError(
        offset: reader.position, reason: .invalid(start == reader.position ? "body without signature" : "bytes behind the body"))
    }
  }

  /// Checks the types of known fields, the names in them and that none is missing.
  private static func validate(_ fields: [Field], _ kind: Kind) throws(WireError) {
    func invalid(_ what: String) -> WireError { WireError(offset: 16, reason: .invalid(what)) }
    var present: [Bool] = Array(repeating: false, count: 10)
    for field in fields {
      guard field.code != 0 else { throw invalid("header field 0") }
      guard field.code <= FieldCode.unixFDs else { continue }
      guard !present[Int(field.code)] else { throw invalid("header field \(field.code) twice") }
      present[Int(field.code)] = true
      let isValid: Bool
      switch (field.code, field.value) {
      case (FieldCode.path, .objectPath), (FieldCode.signature, .signature), (FieldCode.unixFDs, .uint32): isValid = true
      case (FieldCode.interface, .string(let text)), (FieldCode.errorName, .string(let text)): isValid = DBusName.isInterface(text)
      case (FieldCode.member, .string(let text)): isValid = DBusName.isMember(text)
      case (FieldCode.destination, .string(let text)), (FieldCode.sender, .string(let text)): isValid = DBusName.isBus(text)
      case (FieldCode.replySerial, .uint32(let serial)): isValid = serial != 0
      default: isValid = false
      }
      guard isValid else { throw invalid("header field \(field.code) with a value that it cannot have") }
    }
    let required: [UInt8] =
      switch kind {
      case .methodCall: [FieldCode.path, FieldCode.member]
      case .signal: [FieldCode.path, FieldCode.interface, FieldCode.member]
      case .methodReturn: [FieldCode.replySerial]
      case .error: [FieldCode.errorName, FieldCode.replySerial]
      case .other: []
      }
    for code in required where !present[Int(code)] { throw invalid("no header field \(code)") }
  }

  /// The bytes of the message.
  ///
  /// - Precondition: the signature among the fields is that of the body.
  public var encoded: [UInt8] {
    precondition(signature.types == body.map(\.type), "DBusMessage: a body \(body.map(\.type)) with signature \(signature)")
    var content = DBusWriter(isBigEndian: isBigEndian)
    for value in body { content.write(value) }
    var writer = DBusWriter(isBigEndian: isBigEndian)
    writer.write(UInt8(ascii: isBigEndian ? "B" : "l"))
    writer.write(kind.rawValue)
    writer.write(flags)
    writer.write(1 as UInt8)
    writer.write(UInt32(content.count))
    writer.write(serial)
    writer.write(
      .array(.structure([.byte, .variant]), fields.map { .structure([.byte($0.code), .variant($0.value)]) }))
    writer.align(to: 8)
    return writer.bytes + content.bytes
  }
}

/// Cuts a stream of bytes into messages.
public struct DBusStream: Sendable {
  private var buffer: [UInt8] = []
  private let limit: Int

  /// An empty stream whose messages have at most `limit` bytes.
  public init(limit: Int = DBusLimits.busMessageLength) { self.limit = limit }

  /// Processes what was received.
  public mutating func append(_ bytes: some Sequence<UInt8>) { buffer.append(contentsOf: bytes) }

  /// The next whole message, or `nil` where more bytes are needed.
  ///
  /// - Throws: ``/WiFi/WireError`` in bytes from the start of the message; after that the stream cannot be read on.
  public mutating func next() throws(WireError) -> DBusMessage? {
    guard let length = try DBusMessage.length(of: buffer, limit: limit), buffer.count >= length else { return nil }
    let bytes = Array(buffer[..<length])
    buffer.removeSubrange(..<length)
    return try DBusMessage(bytes)
  }

  /// The bytes of a message that is not whole yet.
  public var pending: Int { buffer.count }
}
