/// A token of Swift source that matters for wrapping tests: a word, a string or a sign.
struct SwiftToken: Equatable {
  enum Kind { case word, string, sign }
  var kind: Kind
  var text: String
  /// Its bytes in the source.
  var range: Range<Int>
}

/// Splits Swift source into tokens, without comments, and without looking into strings.
///
/// A quotation mark in a bare regular expression is taken for a string that ends with its line.
struct SwiftTokens {
  private let bytes: [UInt8]
  private var place = 0
  private var tokens: [SwiftToken] = []

  static func tokens(of source: String) -> [SwiftToken] {
    var lexer = SwiftTokens(bytes: Array(source.utf8))
    lexer.run()
    return lexer.tokens
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private func peek(_ offset: Int = 0) -> UInt8 { place + offset < bytes.count ? bytes[place + offset] : 0 }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "`"), 0x80...:
      true
    default: false
    }
  }

  private mutating func run() {
    while place < bytes.count {
      let start = place
      switch (peek(), peek(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "/")): while place < bytes.count, peek() != UInt8(ascii: "\n") { place += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): skipComment()
      case (UInt8(ascii: "\""), _):
        skipString(pounds: 0)
        add(.string, start)
      case (UInt8(ascii: "#"), UInt8(ascii: "\"")), (UInt8(ascii: "#"), UInt8(ascii: "#")):
        var pounds = 0
        while peek() == UInt8(ascii: "#") { (pounds, place) = (pounds + 1, place + 1) }
        guard peek() == UInt8(ascii: "\"") else { continue }
        skipString(pounds: pounds)
        add(.string, start)
      case (UInt8(ascii: "`"), _):
        // A name in backticks may have spaces in it.
        place += 1
        while place < bytes.count, peek() != UInt8(ascii: "`"), peek() != UInt8(ascii: "\n") { place += 1 }
        place += 1
        add(.word, start)
      case (let byte, _) where Self.isWord(byte):
        while Self.isWord(peek()), peek() != UInt8(ascii: "`") { place += 1 }
        add(.word, start)
      case (UInt8(ascii: " "), _), (UInt8(ascii: "\t"), _), (UInt8(ascii: "\n"), _), (UInt8(ascii: "\r"), _): place += 1
      default:
        place += 1
        add(.sign, start)
      }
    }
  }

  private mutating func add(_ kind: SwiftToken.Kind, _ start: Int) {
    place = min(place, bytes.count)
    tokens.append(SwiftToken(kind: kind, text: String(decoding: bytes[start..<place], as: UTF8.self), range: start..<place))
  }

  /// Comments are nested in Swift.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      switch (peek(), peek(1)) {
      case (UInt8(ascii: "/"), UInt8(ascii: "*")): (depth, place) = (depth + 1, place + 2)
      case (UInt8(ascii: "*"), UInt8(ascii: "/")): (depth, place) = (depth - 1, place + 2)
      default: place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  private func has(_ byte: UInt8, _ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { peek(offset + $0) == byte }
  }

  private mutating func skipString(pounds: Int) {
    let isLong = has(UInt8(ascii: "\""), 3, at: 0)
    let quotes = isLong ? 3 : 1
    place += quotes
    while place < bytes.count {
      if has(UInt8(ascii: "\""), quotes, at: 0), has(UInt8(ascii: "#"), pounds, at: quotes) {
        place += quotes + pounds
        return
      }
      if peek() == UInt8(ascii: "\\"), has(UInt8(ascii: "#"), pounds, at: 1) {
        place += 1 + pounds
        if peek() == UInt8(ascii: "(") { skipInterpolation() } else { place += 1 }
        continue
      }
      if peek() == UInt8(ascii: "\n"), !isLong { return }
      place += 1
    }
  }

  private mutating func skipInterpolation() {
    var depth = 0
    while place < bytes.count {
      switch peek() {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"): depth -= 1
      case UInt8(ascii: "\""):
        skipString(pounds: 0)
        continue
      default: break
      }
      place += 1
      if depth == 0 { return }
    }
  }
}
