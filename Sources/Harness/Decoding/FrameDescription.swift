import WiFi

/// A frame as fields: its header, its fixed part, its elements.
struct FrameDescription {
  let frame: Frame
  let bytes: [UInt8]

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
    elements.describe(into: &fields, of: bytes)
    if case .management(let management) = frame { elements.describeProfiles(bssid: management.bssid, into: &fields, pass: pass) }
  }

  private func describe(_ frame: ManagementFrame, into fields: inout FieldWriter) {
    fields.field("frame", Self.name(frame.body))
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
      fields.field("statusCode", status)
      fields.field("aid", aid & 0x3FFF)
    case .probeRequest: break
    case .action(let body), .other(_, let body): fields.field("bodyHex", hex: body)
    }
  }

  private static func describe(_ capabilities: UInt16, into fields: inout FieldWriter) {
    fields.field("capabilities", Capabilities(rawValue: capabilities).names)
    fields.field("capabilityBits", capabilities)
  }

  private static func name(_ body: ManagementFrame.Body) -> String {
    switch body {
    case .associationRequest: "associationRequest"
    case .associationResponse: "associationResponse"
    case .reassociationRequest: "reassociationRequest"
    case .reassociationResponse: "reassociationResponse"
    case .probeRequest: "probeRequest"
    case .probeResponse: "probeResponse"
    case .beacon: "beacon"
    case .action: "action"
    case .other(let subtype, _): "management subtype \(subtype)"
    }
  }
}
