public import WiFi

/// A pattern for names of networks: `*` stands for any characters, `?` for one, upper and lower case are the same.
///
/// The whole name must match. It is typed as it is printed: `\\` is a backslash, `\xHH` a byte, which `?` takes for one
/// character, too. `\*` and `\?` are those characters themselves.
public struct NamePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    /// A character, or the escape that is printed for a byte or a backslash.
    case character(String)
    case any
    case anyNumber
  }

  private var parts: [Part] = []

  /// Reads a pattern; an empty one matches networks that hide their name.
  public init(_ text: String) {
    var rest = text[...]
    while let scalar = rest.unicodeScalars.first {
      let escaped = Self.escapedBytes(&rest)
      if !escaped.isEmpty {
        append(escaped)
      } else if scalar == "\\" {
        // A backslash that begins no escape stands for itself.
        rest.unicodeScalars.removeFirst()
        let next = rest.unicodeScalars.first
        if let next, next == "*" || next == "?" {
          append(Array(String(next).utf8))
          rest.unicodeScalars.removeFirst()
        } else {
          append([0x5C])
          if next == "\\" { rest.unicodeScalars.removeFirst() }
        }
      } else {
        switch rest.removeFirst() {
        case "*": if parts.last != .anyNumber { parts.append(.anyNumber) }
        case "?": parts.append(.any)
        case let character: append(Array(String(character).utf8))
        }
      }
    }
  }

  private mutating func append(_ bytes: [UInt8]) {
    parts += Self.characters(PrintableText.escape(bytes)).map { .character($0) }
  }

  /// Takes escapes of bytes from the front of a text, and returns the bytes.
  private static func escapedBytes(_ text: inout Substring) -> [UInt8] {
    var bytes: [UInt8] = []
    while let byte = PrintableText.bytes(unescaping: String(text.unicodeScalars.prefix(4))), byte.count == 1, text.hasEscape {
      bytes += byte
      text.unicodeScalars.removeFirst(4)
    }
    return bytes
  }

  /// The characters of a text as it is printed, where an escape is one, in lower case.
  private static func characters(_ printed: String) -> [String] {
    var characters: [String] = []
    var rest = printed.lowercased()[...]
    while let first = rest.unicodeScalars.first {
      if first == "\\" {
        let length = rest.hasEscape ? 4 : 2
        characters.append(String(rest.unicodeScalars.prefix(length)))
        rest.unicodeScalars.removeFirst(length)
      } else {
        characters.append(String(rest.removeFirst()))
      }
    }
    return characters
  }

  /// Whether a name matches; its time is at most the product of both lengths.
  public func matches(_ ssid: SSID) -> Bool {
    let name = Self.characters(ssid.description)
    var place = 0
    var part = 0
    // Where to go on when the characters behind the last `*` do not fit.
    var retry: (place: Int, part: Int)?
    while place < name.count {
      if part < parts.count, parts[part] == .anyNumber {
        part += 1
        retry = (place, part)
      } else if part < parts.count, parts[part] == .any || parts[part] == .character(name[place]) {
        place += 1
        part += 1
      } else if let (last, next) = retry {
        place = last + 1
        part = next
        retry = (place, next)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyNumber }
  }
}

extension Substring {
  /// Whether it begins as the escape of a byte does.
  fileprivate var hasEscape: Bool { unicodeScalars.count >= 4 && unicodeScalars.starts(with: "\\x".unicodeScalars) }
}
