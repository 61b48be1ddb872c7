/// What may be shown of text that others control.
public enum PrintableText {
  /// Whether a character could move a cursor, change a colour, reorder the text around it or pass unseen.
  ///
  /// Control, format (bidirectional overrides among them), line and paragraph separators, private use, surrogates,
  /// unassigned characters, and spaces other than U+0020 (Unicode general categories Cc, Cf, Zl, Zp, Co, Cs, Cn, Zs);
  /// what is invisible by default (`Default_Ignorable_Code_Point`); and what terminals
  /// disagree about how wide it makes the character before: enclosing marks (Me), as of keycaps, and the modifiers of
  /// emoji (Unicode Technical Standard #51, `Emoji_Modifier`).
  public static func mustEscape(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x7F { return scalar.value < 0x20 }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: return true
    case .spaceSeparator, .enclosingMark: return true
    // Fillers of Hangul among them, which are letters and invisible; the selector of an emoji's look is judged where it
    // stands.
    default:
      let isSelector = (0xFE0E...0xFE0F).contains(scalar.value)
      return scalar.properties.isEmojiModifier || scalar.properties.isDefaultIgnorableCodePoint && !isSelector
    }
  }

  /// Whether a character must be escaped where it stands: beyond ``mustEscape(_:)`` a variation selector that makes an
  /// emoji of an ASCII character, which not every terminal does.
  public static func mustEscape(_ scalar: Unicode.Scalar, after previous: Unicode.Scalar?) -> Bool {
    mustEscape(scalar) || scalar == "\u{FE0F}" && previous?.isASCII ?? true
  }

  /// The escape of one character: its UTF-8 bytes, each as `\xHH`.
  public static func escaped(_ scalar: Unicode.Scalar) -> String {
    var text = ""
    for byte in String(scalar).utf8 { text += "\\x" + Hex.string([byte]) }
    return text
  }

  /// Text of several lines with every character escaped that must be; line ends and backslashes stay.
  package static func escapeLines(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar != "\n", mustEscape(scalar) {
        result += escaped(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The bytes as text that is safe on a terminal.
  ///
  /// Valid UTF-8 as it is; a backslash as `\\`; every other byte, and every character that ``mustEscape(_:)``, as
  /// `\xHH` for each byte. ``bytes(unescaping:)`` gives the bytes back.
  public static func escape(_ bytes: some Collection<UInt8>) -> String {
    // Most names are plain ASCII.
    if !bytes.contains(where: { $0 < 0x20 || $0 > 0x7E || $0 == 0x5C }) { return String(decoding: bytes, as: UTF8.self) }
    var result = ""
    var iterator = bytes.makeIterator()
    var decoder = Unicode.UTF8.ForwardParser()
    var previous: Unicode.Scalar?
    while true {
      switch decoder.parseScalar(from: &iterator) {
      case .valid(let encoded):
        let scalar = Unicode.UTF8.decode(encoded)
        if scalar == "\\" {
          result += "\\\\"
        } else if mustEscape(scalar, after: previous) {
          result += escaped(scalar)
        } else {
          result.unicodeScalars.append(scalar)
        }
        previous = scalar
      case .error:
        return escapeWithErrors(Array(bytes))
      case .emptyInput:
        return result
      }
    }
  }

  /// Text that others control, as text that is safe on a terminal.
  package static func escape(_ text: some StringProtocol) -> String { escape(Array(text.utf8)) }

  /// The slow path: some bytes are not UTF-8, and each of those is escaped by itself.
  private static func escapeWithErrors(_ bytes: [UInt8]) -> String {
    var result = ""
    var index = 0
    while index < bytes.count {
      if let length = validLength(bytes, at: index) {
        result += escape(bytes[index..<index + length])
        index += length
      } else {
        result += "\\x" + Hex.string([bytes[index]])
        index += 1
      }
    }
    return result
  }

  /// How many bytes the well-formed UTF-8 sequence at `index` has, or `nil` where none starts.
  private static func validLength(_ bytes: [UInt8], at index: Int) -> Int? {
    let length: Int
    switch bytes[index] {
    case 0x00...0x7F: length = 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return nil
    }
    guard index + length <= bytes.count else { return nil }
    return String(validating: bytes[index..<index + length], as: UTF8.self) == nil ? nil : length
  }

  /// The bytes that an escaped text stands for, or `nil` where a backslash starts no escape.
  ///
  /// Understands `\\` and `\xHH`; every other character stands for its UTF-8.
  public static func bytes(unescaping text: some StringProtocol) -> [UInt8]? {
    var result: [UInt8] = []
    var iterator = text.utf8.makeIterator()
    while let character = iterator.next() {
      guard character == 0x5C else {
        result.append(character)
        continue
      }
      switch iterator.next() {
      case 0x5C: result.append(0x5C)
      case 0x78:
        guard let first = iterator.next(), let high = Hex.value(first), let second = iterator.next(),
          let low = Hex.value(second)
        else { return nil }
        result.append(high << 4 | low)
      default: return nil
      }
    }
    return result
  }
}
