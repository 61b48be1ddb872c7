import WiFi

/// The families of generic netlink that the controller names (`CTRL_CMD_NEWFAMILY` in `<linux/genetlink.h>`).
struct GenericFamilies {
  private var names: [UInt16: String] = [:]
  private var knowsNL80211 = false

  /// Processes a message, if it is one of the controller.
  mutating func hear(_ header: NetlinkHeader, of bytes: [UInt8]) {
    guard header.type == NetlinkMessage.ControlType.genericController,
      header.command(of: bytes) == GenericFamily.Command.newFamily,
      let family = GenericFamily(bytes, header.attributes)
    else { return }
    names[family.id] = family.name
    if family.name == NL80211.familyName { knowsNL80211 = true }
  }

  /// The name of a family, where it is known.
  func name(_ type: UInt16) -> String? { names[type] }

  /// Whether messages of a type are of nl80211: by its name, or where neither it nor nl80211 has one.
  func isNL80211(_ type: UInt16) -> Bool {
    names[type].map { $0 == NL80211.familyName } ?? !knowsNL80211
  }
}

/// A netlink message as fields: a scan result with its BSS, an error with its number, or the attributes one by one.
///
/// All offsets are from the start of the input.
struct MessageDescription {
  /// The input.
  let bytes: [UInt8]
  /// Where the message is in it.
  let header: NetlinkHeader
  /// What is known of its family.
  let families: GenericFamilies

  /// The most bytes of a message that are decoded as one thing; what is longer is shown attribute by attribute.
  ///
  /// Sixteen times what a datagram of the kernel has.
  private static let maximumLength = 1 << 18

  private var offset: Int { header.payload.lowerBound - NetlinkMessage.headerSize }

  private var isController: Bool { header.type == NetlinkMessage.ControlType.genericController }

  private var isForeign: Bool {
    header.type > NetlinkMessage.ControlType.genericController && !families.isNL80211(header.type)
  }

  private var isScanResult: Bool { !isController && !isForeign && header.command(of: bytes) == NL80211.Command.newScanResults }

  /// What of the message cannot be read, or `nil` where all can.
  var defect: WireError? {
    switch header.type {
    case NetlinkMessage.ControlType.error, NetlinkMessage.ControlType.done:
      do throws(WireError) { return try status()?.truncation.map(shifted) } catch { return error }
    case ..<16: return nil
    // Its header may be longer, and its payload no attributes.
    case _ where isForeign: return nil
    default:
      guard header.payload.count >= GenericNetlinkMessage.headerSize else {
        return WireError(
          offset: header.payload.lowerBound,
          reason: .truncated(needed: GenericNetlinkMessage.headerSize, available: header.payload.count))
      }
      var walk = AttributeWalk(bytes, in: header.attributes)
      var inner: WireError?
      var isFirst = isScanResult
      while let attribute = walk.next() {
        // Only the first is taken for a BSS.
        guard isFirst, attribute.type == NL80211.Attribute.bss else { continue }
        isFirst = false
        var nested = AttributeWalk(bytes, in: attribute.payload)
        while nested.next() != nil {}
        inner = nested.error
      }
      return walk.error ?? inner
    }
  }

  /// The error that an acknowledgement reports, or `nil` for success.
  private func status() throws(WireError) -> KernelError? {
    do throws(WireError) { return try KernelError.reading(header.message(of: bytes)) } catch { throw shifted(error) }
  }

  private func shifted(_ error: WireError) -> WireError {
    WireError(offset: header.payload.lowerBound + error.offset, reason: error.reason)
  }

  /// Writes every field.
  ///
  /// - Parameter pass: as for ``DecodedInput/describe(into:pass:)``; it is called after each attribute, too.
  func describe(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    fields.field("offset", offset)
    fields.field("type", Self.typeName(header.type))
    if let name = families.name(header.type) { fields.field("familyName", name) }
    fields.field("flags", header.flags)
    fields.field("sequence", header.sequence)
    fields.field("port", header.port)
    switch header.type {
    case NetlinkMessage.ControlType.error, NetlinkMessage.ControlType.done: describeStatus(into: &fields)
    case ..<16: describePayload(into: &fields)
    case _ where isForeign: describePayload(into: &fields)
    default: describeGeneric(into: &fields, pass: pass)
    }
    if let defect { fields.field("truncation", "\(defect)") }
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

  private func describePayload(into fields: inout FieldWriter) {
    guard header.payload.count <= Self.maximumLength else {
      fields.field("unreadable", "\(header.payload.count) bytes, and the most that is shown is \(Self.maximumLength)")
      return
    }
    fields.field("hex", hex: bytes[header.payload])
  }

  private func describeStatus(into fields: inout FieldWriter) {
    do throws(WireError) {
      guard let error = try status() else {
        fields.field("error", 0)
        return
      }
      fields.field("error", error.number)
      fields.field("errorName", error.name)
      if let text = error.message { fields.field("message", text) }
      if let offset = error.offset { fields.field("requestOffset", offset) }
      if let missing = error.missingAttribute { fields.field("missingAttribute", missing) }
    } catch {
      describePayload(into: &fields)
    }
  }

  /// The scan result that the message is, if it is one.
  var entry: ScanDumpEntry? {
    guard header.type >= 16, isScanResult, header.payload.count <= Self.maximumLength else { return nil }
    return try? ScanDumpEntry(attributes: bytes, in: header.attributes)
  }

  private func describeGeneric(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    guard let command = header.command(of: bytes) else {
      fields.field("hex", hex: bytes[header.payload])
      return
    }
    fields.field("command", isController ? NL80211Names.controllerCommand(command) : NL80211Names.command(command))
    fields.field("version", bytes[header.payload.lowerBound + 1])
    if let entry {
      if let generation = entry.generation { fields.field("generation", generation) }
      if let index = entry.interfaceIndex { fields.field("interfaceIndex", index) }
      if let wdev = entry.wdev { fields.field("wdev", wdev) }
      fields.object("bss") {
        BSSFacts(entry.bss).describe(into: &$0, lastSeenMs: entry.bss.seenMsAgo.map(Int.init), withProfiles: true, pass: pass)
      }
      if !entry.otherAttributes.isEmpty { describeAttributes(into: &fields, without: Self.noted(entry), pass: pass) }
      return
    }
    describeAttributes(into: &fields, without: [], pass: pass)
  }

  /// The attributes of which the first is shown as a field of the message.
  private static func noted(_ entry: ScanDumpEntry) -> Set<UInt16> {
    var types: Set<UInt16> = [NL80211.Attribute.bss]
    if entry.generation != nil { types.insert(NL80211.Attribute.generation) }
    if entry.interfaceIndex != nil { types.insert(NL80211.Attribute.interfaceIndex) }
    if entry.wdev != nil { types.insert(NL80211.Attribute.wdev) }
    return types
  }

  /// Writes the attributes, without the first readable one of each type that is shown elsewhere.
  private func describeAttributes(
    into fields: inout FieldWriter, without noted: Set<UInt16>, pass: (inout FieldWriter) -> Void
  ) {
    var noted = noted
    var walk = AttributeWalk(bytes, in: header.attributes)
    fields.array("attributes") { fields in
      while let attribute = walk.next() {
        if noted.contains(attribute.type), isReadable(attribute) {
          noted.remove(attribute.type)
          continue
        }
        fields.object { describe(attribute, into: &$0, pass: pass) }
        pass(&fields)
      }
    }
  }

  private func isReadable(_ attribute: AttributeHeader) -> Bool {
    switch attribute.type {
    case NL80211.Attribute.generation, NL80211.Attribute.interfaceIndex: attribute.payload.count == 4
    case NL80211.Attribute.wdev: attribute.payload.count == 8
    default: true
    }
  }

  /// The attributes of the controller that are numbers of 32 bits: version, size of the header, greatest attribute,
  /// flags of an operation (`enum` of CTRL_ATTR_ in `<linux/genetlink.h>`).
  private static let controllerNumbers: Set<UInt16> = [3, 4, 5, 10]

  /// Writes the frame that an attribute holds; offsets in it are from its start.
  private func describeFrame(_ content: [UInt8], into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    guard let frame = try? Frame(content) else { return }
    fields.object("frame") { FrameDescription(frame: frame, bytes: content).describe(into: &$0, pass: pass) }
  }

  private func describe(_ attribute: AttributeHeader, into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    fields.field("type", attribute.type)
    fields.field(
      "name", isController ? NL80211Names.controllerAttribute(attribute.type) : NL80211Names.attribute(attribute.type))
    fields.field("offset", attribute.payload.lowerBound - 4)
    fields.field("length", attribute.payload.count)
    fields.field("hex", hex: bytes[attribute.payload])
    let isNumber = isController ? Self.controllerNumbers.contains(attribute.type) : NL80211Names.isNumber32(attribute.type)
    if isNumber, !attribute.isNested, let value = attribute.uint32(of: bytes) { fields.field("u32", value) }
    if !isController, attribute.type == NL80211.Attribute.frame {
      describeFrame(Array(bytes[attribute.payload]), into: &fields, pass: pass)
    }
    if let text = Self.text(bytes[attribute.payload]) { fields.field("text", text) }
  }

  /// The payload as text, where it is printable and ends with its only NUL.
  private static func text(_ payload: ArraySlice<UInt8>) -> String? {
    guard payload.count > 1, payload.last == 0, payload.dropLast().allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      return nil
    }
    return String(decoding: payload.dropLast(), as: UTF8.self)
  }
}
