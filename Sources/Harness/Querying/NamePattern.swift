public import WiFi

/// A pattern for names of networks: `*` stands for any characters, `?` for one, upper and lower case are the same.
///
/// The whole name must match, as it is printed: bytes that are no text are written `\xHH`.
public struct NamePattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case character(Character)
    case any
    case anyNumber
  }

  private var parts: [Part] = []

  /// Reads a pattern; an empty one matches networks that hide their name.
  public init(_ text: String) {
    for character in text.lowercased() {
      switch character {
      case "*": if parts.last != .anyNumber { parts.append(.anyNumber) }
      case "?": parts.append(.any)
      default: parts.append(.character(character))
      }
    }
  }

  /// Whether a name matches; its time is at most the product of both lengths.
  public func matches(_ ssid: SSID) -> Bool {
    let name = Array(ssid.description.lowercased())
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
