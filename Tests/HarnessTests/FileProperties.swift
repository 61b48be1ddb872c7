import Harness
import WiFi

/// What holds for any file, whoever wrote it; beside `WireProperties`, which see.
enum FileProperties {
  /// Checks what is behind the first octet as what the first octet says.
  ///
  /// - Returns: whether the first octet says anything.
  static func check(_ input: [UInt8]) throws -> Bool {
    let octets = Array(input.dropFirst())
    switch input.first {
    case UInt8(ascii: "r"): try checkRecording(octets)
    case UInt8(ascii: "d"): try checkDecoding(octets)
    default: return false
    }
    return true
  }

  /// Checks `octets` as a recording: what is read and written again reads the same.
  static func checkRecording(_ octets: [UInt8]) throws {
    guard let contents = try? Recording.read(octets) else { return }
    var written = Recording.line(contents.header)
    for scan in contents.scans { written += Recording.line(scan) }
    var again = contents
    again.cutLines = 0
    guard try Recording.read(written) == again else { throw FileViolation("a recording is written as another one") }
  }

  /// Checks `octets` as what `wifi-harness decode` is given: whatever it takes them for, it says valid JSON.
  static func checkDecoding(_ octets: [UInt8]) throws {
    guard let input = try? DecodedInput(octets) else { return }
    for style in [FieldWriter.Style.json, .text] {
      var writer = FieldWriter(style: style)
      writer.object { input.describe(into: &$0) }
      try FileProperties.checkText(writer.bytes)
    }
  }

  private static func checkText(_ octets: [UInt8]) throws {
    guard let text = String(validating: octets, as: UTF8.self) else { throw FileViolation("a description is not UTF-8") }
    for scalar in text.unicodeScalars where scalar != "\n" && PrintableText.mustEscape(scalar) {
      throw FileViolation("a description holds U+\(String(scalar.value, radix: 16))")
    }
  }
}

/// What octets broke.
struct FileViolation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
