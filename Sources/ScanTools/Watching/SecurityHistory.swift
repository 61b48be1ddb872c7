public import WiFi

/// How the networks of each name were secured, so that one of a known name with other security is noticed.
public struct SecurityHistory: Sendable {
  /// The most names that are kept; of more, the new ones are not.
  static let maximumNames = 100_000

  private var last: [SSID: Security] = [:]

  /// Starts without a name.
  public init() {}

  /// Processes a change; the security of the last other network of the same name, where one was just found under it.
  ///
  /// Networks of one name and different families of security, such as open and personal, are different networks.
  public mutating func earlier(_ change: NetworkChange) -> Security? {
    let network = change.network
    guard !network.ssid.isHidden else { return nil }
    let before = last[network.ssid]
    if case .lost = change { return nil }
    if before != nil || last.count < Self.maximumNames { last[network.ssid] = network.security }
    guard case .found = change, let before, before.family != network.security.family else { return nil }
    return before
  }
}
