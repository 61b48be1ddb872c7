/// The numbers under which the kernel knows a family of generic netlink (`<linux/genetlink.h>`).
package struct GenericFamily: Hashable, Sendable {
  /// `CTRL_CMD_…`: what the controller is asked, and what it answers.
  package enum Command {
    package static let newFamily: UInt8 = 1
    static let getFamily: UInt8 = 3
  }

  /// `CTRL_ATTR_…`.
  package enum Attribute {
    package static let id: UInt16 = 1
    package static let name: UInt16 = 2
    package static let version: UInt16 = 3
    package static let headerSize: UInt16 = 4
    package static let maximum: UInt16 = 5
    package static let operations: UInt16 = 6
    package static let groups: UInt16 = 7
  }

  /// `CTRL_ATTR_MCAST_GRP_…`, inside a group.
  package enum GroupAttribute {
    package static let name: UInt16 = 1
    package static let number: UInt16 = 2
  }

  /// The message type of its messages (u16).
  package var id: UInt16
  /// Its name.
  package var name: String?
  /// Its multicast groups by name, in the order of the kernel.
  package var groups: [Group]

  /// One multicast group.
  package struct Group: Hashable, Sendable {
    package var name: String
    package var number: UInt32
  }

  /// The question for a family of this name (`CTRL_CMD_GETFAMILY`).
  package static func request(name: String) -> GenericNetlinkMessage {
    var writer = AttributeWriter()
    writer.write(Attribute.name, name)
    return GenericNetlinkMessage(command: Command.getFamily, version: 1, attributes: writer.bytes)
  }

  /// Reads the controller's answer; `nil` where it has no number.
  package init?(_ bytes: [UInt8], _ attributes: Range<Int>) {
    var number: UInt16?
    groups = []
    for attribute in AttributeWalk(bytes, in: attributes) {
      switch attribute.type {
      case Attribute.id: number = attribute.uint16(of: bytes)
      case Attribute.name: name = attribute.string(of: bytes)
      case Attribute.groups:
        groups = AttributeWalk(bytes, in: attribute.payload).map { Group(bytes, $0.payload) }
      default: break
      }
    }
    guard let number else { return nil }
    id = number
  }
}

extension GenericFamily.Group {
  fileprivate init(_ bytes: [UInt8], _ attributes: Range<Int>) {
    self.init(name: "", number: 0)
    for attribute in AttributeWalk(bytes, in: attributes) {
      switch attribute.type {
      case GenericFamily.GroupAttribute.name: name = attribute.string(of: bytes)
      case GenericFamily.GroupAttribute.number: number = attribute.uint32(of: bytes) ?? 0
      default: break
      }
    }
  }
}
