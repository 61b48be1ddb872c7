/// A wireless interface, such as `wlan0` (`NL80211_CMD_NEW_INTERFACE`).
public struct Interface: Hashable, Sendable {
  /// The adapter it belongs to (`NL80211_ATTR_WIPHY`, u32).
  public var wiphy: UInt32
  /// Its number (`NL80211_ATTR_IFINDEX`, u32), or `nil` for a device without one, such as P2P.
  public var index: UInt32?
  /// Its name (`NL80211_ATTR_IFNAME`).
  public var name: String?
  /// Its number among wireless devices (`NL80211_ATTR_WDEV`, u64).
  public var wdev: UInt64?
  /// What it does.
  public var type: InterfaceType
  /// Its address (`NL80211_ATTR_MAC`).
  public var address: MACAddress?
  /// The network it serves or uses, as far as the kernel says (`NL80211_ATTR_SSID`).
  public var ssid: SSID?
  /// The channel it is on, in MHz (`NL80211_ATTR_WIPHY_FREQ`, u32).
  public var frequencyMHz: UInt32?

  /// Makes an interface from its parts.
  public init(wiphy: UInt32, index: UInt32?, name: String?, type: InterfaceType) {
    self.wiphy = wiphy
    self.index = index
    self.name = name
    self.type = type
  }

  /// Reads a `NL80211_CMD_NEW_INTERFACE`; `nil` where it does not say which adapter it belongs to.
  public init?(_ message: GenericNetlinkMessage) {
    let bytes = message.attributes
    var wiphy: UInt32?
    self.init(wiphy: 0, index: nil, name: nil, type: InterfaceType(0))
    for attribute in AttributeWalk(bytes) {
      switch attribute.type {
      case NL80211.Attribute.wiphy: wiphy = attribute.uint32(of: bytes)
      case NL80211.Attribute.interfaceIndex: index = attribute.uint32(of: bytes)
      case NL80211.Attribute.interfaceName: name = attribute.string(of: bytes)
      case NL80211.Attribute.interfaceType: type = InterfaceType(attribute.uint32(of: bytes) ?? 0)
      case NL80211.Attribute.wdev: wdev = attribute.uint64(of: bytes)
      case NL80211.Attribute.mac: address = attribute.macAddress(of: bytes)
      case NL80211.Attribute.ssid: ssid = SSID(attribute.bytes(of: bytes))
      case NL80211.Attribute.wiphyFrequency: frequencyMHz = attribute.uint32(of: bytes)
      default: break
      }
    }
    guard let wiphy else { return nil }
    self.wiphy = wiphy
  }
}

extension Interface: Describable {
  public func describe(into fields: inout FieldWriter) {
    if let name { fields.field("name", name) }
    fields.fieldIfPresent("index", index)
    fields.field("wiphy", wiphy)
    fields.field("type", type.name)
    if let address { fields.field("address", address.description) }
    if let ssid { fields.field("ssid", ssid.description) }
    fields.fieldIfPresent("frequencyMHz", frequencyMHz)
  }
}

/// What an interface does (`enum nl80211_iftype`).
public struct InterfaceType: Hashable, Sendable {
  /// The number of the type.
  public let number: UInt32

  /// A type by its number.
  public init(_ number: UInt32) { self.number = number }

  /// A client of an access point, which is what scans.
  public static let station = InterfaceType(2)
  /// An access point.
  public static let accessPoint = InterfaceType(3)
  /// A listener to every frame.
  public static let monitor = InterfaceType(6)

  private static let names = [
    "unspecified", "IBSS", "managed", "AP", "AP/VLAN", "WDS", "monitor", "mesh point", "P2P-client", "P2P-GO",
    "P2P-device", "outside context of a BSS", "NAN",
  ]

  /// The name that `iw` prints, or the number.
  public var name: String { Int(number) < Self.names.count ? Self.names[Int(number)] : "type \(number)" }
}
