public import WiFi

/// Air in which a few access points are always heard, each at its strength: the smallest world for a
/// ``SimulatedKernel``.
///
/// Every dwell hears every access point of its channel; beacons come at multiples of the beacon interval.
public final class StillAir: Air {
  /// An access point and its strength.
  public struct Station: Hashable, Sendable {
    /// What it sends.
    public var accessPoint: AccessPoint {
      didSet { (beacon, probeResponse) = Self.encoded(accessPoint) }
    }
    /// How strong it is heard, in 1/100 dBm.
    public var signalMBm: Int32
    /// The elements of its frames, which are the same each time.
    fileprivate private(set) var beacon: [UInt8]
    fileprivate private(set) var probeResponse: [UInt8]

    /// Makes one from its parts.
    public init(_ accessPoint: AccessPoint, signalMBm: Int32) {
      self.accessPoint = accessPoint
      self.signalMBm = signalMBm
      (beacon, probeResponse) = Self.encoded(accessPoint)
    }

    /// Makes one of an access point and its strength in dBm, such as -50.
    public init(_ accessPoint: AccessPoint, signalDBm: Double) {
      self.init(accessPoint, signalMBm: Int32((signalDBm * 100).rounded()))
    }

    private static func encoded(_ accessPoint: AccessPoint) -> (beacon: [UInt8], probeResponse: [UInt8]) {
      let response = accessPoint.encodedElements(of: .probeResponse)
      return (accessPoint.encodedBeacon(from: response, dtimCount: 0), response)
    }
  }

  /// What is on the air; may be changed at any time.
  public var stations: [Station]

  /// What access points do with stations that join, by address; the others have the default policy.
  public var policies: [MACAddress: AccessPointPolicy] = [:]

  /// The results of joins without a daemon, by name of the network; the others have the default rule.
  public var joinRules: [SSID: JoinRule] = [:]

  /// Air with these access points.
  public init(_ stations: [Station] = []) { self.stations = stations }

  public func hear(_ dwell: Dwell, into frames: inout [HeardFrame]) {
    for index in stations.indices where stations[index].accessPoint.channel.primaryKHz == Int(dwell.frequencyKHz) {
      let station = stations[index]
      let accessPoint = station.accessPoint
      let interval = Int64(accessPoint.beaconIntervalTU) * 1_024_000
      let end = dwell.end.wholeNanoseconds
      let beacon = max(end / interval * interval, dwell.start.wholeNanoseconds)
      frames.append(frame(station, isProbeResponse: false, at: beacon, dwell))
      if dwell.ssids.contains(where: { $0 == accessPoint.ssid || $0 == .wildcard && !accessPoint.isHidden }) {
        frames.append(frame(station, isProbeResponse: true, at: end, dwell))
      }
    }
  }

  private func frame(_ station: Station, isProbeResponse: Bool, at nanoseconds: Int64, _ dwell: Dwell) -> HeardFrame {
    HeardFrame(
      time: .nanoseconds(nanoseconds), bssid: station.accessPoint.bssid, isProbeResponse: isProbeResponse,
      frequencyKHz: dwell.frequencyKHz, tsfUs: UInt64(clamping: nanoseconds / 1000),
      beaconIntervalTU: station.accessPoint.beaconIntervalTU, capability: station.accessPoint.capability,
      elements: isProbeResponse ? station.probeResponse : station.beacon, signalMBm: station.signalMBm)
  }
}
