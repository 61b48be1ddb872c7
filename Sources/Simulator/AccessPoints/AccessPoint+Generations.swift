import WiFi

extension AccessPoint {
  /// BSS colors go from 1 to 63 (IEEE 802.11ax-2021 9.4.2.249).
  static let colorCount: UInt64 = 63

  /// How new the generation is: 3 for anything before HT, then the number of the Wi-Fi Alliance.
  private var rank: Int { generation.number ?? 3 }

  /// The capability and operation elements of each generation up to the access point's.
  func appendGeneration(to list: inout [ElementValue]) {
    if rank >= 4, band != .ghz6 {
      list.append(.htCapabilities(htCapabilities))
      list.append(.htOperation(htOperation))
    }
    if rank >= 4 || band == .ghz6 { list.append(.extendedCapabilities(extendedCapabilities)) }
    if rank >= 5, band == .ghz5 {
      list.append(.vhtCapabilities(vhtCapabilities))
      list.append(.vhtOperation(vhtOperation))
    }
    if rank >= 5, band != .ghz2_4 {
      list.append(.transmitPowerEnvelope(TransmitPowerEnvelope(information: 2, values: [0x2E, 0x2E, 0x2E])))
    }
    if !neighbors.isEmpty { list.append(.reducedNeighborReport(neighborReport)) }
    if let rsnx = security.rsnx { list.append(.rsnx(rsnx)) }
    if rank >= 6 || band == .ghz6 {
      list.append(.heCapabilities(heCapabilities))
      list.append(.heOperation(heOperation))
      if band != .ghz6 {
        list.append(.spatialReuseParameterSet(SpatialReuseParameterSet(control: 3)))
        list.append(.muEDCAParameterSet(Self.muEDCA))
      } else {
        list.append(.he6GHzBandCapabilities(HE6GHzBandCapabilities(capabilities: 0x36BF)))
      }
    }
    if rank >= 7 {
      list.append(.ehtOperation(ehtOperation))
      if let multiLink { list.append(.multiLink(multiLinkElement(multiLink))) }
      list.append(.ehtCapabilities(ehtCapabilities))
    }
  }

  private var megahertz: Int { channel.width.megahertz }

  // MARK: HT and VHT

  private var htCapabilities: HTCapabilities {
    let is40 = megahertz >= 40
    return HTCapabilities(
      capabilities: is40 ? 0x09EF : 0x098D, ampduParameters: 0x17,
      mcsSet: HTMCSSet(low: streams >= 8 ? .max : 1 << UInt64(8 * streams) - 1, high: 0))
  }

  private var htOperation: HTOperation {
    var width: UInt8 = 0
    switch channel.secondary {
    case .above: width = 0x05
    case .below: width = 0x07
    case .none: break
    }
    return HTOperation(primaryChannel: channelNumber, width: width)
  }

  /// Two bits a stream: `value` for those that there are, 3 for the others.
  private func mcsMap(_ value: UInt16) -> MCSMap {
    var map: UInt16 = 0
    for stream in 0..<8 { map |= (stream < streams ? value : 3) << UInt16(2 * stream) }
    return MCSMap(map)
  }

  private var vhtCapabilities: VHTCapabilities {
    VHTCapabilities(
      capabilities: megahertz >= 160 ? 0x3391_79B6 : 0x3391_79B2, rxMCSMap: mcsMap(2), txMCSMap: mcsMap(2),
      txHighestRate: 0x2000)
  }

  private var vhtInformation: VHTOperationInformation {
    switch megahertz {
    case 80: VHTOperationInformation(width: 1, segment0: channel.centerNumber)
    case 160: VHTOperationInformation(width: 1, segment0: channel.centerNumber(within: 80), segment1: channel.centerNumber)
    default: VHTOperationInformation(width: 0, segment0: 0)
    }
  }

  private var vhtOperation: VHTOperation { VHTOperation(information: vhtInformation, basicMCSMap: MCSMap(0xFFFC)) }

  private var extendedCapabilities: ExtendedCapabilities {
    // Extended channel switching, and BSS transition; B22 announces Multiple BSSID, B62 operating mode notification.
    var bytes: [UInt8] = [0x04, 0x00, nontransmitted.isEmpty ? 0x08 : 0x48, 0, 0, 0, 0, rank >= 5 ? 0x40 : 0]
    if rank >= 6 { bytes += [0x00, 0x40] }
    return ExtendedCapabilities(bytes: ByteList(bytes))
  }

  // MARK: HE

  private var heCapabilities: HECapabilities {
    // Width bits: 40 MHz in 2.4 GHz, or 40 and 80 MHz and 160 MHz in the others.
    let widths: UInt64 = band == .ghz2_4 ? (megahertz >= 40 ? 0x02 : 0) : megahertz >= 160 ? 0x0C : 0x04
    let hasThresholds = streams == 2
    let phy: UInt64 = 0x1C1D_49FF_8840_6300 | widths | (hasThresholds ? 1 << 55 : 0)
    let wide = megahertz >= 160 && band != .ghz2_4
    return HECapabilities(
      mac: 0x1040_1A08_010D, phyLow: phy, phyHigh: 0x000A11, rx80: mcsMap(2), tx80: mcsMap(2),
      rx160: wide ? mcsMap(2) : MCSMap(0xFFFF), tx160: wide ? mcsMap(2) : MCSMap(0xFFFF),
      rest: hasThresholds ? [0x79, 0x1C, 0xC7, 0x71, 0x1C, 0xC7, 0x71] : [])
  }

  private var heOperation: HEOperation {
    // The colour follows from the address, so that neighbours differ.
    let color = UInt8(bssid.value % Self.colorCount) + 1
    return HEOperation(
      parameters: 0x003FF4, bssColorInformation: color, basicMCSMap: MCSMap(0xFFFC),
      operation6GHz: band == .ghz6 ? operation6GHz : nil)
  }

  private var operation6GHz: HE6GHzOperationInformation {
    switch megahertz {
    case 40: HE6GHzOperationInformation(primaryChannel: channelNumber, control: 1, segment0: channel.centerNumber)
    case 80: HE6GHzOperationInformation(primaryChannel: channelNumber, control: 2, segment0: channel.centerNumber)
    case 160, 320:
      HE6GHzOperationInformation(
        primaryChannel: channelNumber, control: 3, segment0: channel.centerNumber(within: 80),
        segment1: channel.centerNumber(within: 160))
    default: HE6GHzOperationInformation(primaryChannel: channelNumber, control: 0, segment0: channelNumber)
    }
  }

  private static let muEDCA: MUEDCAParameterSet = {
    let none = MUEDCAParameterSet.Record(aciAIFSN: 0, ecw: 0, timer: 0)
    return MUEDCAParameterSet(
      qosInfo: 0, bestEffort: .init(aciAIFSN: 0x08, ecw: 0xA9, timer: 0xFF), background: none, video: none, voice: none)
  }()

  // MARK: EHT

  private var ehtCapabilities: EHTCapabilities {
    let isWide = megahertz >= 320
    let tables = 1 + (band != .ghz2_4 && megahertz >= 160 ? 1 : 0) + (isWide && band == .ghz6 ? 1 : 0)
    let byte = UInt8(streams << 4 | streams)
    return EHTCapabilities(
      mac: 0x0007, phyLow: 0x3680_7718_E009_1FE0 | (isWide ? 2 : 0),
      rest: [UInt8](repeating: byte, count: 3 * tables))
  }

  private var ehtOperation: EHTOperation {
    let information: EHTOperation.Information =
      switch megahertz {
      case 320: .init(control: 4, segment0: channel.centerNumber(within: 160), segment1: channel.centerNumber)
      case 160: .init(control: 3, segment0: channel.centerNumber(within: 80), segment1: channel.centerNumber)
      case 80: .init(control: 2, segment0: channel.centerNumber)
      case 40: .init(control: 1, segment0: band == .ghz2_4 ? channelNumber : channel.centerNumber)
      default: .init(control: 0, segment0: channelNumber)
      }
    return EHTOperation(parameters: 0, basicMCSAndNSS: 0x4444_4444, information: information)
  }

  private func multiLinkElement(_ membership: MultiLinkMembership) -> MultiLink {
    var basic = MultiLink.Basic(mldAddress: membership.address)
    basic.linkID = membership.linkID
    basic.bssParametersChangeCount = 1
    basic.mldCapabilities = UInt16(clamping: neighbors.count)
    return MultiLink(basic: basic)
  }

  private var neighborReport: ReducedNeighborReport {
    ReducedNeighborReport(
      neighbors: neighbors.map { neighbor in
        // TBTT offset unknown, BSSID, short SSID, BSS parameters (same SSID, co-located), no limit of power: 13 bytes;
        // for a link of a multi-link device the MLD parameters behind them: 16.
        var writer = ByteWriter()
        writer.write(0xFF as UInt8)
        writer.write(neighbor.bssid)
        writer.write(FrameCheckSequence.of(neighbor.ssid.bytes))
        writer.write((neighbor.ssid == ssid ? 0x42 : 0x40) as UInt8)
        writer.write(127 as UInt8)
        if let linkID = neighbor.linkID { writer.writeUInt24(UInt32(linkID) << 8 | 1 << 12) }
        return .init(
          header: UInt16(writer.count) << 8, operatingClass: neighbor.channel.operatingClass,
          channel: UInt8(clamping: neighbor.channel.number ?? 0), bytes: writer.bytes)
      })
  }
}
