import WiFi

/// Where a message bus listens: a Unix socket (D-Bus Specification, “Server Addresses”, transport `unix`).
public enum DBusAddress: Hashable, Sendable {
  /// A socket in the file system.
  case path(String)
  /// A socket with a name of Linux's abstract namespace (`unix(7)`), without the leading zero byte.
  case abstract(String)

  /// The Unix sockets that `text` names, in the order in which they are to be tried, as of `DBUS_SYSTEM_BUS_ADDRESS`.
  ///
  /// Addresses are separated by `;`, their keys by `,`; `%` and two hexadecimal digits stand for a byte. An address of
  /// another transport, or one that cannot be read, is skipped.
  public static func list(_ text: String) -> [DBusAddress] { text.split(separator: ";").compactMap { DBusAddress($0) } }

  /// What is wrong with the first address of `text`, in words that follow its name; `nil` where one of them is a Unix
  /// socket.
  public static func problem(in text: String) -> String? {
    guard list(text).isEmpty else { return nil }
    guard let first = text.split(separator: ";").first else { return "names no address" }
    let shown = "“\(PrintableText.escape(first))”"
    guard let end = first.firstIndex(of: ":") else { return "is \(shown), which has no transport" }
    let transport = PrintableText.escape(first[..<end])
    return transport == "unix"
      ? "is \(shown), which names no Unix socket" : "is \(shown), and the transport “\(transport)” is not supported"
  }

  private init?(_ text: Substring) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "unix" else { return nil }
    for pair in parts[1].split(separator: ",") {
      let field = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard field.count == 2, let value = Self.unescaped(field[1]), !value.isEmpty else { return nil }
      if field[0] == "path" { self = .path(value); return }
      if field[0] == "abstract" { self = .abstract(value); return }
    }
    return nil
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let high = Hex.value(rest.removeFirst()), let low = Hex.value(rest.removeFirst()) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
  }
}
