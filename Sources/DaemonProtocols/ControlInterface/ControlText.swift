public import WiFi

/// How wpa_supplicant writes bytes as text: in configuration values, in replies and in events.
public enum ControlText {
  /// The bytes as `printf_encode` of wpa_supplicant writes them: printable ASCII as it is, the rest escaped.
  public static func escape(_ bytes: some Sequence<UInt8>) -> String {
    var text = ""
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""): text += "\\\""
      case UInt8(ascii: "\\"): text += "\\\\"
      case 0x1B: text += "\\e"
      case 0x0A: text += "\\n"
      case 0x0D: text += "\\r"
      case 0x09: text += "\\t"
      case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "\\x" + Hex.string([byte])
      }
    }
    return text
  }

  /// The bytes that escaped text stands for, as `printf_decode` of wpa_supplicant reads it.
  ///
  /// Reads `\\ \" \n \r \t \e`, one to three octal digits and one or two hexadecimal digits behind `\x`.
  ///
  /// - Throws: ``/WiFi/WireError`` at the backslash that starts no escape, or whose octal number is more than a byte;
  ///   wpa_supplicant drops such a backslash without a word.
  public static func unescape(_ text: some Sequence<UInt8>) throws(WireError) -> [UInt8] {
    let bytes = Array(text)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let start = index
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        continue
      }
      guard index < bytes.count else { throw WireError(offset: start, reason: .invalid("backslash without escape")) }
      let code = bytes[index]
      index += 1
      switch code {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): result.append(code)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "e"): result.append(0x1B)
      case UInt8(ascii: "x"):
        guard index < bytes.count, let high = Hex.value(bytes[index]) else {
          throw WireError(offset: start, reason: .invalid("escape without hexadecimal digit"))
        }
        index += 1
        if index < bytes.count, let low = Hex.value(bytes[index]) {
          index += 1
          result.append(high << 4 | low)
        } else {
          result.append(high)
        }
      case UInt8(ascii: "0")...UInt8(ascii: "7"):
        var value = Int(code - UInt8(ascii: "0"))
        var digits = 1
        while digits < 3, index < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "7") ~= bytes[index] {
          value = value * 8 + Int(bytes[index] - UInt8(ascii: "0"))
          index += 1
          digits += 1
        }
        guard let byte = UInt8(exactly: value) else {
          throw WireError(offset: start, reason: .invalid("octal escape \(value)"))
        }
        result.append(byte)
      default: throw WireError(offset: start, reason: .invalid("unknown escape"))
      }
    }
    return result
  }

  /// The bytes that the value of a text field stands for: `"as it is"`, `P"with escapes"` or hexadecimal digits
  /// (`wpa_config_parse_string`).
  ///
  /// - Throws: ``/WiFi/WireError`` where it is none of the three.
  public static func value(_ text: some Sequence<UInt8>) throws(WireError) -> [UInt8] {
    let bytes = Array(text)
    if bytes.first == UInt8(ascii: "\"") {
      guard bytes.count >= 2, bytes.last == UInt8(ascii: "\"") else {
        throw WireError(offset: bytes.count, reason: .invalid("value without closing quote"))
      }
      return Array(bytes[1..<bytes.count - 1])
    }
    if bytes.starts(with: [UInt8(ascii: "P"), UInt8(ascii: "\"")]) {
      guard bytes.count >= 3, bytes.last == UInt8(ascii: "\"") else {
        throw WireError(offset: bytes.count, reason: .invalid("value without closing quote"))
      }
      do {
        return try unescape(bytes[2..<bytes.count - 1])
      } catch {
        throw WireError(offset: error.offset + 2, reason: error.reason)
      }
    }
    if let offset = bytes.firstIndex(where: { Hex.value($0) == nil }) {
      throw WireError(offset: offset, reason: .invalid("value that is neither quoted nor hexadecimal"))
    }
    guard bytes.count.isMultiple(of: 2) else {
      throw WireError(offset: bytes.count, reason: .invalid("odd number of hexadecimal digits"))
    }
    return Hex.bytes(String(decoding: bytes, as: UTF8.self)) ?? []
  }

  /// Bytes as a value that every version reads: hexadecimal digits.
  public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> [UInt8] { Array(Hex.string(bytes).utf8) }

  /// Bytes in quotes, or `nil` where they hold what ends a line or a command: a control character.
  ///
  /// A quote inside needs no escape, because the last one of the value ends it.
  public static func quoted(_ bytes: some Sequence<UInt8>) -> [UInt8]? {
    let content = Array(bytes)
    guard !content.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
  }
}
