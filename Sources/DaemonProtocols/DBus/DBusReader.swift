import WiFi

/// Reads values in either byte order; alignment counts from the start of the buffer, which is the start of a message.
struct DBusReader {
  private var cursor: ByteCursor
  private let isBigEndian: Bool

  init(_ bytes: [UInt8], in range: Range<Int>, isBigEndian: Bool) {
    cursor = ByteCursor(bytes, in: range)
    self.isBigEndian = isBigEndian
  }

  var position: Int { cursor.position }
  var isAtEnd: Bool { cursor.isAtEnd }

  /// Passes over padding, which must be zero.
  mutating func align(to alignment: Int) throws(WireError) {
    while cursor.position % alignment != 0 {
      let offset = cursor.position
      guard try cursor.readUInt8() == 0 else { throw WireError(offset: offset, reason: .invalid("padding that is not zero")) }
    }
  }

  mutating func readUInt32() throws(WireError) -> UInt32 {
    try align(to: 4)
    return isBigEndian ? try cursor.readUInt32BigEndian() : try cursor.readUInt32()
  }

  private mutating func readUInt16() throws(WireError) -> UInt16 {
    try align(to: 2)
    return isBigEndian ? try cursor.readUInt16BigEndian() : try cursor.readUInt16()
  }

  private mutating func readUInt64() throws(WireError) -> UInt64 {
    try align(to: 8)
    let value = try cursor.readUInt64()
    return isBigEndian ? value.byteSwapped : value
  }

  /// Reads a counted text with its NUL: a string or a path.
  private mutating func readText() throws(WireError) -> String {
    let length = try readUInt32()
    let offset = cursor.position
    try cursor.require(Int(length) + 1)
    let bytes = try cursor.readBytes(Int(length))
    guard try cursor.readUInt8() == 0 else {
      throw WireError(offset: cursor.position - 1, reason: .invalid("text without NUL at its end"))
    }
    guard !bytes.contains(0) else { throw WireError(offset: offset, reason: .invalid("text with NUL inside")) }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw WireError(offset: offset, reason: .invalid("text that is not UTF-8"))
    }
    return text
  }

  mutating func readSignature() throws(WireError) -> DBusSignature {
    let length = Int(try cursor.readUInt8())
    let offset = cursor.position
    let bytes = try cursor.readBytes(length)
    guard try cursor.readUInt8() == 0 else {
      throw WireError(offset: cursor.position - 1, reason: .invalid("signature without NUL at its end"))
    }
    return try DBusSignature(parsing: bytes, at: offset)
  }

  /// Reads one value of a type.
  mutating func read(_ type: DBusType, depth: Int = 0) throws(WireError) -> DBusValue {
    if !type.isBasic, depth >= DBusLimits.depth {
      throw WireError(offset: cursor.position, reason: .invalid("containers nested deeper than \(DBusLimits.depth)"))
    }
    switch type {
    case .byte: return .byte(try cursor.readUInt8())
    case .boolean:
      let value = try readUInt32()
      guard value <= 1 else {
        throw WireError(offset: cursor.position - 4, reason: .invalid("boolean \(value)"))
      }
      return .boolean(value == 1)
    case .int16: return .int16(Int16(bitPattern: try readUInt16()))
    case .uint16: return .uint16(try readUInt16())
    case .int32: return .int32(Int32(bitPattern: try readUInt32()))
    case .uint32: return .uint32(try readUInt32())
    case .unixFD: return .unixFD(try readUInt32())
    case .int64: return .int64(Int64(bitPattern: try readUInt64()))
    case .uint64: return .uint64(try readUInt64())
    case .double: return .double(Double(bitPattern: try readUInt64()))
    case .string: return .string(try readText())
    case .objectPath:
      try align(to: 4)
      let offset = cursor.position
      guard let path = DBusObjectPath(try readText()) else {
        throw WireError(offset: offset, reason: .invalid("no valid object path"))
      }
      return .objectPath(path)
    case .signature: return .signature(try readSignature())
    case .variant:
      let offset = cursor.position
      let signature = try readSignature()
      guard signature.types.count == 1 else {
        throw WireError(offset: offset, reason: .invalid("variant of \(signature.types.count) types"))
      }
      return .variant(try read(signature.types[0], depth: depth + 1))
    case .array(let element): return try readArray(of: element, depth)
    case .structure(let types):
      try align(to: 8)
      var fields: [DBusValue] = []
      for type in types { fields.append(try read(type, depth: depth + 1)) }
      return .structure(fields)
    case .dictionaryEntry(let key, let value):
      try align(to: 8)
      let key = try read(key, depth: depth + 1)
      return .dictionaryEntry(key, try read(value, depth: depth + 1))
    }
  }

  private mutating func readArray(of element: DBusType, _ depth: Int) throws(WireError) -> DBusValue {
    let length = Int(try readUInt32())
    guard length <= DBusLimits.arrayLength else {
      throw WireError(offset: cursor.position - 4, reason: .length(declared: length, allowed: 0...DBusLimits.arrayLength))
    }
    // The padding before the first element does not count, and is there even where no element follows.
    try align(to: element.alignment)
    try cursor.require(length)
    if element == .byte { return .bytes(try cursor.readBytes(length)) }
    let end = cursor.position + length
    var values: [DBusValue] = []
    while cursor.position < end {
      values.append(try read(element, depth: depth + 1))
      guard cursor.position <= end else {
        throw WireError(offset: end, reason: .invalid("element that reaches past its array"))
      }
    }
    return .array(element, values)
  }
}
