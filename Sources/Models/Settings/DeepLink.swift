public import WiFi

/// A place in the Wi-Fi settings as text, such as `known/Home/edit`: what another program opens them with.
///
/// The name of a network stands in it as ``/WiFi/SSID`` renders it, a slash as `\x2f`.
public enum DeepLink: Hashable, Sendable {
  /// The known networks: `known`.
  case known
  /// The page that changes a known network: `known/NAME/edit`.
  case editKnown(SSID)
  /// The sheet that adds a known network: `known/add`.
  case addKnown

  /// Reads a link; `nil` where it is none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 1 where parts[0] == "known": self = .known
    case 2 where parts[0] == "known" && parts[1] == "add": self = .addKnown
    case 3 where parts[0] == "known" && parts[2] == "edit":
      guard let ssid = SSID(typed: parts[1]), !ssid.bytes.isEmpty else { return nil }
      self = .editKnown(ssid)
    default: return nil
    }
  }
}

extension DeepLink: CustomStringConvertible {
  /// The text that it is read from.
  public var description: String {
    switch self {
    case .known: "known"
    case .addKnown: "known/add"
    case .editKnown(let ssid): "known/\(ssid.description.replacing("/", with: #"\x2f"#))/edit"
    }
  }
}

extension WiFiSettingsModel {
  /// Shows the place that a link means; what was shown before is dismissed.
  ///
  /// The page of a network opens once the networks are listed.
  public func open(_ link: DeepLink) {
    let opened: SSID? = if case .editKnown(let ssid) = link { ssid } else { nil }
    guard
      let model = knownNetworksModel(opens: opened, sheet: { link == .addKnown ? $0.addModel() : nil })
    else { return onIssue(.noKnownNetworks) }
    destination = .known(model)
  }
}
