import WiFi

/// The wireless extensions that cfg80211 still answers for old programs (`net/wireless/wext-compat.c`).
extension SimulatedKernel {
  /// Answers a request that reads: the structure as it is then, and what it points to.
  func answerWirelessExtension(
    _ request: InterfaceRequest, _ adapter: SimulatedAdapter, _ interface: SimulatedInterface
  ) throws(Refusal) -> (structure: [UInt8], data: [UInt8]) {
    var structure = request.structure
    func put(_ bytes: [UInt8], at offset: Int = 16) { structure.replaceSubrange(offset..<offset + bytes.count, with: bytes) }
    // struct iw_point: behind the pointer the length and the flags.
    func putPoint(_ length: Int, flags: UInt16) {
      put([UInt8(length & 0xFF), UInt8(length >> 8), UInt8(flags & 0xFF), UInt8(flags >> 8)], at: 24)
    }
    let entry = associatedEntry(interface, of: adapter)
    switch request.number {
    case 0x8B01: put(Array("IEEE 802.11".utf8) + [0, 0, 0, 0, 0])  // SIOCGIWNAME
    case 0x8B05:  // SIOCGIWFREQ: struct iw_freq, in MHz with the exponent 6
      guard let entry else { throw Refusal(KernelError.Number.invalid) }
      var frequency = ByteWriter()
      frequency.write(entry.frequencyKHz / 1000)
      frequency.write(6 as UInt16)
      put(frequency.bytes + [0, 0])
    case 0x8B07: put([UInt8(interface.type.number), 0, 0, 0])  // SIOCGIWMODE
    case 0x8B0B:  // SIOCGIWRANGE
      let range = range(of: adapter)
      guard request.capacity >= range.count else { throw Refusal(7) }  // E2BIG
      putPoint(range.count, flags: 0)
      return (structure, range)
    case 0x8B15: put([1, 0] + (entry?.bssid.bytes ?? [UInt8](repeating: 0, count: 6)))  // SIOCGIWAP
    case 0x8B1B:  // SIOCGIWESSID
      let name = entry?.ssid ?? []
      putPoint(name.count, flags: entry == nil ? 0 : 1)
      return (structure, name)
    case 0x8B27: put([20, 0, 0, 0, 0, adapter.isRFKilled ? 1 : 0, 0, 0])  // SIOCGIWTXPOW, in dBm
    case 0x8B2B: putPoint(0, flags: 0x8000)  // SIOCGIWENCODE: IW_ENCODE_DISABLED
    case 0x8B2D: put([0, 0, 0, 0, 0, 1, 0, 0])  // SIOCGIWPOWER: disabled
    default: throw Refusal(KernelError.Number.notSupported)
    }
    return (structure, [])
  }

  /// `struct iw_range`, as `cfg80211_wext_giwrange` fills it for a signal in mBm.
  private func range(of adapter: SimulatedAdapter) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 568)
    func put(_ value: Int, at offset: Int, width: Int) {
      for index in 0..<width { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }
    bytes[15] = 1  // scan_capa: IW_SCAN_CAPA_ESSID
    put(0x2000_0000 | 1 << 21, at: 16, width: 4)  // event_capa[0]
    // max_qual and avg_qual: quality, level, noise, and that the level is in dBm.
    bytes.replaceSubrange(44..<52, with: [70, UInt8(bitPattern: -110), 0, 0x4F, 35, UInt8(bitPattern: -50), 0, 0x4F])
    put(2347, at: 188, width: 4)  // max_rts
    put(256, at: 192, width: 4)  // min_frag
    put(2346, at: 196, width: 4)  // max_frag
    put(5, at: 222, width: 2)  // encoding_size: WEP40 and WEP104
    put(13, at: 224, width: 2)
    bytes[238] = 2
    bytes[239] = 4
    bytes[280] = 22  // we_version_compiled
    bytes[281] = 21  // we_version_source
    put(0x1000, at: 282, width: 2)  // retry_capa: IW_RETRY_LIMIT
    put(0x1000, at: 284, width: 2)
    put(255, at: 292, width: 4)  // max_retry
    let channels = adapter.channels.filter { !$0.isDisabled }.prefix(32)
    put(adapter.channels.count, at: 304, width: 2)
    bytes[306] = UInt8(channels.count)
    for (index, channel) in channels.enumerated() {
      put(Int(channel.frequencyKHz / 1000), at: 308 + 8 * index, width: 4)
      put(6, at: 312 + 8 * index, width: 2)
      bytes[314 + 8 * index] = UInt8(truncatingIfNeeded: channel.number)
    }
    put(0x0F, at: 564, width: 4)  // enc_capa: WPA, WPA2, TKIP, CCMP
    return bytes
  }
}

extension SimulatedChannel {
  /// Its number in its band, such as 36.
  fileprivate var number: Int { band?.channel(frequencyKHz: Int(frequencyKHz)) ?? 0 }
}
