import WiFi

extension Anonymiser {
  /// A list of elements without what says whose it is; as long as before, every element where it was.
  ///
  /// - Parameter excluded: elements that are zeroed, because no profile of their kind holds them; otherwise profiles
  ///   within profiles would go on for as long as there are bytes.
  mutating func anonymised(elements bytes: [UInt8], excluding excluded: [ElementID] = []) -> [UInt8] {
    var list = ElementList(parsing: bytes)
    for index in list.elements.indices {
      let value = list.elements[index].value
      // As it is written, because one that is malformed has no body of a type.
      list.elements[index].value =
        excluded.contains(value.id)
        ? .other(value.id, [UInt8](repeating: 0, count: ByteWriter.bytes(value.encode).count)) : anonymised(value)
    }
    anonymiseSplit(&list, { if case .wps(let body) = $0 { body.bytes } else { nil } }, { .wps(WPS(bytes: $0)) }) { anonymise(wps: &$0) }
    anonymiseSplit(&list, { if case .p2p(let body) = $0 { body.bytes } else { nil } }, { .p2p(P2P(bytes: $0)) }) { anonymise(p2p: &$0) }
    // Which vendor's element was cut off says nothing of whose it is, and that it may be one of security does matter.
    list.trailing.zero(from: list.trailing.first == 221 ? 6 : 2)
    assert(list.encoded.count == bytes.count, "Anonymiser: elements of \(bytes.count) bytes became \(list.encoded.count)")
    return list.encoded
  }

  /// Changes the attributes of elements that continue each other: an attribute may begin in one and end in the next.
  private func anonymiseSplit(
    _ list: inout ElementList, _ get: (ElementValue) -> [UInt8]?, _ set: ([UInt8]) -> ElementValue,
    change: (inout [UInt8]) -> Void
  ) {
    var all = list.elements.compactMap { get($0.value) }.flatMap { $0 }
    if all.isEmpty { return }
    change(&all)
    var rest = all[...]
    for index in list.elements.indices {
      guard let count = get(list.elements[index].value)?.count else { continue }
      list.elements[index].value = set(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
  }

  private mutating func anonymised(_ value: ElementValue) -> ElementValue {
    switch value {
    case .ssid(let body): return .ssid(SSIDElement(ssid: name(body.ssid)))
    case .meshID(let body): return .meshID(MeshID(meshID: name(body.meshID)))
    case .oweTransition(var body):
      body.bssid = addresses.address(body.bssid)
      body.ssid = name(body.ssid)
      body.trailing.zero(from: 0)
      return .oweTransition(body)
    case .interworking(var body):
      body.hessid = body.hessid.map { addresses.address($0) }
      body.trailing.zero(from: 0)
      return .interworking(body)
    case .mobilityDomain(var body):
      body.mobilityDomainID = numbers.mobilityDomain(body.mobilityDomainID)
      body.trailing.zero(from: 0)
      return .mobilityDomain(body)
    case .dmgCapabilities(var body):
      body.address = addresses.address(body.address)
      // The first five are fields that later editions added.
      body.trailing.zero(from: 5)
      return .dmgCapabilities(body)
    case .rsn(let body): return rebuilt(value) { Self.anonymise(body.suites, from: 2, in: &$0) }
    case .wpa(let body): return rebuilt(value) { Self.anonymise(body.suites, from: 6, in: &$0) }
    case .osen(let body): return rebuilt(value) { Self.anonymise(body.suites, from: 4, in: &$0) }
    case .rsnOverride(let body): return rebuilt(value) { Self.anonymise(body.suites, from: 6, in: &$0) }
    case .fastBSSTransition(let body): return rebuilt(value) { anonymise(body, in: &$0) }
    case .filsIndication(let body): return rebuilt(value) { anonymise(body, in: &$0) }
    case .roamingConsortium(let body): return rebuilt(value) { anonymise(body, in: &$0) }
    case .advertisementProtocol(let body): return rebuilt(value) { Self.anonymise(body, in: &$0) }
    case .measurementPilotTransmission(let body):
      return rebuilt(value) { content in
        content.change(1..<content.count) { Self.zeroSubelements(of: body.subelementBytes, in: &$0) }
      }
    case .mbo(var body):
      Self.anonymise(mbo: &body.bytes)
      return .mbo(body)
    case .multipleBSSID(let body): return .multipleBSSID(anonymised(body))
    case .multiLink(let body): return .multiLink(anonymised(body))
    case .reducedNeighborReport(let body): return .reducedNeighborReport(anonymised(body))
    case .apName(let body): return rebuilt(value) { anonymise(body, in: &$0) }
    case .ciscoCCX(let body): return rebuilt(value) { anonymise(body, in: &$0) }
    case .vendor: return rebuilt(value) { $0.zero(from: 4) }
    case .other(let id, let content): return .other(id, [UInt8](repeating: 0, count: content.count))
    case .fragment(let body): return .fragment(Fragment(bytes: [UInt8](repeating: 0, count: body.bytes.count)))
    case .malformed(let id, let content, let reason): return .malformed(id, Self.zeroed(malformed: id, content), reason)
    case .hotspot20(let body):
      return rebuilt(value) { content in
        let end = content.count - body.trailing.count
        for start in stride(from: 5, to: end, by: 2) { numbers.replace(in: &content, start..<start + 2) }
        content.zero(from: end)
      }
    // The fields of these identify nothing, what is behind them may; the two that may continue in another element are
    // changed with that one.
    case .bssLoad, .supportedRates, .dsssParameterSet, .tim, .ibssParameterSet, .country, .powerConstraint, .powerCapability,
      .tpcReport, .supportedChannels, .channelSwitchAnnouncement, .quiet, .erp, .erpDraft4, .extendedSupportedRates,
      .apChannelReport, .supportedOperatingClasses, .extendedChannelSwitchAnnouncement, .wapi, .rmEnabledCapabilities,
      .overlappingBSSScanParameters, .meshConfiguration, .extendedCapabilities, .rsnx, .wps, .p2p, .rsnxOverride, .htCapabilities,
      .htOperation, .secondaryChannelOffset, .nontransmittedBSSIDCapability, .multipleBSSIDIndex, .dmgOperation, .vhtCapabilities,
      .vhtOperation, .transmitPowerEnvelope, .operatingModeNotification, .s1gBeaconCompatibility, .s1gShortBeaconInterval,
      .targetWakeTime, .s1gCapabilities, .s1gOperation, .heCapabilities, .heOperation, .uoraParameterSet, .muEDCAParameterSet,
      .spatialReuseParameterSet, .essReport, .multipleBSSIDConfiguration, .nonInheritance, .he6GHzBandCapabilities, .ehtOperation,
      .ehtCapabilities, .wmm:
      let trailing = value.body?.trailing.count ?? 0
      return trailing == 0 ? value : rebuilt(value) { $0.zero(from: $0.count - trailing) }
    }
  }

  /// The element with changed bytes of the same number.
  private func rebuilt(_ value: ElementValue, _ change: (inout [UInt8]) -> Void) -> ElementValue {
    var content = value.body?.body ?? []
    change(&content)
    var cursor = ByteCursor(content)
    do throws(WireError) { return try ElementValue(id: value.id, parsing: &cursor) } catch {
      // The lengths within are those of before, so this is not reached; and if it were, nothing would be revealed.
      return .malformed(value.id, [UInt8](repeating: 0, count: content.count), error.reason)
    }
  }

  /// Every byte zeroed that does not make the element malformed in the way it is.
  private static func zeroed(malformed id: ElementID, _ content: [UInt8]) -> [UInt8] {
    func problem(_ content: [UInt8]) -> WireError? {
      var cursor = ByteCursor(content)
      do throws(WireError) { _ = try ElementValue(id: id, parsing: &cursor) } catch { return error }
      return nil
    }
    guard let expected = problem(content) else { return [UInt8](repeating: 0, count: content.count) }
    var result = content
    for index in content.indices where content[index] != 0 {
      result[index] = 0
      if problem(result) != expected { result[index] = content[index] }
    }
    return result
  }

  /// Zeroes PMKIDs and what is behind the fields; `start` is where the group cipher is.
  private static func anonymise(_ suites: SecuritySuites, from start: Int, in content: inout [UInt8]) {
    if suites.lastField >= .pmkids {
      let pmkids = start + 4 + 2 + 4 * suites.pairwiseCiphers.count + 2 + 4 * suites.akms.count + 4
      content.zero(pmkids..<pmkids + 16 * Int(suites.pmkidCount))
    }
    content.zero(from: content.count - suites.trailing.count)
  }

  /// Zeroes proofs and keys; the holders of keys get other names.
  private mutating func anonymise(_ body: FastBSSTransition, in content: inout [UInt8]) {
    let start = 2 + body.micLength + 64
    content.zero(2..<start)
    var offset = start
    for subelement in body.subelements {
      let range = offset + 2..<offset + 2 + subelement.body.count
      switch (subelement.id, subelement.body.count) {
      case (1, 6): addresses.replace(in: &content, at: range.lowerBound)
      case (3, _): names.replace(in: &content, range, word: "Key Holder")
      default: content.zero(range)
      }
      offset = range.upperBound
    }
    content.zero(from: offset + 2)
  }

  /// Zeroes hashes and keys (IEEE 802.11-2020 9.4.2.182).
  private mutating func anonymise(_ body: FILSIndication, in content: inout [UInt8]) {
    var offset = 2
    if let cache = body.cacheIdentifier {
      content.zero(offset..<offset + cache.count)
      offset += cache.count
    }
    if body.hessid != nil {
      addresses.replace(in: &content, at: offset)
      offset += 6
    }
    content.zero(offset..<offset + 2 * body.realmIdentifiers.count)
    offset += 2 * body.realmIdentifiers.count
    for key in body.publicKeyIdentifiers {
      content.zero(offset + 2..<offset + 2 + key.identifier.count)
      offset += 2 + key.identifier.count
    }
    content.zero(from: offset)
  }

  private mutating func anonymise(_ body: RoamingConsortium, in content: inout [UInt8]) {
    var offset = 2
    for identifier in body.organizationIdentifiers {
      numbers.replace(in: &content, offset..<offset + identifier.count)
      offset += identifier.count
    }
  }

  /// Zeroes what vendors' protocols say behind their OUI.
  private static func anonymise(_ body: AdvertisementProtocol, in content: inout [UInt8]) {
    var offset = 0
    for tuple in body.tuples {
      offset += 2
      guard tuple.protocolID == 221, !tuple.vendorBody.isEmpty else { continue }
      content.zero(offset + 4..<offset + 1 + tuple.vendorBody.count)
      offset += 1 + tuple.vendorBody.count
    }
  }

  /// Zeroes the bodies of subelements that are not known; those of vendors keep OUI and type.
  static func zeroSubelements(of bytes: [UInt8], in content: inout [UInt8]) {
    var walk = ElementWalk(bytes, fragmentID: nil)
    while let header = walk.next() {
      content.zero(header.body.lowerBound + (header.id == 221 ? min(4, header.length) : 0)..<header.body.upperBound)
    }
    if let rest = walk.rest { content.zero(min(rest.lowerBound + 2, rest.upperBound)..<rest.upperBound) }
  }
}
