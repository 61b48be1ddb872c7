import WiFi

/// `NL80211_CMD_GET_WIPHY`, as a split dump where that is asked for.
extension SimulatedKernel {
  func answerAdapters(_ request: Request) throws(Refusal) {
    var builder = builder(for: request)
    if !request.isDump { return try answerAdapter(request, builder) }
    let wiphy = try listedWiphy(of: request)
    // Programs that do not ask for parts are old, and get each adapter in one message (NL80211_ATTR_SPLIT_WIPHY_DUMP).
    let isSplit = request.has(NL80211.Attribute.splitWiphyDump)
    for adapter in adapters where wiphy == nil || adapter.wiphy == wiphy {
      if isSplit { writeParts(of: adapter, into: &builder) } else { writeWhole(adapter, flags: NetlinkMessage.Flag.multi, into: &builder) }
    }
    finishDump(request, builder)
  }

  /// The adapter that a list of adapters or interfaces is about, or `nil` for all (`nl80211_dump_wiphy_parse`).
  ///
  /// An interface stands for its adapter.
  func listedWiphy(of request: Request) throws(Refusal) -> UInt32? {
    if let index = request.uint32(NL80211.Attribute.interfaceIndex) {
      guard let adapter = adapter(of: index) else { throw Refusal(KernelError.Number.noDevice) }
      return adapter.wiphy
    }
    if let wdev = request.uint64(NL80211.Attribute.wdev) { return UInt32(truncatingIfNeeded: wdev >> 32) }
    return request.uint32(NL80211.Attribute.wiphy)
  }

  /// One adapter in one message, which old programs ask for (`nl80211_get_wiphy`).
  private func answerAdapter(_ request: Request, _ builder: consuming MessageBuilder) throws(Refusal) {
    let index = request.uint32(NL80211.Attribute.interfaceIndex)
    let wiphy: UInt32? = index.map { self.adapter(of: $0)?.wiphy } ?? request.uint32(NL80211.Attribute.wiphy)
    guard let adapter = adapters.first(where: { $0.wiphy == wiphy }) else {
      throw Refusal(index == nil && wiphy == nil ? KernelError.Number.invalid : KernelError.Number.noDevice)
    }
    writeWhole(adapter, flags: 0, into: &builder)
    replyAndAcknowledge(request, builder)
  }

  /// One adapter in one message, without bands and features that came later (`nl80211_send_wiphy`, `state->split`).
  private func writeWhole(_ adapter: SimulatedAdapter, flags: UInt16, into builder: inout MessageBuilder) {
    builder.generic(family: configuration.family, flags: flags, command: NL80211.Command.newWiphy, size: 4096) { builder in
      writeIdentity(of: adapter, into: &builder)
      writeLimits(of: adapter, into: &builder)
      writeCiphers(into: &builder)
      writeTypes(into: &builder)
      builder.nest(NL80211.Attribute.wiphyBands) { builder in
        for (number, band) in Self.bands where band != .ghz6 {
          builder.nest(number) { builder in
            builder.nest(1) { builder in
              for (index, channel) in adapter.channels.filter({ $0.band == band }).enumerated() {
                builder.nest(UInt16(index)) { channel.write(into: &$0, at: now) }
              }
            }
          }
        }
      }
      writeCommands(into: &builder)
      writeFeatures(of: adapter, into: &builder)
    }
  }

  /// `NL80211_CMD_GET_PROTOCOL_FEATURES`: lists of adapters can be split (`NL80211_PROTOCOL_FEATURE_SPLIT_WIPHY_DUMP`).
  func answerProtocolFeatures(_ request: Request) {
    var builder = builder(for: request)
    builder.generic(family: configuration.family, flags: 0, command: NL80211.Command.getProtocolFeatures) { builder in
      builder.write(173, 1 as UInt32)  // NL80211_ATTR_PROTOCOL_FEATURES
    }
    replyAndAcknowledge(request, builder)
  }

  /// The parts in the order of `nl80211_send_wiphy`: limits, ciphers, types, one part a channel, commands, features.
  private func writeParts(of adapter: SimulatedAdapter, into builder: inout MessageBuilder) {
    part(of: adapter, into: &builder) { writeLimits(of: adapter, into: &$0) }
    part(of: adapter, into: &builder) { writeCiphers(into: &$0) }
    part(of: adapter, into: &builder) { writeTypes(into: &$0) }
    for (bandNumber, band) in Self.bands {
      for (index, channel) in adapter.channels.filter({ $0.band == band }).enumerated() {
        part(of: adapter, into: &builder) { builder in
          builder.nest(NL80211.Attribute.wiphyBands) { builder in
            builder.nest(bandNumber) { builder in
              builder.nest(1) { builder in
                builder.nest(UInt16(index)) { channel.write(into: &$0, at: now) }
              }
            }
          }
        }
      }
    }
    part(of: adapter, into: &builder) { writeCommands(into: &$0) }
    part(of: adapter, into: &builder) { writeFeatures(of: adapter, into: &$0) }
    part(of: adapter, into: &builder) { builder in
      builder.write(NL80211.Attribute.extendedFeatures, [adapter.canSetDwell ? 0x23 : 0x03, 0, 0, 0, 0, 0, 0, 0])
    }
  }

  /// `enum nl80211_band`.
  private static let bands: [(UInt16, Band)] = [(0, .ghz2_4), (1, .ghz5), (3, .ghz6)]

  /// What every message about an adapter begins with.
  func writeIdentity(of adapter: SimulatedAdapter, into builder: inout MessageBuilder) {
    builder.write(NL80211.Attribute.wiphy, adapter.wiphy)
    builder.write(NL80211.Attribute.wiphyName, adapter.name)
    builder.write(NL80211.Attribute.generation, generation)
  }

  private func writeLimits(of adapter: SimulatedAdapter, into builder: inout MessageBuilder) {
    builder.write(61, 7 as UInt8)  // NL80211_ATTR_WIPHY_RETRY_SHORT
    builder.write(62, 4 as UInt8)  // NL80211_ATTR_WIPHY_RETRY_LONG
    builder.write(NL80211.Attribute.maximumScanSSIDs, adapter.maximumScanSSIDs)
    builder.write(NL80211.Attribute.maximumScheduledScanSSIDs, adapter.maximumScheduledScanSSIDs)
    builder.write(NL80211.Attribute.maximumScanElementsLength, adapter.maximumScanElementsLength)
    builder.write(NL80211.Attribute.maximumScheduledScanElementsLength, adapter.maximumScanElementsLength)
    builder.write(NL80211.Attribute.maximumMatchSets, adapter.maximumScheduledScanSSIDs)
  }

  private func writeCiphers(into builder: inout MessageBuilder) {
    builder.write(NL80211.Attribute.cipherSuites, ByteWriter.bytes { for cipher in Self.ciphers { $0.write(cipher.selector) } })
  }

  private func writeTypes(into builder: inout MessageBuilder) {
    builder.nest(NL80211.Attribute.supportedInterfaceTypes) { builder in
      for type in [InterfaceType.station, .accessPoint, .monitor] { builder.writeFlag(UInt16(type.number)) }
    }
  }

  private func writeCommands(into builder: inout MessageBuilder) {
    builder.nest(NL80211.Attribute.supportedCommands) { builder in
      for (index, command) in Self.commands.enumerated() { builder.write(UInt16(index + 1), UInt32(command)) }
    }
  }

  private func writeFeatures(of adapter: SimulatedAdapter, into builder: inout MessageBuilder) {
    // Scan flush, low priority scans and, where it can, a random address in probe requests.
    builder.write(NL80211.Attribute.featureFlags, 1 << 7 | 1 << 6 | (adapter.canRandomizeMAC ? 1 << 29 : 0) as UInt32)
  }

  private func part(
    of adapter: SimulatedAdapter, into builder: inout MessageBuilder, _ body: (inout MessageBuilder) -> Void
  ) {
    builder.generic(family: configuration.family, flags: NetlinkMessage.Flag.multi, command: NL80211.Command.newWiphy) { builder in
      writeIdentity(of: adapter, into: &builder)
      body(&builder)
    }
  }

  private static let ciphers: [CipherSuite] = [
    .wep40, .wep104, .tkip, .ccmp128, .ccmp256, .gcmp128, .gcmp256, .bipCMAC128, .bipCMAC256, .bipGMAC128, .bipGMAC256,
  ]

  /// What `iw` lists: new interface, trigger scan, authenticate, associate, connect, scheduled scans, abort scan.
  private static let commands: [UInt8] = [
    7, NL80211.Command.triggerScan, 37, 38, 46, 48, NL80211.Command.startScheduledScan, NL80211.Command.abortScan,
  ]
}

extension SimulatedChannel {
  /// `enum nl80211_frequency_attr`.
  fileprivate func write(into builder: inout MessageBuilder, at time: Duration) {
    builder.write(1, frequencyKHz / 1000)
    builder.write(20, frequencyKHz % 1000)
    if isDisabled { builder.writeFlag(2) }
    if isNoIR {
      builder.writeFlag(3)
      builder.writeFlag(4)
    }
    if needsRadarDetection {
      builder.writeFlag(5)
      // Usable since the kernel started; a minute to listen for radar (IEEE80211_DFS_MIN_CAC_TIME_MS).
      builder.write(7, Adapter.Frequency.DFSState.usable.rawValue)
      builder.write(8, UInt32(clamping: time.wholeMilliseconds))
      builder.write(13, 60_000 as UInt32)
    }
    if isIndoorOnly { builder.writeFlag(14) }
    builder.write(6, maximumPowerMBm)
  }
}
