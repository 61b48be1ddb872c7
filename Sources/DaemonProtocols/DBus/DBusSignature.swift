public import WiFi

/// A list of complete types: the signature of a body or of a variant (D-Bus Specification, “Valid Signatures”).
public struct DBusSignature: Hashable, Sendable {
  /// The types, in order.
  public let types: [DBusType]

  /// The longest signature in bytes.
  public static let maximumLength = 255

  /// A signature of these types.
  ///
  /// - Precondition: it has at most 255 bytes; a dictionary entry stands in an array and has a basic key.
  public init(_ types: [DBusType]) {
    self.types = types
    var reader = Reader(bytes: Array(description.utf8), offset: 0)
    precondition((try? reader.readAll()) == types, "DBusSignature: \(description) is no valid signature")
  }

  /// Parses the bytes of a signature.
  ///
  /// - Parameter offset: where the bytes stand in their message, for the error.
  /// - Throws: ``/WiFi/WireError`` at the byte that is wrong.
  public init(parsing bytes: [UInt8], at offset: Int = 0) throws(WireError) {
    guard bytes.count <= Self.maximumLength else {
      throw WireError(offset: offset, reason: .length(declared: bytes.count, allowed: 0...Self.maximumLength))
    }
    var reader = Reader(bytes: bytes, offset: offset)
    types = try reader.readAll()
  }

  private struct Reader {
    let bytes: [UInt8]
    let offset: Int
    var position = 0

    mutating func readAll() throws(WireError) -> [DBusType] {
      var types: [DBusType] = []
      while position < bytes.count { types.append(try read(arrays: 0, structures: 0, inArray: false)) }
      return types
    }

    private func error(_ what: String) -> WireError { WireError(offset: offset + position, reason: .invalid(what)) }

    private mutating func read(arrays: Int, structures: Int, inArray: Bool) throws(WireError) -> DBusType {
      guard position < bytes.count else { throw error("signature ends inside a type") }
      let code = bytes[position]
      switch code {
      case UInt8(ascii: "a"):
        guard arrays < DBusType.maximumDepth else { throw error("arrays nested deeper than \(DBusType.maximumDepth)") }
        position += 1
        return .array(try read(arrays: arrays + 1, structures: structures, inArray: true))
      case UInt8(ascii: "("):
        guard structures < DBusType.maximumDepth else {
          throw error("structures nested deeper than \(DBusType.maximumDepth)")
        }
        position += 1
        var fields: [DBusType] = []
        while position < bytes.count, bytes[position] != UInt8(ascii: ")") {
          fields.append(try read(arrays: arrays, structures: structures + 1, inArray: false))
        }
        guard position < bytes.count else { throw error("signature ends inside a structure") }
        guard !fields.isEmpty else { throw error("structure without fields") }
        position += 1
        return .structure(fields)
      case UInt8(ascii: "{"):
        guard inArray else { throw error("dictionary entry outside an array") }
        guard structures < DBusType.maximumDepth else {
          throw error("structures nested deeper than \(DBusType.maximumDepth)")
        }
        position += 1
        let key = try read(arrays: arrays, structures: structures + 1, inArray: false)
        guard key.isBasic else { throw error("dictionary key that is a container") }
        let value = try read(arrays: arrays, structures: structures + 1, inArray: false)
        guard position < bytes.count, bytes[position] == UInt8(ascii: "}") else {
          throw error("dictionary entry without end")
        }
        position += 1
        return .dictionaryEntry(key, value)
      default:
        guard let type = Self.single[code] else { throw error("unknown type code 0x\(Hex.string([code]))") }
        position += 1
        return type
      }
    }

    /// The types of one letter, by that.
    private static let single: [UInt8: DBusType] = {
      let types: [DBusType] = [
        .byte, .boolean, .int16, .uint16, .int32, .uint32, .int64, .uint64, .double, .string, .objectPath, .signature, .unixFD, .variant,
      ]
      return Dictionary(uniqueKeysWithValues: types.map { (Array($0.description.utf8)[0], $0) })
    }()
  }
}

extension DBusSignature: CustomStringConvertible {
  /// The signature as it is sent, such as `sa{sv}`.
  public var description: String { types.map(\.description).joined() }
}
