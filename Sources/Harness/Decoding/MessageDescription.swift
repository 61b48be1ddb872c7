import WiFi

/// A netlink message as fields: a scan result with its BSS, an error with its number, or the attributes one by one.
struct MessageDescription: Describable {
  let message: NetlinkMessage
  let offset: Int

  func describe(into fields: inout FieldWriter) {
    fields.field("offset", offset)
    fields.field("type", Self.typeName(message.type))
    fields.field("flags", message.flags)
    fields.field("sequence", message.sequence)
    fields.field("port", message.port)
    switch message.type {
    case NetlinkMessage.ControlType.error, NetlinkMessage.ControlType.done: describeError(into: &fields)
    case ..<16: fields.field("hex", hex: message.payload)
    default: describeGeneric(into: &fields)
    }
  }

  private static func typeName(_ type: UInt16) -> String {
    switch type {
    case NetlinkMessage.ControlType.noOperation: "noOperation"
    case NetlinkMessage.ControlType.error: "error"
    case NetlinkMessage.ControlType.done: "done"
    case NetlinkMessage.ControlType.overrun: "overrun"
    case NetlinkMessage.ControlType.genericController: "genericController"
    default: "family \(type)"
    }
  }

  private func describeError(into fields: inout FieldWriter) {
    guard let error = KernelError(message) else {
      fields.field("error", 0)
      return
    }
    fields.field("error", error.number)
    fields.field("errorName", error.name)
    if let text = error.message { fields.field("message", text) }
    if let offset = error.offset { fields.field("requestOffset", offset) }
    if let missing = error.missingAttribute { fields.field("missingAttribute", missing) }
  }

  private func describeGeneric(into fields: inout FieldWriter) {
    guard let generic = try? GenericNetlinkMessage(payload: message.payload) else {
      fields.field("hex", hex: message.payload)
      return
    }
    let isController = message.type == NetlinkMessage.ControlType.genericController
    fields.field("command", isController ? "\(generic.command)" : NL80211Names.command(generic.command))
    fields.field("version", generic.version)
    if !isController, generic.command == NL80211.Command.newScanResults, let entry = try? ScanDumpEntry(generic) {
      if let generation = entry.generation { fields.field("generation", generation) }
      if let index = entry.interfaceIndex { fields.field("interfaceIndex", index) }
      if let wdev = entry.wdev { fields.field("wdev", wdev) }
      fields.object("bss") { BSSFacts(entry.bss).describe(into: &$0, lastSeenMs: entry.bss.seenMsAgo.map(Int.init)) }
      return
    }
    describeAttributes(of: generic, isController, into: &fields)
  }

  private func describeAttributes(
    of generic: GenericNetlinkMessage, _ isController: Bool, into fields: inout FieldWriter
  ) {
    let bytes = generic.attributes
    let start = offset + NetlinkMessage.headerSize + GenericNetlinkMessage.headerSize
    var walk = AttributeWalk(bytes)
    fields.array("attributes") { fields in
      while let attribute = walk.next() {
        fields.object { fields in
          fields.field("type", attribute.type)
          if !isController { fields.field("name", NL80211Names.attribute(attribute.type)) }
          fields.field("offset", start + attribute.payload.lowerBound - 4)
          fields.field("length", attribute.payload.count)
          fields.field("hex", hex: bytes[attribute.payload])
          if attribute.payload.count == 4, let value = attribute.uint32(of: bytes) { fields.field("u32", value) }
          if let text = Self.text(bytes[attribute.payload]) { fields.field("text", text) }
        }
      }
    }
    if let error = walk.error { fields.field("truncation", "\(error)") }
  }

  /// The payload as text, where it is printable and ends with its only NUL.
  private static func text(_ payload: ArraySlice<UInt8>) -> String? {
    guard payload.count > 1, payload.last == 0, payload.dropLast().allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return nil
    }
    return String(decoding: payload.dropLast(), as: UTF8.self)
  }
}
