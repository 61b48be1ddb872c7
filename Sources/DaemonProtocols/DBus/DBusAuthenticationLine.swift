public import WiFi

/// A line of the conversation that comes before the first message (D-Bus Specification 0.43, “Authentication
/// Protocol”).
public enum DBusAuthenticationLine: Hashable, Sendable {
  /// `AUTH [mechanism [initial response]]`, from the client.
  case authenticate(mechanism: String?, response: [UInt8]?)
  /// `CANCEL`, from the client.
  case cancel
  /// `BEGIN`, from the client: messages follow.
  case begin
  /// `DATA [bytes]`, from either side.
  case data([UInt8])
  /// `ERROR [sentence]`, from either side.
  case error(String)
  /// `NEGOTIATE_UNIX_FD`, from the client.
  case negotiateUnixFD
  /// `REJECTED mechanisms`, from the server.
  case rejected([String])
  /// `OK guid`, from the server.
  case ok(String)
  /// `AGREE_UNIX_FD`, from the server.
  case agreeUnixFD
  /// Any other line, which is answered with `ERROR`.
  case unknown(String)

  /// The longest line in bytes, its end included, as the reference implementation has it.
  public static let maximumLength = 16_384

  /// The mechanism by which the kernel says who the client is.
  public static let external = "EXTERNAL"

  /// Parses a line without its end.
  ///
  /// - Throws: ``/WiFi/WireError`` where a byte is not ASCII, or hexadecimal text is malformed.
  public init(_ bytes: [UInt8]) throws(WireError) {
    if let offset = bytes.firstIndex(where: { !(0x20...0x7E ~= $0) }) {
      throw WireError(offset: offset, reason: .invalid("byte 0x\(Hex.string([bytes[offset]])) in an authentication line"))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count > 1 ? parts[1] : ""
    func content(_ hex: Substring) throws(WireError) -> [UInt8] {
      guard let content = Hex.bytes(hex) else {
        throw WireError(offset: bytes.count - hex.utf8.count, reason: .invalid("malformed hexadecimal text"))
      }
      return content
    }
    switch (parts[0], parts.count) {
    case ("AUTH", 1): self = .authenticate(mechanism: nil, response: nil)
    case ("AUTH", _):
      let words = rest.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      self = .authenticate(mechanism: String(words[0]), response: words.count > 1 ? try content(words[1]) : nil)
    case ("CANCEL", 1): self = .cancel
    case ("BEGIN", 1): self = .begin
    case ("DATA", 1): self = .data([])
    case ("DATA", _): self = .data(try content(rest))
    case ("ERROR", 1): self = .error("")
    case ("ERROR", _): self = .error(String(rest))
    case ("NEGOTIATE_UNIX_FD", 1): self = .negotiateUnixFD
    case ("REJECTED", _): self = .rejected(rest.split(separator: " ").map(String.init))
    case ("OK", 2): self = .ok(String(rest))
    case ("AGREE_UNIX_FD", 1): self = .agreeUnixFD
    default: self = .unknown(text)
    }
  }

  /// The line with its end.
  public var encoded: [UInt8] { Array((text + "\r\n").utf8) }

  private var text: String {
    switch self {
    case .authenticate(nil, _): "AUTH"
    case .authenticate(let mechanism?, nil): "AUTH \(mechanism)"
    case .authenticate(let mechanism?, let response?): "AUTH \(mechanism) \(Hex.string(response))"
    case .cancel: "CANCEL"
    case .begin: "BEGIN"
    case .data(let bytes): bytes.isEmpty ? "DATA" : "DATA \(Hex.string(bytes))"
    case .error(let sentence): sentence.isEmpty ? "ERROR" : "ERROR \(sentence)"
    case .negotiateUnixFD: "NEGOTIATE_UNIX_FD"
    case .rejected(let mechanisms): (["REJECTED"] + mechanisms).joined(separator: " ")
    case .ok(let guid): "OK \(guid)"
    case .agreeUnixFD: "AGREE_UNIX_FD"
    case .unknown(let text): text
    }
  }

  /// Takes the first line off a buffer, or gives `nil` where it is not whole.
  ///
  /// - Throws: ``/WiFi/WireError`` where the line is malformed or longer than ``maximumLength``.
  public static func take(from buffer: inout [UInt8]) throws(WireError) -> DBusAuthenticationLine? {
    var index = 0
    while index + 1 < buffer.count {
      if buffer[index] == 0x0D, buffer[index + 1] == 0x0A {
        guard index + 2 <= maximumLength else { break }
        let line = try DBusAuthenticationLine(Array(buffer[..<index]))
        buffer.removeSubrange(..<(index + 2))
        return line
      }
      index += 1
    }
    guard buffer.count < maximumLength else {
      throw WireError(offset: maximumLength, reason: .length(declared: buffer.count, allowed: 0...maximumLength))
    }
    return nil
  }
}
