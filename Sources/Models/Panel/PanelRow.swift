public import WiFi

/// One row of a ``Panel``: everything that is drawn in it, and nothing else.
public enum PanelRow: Hashable, Sendable {
  /// The switch.
  case wifi(isOn: Bool)
  /// A network.
  case network(NetworkRow)

  /// What makes a row the same row, whatever it shows.
  public enum ID: Hashable, Sendable {
    /// The switch.
    case wifi
    /// The row of a network.
    case network(NetworkID)
  }

  /// What makes it the same row.
  public var id: ID {
    switch self {
    case .wifi: .wifi
    case .network(let row): .network(row.id)
    }
  }
}

/// What is drawn of a network.
public struct NetworkRow: Hashable, Sendable, Identifiable {
  /// The identity of the network.
  public var id: NetworkID
  /// Its name, safe on a terminal; empty where it is hidden or not known.
  public var name: String
  /// Whether the name could be read; where it could not, the network is not known to hide it.
  var isNameKnown: Bool
  /// Strength from 0 to 1.
  public var connectivity: Double
  /// Strength in bars, 0 to 4.
  public var bars: Int
  /// Whether joining needs a secret.
  public var isSecured: Bool
  /// Whether it is the selected one.
  public var isSelected: Bool
  /// Whether it is not there now, and this is what was known of it last.
  public var isOutOfRange: Bool

  /// The row of a network.
  public init(_ network: Network, isSelected: Bool = false, isOutOfRange: Bool = false) {
    id = network.id
    name = network.ssid.isHidden ? "" : network.ssid.description
    isNameKnown = network.isSSIDKnown
    connectivity = network.connectivity
    bars = network.bars
    isSecured = network.isSecured
    self.isSelected = isSelected
    self.isOutOfRange = isOutOfRange
  }
}

extension NetworkRow {
  /// The name, or `(hidden)` or `(unknown)` where there is none.
  public var shownName: String { name.isEmpty ? (isNameKnown ? "(hidden)" : "(unknown)") : name }
}

extension PanelRow: CustomStringConvertible {
  /// Such as `Wi-Fi: on`.
  public var description: String {
    switch self {
    case .wifi(let isOn): "Wi-Fi: \(isOn ? "on" : "off")"
    case .network(let row): row.description
    }
  }
}

extension PanelRow.ID: CustomStringConvertible {
  /// Such as `Wi-Fi` or `Home personal`.
  public var description: String {
    switch self {
    case .wifi: "Wi-Fi"
    case .network(let id): id.description
    }
  }
}

extension NetworkRow: CustomStringConvertible {
  /// Such as `Home: 4 bars, 97 %, secured, selected`, with the address where each BSS is a row of its own.
  public var description: String {
    var text = shownName
    if case .bss(let bssid) = id { text += " \(bssid)" }
    text += ": \(bars.counted("bar")), \(Int((connectivity * 100).rounded())) %, \(isSecured ? "secured" : "open")"
    if isSelected { text += ", selected" }
    if isOutOfRange { text += ", out of range" }
    return text
  }
}
