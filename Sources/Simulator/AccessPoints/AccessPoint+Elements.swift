import Synchronization
public import WiFi

extension AccessPoint {
  /// The frames that carry elements.
  public enum Frame: Hashable, Sendable {
    /// A beacon, with how many beacons remain until the next DTIM.
    case beacon(dtimCount: UInt8)
    /// An answer to a probe request.
    case probeResponse
  }

  /// The elements of a frame, in the order in which hostapd sends them.
  public func elements(of frame: Frame) -> [ElementValue] {
    var list: [ElementValue] = []
    let isBeacon = frame != .probeResponse
    list.append(.ssid(SSIDElement(ssid: isHidden && isBeacon ? .wildcard : ssid)))
    list.append(.supportedRates(SupportedRates(bytes: rates)))
    if band != .ghz6 { list.append(.dsssParameterSet(DSSSParameterSet(currentChannel: channelNumber))) }
    if case .beacon(let dtimCount) = frame { list.append(.tim(TIM(dtimCount: dtimCount, dtimPeriod: dtimPeriod))) }
    list.append(.country(countryElement))
    if band == .ghz5 { list.append(.powerConstraint(PowerConstraint(localPowerConstraintDB: 3))) }
    if let channelSwitch { list.append(.channelSwitchAnnouncement(channelSwitch)) }
    if band == .ghz2_4, generation != .dot11b {
      list.append(.erp(ERP(parameters: 0)))
      list.append(.extendedSupportedRates(ExtendedSupportedRates(bytes: [0x30, 0x48, 0x60, 0x6C])))
    } else if band == .ghz6, case .wpa3Personal = security {
      list.append(.extendedSupportedRates(ExtendedSupportedRates(bytes: [0xFB])))
    }
    if let rsn = security.rsn { list.append(.rsn(rsn)) }
    if let load {
      list.append(.bssLoad(load))
      list.append(.rmEnabledCapabilities(RMEnabledCapabilities(capabilities: 0x72)))
    }
    if let mobilityDomain {
      list.append(.mobilityDomain(MobilityDomain(mobilityDomainID: mobilityDomain, ftCapabilityAndPolicy: 1)))
    }
    if !nontransmitted.isEmpty { list.append(.multipleBSSID(multipleBSSID)) }
    list.append(.supportedOperatingClasses(SupportedOperatingClasses(currentOperatingClass: channel.operatingClass, bytes: [0])))
    appendGeneration(to: &list)
    appendVendors(to: &list)
    if !nontransmitted.isEmpty {
      list.append(
        .multipleBSSIDConfiguration(
          MultipleBSSIDConfiguration(bssidCount: UInt8(clamping: nontransmitted.count + 1), fullSetRxPeriodicity: 1)))
    }
    return list
  }

  /// The bytes of ``elements(of:)``.
  public func encodedElements(of frame: Frame) -> [UInt8] {
    guard case .beacon(let dtimCount) = frame else { return encodedResponse }
    return encodedBeacon(from: encodedResponse, dtimCount: dtimCount)
  }

  private var encodedResponse: [UInt8] { isOneOfMany ? Self.shared.response(of: self) : encoded(.probeResponse) }

  private func encoded(_ frame: Frame) -> [UInt8] {
    var writer = ByteWriter(capacity: 320)
    for value in elements(of: frame) { Element(id: value.id, offset: 0, size: 0, value: value).encode(into: &writer) }
    return writer.bytes
  }

  /// A beacon is a probe response with a TIM before the country, and perhaps without the name.
  func encodedBeacon(from response: [UInt8], dtimCount: UInt8) -> [UInt8] {
    var walk = ElementWalk(response)
    var nameEnd = 0
    var place = response.count
    while let header = walk.next() {
      if header.id == SSIDElement.elementID.id { nameEnd = header.body.upperBound }
      if header.id == Country.elementID.id {
        place = header.offset
        break
      }
    }
    var writer = ByteWriter(capacity: 8)
    let tim = ElementValue.tim(TIM(dtimCount: dtimCount, dtimPeriod: dtimPeriod))
    Element(id: TIM.elementID, offset: 0, size: 0, value: tim).encode(into: &writer)
    var beacon: [UInt8] = []
    beacon.reserveCapacity(response.count + writer.bytes.count)
    if isHidden { beacon += [SSIDElement.elementID.id, 0] } else { beacon += response[..<nameEnd] }
    beacon += response[nameEnd..<place]
    beacon += writer.bytes
    beacon += response[place...]
    return beacon
  }

  // MARK: What many share

  /// Whether others have the same elements but for the name: nothing in them is its own.
  private var isOneOfMany: Bool {
    neighbors.isEmpty && nontransmitted.isEmpty && load == nil && multiLink == nil && deviceName == nil && channelSwitch == nil
  }

  private static let shared = SharedElements()

  /// The probe responses of access points that differ in name and address only, encoded once for all of them.
  private final class SharedElements: Sendable {
    private let tails = Mutex<[AccessPoint: [UInt8]]>([:])
    private static let most = 4096

    func response(of accessPoint: AccessPoint) -> [UInt8] {
      var nameless = accessPoint
      // Of the address only the BSS color is made.
      let address = MACAddress(accessPoint.bssid.value % AccessPoint.colorCount)
      (nameless.ssid, nameless.bssid, nameless.isHidden) = (.wildcard, address, false)
      let tail = tails.withLock { tails in
        if let known = tails[nameless] { return known }
        // Behind the empty name.
        let tail = Array(nameless.encoded(.probeResponse).dropFirst(2))
        if tails.count < Self.most { tails[nameless] = tail }
        return tail
      }
      let name = accessPoint.ssid.bytes
      var response: [UInt8] = []
      response.reserveCapacity(2 + name.count + tail.count)
      response.append(SSIDElement.elementID.id)
      response.append(UInt8(name.count))
      response += name
      response += tail
      return response
    }
  }

  private var rates: ByteList {
    switch (band, generation) {
    case (.ghz2_4, .dot11b): [0x82, 0x84, 0x8B, 0x96]
    case (.ghz2_4, _): [0x82, 0x84, 0x8B, 0x96, 0x0C, 0x12, 0x18, 0x24]
    default: [0x8C, 0x12, 0x98, 0x24, 0xB0, 0x48, 0x60, 0x6C]
    }
  }

  /// The triplets are those of Germany for every country: what differs is only the two letters.
  private var countryElement: Country {
    let letters = Array(country.utf8.prefix(2))
    var string: UInt32 = 0x20
    if letters.count == 2 { string |= UInt32(letters[0]) << 16 | UInt32(letters[1]) << 8 }
    let triplets: ByteList
    switch band {
    case .ghz5: triplets = [36, 4, 23, 52, 4, 20, 100, 11, 26, 149, 6, 13, 0]
    case .ghz6: triplets = [1, 24, 23]
    default: triplets = [1, 13, 20]
    }
    return Country(countryString: string, tripletBytes: triplets)
  }

  private var multipleBSSID: MultipleBSSID {
    let profiles = nontransmitted.enumerated().map { index, bss -> [UInt8] in
      var list: [ElementValue] = [
        .nontransmittedBSSIDCapability(
          NontransmittedBSSIDCapability(capabilities: Self.capability(bss.security, band: band, load: load != nil))),
        .ssid(SSIDElement(ssid: bss.ssid)),
        .multipleBSSIDIndex(MultipleBSSIDIndex(index: UInt8(truncatingIfNeeded: index + 1), dtimPeriod: dtimPeriod)),
      ]
      if let rsn = bss.security.rsn { list.append(.rsn(rsn)) }
      let own: [ElementID] = [
        bss.security.rsn == nil && security.rsn != nil ? RSN.elementID : nil,
        bss.security.rsnx == nil && security.rsnx != nil ? RSNX.elementID : nil,
      ].compactMap(\.self)
      if !own.isEmpty { list.append(.nonInheritance(NonInheritance(elementIDs: own.map(\.id), extensionIDs: []))) }
      return ElementList(list).encoded
    }
    return MultipleBSSID(maximumBSSIDIndicator: maximumBSSIDIndicator, profiles: profiles)
  }

  /// The exponent of the smallest set of BSSIDs that holds this one and the nontransmitted ones.
  private var maximumBSSIDIndicator: UInt8 {
    var indicator: UInt8 = 1
    while 1 << Int(indicator) < nontransmitted.count + 1 { indicator += 1 }
    return indicator
  }

  private func appendVendors(to list: inout [ElementValue]) {
    if generation != .dot11b, generation != .dot11g, generation != .dot11a {
      list.append(.vendor(VendorSpecific(oui: 0x0050F2, bytes: Self.wmmParameters)))
    }
    if let wpa = security.wpa { list.append(.wpa(wpa)) }
    if case .oweTransition(let bssid, let ssid) = security {
      list.append(.oweTransition(OWETransition(bssid: bssid, ssid: ssid)))
    }
    if hasWPS { list.append(.vendor(VendorSpecific(oui: 0x0050F2, bytes: Self.wps))) }
    if let deviceName {
      list.append(.vendor(VendorSpecific(oui: 0x000B86, bytes: [1, 3, 0] + Array(deviceName.utf8.prefix(32)))))
    }
  }

  /// The WMM parameter element with the usual parameters (hostapd's defaults).
  private static let wmmParameters: [UInt8] = [
    2, 1, 1, 0, 0, 0x03, 0xA4, 0, 0, 0x27, 0xA4, 0, 0, 0x42, 0x43, 0x5E, 0, 0x62, 0x32, 0x2F, 0,
  ]

  /// Version 1.0, configured, with the extension that says version 2.0.
  private static let wps: [UInt8] = [
    4, 0x10, 0x4A, 0, 1, 0x10, 0x10, 0x44, 0, 1, 2, 0x10, 0x49, 0, 6, 0, 0x37, 0x2A, 0, 1, 0x20,
  ]
}
