/// One datagram from wpa_supplicant: a reply to the last command, or an event.
public enum ControlMessage: Hashable, Sendable {
  /// The answer to a command.
  case reply(ControlReply)
  /// What happened.
  case event(ControlEvent)

  /// Parses a datagram; every one parses.
  ///
  /// An event begins with its level in angle brackets, as `wpa_cli` distinguishes them.
  public init(_ bytes: [UInt8]) {
    if let event = ControlEvent(bytes) { self = .event(event) } else { self = .reply(ControlReply(bytes)) }
  }

  /// The datagram.
  public var encoded: [UInt8] {
    switch self {
    case .reply(let reply): reply.encoded
    case .event(let event): event.encoded
    }
  }
}

/// The answer to a ``ControlCommand``; parse then encode is identity.
public enum ControlReply: Hashable, Sendable {
  /// `OK`: done.
  case ok
  /// `PONG`.
  case pong
  /// `FAIL`, or `FAIL-BUSY` and the like with what stands behind the dash.
  case fail(String?)
  /// `UNKNOWN COMMAND`.
  case unknownCommand
  /// Anything else: the content of an answer.
  case text([UInt8])

  /// Parses a datagram.
  public init(_ bytes: [UInt8]) {
    switch String(validating: bytes, as: UTF8.self) {
    case "OK\n": self = .ok
    case "PONG\n": self = .pong
    case "FAIL\n": self = .fail(nil)
    case "UNKNOWN COMMAND\n": self = .unknownCommand
    case let text?:
      let reason = text.utf8.dropFirst(5).dropLast()
      self = text.hasPrefix("FAIL-") && bytes.last == 0x0A && !reason.contains(0x0A) ? .fail(String(reason)) : .text(bytes)
    case nil: self = .text(bytes)
    }
  }

  /// The datagram.
  public var encoded: [UInt8] {
    switch self {
    case .ok: Array("OK\n".utf8)
    case .pong: Array("PONG\n".utf8)
    case .fail(nil): Array("FAIL\n".utf8)
    case .fail(let reason?): Array("FAIL-\(reason)\n".utf8)
    case .unknownCommand: Array("UNKNOWN COMMAND\n".utf8)
    case .text(let bytes): bytes
    }
  }

  /// The number that `ADD_NETWORK` answers with.
  public var number: Int? {
    guard case .text(let bytes) = self, bytes.last == 0x0A else { return nil }
    let digits = bytes.dropLast()
    guard !digits.isEmpty, digits.count < 10, digits.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }
}
