import WiFi

/// A command of wpa_supplicant's control interface (`wpa_supplicant_ctrl_iface_process`).
///
/// Every datagram parses: an unknown command, or one in an unusual form, is kept as it is, so parsing and encoding
/// again gives the same bytes.
public enum ControlCommand: Hashable, Sendable {
  /// `PING`, answered with `PONG`.
  case ping
  /// `ATTACH`: events follow.
  case attach
  /// `DETACH`: no more events.
  case detach
  /// `STATUS`.
  case status
  /// `SCAN`.
  case scan
  /// `SCAN_RESULTS`.
  case scanResults
  /// `ADD_NETWORK`, answered with a number.
  case addNetwork
  /// `SET_NETWORK number field value`.
  case setNetwork(Int, String, [UInt8])
  /// `GET_NETWORK number field`.
  case getNetwork(Int, String)
  /// `DUP_NETWORK source target field`: copies a field from one network to another, a secret without showing it.
  case duplicateNetwork(Int, Int, String)
  /// `LIST_NETWORKS`, or those behind `after` where one datagram did not hold all.
  case listNetworks(after: Int?)
  /// `SELECT_NETWORK number`: enables this network and disables all others.
  case selectNetwork(Int)
  /// `ENABLE_NETWORK number [no-connect]`.
  case enableNetwork(Int, connects: Bool)
  /// `DISABLE_NETWORK number`.
  case disableNetwork(Int)
  /// `REMOVE_NETWORK number`.
  case removeNetwork(Int)
  /// `SAVE_CONFIG`.
  case saveConfiguration
  /// `DISCONNECT`.
  case disconnect
  /// `RECONNECT`.
  case reconnect
  /// `REASSOCIATE`.
  case reassociate
  /// `SIGNAL_POLL`.
  case signalPoll
  /// `GET_CAPABILITY field`.
  case getCapability(String)
  /// `GET field`: a global setting.
  case get(String)
  /// `SET field value`: a global setting.
  case set(String, [UInt8])
  /// Anything else, as it is.
  case other([UInt8])

  /// Parses a datagram.
  public init(_ bytes: [UInt8]) {
    self = Self.bare[bytes] ?? .other(bytes)
    guard case .other = self, let parsed = Self.parse(bytes), parsed.encoded == bytes else { return }
    self = parsed
  }

  /// The commands that are one word, by their datagrams.
  private static let bare: [[UInt8]: ControlCommand] = {
    let commands: [ControlCommand] = [
      .ping, .attach, .detach, .status, .scan, .scanResults, .addNetwork, .listNetworks(after: nil), .saveConfiguration, .disconnect,
      .reconnect, .reassociate, .signalPoll,
    ]
    return Dictionary(uniqueKeysWithValues: commands.map { ($0.encoded, $0) })
  }()

  private static func parse(_ bytes: [UInt8]) -> ControlCommand? {
    let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 3, omittingEmptySubsequences: false)
    func text(_ index: Int) -> String? {
      index < words.count ? String(validating: words[index], as: UTF8.self) : nil
    }
    func number(_ index: Int) -> Int? { text(index).flatMap { Int($0) } }
    guard let verb = text(0) else { return nil }
    switch (verb, words.count) {
    case ("SET_NETWORK", 4) where !words[2].isEmpty:
      return number(1).flatMap { id in text(2).map { .setNetwork(id, $0, Array(words[3])) } }
    case ("GET_NETWORK", 3): return number(1).flatMap { id in text(2).map { .getNetwork(id, $0) } }
    case ("DUP_NETWORK", 4):
      guard let source = number(1), let target = number(2), let field = text(3) else { return nil }
      return .duplicateNetwork(source, target, field)
    case ("LIST_NETWORKS", 2):
      guard let parameter = text(1), parameter.hasPrefix("LAST_ID=") else { return nil }
      return Int(parameter.dropFirst(8)).map { .listNetworks(after: $0) }
    case ("SELECT_NETWORK", 2): return number(1).map { .selectNetwork($0) }
    case ("ENABLE_NETWORK", 2): return number(1).map { .enableNetwork($0, connects: true) }
    case ("ENABLE_NETWORK", 3): return number(1).map { .enableNetwork($0, connects: false) }
    case ("DISABLE_NETWORK", 2): return number(1).map { .disableNetwork($0) }
    case ("REMOVE_NETWORK", 2): return number(1).map { .removeNetwork($0) }
    case ("GET_CAPABILITY", 2): return text(1).map { .getCapability($0) }
    case ("GET", 2): return text(1).map { .get($0) }
    case ("SET", 3...) where !words[1].isEmpty:
      return text(1).map { .set($0, Array(bytes.dropFirst(5 + $0.utf8.count))) }
    default: return nil
    }
  }

  /// The datagram.
  public var encoded: [UInt8] {
    switch self {
    case .ping: Array("PING".utf8)
    case .attach: Array("ATTACH".utf8)
    case .detach: Array("DETACH".utf8)
    case .status: Array("STATUS".utf8)
    case .scan: Array("SCAN".utf8)
    case .scanResults: Array("SCAN_RESULTS".utf8)
    case .addNetwork: Array("ADD_NETWORK".utf8)
    case .setNetwork(let id, let field, let value): Array("SET_NETWORK \(id) \(field) ".utf8) + value
    case .getNetwork(let id, let field): Array("GET_NETWORK \(id) \(field)".utf8)
    case .duplicateNetwork(let source, let target, let field): Array("DUP_NETWORK \(source) \(target) \(field)".utf8)
    case .listNetworks(nil): Array("LIST_NETWORKS".utf8)
    case .listNetworks(let last?): Array("LIST_NETWORKS LAST_ID=\(last)".utf8)
    case .selectNetwork(let id): Array("SELECT_NETWORK \(id)".utf8)
    case .enableNetwork(let id, true): Array("ENABLE_NETWORK \(id)".utf8)
    case .enableNetwork(let id, false): Array("ENABLE_NETWORK \(id) no-connect".utf8)
    case .disableNetwork(let id): Array("DISABLE_NETWORK \(id)".utf8)
    case .removeNetwork(let id): Array("REMOVE_NETWORK \(id)".utf8)
    case .saveConfiguration: Array("SAVE_CONFIG".utf8)
    case .disconnect: Array("DISCONNECT".utf8)
    case .reconnect: Array("RECONNECT".utf8)
    case .reassociate: Array("REASSOCIATE".utf8)
    case .signalPoll: Array("SIGNAL_POLL".utf8)
    case .getCapability(let field): Array("GET_CAPABILITY \(field)".utf8)
    case .get(let field): Array("GET \(field)".utf8)
    case .set(let field, let value): Array("SET \(field) ".utf8) + value
    case .other(let bytes): bytes
    }
  }

  /// Whether the command carries a password or a key, which must not be logged or recorded.
  public var isSecret: Bool {
    switch self {
    case .setNetwork(_, let field, _): Self.secretFields.contains(field)
    case .set(let field, _): Self.secretFields.contains(field)
    case .other(let bytes):
      // A command that is written in another way than usual is not read, so it may hold anything.
      !bytes.isEmpty
    default: false
    }
  }

  private static let secretFields = [
    "psk", "sae_password", "sae_password_id", "password", "private_key_passwd", "private_key2_passwd", "pin", "wep_key0",
    "wep_key1", "wep_key2", "wep_key3", "dpp_csign", "dpp_netaccesskey", "mem_only_psk",
  ]
}

extension ControlCommand: CustomStringConvertible {
  /// The command as it is sent, a secret replaced by its length.
  public var description: String {
    switch self {
    case .setNetwork(let id, let field, let value) where isSecret: "SET_NETWORK \(id) \(field) ‹\(value.count) bytes›"
    case .set(let field, let value) where isSecret: "SET \(field) ‹\(value.count) bytes›"
    case .other(let bytes): "‹\(bytes.count) bytes›"
    default: PrintableText.escape(encoded)
    }
  }
}
