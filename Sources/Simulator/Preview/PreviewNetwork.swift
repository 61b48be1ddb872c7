/// A network of the preview world, as a user would describe it.
public struct PreviewNetwork: Hashable, Sendable {
  /// Its name, at most 32 bytes.
  public var name: String
  /// Whether joining needs a password.
  public var isSecured: Bool
  /// Its strength in hundredths, 1 to 100.
  public var connectivityPercent: Int

  /// Describes a network.
  public init(name: String, isSecured: Bool, connectivityPercent: Int) {
    self.name = name
    self.isSecured = isSecured
    self.connectivityPercent = connectivityPercent
  }

  /// Four networks to begin a scenario with.
  public static let mocks = [
    PreviewNetwork(name: "Nacho Wi-Fi", isSecured: true, connectivityPercent: 50),
    PreviewNetwork(name: "Nacho Wi-Fi 5G", isSecured: true, connectivityPercent: 90),
    PreviewNetwork(name: "Blob Jr's LAN PARTY", isSecured: true, connectivityPercent: 20),
    PreviewNetwork(name: "Blob's World", isSecured: false, connectivityPercent: 100),
  ]

  /// The names that the preview world finds.
  public static let names = [
    "Blob Jr's LAN PARTY", "Blob Sr's Basement", "Router? I Hardly Know Her", "The LAN Before Time", "Lord of the Pings",
    "It Hurts When IP", "Tell My Wi-Fi Love Her", "Drop It Like It's Hotspot", "Abraham Linksys", "Bill Wi the Science Fi",
    "404 Network Unavailable", "Definitely Not a Trap", "Get Off My LAN", "Silence of the LANs", "Winternet Is Coming",
    "Free Wi-Fi (Terms Apply)", "Upstairs Neighbour's Oven",
  ]
}
