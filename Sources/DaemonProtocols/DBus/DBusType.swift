/// A complete type of the D-Bus type system (D-Bus Specification 0.43, “Type System”).
public indirect enum DBusType: Hashable, Sendable {
  /// `y`: one byte.
  case byte
  /// `b`: four bytes, 0 or 1.
  case boolean
  /// `n`: two bytes, signed.
  case int16
  /// `q`: two bytes.
  case uint16
  /// `i`: four bytes, signed.
  case int32
  /// `u`: four bytes.
  case uint32
  /// `x`: eight bytes, signed.
  case int64
  /// `t`: eight bytes.
  case uint64
  /// `d`: eight bytes, IEEE 754.
  case double
  /// `s`: UTF-8 without NUL.
  case string
  /// `o`: the path of an object.
  case objectPath
  /// `g`: a list of types.
  case signature
  /// `h`: four bytes, the place of a descriptor beside the message.
  case unixFD
  /// `v`: a value that carries its type.
  case variant
  /// `a…`: any number of values of one type.
  case array(DBusType)
  /// `(…)`: at least one value, each of its own type.
  case structure([DBusType])
  /// `{…}`: a basic key and a value; only as the element of an array.
  case dictionaryEntry(DBusType, DBusType)

  /// The alignment of a value, in bytes from the start of its message.
  public var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array: 4
    case .int64, .uint64, .double, .structure, .dictionaryEntry: 8
    }
  }

  /// Whether it may be the key of a dictionary: every type but containers.
  public var isBasic: Bool {
    switch self {
    case .variant, .array, .structure, .dictionaryEntry: false
    default: true
    }
  }

  /// The deepest nesting of arrays, and that of structures, in a signature.
  static let maximumDepth = 32
}

extension DBusType: CustomStringConvertible {
  /// The type as it stands in a signature, such as `a{sv}`.
  public var description: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .string: "s"
    case .objectPath: "o"
    case .signature: "g"
    case .unixFD: "h"
    case .variant: "v"
    case .array(let element): "a\(element)"
    case .structure(let fields): "(\(fields.map(\.description).joined()))"
    case .dictionaryEntry(let key, let value): "{\(key)\(value)}"
    }
  }
}
