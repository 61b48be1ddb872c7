import WiFi

/// Writes values in either byte order: the other direction of ``DBusReader``.
struct DBusWriter {
  private var writer = ByteWriter()
  private let isBigEndian: Bool

  init(isBigEndian: Bool) { self.isBigEndian = isBigEndian }

  var bytes: [UInt8] { writer.bytes }
  var count: Int { writer.count }

  mutating func align(to alignment: Int) {
    while writer.count % alignment != 0 { writer.write(0 as UInt8) }
  }

  mutating func write(_ value: UInt8) { writer.write(value) }

  mutating func write(_ value: UInt32) {
    align(to: 4)
    writer.write(isBigEndian ? value.byteSwapped : value)
  }

  private mutating func write(_ value: UInt16) {
    align(to: 2)
    writer.write(isBigEndian ? value.byteSwapped : value)
  }

  private mutating func write(_ value: UInt64) {
    align(to: 8)
    writer.write(isBigEndian ? value.byteSwapped : value)
  }

  private mutating func write(text: String) {
    write(UInt32(text.utf8.count))
    writer.write(Array(text.utf8))
    writer.write(0 as UInt8)
  }

  mutating func write(_ signature: DBusSignature) {
    let bytes = Array(signature.description.utf8)
    writer.write(UInt8(bytes.count))
    writer.write(bytes)
    writer.write(0 as UInt8)
  }

  /// Overwrites four bytes at an aligned offset.
  mutating func patch(_ value: UInt32, at offset: Int) {
    let ordered = isBigEndian ? value.byteSwapped : value
    writer.patch(UInt16(truncatingIfNeeded: ordered), at: offset)
    writer.patch(UInt16(truncatingIfNeeded: ordered >> 16), at: offset + 2)
  }

  mutating func write(_ value: DBusValue) {
    switch value {
    case .byte(let value): writer.write(value)
    case .boolean(let value): write(value ? 1 as UInt32 : 0)
    case .int16(let value): write(UInt16(bitPattern: value))
    case .uint16(let value): write(value)
    case .int32(let value): write(UInt32(bitPattern: value))
    case .uint32(let value), .unixFD(let value): write(value)
    case .int64(let value): write(UInt64(bitPattern: value))
    case .uint64(let value): write(value)
    case .double(let value): write(value.bitPattern)
    case .string(let text):
      precondition(!text.utf8.contains(0), "DBusValue: a string holds NUL")
      write(text: text)
    case .objectPath(let path): write(text: path.description)
    case .signature(let signature): write(signature)
    case .variant(let value):
      write(DBusSignature([value.type]))
      write(value)
    case .bytes(let bytes):
      write(UInt32(bytes.count))
      writer.write(bytes)
    case .array(let element, let values):
      write(0 as UInt32)
      let lengthOffset = writer.count - 4
      align(to: element.alignment)
      let start = writer.count
      for value in values {
        precondition(value.type == element, "DBusValue: \(value.type) in an array of \(element)")
        write(value)
      }
      patch(UInt32(writer.count - start), at: lengthOffset)
    case .structure(let fields):
      precondition(!fields.isEmpty, "DBusValue: a structure without fields")
      align(to: 8)
      for field in fields { write(field) }
    case .dictionaryEntry(let key, let value):
      align(to: 8)
      write(key)
      write(value)
    }
  }
}
