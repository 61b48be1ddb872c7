/// A reader of XML 1.0 documents that forgives nothing.
///
/// Elements, attributes, text, the five entities and references to characters: what JUnit reports need, and no more. No
/// comments, no sections, no document type.
struct StrictXML: Equatable {
  var name: String
  var attributes: [String: String] = [:]
  var text = ""
  var children: [StrictXML] = []

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  init(name: String) { self.name = name }

  init(_ document: String) throws {
    var reader = Reader(Array(document.unicodeScalars))
    try reader.expect(#"<?xml version="1.0" encoding="UTF-8"?>"#)
    reader.skipSpace()
    self = try reader.element()
    reader.skipSpace()
    guard reader.isAtEnd else { throw Failure(description: "something behind the root element") }
  }

  /// All elements of a name, at any depth.
  func all(_ name: String) -> [StrictXML] { (self.name == name ? [self] : []) + children.flatMap { $0.all(name) } }

  private struct Reader {
    let scalars: [Unicode.Scalar]
    var index = 0

    init(_ scalars: [Unicode.Scalar]) { self.scalars = scalars }

    var isAtEnd: Bool { index == scalars.count }
    var next: Unicode.Scalar? { isAtEnd ? nil : scalars[index] }

    func failure(_ what: String) -> Failure {
      Failure(description: "\(what) at \(index): \(String(String.UnicodeScalarView(scalars[max(0, index - 20)..<index])))")
    }

    mutating func skipSpace() { while let next, [" ", "\n", "\t", "\r"].contains(next) { index += 1 } }

    mutating func expect(_ text: String) throws {
      for scalar in text.unicodeScalars {
        guard next == scalar else { throw failure("no \(text)") }
        index += 1
      }
    }

    func starts(with text: String) -> Bool {
      scalars[index...].starts(with: text.unicodeScalars)
    }

    mutating func name() throws -> String {
      var name = ""
      while let next, next.properties.isAlphabetic || next.value < 128 && (next.properties.numericType != nil || next == "-") {
        name.unicodeScalars.append(next)
        index += 1
      }
      guard !name.isEmpty else { throw failure("no name") }
      return name
    }

    /// A character as it is, or what an entity stands for; only what XML 1.0 allows.
    mutating func character() throws -> Unicode.Scalar {
      guard let first = next else { throw failure("the end") }
      index += 1
      guard first == "&" else {
        switch first.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: return first
        default: throw failure("a character that XML does not have")
        }
      }
      var entity = ""
      while let next, next != ";", entity.count < 10 {
        entity.unicodeScalars.append(next)
        index += 1
      }
      try expect(";")
      switch entity {
      case "amp": return "&"
      case "lt": return "<"
      case "gt": return ">"
      case "quot": return "\""
      case "apos": return "'"
      default:
        guard entity.hasPrefix("#"), let value = UInt32(entity.dropFirst()), [9, 10, 13].contains(value) || value >= 32,
          let scalar = Unicode.Scalar(value)
        else { throw failure("the entity \(entity)") }
        return scalar
      }
    }

    mutating func element() throws -> StrictXML {
      try expect("<")
      var element = StrictXML(name: try name())
      while true {
        skipSpace()
        if starts(with: "/>") {
          try expect("/>")
          return element
        }
        if next == ">" { break }
        let key = try name()
        try expect("=\"")
        var value = ""
        while next != "\"" {
          guard next != "<", next != "\n" else { throw failure("a raw < or line feed in an attribute") }
          value.unicodeScalars.append(try character())
        }
        try expect("\"")
        guard element.attributes.updateValue(value, forKey: key) == nil else { throw failure("\(key) twice") }
      }
      try expect(">")
      while !starts(with: "</") {
        if starts(with: "<") {
          element.children.append(try self.element())
        } else {
          guard !starts(with: "]]>") else { throw failure("]]> in a text") }
          element.text.unicodeScalars.append(try character())
        }
      }
      try expect("</\(element.name)>")
      return element
    }
  }
}
