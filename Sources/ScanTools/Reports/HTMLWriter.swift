import Determinism
import WiFi

/// Writes HTML that is well-formed XML too: every element is closed, every attribute quoted, every text escaped.
package struct HTMLWriter {
  package private(set) var text = ""

  package init() {}

  /// Writes an element and what `content` writes into it.
  package mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ content: (inout HTMLWriter) -> Void) {
    open(name, attributes)
    text += ">"
    content(&self)
    text += "</\(name)>"
  }

  /// Writes an element with a text in it.
  package mutating func element(_ name: String, _ attributes: [(String, String)] = [], _ words: String) {
    element(name, attributes) { $0.words(words) }
  }

  /// Writes an element that has no content, such as `meta`.
  package mutating func void(_ name: String, _ attributes: [(String, String)]) {
    open(name, attributes)
    text += "/>"
  }

  /// Writes text of our own that stands for itself, such as a style sheet.
  package mutating func raw(_ markup: String) { text += markup }

  /// Writes text.
  package mutating func words(_ words: String) { text += Self.escaped(words) }

  package mutating func newline() { text += "\n" }

  private mutating func open(_ name: String, _ attributes: [(String, String)]) {
    text += "<\(name)"
    for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value).replacing("\n", with: "&#10;"))\"" }
  }

  /// Text for a page: what means something to HTML as its entity, and what could reorder or hide the text around it as
  /// its bytes.
  package static func escaped(_ words: String) -> String {
    words.replacingScalars { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": nil
      default: PrintableText.mustEscape(scalar) ? PrintableText.escaped(scalar) : nil
      }
    }
  }
}
