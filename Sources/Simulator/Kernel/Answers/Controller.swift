import WiFi

/// The controller of generic netlink (`<linux/genetlink.h>`): `CTRL_CMD_GETFAMILY`.
extension SimulatedKernel {
  func answerController(_ request: Request) {
    do throws(Refusal) {
      try checkOperation(of: request, GenericOperation.controller)
      try answerFamilies(request)
    } catch {
      acknowledge(request, error)
    }
  }

  private func answerFamilies(_ request: Request) throws(Refusal) {
    let families = [
      Family(
        id: NetlinkMessage.ControlType.genericController, name: "nlctrl", version: 2, maximum: 0,
        operations: GenericOperation.controller, groups: [(16, "notify")]),
      Family(
        id: configuration.family, name: NL80211.familyName, version: 1, maximum: 323, operations: GenericOperation.nl80211,
        groups: MulticastGroup.allCases.map { ($0.number, $0.rawValue) }),
    ]
    var builder = builder(for: request)
    if request.isDump {
      for family in families { family.write(into: &builder, flags: NetlinkMessage.Flag.multi) }
      return finishDump(request, builder)
    }
    // The policy refuses a number that is cut off, and a name without its NUL within GENL_NAMSIZ.
    if let number = request.attribute(GenericFamily.Attribute.id), number.payload.count < 2 { throw Refusal(KernelError.Number.range) }
    let given = request.attribute(GenericFamily.Attribute.name)
    if let given, !request.bytes[given.payload].prefix(16).contains(0) { throw Refusal(KernelError.Number.invalid) }
    // Of number and name the name counts, and one has to be there (ctrl_getfamily).
    let name = given?.string(of: request.bytes)
    let number = request.uint16(GenericFamily.Attribute.id)
    if name == nil, number == nil { throw Refusal(KernelError.Number.invalid) }
    guard let family = families.first(where: { name == nil ? $0.id == number : $0.name == name }) else {
      throw Refusal(KernelError.Number.noEntry)
    }
    family.write(into: &builder, flags: 0)
    replyAndAcknowledge(request, builder)
  }

  private struct Family {
    var id: UInt16
    var name: String
    var version: UInt32
    var maximum: UInt32
    var operations: [GenericOperation]
    var groups: [(number: UInt32, name: String)]

    /// Writes `CTRL_CMD_NEWFAMILY`.
    func write(into builder: inout MessageBuilder, flags: UInt16) {
      builder.generic(
        family: NetlinkMessage.ControlType.genericController, flags: flags, command: GenericFamily.Command.newFamily, version: 2
      ) { builder in
        builder.write(GenericFamily.Attribute.name, name)
        builder.write(GenericFamily.Attribute.id, id)
        builder.write(GenericFamily.Attribute.version, version)
        builder.write(GenericFamily.Attribute.headerSize, 0 as UInt32)
        builder.write(GenericFamily.Attribute.maximum, maximum)
        builder.nest(GenericFamily.Attribute.operations) { builder in
          for (index, operation) in operations.enumerated() {
            builder.nest(UInt16(index + 1)) { builder in
              builder.write(1, UInt32(operation.command))
              builder.write(2, operation.flags)
            }
          }
        }
        builder.nest(GenericFamily.Attribute.groups) { builder in
          for (index, group) in groups.enumerated() {
            builder.nest(UInt16(index + 1)) { builder in
              builder.write(GenericFamily.GroupAttribute.number, group.number)
              builder.write(GenericFamily.GroupAttribute.name, group.name)
            }
          }
        }
      }
    }
  }
}
