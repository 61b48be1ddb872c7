import WiFi

/// The numbers under which the kernel knows nl80211 (`CTRL_CMD_GETFAMILY`, `<linux/genetlink.h>`).
struct GenericFamily: Hashable, Sendable {
  /// The message type of its messages (`CTRL_ATTR_FAMILY_ID`, u16).
  var id: UInt16
  /// Its multicast groups by name (`CTRL_ATTR_MCAST_GROUPS`), in the order of the kernel.
  var groups: [Group]

  /// One multicast group.
  struct Group: Hashable, Sendable {
    var name: String
    var number: UInt32
  }

  /// The question for a family of this name.
  static func request(name: String) -> GenericNetlinkMessage {
    var writer = AttributeWriter()
    writer.write(2, name)
    return GenericNetlinkMessage(command: 3, version: 1, attributes: writer.bytes)
  }

  /// Reads the controller's answer; `nil` where it has no number.
  init?(_ bytes: [UInt8], _ attributes: Range<Int>) {
    var number: UInt16?
    groups = []
    for attribute in AttributeWalk(bytes, in: attributes) {
      switch attribute.type {
      case 1: number = attribute.uint16(of: bytes)
      case 7:
        for entry in AttributeWalk(bytes, in: attribute.payload) {
          var group = Group(name: "", number: 0)
          for part in AttributeWalk(bytes, in: entry.payload) {
            switch part.type {
            case 1: group.name = part.string(of: bytes)
            case 2: group.number = part.uint32(of: bytes) ?? 0
            default: break
            }
          }
          groups.append(group)
        }
      default: break
      }
    }
    guard let number else { return nil }
    id = number
  }
}
