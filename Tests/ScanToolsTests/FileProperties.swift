import ScanTools
import WiFi

/// What holds for any file, whoever wrote it; beside `WireProperties`, which see.
enum FileProperties {
  /// Checks what is behind the first byte as what the first byte says.
  ///
  /// - Returns: whether the first byte says anything.
  static func check(_ input: [UInt8]) throws -> Bool {
    let content = Array(input.dropFirst())
    switch input.first {
    case UInt8(ascii: "r"): try checkRecording(content)
    case UInt8(ascii: "c"): try checkRecording(Array("{\"format\":\"wifi-harness/recording/2\"}\n".utf8) + content)
    case UInt8(ascii: "z"): try checkExpansion(content)
    case UInt8(ascii: "d"): try checkDecoding(content)
    case UInt8(ascii: "h"): try checkHexText(content)
    default: return false
    }
    return true
  }

  /// Checks `bytes` as a recording: what is read and written again reads the same.
  static func checkRecording(_ content: [UInt8]) throws {
    guard let contents = try? Recording.read(content) else { return }
    var written = Recording.line(contents.header)
    for scan in contents.scans { written += Recording.line(scan) }
    var again = contents
    again.cutLines = 0
    guard try Recording.read(written) == again else { throw FileViolation("a recording is written as another one") }
  }

  /// Checks `bytes` as compressed content: whatever it is, it is expanded within its limit or refused.
  static func checkExpansion(_ content: [UInt8]) throws {
    let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD]
    guard let expanded = try? Zstandard.expanded(frame + content).content else { return }
    guard expanded.count <= Zstandard.wholeLimit else { throw FileViolation("content is expanded beyond its limit") }
  }

  /// Checks `bytes` as what `wifi-harness decode` is given: whatever it takes them for, it says valid JSON.
  static func checkDecoding(_ content: [UInt8]) throws {
    guard let input = try? DecodedInput(content) else { return }
    for style in [FieldWriter.Style.json, .text] {
      var writer = FieldWriter(style: style)
      writer.object { input.describe(into: &$0) }
      try FileProperties.checkText(writer.bytes)
    }
  }

  /// The characters that hexadecimal text, dumps and arrays are made of; 64, so that two bits of a byte are free.
  private static let alphabet = Array("0123456789abcdefABCDEF0123456789 \n\t  \n::,,;-xX{}[]()\\\"'/*/*##|=>".utf8)

  /// Checks hexadecimal text made of `bytes`: text in a style that has one meaning reads as the bytes it was written from,
  /// and any other text of the same characters is decoded without harm.
  static func checkHexText(_ bytes: [UInt8]) throws {
    guard let style = bytes.first else { return }
    let content = Array(bytes.dropFirst())
    if style < 4 {
      guard (1...DecodedInput.maximumLength).contains(content.count) else { return }
      let separator = [" ", ":", ", ", "\n"][Int(style)]
      let prefix = style == 2 ? "0x" : ""
      let text = content.map { prefix + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: separator)
      let input = try DecodedInput(Array(text.utf8), as: .elements)
      guard input.bytes == content else { throw FileViolation("hexadecimal text reads as other bytes: \(text.prefix(200))") }
    } else {
      try checkDecoding(bytes.map { alphabet[Int($0) % alphabet.count] })
    }
  }

  private static func checkText(_ content: [UInt8]) throws {
    guard let text = String(validating: content, as: UTF8.self) else { throw FileViolation("a description is not UTF-8") }
    for scalar in text.unicodeScalars where scalar != "\n" && PrintableText.mustEscape(scalar) {
      throw FileViolation("a description holds U+\(String(scalar.value, radix: 16))")
    }
  }
}

/// What bytes broke.
struct FileViolation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
