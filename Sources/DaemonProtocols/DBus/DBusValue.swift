import WiFi

/// A value of the D-Bus type system (D-Bus Specification 0.43, “Marshaling”).
public indirect enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  /// Text without NUL.
  case string(String)
  /// The path of an object, such as `/org/freedesktop/NetworkManager`.
  case objectPath(DBusObjectPath)
  /// A list of types as a value.
  case signature(DBusSignature)
  /// The place of a descriptor beside the message.
  case unixFD(UInt32)
  /// A value that carries its type.
  case variant(DBusValue)
  /// An array of bytes (`ay`), such as an SSID; it is never an ``array(_:_:)``.
  case bytes([UInt8])
  /// Values of one type, which an empty array has, too.
  case array(DBusType, [DBusValue])
  /// At least one value.
  case structure([DBusValue])
  /// A key and a value; only as the element of an array.
  case dictionaryEntry(DBusValue, DBusValue)

  /// The type of the value.
  public var type: DBusType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .string: .string
    case .objectPath: .objectPath
    case .signature: .signature
    case .unixFD: .unixFD
    case .variant: .variant
    case .bytes: .array(.byte)
    case .array(let element, _): .array(element)
    case .structure(let fields): .structure(fields.map(\.type))
    case .dictionaryEntry(let key, let value): .dictionaryEntry(key.type, value.type)
    }
  }
}

// MARK: Access

extension DBusValue {
  /// The value inside, through any number of variants.
  public var unwrapped: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// The text, of a string or an object path, inside variants or not.
  public var text: String? {
    switch unwrapped {
    case .string(let text): text
    case .objectPath(let path): path.description
    default: nil
    }
  }

  /// The path, inside variants or not.
  public var path: DBusObjectPath? { if case .objectPath(let path) = unwrapped { path } else { nil } }

  /// The truth value, inside variants or not.
  public var truth: Bool? { if case .boolean(let value) = unwrapped { value } else { nil } }

  /// The number of any integer type, inside variants or not; `nil` for a 64-bit number that does not fit.
  public var integer: Int64? {
    switch unwrapped {
    case .byte(let value): Int64(value)
    case .int16(let value): Int64(value)
    case .uint16(let value): Int64(value)
    case .int32(let value): Int64(value)
    case .uint32(let value): Int64(value)
    case .int64(let value): value
    case .uint64(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// The bytes of an `ay`, inside variants or not.
  public var bytes: [UInt8]? { if case .bytes(let bytes) = unwrapped { bytes } else { nil } }

  /// The elements of an array or the fields of a structure, inside variants or not.
  public var elements: [DBusValue]? {
    switch unwrapped {
    case .array(_, let elements), .structure(let elements): elements
    default: nil
    }
  }

  /// The value of a key that is text, in an array of dictionary entries, inside variants or not.
  ///
  /// Costs a walk over the entries; where a key stands twice the first counts.
  public subscript(key: String) -> DBusValue? {
    guard case .array(_, let entries) = unwrapped else { return nil }
    for case .dictionaryEntry(let entryKey, let value) in entries where entryKey.text == key { return value }
    return nil
  }

  /// A dictionary of text to variants (`a{sv}`), in the order given.
  public static func properties(_ entries: KeyValuePairs<String, DBusValue>) -> DBusValue {
    .array(
      .dictionaryEntry(.string, .variant), entries.map { .dictionaryEntry(.string($0.key), .variant($0.value)) })
  }
}

extension DBusValue: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
}

/// The path of an object: `/`, or elements of ASCII letters, digits and underscores behind slashes.
public struct DBusObjectPath: Hashable, Sendable, CustomStringConvertible {
  /// The path as it is sent.
  public let description: String

  /// Makes a path of text, or `nil` where that is no valid path.
  public init?(_ text: some StringProtocol) {
    let words = Array(text.utf8).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isRoot = words.count == 2 && words[1].isEmpty
    guard words.count > 1, words[0].isEmpty, isRoot || words.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(DBusName.isWord) })
    else { return nil }
    description = String(text)
  }

  /// The path of the root, which also stands for “no object”.
  public static let root = DBusObjectPath(unchecked: "/")

  private init(unchecked text: String) { description = text }
}

/// The rules for names (D-Bus Specification, “Valid Names”).
enum DBusName {
  /// The longest name in bytes.
  static let maximumLength = 255

  static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  /// Whether it is an interface or the name of an error: two or more words, none beginning with a digit.
  static func isInterface(_ text: String) -> Bool {
    let words = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return text.utf8.count <= maximumLength && words.count >= 2
      && words.allSatisfy { word in word.first.map { !isDigit($0) } ?? false && word.allSatisfy(isWord) }
  }

  /// Whether it is the name of a method or a signal: one word that does not begin with a digit.
  static func isMember(_ text: String) -> Bool {
    text.utf8.count <= maximumLength && text.utf8.first.map { !isDigit($0) } ?? false && text.utf8.allSatisfy(isWord)
  }

  /// Whether it is the name of a connection: unique (`:1.42`) or well-known (`net.connman.iwd`).
  static func isBus(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    let isUnique = text.utf8.first == UInt8(ascii: ":")
    let words = text.utf8.dropFirst(isUnique ? 1 : 0).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return words.count >= 2
      && words.allSatisfy { word in
        guard let first = word.first, isUnique || !isDigit(first) else { return false }
        return word.allSatisfy { isWord($0) || $0 == UInt8(ascii: "-") }
      }
  }
}
