/// What action frames say before their elements (IEEE 802.11-2020 9.6).
enum ActionContent {
  /// Writes category, action and the fields of those that are known, and gives back where the elements are.
  static func describe(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) -> Range<Int>? {
    let category = try cursor.readUInt8()
    fields.field("category", category & 0x7F)
    if let name = categoryNames[category & 0x7F] { fields.field("categoryName", plain: name) }
    // The frame that is sent back by who does not know it (IEEE 802.11-2020 9.4.1.11).
    if category.has(7) {
      fields.field("isError", true)
      return nil
    }
    if category == 127 || category == 126 {
      fields.field("oui", hex: try cursor.readBytes(3))
      return nil
    }
    let action = try cursor.readUInt8()
    fields.field("action", action)
    switch (category, action) {
    case (0, 0...4): return try describeSpectrumManagement(action, &cursor, into: &fields)
    case (3, 0...2): return try describeBlockAck(action, &cursor, into: &fields)
    case (22, 6), (22, 7), (22, 11): return try describeTWT(action, &cursor, into: &fields)
    case (4, 32...33), (4, 10...13), (4, 34), (9, 10...13): return try describePublic(action, &cursor, into: &fields)
    case (5, 0...5): return try describeRadioMeasurement(action, &cursor, into: &fields)
    case (6, 1...4): return try describeFastTransition(action, &cursor, into: &fields)
    case (8, 0...1):
      fields.field("actionName", plain: action == 0 ? "saQueryRequest" : "saQueryResponse")
      fields.field("transactionID", try cursor.readUInt16())
      return cursor.position..<cursor.end
    case (10, 6...8), (10, 16...17), (10, 26...27): return try describeWNM(action, &cursor, into: &fields)
    default: return nil
    }
  }

  /// The categories (IEEE 802.11-2020 table 9-51).
  private static let categoryNames: NumberNames = [
    0: "Spectrum Management", 1: "QoS", 3: "Block Ack", 4: "Public", 5: "Radio Measurement", 6: "Fast BSS Transition",
    7: "HT", 8: "SA Query", 9: "Protected Dual of Public", 10: "WNM", 11: "Unprotected WNM", 12: "TDLS", 13: "Mesh",
    14: "Multihop", 15: "Self-protected", 16: "DMG", 18: "Fast Session Transfer", 19: "Robust AV Streaming",
    20: "Unprotected DMG", 21: "VHT", 22: "Unprotected S1G", 23: "S1G", 26: "FILS", 30: "HE", 31: "Protected HE",
    34: "Protected FTM", 36: "EHT", 37: "Protected EHT", 126: "Vendor-specific Protected", 127: "Vendor-specific",
  ]

  // MARK: Spectrum management, block acknowledgement and target wake time

  /// Spectrum Management (IEEE 802.11-2020 9.6.2).
  private static func describeSpectrumManagement(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    let names: [StaticString] = ["measurementRequest", "measurementReport", "tpcRequest", "tpcReport", "channelSwitchAnnouncement"]
    fields.field("actionName", plain: names[Int(action)])
    if action < 4 { fields.field("dialogToken", try cursor.readUInt8()) }
    let rest = cursor.position..<cursor.end
    describeMeasurements(cursor.bytes, in: rest, into: &fields)
    return rest
  }

  /// Block Ack (IEEE 802.11-2020 9.6.4).
  private static func describeBlockAck(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    fields.field("actionName", plain: (["addbaRequest", "addbaResponse", "delba"] as [StaticString])[Int(action)])
    if action == 2 {
      let parameters = try cursor.readUInt16()
      fields.field("initiator", parameters.has(11))
      fields.field("tid", parameters.bits(12, 4))
      fields.reason(try cursor.readUInt16())
      return cursor.position..<cursor.end
    }
    fields.field("dialogToken", try cursor.readUInt8())
    if action == 1 { fields.status(try cursor.readUInt16()) }
    let parameters = try cursor.readUInt16()
    fields.field("amsduSupported", parameters.has(0))
    fields.field("immediate", parameters.has(1))
    fields.field("tid", parameters.bits(2, 4))
    fields.field("bufferSize", parameters.bits(6, 10))
    fields.field("timeoutTU", try cursor.readUInt16())
    if action == 0 {
      let sequence = try cursor.readUInt16()
      fields.field("startingSequenceNumber", sequence >> 4)
    }
    return cursor.position..<cursor.end
  }

  /// TWT Setup, Teardown and Information (IEEE 802.11-2020 9.6.24.8, 9.6.24.9 and 9.6.24.12, IEEE 802.11ax-2021).
  private static func describeTWT(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    fields.field("actionName", plain: action == 6 ? "twtSetup" : action == 7 ? "twtTeardown" : "twtInformation")
    let first = try cursor.readUInt8()
    switch action {
    case 6: fields.field("dialogToken", first)
    case 7:
      fields.field("negotiationType", first.bits(5, 2))
      // The flow of one agreement, or the number of a broadcast schedule.
      fields.field("flowID", first.bits(0, first.has(6) ? 5 : 3))
      fields.field("allTWT", first.has(7))
    default:
      fields.field("flowID", first.bits(0, 3))
      fields.field("responseRequested", first.has(3))
      fields.field("nextTWTRequest", first.has(4))
      fields.field("allTWT", first.has(7))
      let next = try cursor.readBytes([0, 4, 6, 8][first.bits(5, 2)])
      fields.fieldIfPresent("nextTWTHex", hex: next)
    }
    return cursor.position..<cursor.end
  }

  // MARK: GAS, FTM and FILS Discovery

  private static func describePublic(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    switch action {
    case 32:
      fields.field("actionName", plain: "ftmRequest")
      fields.field("trigger", try cursor.readUInt8())
      describeFTMParameters(cursor, into: &fields)
      return cursor.position..<cursor.end
    case 33:
      fields.field("actionName", plain: "ftm")
      fields.field("dialogToken", try cursor.readUInt8())
      fields.field("followUpDialogToken", try cursor.readUInt8())
      // When the frame left and when its acknowledgement came, in ps, and their errors (IEEE 802.11-2020 9.6.7.33).
      fields.field("departurePs", try cursor.readUInt48())
      fields.field("arrivalPs", try cursor.readUInt48())
      fields.field("departureErrorHex", hexNumber: try cursor.readUInt16())
      fields.field("arrivalErrorHex", hexNumber: try cursor.readUInt16())
      describeFTMParameters(cursor, into: &fields)
      return cursor.position..<cursor.end
    case 34:
      fields.field("actionName", plain: "filsDiscovery")
      return try describeFILSDiscovery(&cursor, into: &fields)
    default: return try describeGAS(action, &cursor, into: &fields)
    }
  }

  /// Fine Timing Measurement Parameters, element 206 (IEEE 802.11-2020 9.4.2.167), of the elements that are left.
  private static func describeFTMParameters(_ cursor: ByteCursor, into fields: inout FieldWriter) {
    var walk = ElementWalk(cursor.bytes, in: cursor.position..<cursor.end)
    while let header = walk.next() {
      guard header.id == 206, header.length >= 9 else { continue }
      let body = cursor.bytes[header.body]
      let at = body.startIndex
      let word = { (index: Int) in UInt16(body[at + index]) | UInt16(body[at + index + 1]) << 8 }
      fields.object("ftmParameters") { fields in
        fields.field("statusIndication", body[at].bits(0, 2))
        fields.field("value", body[at].bits(2, 5))
        fields.field("burstCountExponent", body[at + 1].bits(0, 4))
        fields.field("burstDuration", body[at + 1].bits(4, 4))
        fields.field("minimumDelta100us", body[at + 2])
        fields.field("partialTSF", word(3))
        fields.field("partialTSFNoPreference", body[at + 5].has(0))
        fields.field("asapCapable", body[at + 5].has(1))
        fields.field("asap", body[at + 5].has(2))
        fields.field("framesPerBurst", body[at + 5].bits(3, 5))
        fields.field("formatAndBandwidth", body[at + 6].bits(2, 6))
        fields.field("burstPeriod100ms", word(7))
      }
      return
    }
  }

  /// GAS: questions to a network that one has not joined, and the answers (IEEE 802.11-2020 9.6.7.12 to 9.6.7.15).
  private static func describeGAS(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    let names: [StaticString] = ["gasInitialRequest", "gasInitialResponse", "gasComebackRequest", "gasComebackResponse"]
    fields.field("actionName", plain: names[Int(action) - 10])
    fields.field("dialogToken", try cursor.readUInt8())
    if action == 12 { return nil }
    if action != 10 {
      fields.status(try cursor.readUInt16())
      if action == 13 {
        let fragment = try cursor.readUInt8()
        fields.field("fragmentID", fragment & 0x7F)
        fields.field("moreFragments", fragment.has(7))
      }
      fields.field("comebackDelayTU", try cursor.readUInt16())
    }
    let start = cursor.position
    guard try cursor.readUInt8() == AdvertisementProtocol.elementID.id else {
      throw WireError(offset: start, reason: .invalid("no advertisement protocol"))
    }
    let protocols = AdvertisementProtocol(bytes: ByteList(try cursor.readBytes(Int(try cursor.readUInt8()))))
    let elements = start..<cursor.position
    let query = try cursor.readBytes(Int(try cursor.readUInt16()))
    fields.field(action == 10 ? "queryHex" : "responseHex", hex: query)
    // ANQP; one fragment of several cannot be read alone.
    if protocols.bytes.dropFirst().first == 0, action != 13 {
      var elements = ByteCursor(cursor.bytes, in: cursor.position - query.count..<cursor.position)
      var defect: WireError?
      fields.array("anqp") { fields in
        do throws(WireError) { try describeANQP(&elements, into: &fields) } catch { defect = error }
      }
      if let defect { fields.field("truncation", "\(defect)") }
    }
    return elements
  }

  /// ANQP elements: number, length and content (IEEE 802.11-2020 9.4.5.1).
  private static func describeANQP(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    while !cursor.isAtEnd {
      let number = try cursor.readUInt16()
      let body = try cursor.readBytes(Int(try cursor.readUInt16()))
      fields.object { fields in
        fields.field("id", number)
        if number == 256 {
          fields.field("query", stride(from: 0, to: body.count - 1, by: 2).map { Int(body[$0]) | Int(body[$0 + 1]) << 8 })
        }
        fields.field("hex", hex: body)
      }
    }
  }

  /// FILS Discovery: what a beacon would say, in few bytes (IEEE 802.11-2020 9.6.7.36).
  private static func describeFILSDiscovery(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) -> Range<Int>? {
    let control = try cursor.readUInt16()
    fields.field("controlHex", hexNumber: control)
    fields.field("timestampUs", try cursor.readUInt64())
    fields.field("beaconIntervalTU", try cursor.readUInt16())
    let name = try cursor.readBytes(control.bits(0, 5) + 1)
    if control.has(6) {
      fields.field("shortSSIDHex", hex: name)
    } else if let ssid = SSID(name) {
      fields.field("ssid", ssid.description)
      fields.field("ssidHex", hex: name)
    }
    if control.has(12) { fields.field("lengthOfRest", try cursor.readUInt8()) }
    if control.has(5) {
      let capability = try cursor.readUInt16()
      fields.object("capability") { fields in
        fields.field("hex", hexNumber: capability)
        fields.field("ess", capability.has(0))
        fields.field("privacy", capability.has(1))
        fields.field("channelWidth", capability.bits(2, 3))
        fields.field("maximumNSS", capability.bits(5, 3) + 1)
        fields.field("multipleBSSIDs", capability.has(9))
        fields.field("phyIndex", capability.bits(10, 3))
        fields.field("minimumRate", capability.bits(13, 3))
      }
    }
    if control.has(10) {
      fields.field("operatingClass", try cursor.readUInt8())
      fields.field("primaryChannel", try cursor.readUInt8())
    }
    if control.has(7) { fields.field("apConfigurationSequenceNumber", try cursor.readUInt8()) }
    if control.has(8) { fields.field("accessNetworkOptions", try cursor.readUInt8()) }
    if control.has(11) { fields.field("rsnInformationHex", hex: try cursor.readBytes(5)) }
    if control.has(9) { fields.field("centerFrequencySegment1", try cursor.readUInt8()) }
    if control.has(13) { fields.field("mobilityDomainHex", hex: try cursor.readBytes(3)) }
    return cursor.position..<cursor.end
  }

  // MARK: Radio measurement (802.11k)

  private static func describeRadioMeasurement(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    let names: [StaticString] = [
      "radioMeasurementRequest", "radioMeasurementReport", "linkMeasurementRequest", "linkMeasurementReport", "neighborReportRequest",
      "neighborReportResponse",
    ]
    fields.field("actionName", plain: names[Int(action)])
    fields.field("dialogToken", try cursor.readUInt8())
    switch action {
    case 0: fields.field("repetitions", try cursor.readUInt16())
    case 2:
      fields.field("transmitPowerUsedDBm", try cursor.readInt8())
      fields.field("maximumTransmitPowerDBm", try cursor.readInt8())
    case 3:
      let report = cursor.position
      try cursor.skip(4)
      fields.field("tpcReportHex", hex: cursor.bytes[report..<cursor.position])
      fields.field("receiveAntenna", try cursor.readUInt8())
      fields.field("transmitAntenna", try cursor.readUInt8())
      fields.field("rcpi", try cursor.readUInt8())
      fields.field("rsni", try cursor.readUInt8())
    default: break
    }
    let rest = cursor.position..<cursor.end
    describeMeasurements(cursor.bytes, in: rest, into: &fields)
    describeNeighbors(cursor.bytes, in: rest, into: &fields)
    return rest
  }

  /// Measurement Request and Measurement Report, elements 38 and 39 (IEEE 802.11-2020 9.4.2.20 and 9.4.2.21).
  private static func describeMeasurements(_ bytes: [UInt8], in range: Range<Int>, into fields: inout FieldWriter) {
    let list = ElementWalk(bytes, in: range).filter { [38, 39].contains($0.id) && $0.length >= 3 }
    if list.isEmpty { return }
    fields.objects("measurements", list) { fields, header in
      var cursor = ByteCursor(bytes, in: header.body)
      do throws(WireError) {
        fields.field("token", try cursor.readUInt8())
        fields.field("modeHex", hexNumber: try cursor.readUInt8())
        let type = try cursor.readUInt8()
        fields.field("type", type)
        if type == 5, header.id == 38 { try describeBeaconRequest(&cursor, into: &fields) }
        if type == 5, header.id == 39, !cursor.isAtEnd { try describeBeaconReport(&cursor, into: &fields) }
      } catch {
        fields.field("truncation", "\(error)")
      }
    }
  }

  private static func describeBeaconRequest(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    fields.field("operatingClass", try cursor.readUInt8())
    fields.field("channel", try cursor.readUInt8())
    fields.field("randomizationIntervalTU", try cursor.readUInt16())
    fields.field("durationTU", try cursor.readUInt16())
    fields.field("measurementMode", try cursor.readUInt8())
    fields.field("bssid", try cursor.readMACAddress().description)
  }

  private static func describeBeaconReport(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    fields.field("operatingClass", try cursor.readUInt8())
    fields.field("channel", try cursor.readUInt8())
    fields.field("startTimeUs", try cursor.readUInt64())
    fields.field("durationTU", try cursor.readUInt16())
    fields.field("frameInformationHex", hexNumber: try cursor.readUInt8())
    fields.field("rcpi", try cursor.readUInt8())
    fields.field("rsni", try cursor.readUInt8())
    fields.field("bssid", try cursor.readMACAddress().description)
    fields.field("antenna", try cursor.readUInt8())
    fields.field("parentTSF", try cursor.readUInt32())
  }

  /// Neighbor Report, element 52 (IEEE 802.11-2020 9.4.2.36).
  private static func describeNeighbors(_ bytes: [UInt8], in range: Range<Int>, into fields: inout FieldWriter) {
    let list = ElementWalk(bytes, in: range).filter { $0.id == 52 && $0.length >= 13 }
    if list.isEmpty { return }
    fields.objects("neighbors", list) { fields, header in
      var cursor = ByteCursor(bytes, in: header.body)
      do throws(WireError) {
        fields.field("bssid", try cursor.readMACAddress().description)
        fields.field("informationHex", hexNumber: try cursor.readUInt32())
        fields.field("operatingClass", try cursor.readUInt8())
        fields.field("channel", try cursor.readUInt8())
        fields.field("phyType", try cursor.readUInt8())
        // Subelement 3: how much it is preferred (IEEE 802.11-2020 9.4.2.36).
        if let preference = ElementWalk(bytes, in: cursor.position..<cursor.end).first(where: { $0.id == 3 && $0.length == 1 }) {
          fields.field("preference", bytes[preference.body.lowerBound])
        }
      } catch {
        fields.field("truncation", "\(error)")
      }
    }
  }

  // MARK: Fast transition (802.11r)

  private static func describeFastTransition(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    fields.field("actionName", plain: (["ftRequest", "ftResponse", "ftConfirm", "ftAck"] as [StaticString])[Int(action) - 1])
    fields.field("station", try cursor.readMACAddress().description)
    fields.field("targetAP", try cursor.readMACAddress().description)
    if action == 2 || action == 4 { fields.status(try cursor.readUInt16()) }
    return cursor.position..<cursor.end
  }

  // MARK: Network management (802.11v)

  private static func describeWNM(
    _ action: UInt8, _ cursor: inout ByteCursor, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    let names: NumberNames = [
      6: "bssTransitionQuery", 7: "bssTransitionRequest", 8: "bssTransitionResponse", 16: "sleepModeRequest",
      17: "sleepModeResponse", 26: "notificationRequest", 27: "notificationResponse",
    ]
    let token = try cursor.readUInt8()
    fields.field("actionName", action, named: names)
    fields.field("dialogToken", token)
    switch action {
    case 6: fields.field("queryReason", try cursor.readUInt8())
    case 7: try describeBSSTransitionRequest(&cursor, into: &fields)
    case 8:
      let status = try cursor.readUInt8()
      fields.field("transitionStatus", status)
      fields.field("terminationDelayMinutes", try cursor.readUInt8())
      if status == 0 { fields.field("targetBSSID", try cursor.readMACAddress().description) }
    case 16: break
    case 17:
      // The keys are those of groups, and are left in the body.
      let length = Int(try cursor.readUInt16())
      fields.field("keyDataLength", length)
      try cursor.skip(length)
    case 26: fields.field("notificationType", try cursor.readUInt8())
    default: fields.field("responseStatus", try cursor.readUInt8())
    }
    let rest = cursor.position..<cursor.end
    describeNeighbors(cursor.bytes, in: rest, into: &fields)
    return rest
  }

  /// BSS Transition Management Request (IEEE 802.11-2020 9.6.13.9).
  private static func describeBSSTransitionRequest(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) {
    let mode = try cursor.readUInt8()
    fields.flags(
      "mode", "modeHex", mode,
      [
        0: "candidatesIncluded", 1: "abridged", 2: "disassociationImminent", 3: "bssTerminationIncluded",
        4: "essDisassociationImminent", 5: "linkRemovalImminent",
      ])
    fields.field("disassociationTimerTBTT", try cursor.readUInt16())
    fields.field("validityIntervalTBTT", try cursor.readUInt8())
    if mode.has(3) {
      // A subelement: number, length, the timer when the BSS ends, and for how many minutes.
      try cursor.skip(2)
      fields.field("terminationTSF", try cursor.readUInt64())
      fields.field("terminationMinutes", try cursor.readUInt16())
    }
    if mode.has(4) { fields.field("sessionInformationURL", PrintableText.escape(try cursor.readBytes(Int(try cursor.readUInt8())))) }
  }
}
