import WiFi

/// `NL80211_CMD_GET_INTERFACE`.
extension SimulatedKernel {
  func answerInterfaces(_ request: Request) throws(Refusal) {
    var builder = builder(for: request)
    if !request.isDump {
      let (adapter, interface) = try interface(of: request)
      builder.generic(family: configuration.family, flags: 0, command: NL80211.Command.newInterface) {
        writeInterface(interface, of: adapter, into: &$0)
      }
      return replyAndAcknowledge(request, builder)
    }
    let wiphy = try listedWiphy(of: request)
    for adapter in adapters where wiphy == nil || adapter.wiphy == wiphy {
      for interface in adapter.interfaces {
        builder.generic(
          family: configuration.family, flags: NetlinkMessage.Flag.multi, command: NL80211.Command.newInterface
        ) { writeInterface(interface, of: adapter, into: &$0) }
      }
    }
    finishDump(request, builder)
  }

  /// The attributes of an interface, in the order of `nl80211_send_iface`.
  func writeInterface(_ interface: SimulatedInterface, of adapter: SimulatedAdapter, into builder: inout MessageBuilder) {
    builder.write(NL80211.Attribute.interfaceIndex, interface.index)
    builder.write(NL80211.Attribute.interfaceName, interface.name)
    builder.write(NL80211.Attribute.wiphy, adapter.wiphy)
    builder.write(NL80211.Attribute.interfaceType, interface.type.number)
    builder.write(NL80211.Attribute.wdev, interface.wdev)
    builder.write(NL80211.Attribute.mac, interface.address)
    builder.write(NL80211.Attribute.generation, generation)
    builder.write(83, 0 as UInt8)  // NL80211_ATTR_4ADDR
    let entry = associatedEntry(interface, of: adapter)
    if let entry { builder.write(NL80211.Attribute.wiphyFrequency, entry.frequencyKHz / 1000) }
    builder.write(98, 2000 as UInt32)  // NL80211_ATTR_WIPHY_TX_POWER_LEVEL, which is there while the interface is down, too
    if let entry { builder.write(NL80211.Attribute.ssid, entry.ssid) }
  }

  /// `NL80211_CMD_SET_INTERFACE`: a station can become nothing else.
  func setInterface(_ request: Request) throws(Refusal) {
    let (_, interface) = try interface(of: request)
    if let type = request.uint32(NL80211.Attribute.interfaceType), type != interface.type.number {
      throw Refusal(KernelError.Number.notSupported)
    }
    acknowledge(request)
  }

  /// `NL80211_CMD_GET_POWER_SAVE`: the radio of a simulated adapter never sleeps.
  func answerPowerSave(_ request: Request) throws(Refusal) {
    _ = try interface(of: request)
    var builder = builder(for: request)
    builder.generic(family: configuration.family, flags: 0, command: NL80211.Command.getPowerSave) { builder in
      builder.write(93, 0 as UInt32)  // NL80211_ATTR_PS_STATE
    }
    replyAndAcknowledge(request, builder)
  }

  /// What is remembered of the BSS that an interface is associated with.
  func associatedEntry(_ interface: SimulatedInterface, of adapter: SimulatedAdapter) -> BSSEntry? {
    guard let bssid = interface.associated else { return nil }
    return tables[adapter.wiphy]?.entries.reversed().first { $0.bssid == bssid }
  }
}
