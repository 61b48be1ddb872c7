public import WiFi

/// What an access point announces of itself and seldom changes, so that a difference means something.
///
/// How busy it is, its timers and its traffic maps are left out.
public struct AccessPointFacts: Hashable, Sendable {
  /// The name, or `nil` where it is hidden or could not be read.
  public var ssid: SSID?
  /// Whether the name is kept to itself.
  public var isHidden: Bool
  /// How it is secured.
  public var security: Security
  /// The newest generation of Wi-Fi it speaks.
  public var generation: Generation?
  /// The two letters of its country, escaped.
  public var country: String?
  /// The name that it gives itself in a vendor's element, escaped.
  public var apName: String?
  /// The number of the mobility domain in which stations can roam fast (FT), or `nil` without fast transition.
  public var mobilityDomain: UInt16?
  /// Whether Wi-Fi Protected Setup is announced.
  public var hasWPS: Bool
  /// Whether it measures for stations (RM Enabled Capabilities, IEEE 802.11-2020 9.4.2.44).
  var hasRadioMeasurement: Bool
  /// Whether it can ask stations to roam (BSS Transition, Extended Capabilities B19).
  var hasBSSTransition: Bool
  /// The time between beacons in TU of 1024 µs.
  public var beaconIntervalTU: UInt16?

  /// Takes them from what was decoded.
  public init(_ facts: BSSFacts) {
    ssid = facts.isSSIDKnown && !facts.ssid.isHidden ? facts.ssid : nil
    isHidden = facts.isHidden
    security = facts.security
    generation = facts.generation
    country = facts.elements.country?.code
    apName = facts.elements.apName
    mobilityDomain = facts.elements.first(MobilityDomain.self)?.mobilityDomainID
    hasWPS = facts.elements.wps != nil
    hasRadioMeasurement = facts.elements.first(RMEnabledCapabilities.self) != nil
    hasBSSTransition = facts.elements.extendedCapabilities?.hasCapability(19) ?? false
    beaconIntervalTU = facts.bss.beaconIntervalTU
  }

  /// A fact that differs.
  public struct Change: Hashable, Sendable {
    /// What differs, by a name that is the same in every version.
    public var field: Field
    /// What it was.
    public var before: String
    /// What it is.
    public var after: String

    /// Makes it from its parts.
    public init(_ field: Field, _ before: String, _ after: String) {
      self.field = field
      self.before = before
      self.after = after
    }
  }

  /// The facts that are compared.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    case ssid, hidden, channel, widthMHz, security, groupCipher, pairwiseCiphers, akms, pmf, saeHashToElement, saePublicKey
    case oweTransition, generation, country, apName, fastTransition, wps, radioMeasurement, bssTransition, beaconIntervalTU

    /// The words of a table.
    public var words: String {
      switch self {
      case .ssid: "name"
      case .widthMHz: "width"
      case .groupCipher: "group cipher"
      case .pairwiseCiphers: "ciphers"
      case .akms: "AKM"
      case .pmf: "PMF"
      case .saeHashToElement: "SAE H2E"
      case .saePublicKey: "SAE-PK"
      case .oweTransition: "OWE transition"
      case .apName: "AP name"
      case .fastTransition: "FT"
      case .wps: "WPS"
      case .radioMeasurement: "802.11k"
      case .bssTransition: "802.11v BTM"
      case .beaconIntervalTU: "beacon interval"
      case .hidden, .channel, .security, .generation, .country: rawValue
      }
    }
  }

  private static func words(_ value: Bool) -> String { value ? "yes" : "no" }

  /// What of the security differs.
  package static func securityChanges(_ before: Self, _ after: Self) -> [Change] {
    let (old, new) = (before.security, after.security)
    if old == new { return [] }
    return changes([
      (.security, old.summary, new.summary),
      (.pmf, old.pmf.rawValue, new.pmf.rawValue),
      (.akms, old.akms.names.joined(separator: "+"), new.akms.names.joined(separator: "+")),
      (.pairwiseCiphers, old.pairwiseCiphers.names.joined(separator: "+"), new.pairwiseCiphers.names.joined(separator: "+")),
      (.groupCipher, old.groupCipher?.name ?? "none", new.groupCipher?.name ?? "none"),
      (.saeHashToElement, words(old.supportsSAEHashToElement), words(new.supportsSAEHashToElement)),
      (.saePublicKey, words(old.supportsSAEPublicKey), words(new.supportsSAEPublicKey)),
      (.oweTransition, words(old.isOWETransition), words(new.isOWETransition)),
    ])
  }

  /// What of the capabilities differs.
  ///
  /// - Parameter fromSameFrames: whether both were taken from beacons, or both from probe responses; some elements
  ///   stand in one of them only, and then only the generation is compared.
  package static func capabilityChanges(_ before: Self, _ after: Self, fromSameFrames: Bool) -> [Change] {
    let generation: (Field, String, String) = (.generation, before.generation?.summary ?? "-", after.generation?.summary ?? "-")
    guard fromSameFrames else { return changes([generation]) }
    func domain(_ facts: Self) -> String {
      facts.mobilityDomain.map { "domain 0x" + Hex.string([UInt8($0 >> 8), UInt8($0 & 0xFF)]) } ?? "no"
    }
    func interval(_ facts: Self) -> String { facts.beaconIntervalTU.map { "\($0) TU" } ?? "-" }
    return changes([
      generation,
      (.country, before.country ?? "-", after.country ?? "-"),
      (.apName, before.apName ?? "-", after.apName ?? "-"),
      (.fastTransition, domain(before), domain(after)),
      (.wps, words(before.hasWPS), words(after.hasWPS)),
      (.radioMeasurement, words(before.hasRadioMeasurement), words(after.hasRadioMeasurement)),
      (.bssTransition, words(before.hasBSSTransition), words(after.hasBSSTransition)),
      (.hidden, words(before.isHidden), words(after.isHidden)),
      before.beaconIntervalTU == nil || after.beaconIntervalTU == nil
        ? (.beaconIntervalTU, "", "") : (.beaconIntervalTU, interval(before), interval(after)),
    ])
  }

  private static func changes(_ all: [(Field, String, String)]) -> [Change] {
    all.filter { $0.1 != $0.2 }.map { Change($0.0, $0.1, $0.2) }
  }
}
