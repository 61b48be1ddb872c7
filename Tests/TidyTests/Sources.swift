import Foundation

/// The files of this repository, as the checks of this target read them.
struct SourceFile: Sendable {
  /// From the root of the repository, such as `Sources/WiFi/Elements/RSN.swift`.
  var path: String
  var lines: [Substring]
  /// What stands outside of comments and, but for what is interpolated, of strings.
  var tokens: [Token]

  /// The target, such as `WiFi`.
  var target: String { String(path.split(separator: "/")[1]) }

  /// The folder in the target, such as `Elements`; empty for a file beside the folders.
  var folder: String {
    let parts = path.split(separator: "/")
    return parts.count > 3 ? String(parts[2]) : ""
  }

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    tokens = Token.read(Array(text.utf8))
  }

  /// The root of the repository.
  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All files of some folders of the root whose names end so.
  static func all(in folders: [String], ending endings: [String] = [".swift"]) throws -> [SourceFile] {
    try texts(in: folders, ending: endings).map { SourceFile(path: $0.key, text: $0.value) }.sorted { $0.path < $1.path }
  }

  /// The texts of all files of some folders of the root whose names end so, by their paths.
  static func texts(in folders: [String], ending endings: [String]) throws -> [String: String] {
    var texts: [String: String] = [:]
    for folder in folders {
      let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
      while let name = names?.nextObject() as? String {
        guard endings.contains(where: name.hasSuffix), !name.contains(".build/") else { continue }
        let path = "\(folder)/\(name)"
        texts[path] = try String(contentsOf: root.appending(path: path), encoding: .utf8)
      }
    }
    return texts
  }

  /// What is built from `Sources`, read once.
  static let sources = Result { try all(in: ["Sources"]) }
}

/// A name, a number or a brace of Swift.
struct Token: Hashable, Sendable {
  var text: String
  /// From 1.
  var line: Int
  /// Whether a point stands before it: a member of something.
  var isMember: Bool

  /// Reads Swift: comments and the text of strings are left out, what strings interpolate is not.
  static func read(_ bytes: [UInt8]) -> [Token] {
    var reader = Reader(bytes: bytes)
    reader.readCode(until: nil)
    return reader.tokens
  }

  private struct Reader {
    let bytes: [UInt8]
    var position = 0
    var line = 1
    var tokens: [Token] = []

    init(bytes: [UInt8]) { self.bytes = bytes }

    private func peek(_ offset: Int = 0) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }

    private static func isWord(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "_"), 0x80...: true
      default: false
      }
    }

    private mutating func advance() {
      if peek() == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }

    /// Reads up to the parenthesis that ends an interpolation, or all.
    mutating func readCode(until end: UInt8?) {
      var depth = 0
      while position < bytes.count {
        let byte = peek()
        if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "/") {
          while position < bytes.count, peek() != UInt8(ascii: "\n") { position += 1 }
        } else if byte == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
          while position < bytes.count, peek() != UInt8(ascii: "*") || peek(1) != UInt8(ascii: "/") { advance() }
          position += 2
        } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#") && (peek(1) == UInt8(ascii: "\"") || peek(1) == UInt8(ascii: "#"))
        {
          readString()
        } else if Self.isWord(byte) {
          let isMember = position > 0 && bytes[position - 1] == UInt8(ascii: ".")
          let start = position
          while position < bytes.count, Self.isWord(peek()) { position += 1 }
          tokens.append(Token(text: String(decoding: bytes[start..<position], as: UTF8.self), line: line, isMember: isMember))
        } else {
          if byte == UInt8(ascii: "(") { depth += 1 }
          if byte == UInt8(ascii: ")") {
            if end != nil, depth == 0 { return position += 1 }
            depth -= 1
          }
          if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
            tokens.append(Token(text: byte == UInt8(ascii: "{") ? "{" : "}", line: line, isMember: false))
          }
          advance()
        }
      }
    }

    private mutating func readString() {
      var hashes = 0
      while peek() == UInt8(ascii: "#") { (hashes, position) = (hashes + 1, position + 1) }
      let quote = UInt8(ascii: "\"")
      let isLong = peek(1) == quote && peek(2) == quote
      let quotes = isLong ? 3 : 1
      position += quotes
      func isRun(_ byte: UInt8, _ count: Int, at offset: Int) -> Bool { (0..<count).allSatisfy { peek(offset + $0) == byte } }
      while position < bytes.count {
        if isRun(quote, quotes, at: 0), isRun(UInt8(ascii: "#"), hashes, at: quotes) { return position += quotes + hashes }
        if peek() == UInt8(ascii: "\\"), isRun(UInt8(ascii: "#"), hashes, at: 1) {
          position += 1 + hashes
          if peek() == UInt8(ascii: "(") {
            position += 1
            readCode(until: UInt8(ascii: ")"))
          } else {
            advance()
          }
        } else {
          advance()
        }
      }
    }
  }
}
