import WiFi

/// A frame as fields: its header, its fixed part, its elements.
struct FrameDescription {
  let frame: Frame
  let bytes: [UInt8]
  /// The channel that the receiver was tuned to, where it says so.
  var frequencyMHz: UInt16?

  /// Writes every field.
  ///
  /// - Parameter pass: as for ``DecodedInput/describe(into:pass:)``.
  func describe(into fields: inout FieldWriter, pass: (inout FieldWriter) -> Void) {
    switch frame {
    case .management(let frame): describe(frame, into: &fields)
    case .dmgBeacon(let beacon): beacon.describe(into: &fields)
    case .s1gBeacon(let beacon): beacon.describe(into: &fields)
    case .other:
      fields.field("frame", "other")
      fields.field("hex", hex: bytes)
    }
    guard let elements = frame.elements else { return }
    elements.describe(into: &fields, of: bytes, band: band(elements), isAccessPoint: !frame.isFromStation)
    if case .management(let management) = frame { elements.describeProfiles(bssid: management.bssid, into: &fields, pass: pass) }
  }

  private func band(_ elements: ElementList) -> Band? {
    switch frame {
    case .s1gBeacon: .s1g
    case .dmgBeacon: .ghz60
    default: frequencyMHz.flatMap { Band(frequencyKHz: Int($0) * 1000) } ?? elements.band
    }
  }

  private func describe(_ frame: ManagementFrame, into fields: inout FieldWriter) {
    fields.field("frame", Self.names[frame.body.subtype] ?? "management subtype \(frame.body.subtype)")
    fields.field("receiver", frame.receiver.description)
    fields.field("transmitter", frame.transmitter.description)
    fields.field("bssid", frame.bssid.description)
    fields.field("sequenceNumber", frame.sequenceControl >> 4)
    fields.field("fragmentNumber", frame.sequenceControl & 15)
    switch frame.body {
    case .beacon(let body), .probeResponse(let body):
      fields.field("timestampUs", body.timestampUs)
      fields.field("beaconIntervalTU", body.intervalTU)
      Self.describe(body.capabilities, into: &fields)
      fields.object("security") {
        Security(elements: body.elements, capabilities: body.capabilities).describe(into: &$0)
      }
    case .associationRequest(let capabilities, let interval, _):
      Self.describe(capabilities, into: &fields)
      fields.field("listenInterval", interval)
    case .reassociationRequest(let capabilities, let interval, let current, _):
      Self.describe(capabilities, into: &fields)
      fields.field("listenInterval", interval)
      fields.field("currentAP", current.description)
    case .associationResponse(let capabilities, let status, let aid, _),
      .reassociationResponse(let capabilities, let status, let aid, _):
      Self.describe(capabilities, into: &fields)
      fields.status(status)
      fields.field("aid", aid & 0x3FFF)
    case .probeRequest: break
    case .action(let body), .other(_, let body):
      if frame.control.isProtected { fields.field("protected", true) }
      fields.field("bodyHex", hex: body)
      if frame.isOpaque { return }
      guard let range = frame.body.describeContent(into: &fields, of: bytes, in: bytes.count - body.count..<bytes.count) else { return }
      let elements = ElementList(parsing: bytes, in: range)
      elements.describe(into: &fields, of: bytes, band: band(elements))
    }
  }

  private static func describe(_ capabilities: UInt16, into fields: inout FieldWriter) {
    fields.field("capabilities", Capabilities(rawValue: capabilities).names)
    fields.field("capabilityBits", capabilities)
  }

  /// The subtypes of management frames (IEEE 802.11-2020 table 9-1).
  private static let names: [UInt8: String] = [
    0: "associationRequest", 1: "associationResponse", 2: "reassociationRequest", 3: "reassociationResponse", 4: "probeRequest",
    5: "probeResponse", 6: "timingAdvertisement", 8: "beacon", 9: "atim", 10: "disassociation", 11: "authentication",
    12: "deauthentication", 13: "action",
    14: "actionNoAck",
  ]
}

extension Frame {
  /// Whether a station sends it that is no access point.
  fileprivate var isFromStation: Bool {
    guard case .management(let frame) = self else { return false }
    switch frame.body {
    case .associationRequest, .reassociationRequest, .probeRequest: return true
    default: return false
    }
  }
}
