/// The Capability Information field of a beacon or probe response (IEEE 802.11-2020 9.4.1.4).
public struct Capabilities: Hashable, Sendable {
  /// The field as it is on the air.
  public let rawValue: UInt16

  /// Whether the field is that of a 60 GHz (DMG) network, whose bits have other meanings (9.4.1.46).
  public let isDMG: Bool

  /// Reads a field.
  public init(rawValue: UInt16, isDMG: Bool = false) {
    self.rawValue = rawValue
    self.isDMG = isDMG
  }

  private static let names: [(mask: UInt16, name: String)] = [
    (0x0001, "ESS"), (0x0002, "IBSS"), (0x0004, "CFPollable"), (0x0008, "CFPollRequest"), (0x0010, "Privacy"),
    (0x0020, "ShortPreamble"), (0x0040, "PBCC"), (0x0080, "ChannelAgility"), (0x0100, "SpectrumMgmt"), (0x0200, "QoS"),
    (0x0400, "ShortSlotTime"), (0x0800, "APSD"), (0x1000, "RadioMeasure"), (0x2000, "DSSSOFDM"),
    (0x4000, "DelayedBACK"), (0x8000, "ImmediateBACK"),
  ]

  private static let dmgNames: [(mask: UInt16, name: String)] = [
    (0x0004, "CBAPOnly"), (0x0008, "CBAPSource"), (0x0010, "Privacy"), (0x0020, "ECAPS"), (0x0100, "SpectrumMgmt"),
    (0x1000, "RadioMeasure"),
  ]

  /// The names of the bits that are set, lowest first.
  public var names: [String] {
    guard isDMG else { return Self.names.filter { rawValue & $0.mask != 0 }.map(\.name) }
    let type = ["", "IBSS", "PBSS", "AP"][Int(rawValue & 3)]
    return (type.isEmpty ? [] : [type]) + Self.dmgNames.filter { rawValue & $0.mask != 0 }.map(\.name)
  }
}
