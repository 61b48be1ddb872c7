public import WiFi

extension AccessPoint {
  /// Makes an access point for a test: 20 MHz wide, of Wi-Fi 6, with WPA2 where nothing else is said.
  ///
  ///     let cafe = AccessPoint("Cafe", bssid: 1, security: .open)
  ///     source.hear([cafe.bss(signalDBm: -50)])
  ///
  /// - Parameters:
  ///   - name: the name of the network, at most 32 bytes of UTF-8.
  ///   - bssid: the last three bytes of its locally administered address, `02:00:00:…`.
  ///   - band: the band of its channel.
  ///   - channel: the number of its primary channel.
  ///   - security: how it is secured.
  /// - Precondition: the name fits, and the channel is one of the band.
  public init(
    _ name: String, bssid: UInt32, band: Band = .ghz2_4, channel number: Int = 1, security: AccessPointSecurity = .wpa2Personal
  ) {
    guard let ssid = SSID(Array(name.utf8)) else { fatalError("AccessPoint: “\(name)” has more than 32 bytes") }
    guard let channel = Channel(band: band, number: number, megahertz: 20) else {
      fatalError("AccessPoint: \(number) is no 20 MHz channel of the band \(band)")
    }
    self.init(
      bssid: MACAddress(0x0200_0000_0000 | UInt64(bssid & 0xFF_FFFF)), ssid: ssid, channel: channel,
      generation: band == .ghz6 ? .wifi6E : .wifi6, security: security)
  }

  /// The BSS as a scan reports it, heard in a probe response.
  ///
  /// - Parameters:
  ///   - signalDBm: its strength in dBm, such as -50.
  ///   - time: when it was heard, as time since boot; `nil` for the end of the scan.
  public func bss(signalDBm: Double, heardAt time: Duration? = nil) -> BSS {
    var bss = BSS(
      bssid: bssid, frequencyMHz: UInt32(channel.primaryKHz / 1000), capability: capability,
      informationElements: encodedElements(of: .probeResponse))
    bss.isFromProbeResponse = true
    bss.beaconIntervalTU = beaconIntervalTU
    bss.signalMBm = Int32((signalDBm * 100).rounded())
    if let time { bss.lastSeenBootTimeNs = UInt64(max(time / .nanoseconds(1), 0)) }
    return bss
  }
}

extension Scan {
  /// Makes a scan for a test: it took no time, and visited every channel.
  ///
  /// - Parameters:
  ///   - bss: what was heard.
  ///   - time: when, as time since boot.
  ///   - completion: how far it came.
  public static func hearing(_ bss: [BSS], at time: Duration, completion: Completion = .complete) -> Scan {
    Scan(interface: "test", start: time, end: time, completion: completion, bss: bss)
  }
}
