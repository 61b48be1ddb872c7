/// A change of the regulatory domain, as the kernel announces it (`NL80211_CMD_REG_CHANGE`, `NL80211_CMD_WIPHY_REG_CHANGE`).
///
/// Who changed it stands in the event alone: the domain that is asked for does not tell.
public struct RegulatoryChange: Hashable, Sendable {
  /// Who set a domain (`NL80211_ATTR_REG_INITIATOR`, u8; `enum nl80211_reg_initiator`).
  public enum Initiator: UInt8, Hashable, Sendable, CaseIterable {
    /// The kernel itself.
    case core = 0
    /// A program.
    case user = 1
    /// The driver.
    case driver = 2
    /// An access point, by its Country element.
    case countryElement = 3
  }

  /// What kind of domain it is (`NL80211_ATTR_REG_TYPE`, u8; `enum nl80211_reg_type`).
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// That of a country.
    case country = 0
    /// That of the world.
    case world = 1
    /// One of the driver's own for the world.
    case customWorld = 2
    /// What several allow.
    case intersection = 3
  }

  /// Who changed it; `nil` for one that is not known.
  public var initiator: Initiator?
  /// What it is now; `nil` for a kind that is not known.
  public var kind: Kind?
  /// The country, two letters or digits, where it is that of one.
  public var alpha2: String?
  /// The adapter that keeps it for itself, or `nil` for the domain of all others.
  public var wiphy: UInt32?

  /// Reads an event; `nil` where it is another.
  public init?(_ message: GenericNetlinkMessage) {
    guard message.command == NL80211.Command.regulatoryChange || message.command == NL80211.Command.wiphyRegulatoryChange else {
      return nil
    }
    let bytes = message.attributes
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.regulatoryInitiator: initiator = attribute.uint8(of: bytes).flatMap(Initiator.init)
      case NL80211.Attribute.regulatoryType: kind = attribute.uint8(of: bytes).flatMap(Kind.init)
      case NL80211.Attribute.regulatoryAlpha2: alpha2 = attribute.string(of: bytes)
      case NL80211.Attribute.wiphy: wiphy = attribute.uint32(of: bytes)
      default: break
      }
    }
  }
}
