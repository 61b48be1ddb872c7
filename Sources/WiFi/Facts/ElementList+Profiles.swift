extension ElementList {
  /// Writes what a frame says of other BSSs: `nontransmittedBSSs` and `links`, each where there are any.
  ///
  /// For each its name, how it is secured, and which elements of the frame hold for it too; its own elements stand in
  /// the element that brought its profile.
  ///
  /// - Parameters:
  ///   - bssid: The transmitted BSSID, or `nil` where it is unknown, and addresses cannot be derived.
  ///   - origin: where the list starts in what offsets are written from.
  ///   - pass: is called after each BSS and link, and may take away what was written so far: of a frame with many
  ///     profiles and many elements that is very much.
  public func describeProfiles(
    bssid: MACAddress?, into fields: inout FieldWriter, origin: Int = 0, pass: (inout FieldWriter) -> Void = { _ in }
  ) {
    var hasSet = false
    var hasLinks = false
    for element in elements {
      switch element.value {
      case .multipleBSSID: hasSet = true
      case .multiLink: hasLinks = true
      default: break
      }
    }
    if hasSet { describeNontransmitted(bssid: bssid, into: &fields, origin, pass: pass) }
    if hasLinks { describeLinks(into: &fields, origin, pass: pass) }
  }

  private func describeNontransmitted(
    bssid: MACAddress?, into fields: inout FieldWriter, _ origin: Int, pass: (inout FieldWriter) -> Void
  ) {
    var malformed: [[UInt8]] = []
    fields.array("nontransmittedBSSs") { fields in
      MultipleBSSIDExpansion.forEach(bssid: bssid ?? MACAddress(0), elements: self) { bss in
        fields.object { fields in
          fields.field("index", bss.index)
          if bssid != nil { fields.field("bssid", bss.bssid.description) }
          if let ssid = bss.ssid {
            fields.field("ssid", ssid.description)
            fields.field("ssidHex", hex: ssid.bytes)
          }
          fields.field("capabilityBits", bss.capabilities)
          fields.object("security") {
            Security(elements: bss.elements, capabilities: bss.capabilities).describe(into: &$0)
          }
          Self.describe(inherited: bss.inherited, into: &fields, origin)
        }
        pass(&fields)
      } malformed: {
        malformed.append($0)
      }
    }
    if !malformed.isEmpty { fields.field("malformedProfilesHex", malformed.map { Hex.string($0) }) }
  }

  private func describeLinks(into fields: inout FieldWriter, _ origin: Int, pass: (inout FieldWriter) -> Void) {
    let profiles = MultiLinkExpansion.element(of: self).map(MultiLinkExpansion.profiles) ?? []
    if profiles.isEmpty { return }
    fields.array("links", profiles) { fields, profile in
      let link = MultiLinkExpansion.link(profile, self)
      defer { pass(&fields) }
      fields.object { fields in
        fields.field("linkID", link.linkID)
        if let address = link.address { fields.field("staAddress", address.description) }
        fields.field("completeProfile", link.profile.isComplete)
        if let capabilities = link.capabilities {
          fields.field("capabilityBits", capabilities)
          fields.object("security") { Security(elements: link.elements, capabilities: capabilities).describe(into: &$0) }
        }
        Self.describe(inherited: link.inherited, into: &fields, origin)
      }
    }
  }

  /// Which elements of the frame hold for a profile: number, name, and where they stand.
  private static func describe(inherited: [Element], into fields: inout FieldWriter, _ origin: Int) {
    fields.objects("inherited", inherited) { fields, element in
      element.describeBeforeOffset(into: &fields)
      fields.field("offset", origin + element.offset)
    }
  }
}
