/// A scan that the adapter repeats by itself, and which wakes the host only for networks that match
/// (`NL80211_CMD_START_SCHED_SCAN`).
public struct ScheduledScanRequest: Hashable, Sendable {
  /// The time between scans in seconds; the first plan lasts forever (`NL80211_ATTR_SCHED_SCAN_PLANS`).
  public var intervalS: UInt32
  /// How long to wait before the first scan, in seconds (`NL80211_ATTR_SCHED_SCAN_DELAY`).
  public var delayS: UInt32 = 0
  /// SSIDs to ask for by name.
  public var ssids: [SSID] = []
  /// Frequencies to visit, in kHz; empty visits all that are allowed.
  public var frequenciesKHz: [UInt32] = []
  /// Networks to report; empty reports any.
  public var matches: [Match] = []

  /// A network to report (`NL80211_ATTR_SCHED_SCAN_MATCH`).
  public struct Match: Hashable, Sendable {
    /// The name that it must have, or `nil` for any.
    public var ssid: SSID?
    /// The least strength in dBm, or `nil` for any.
    public var minimumSignalDBm: Int32?

    /// Reports networks of this name, of at least this strength.
    public init(ssid: SSID? = nil, minimumSignalDBm: Int32? = nil) {
      self.ssid = ssid
      self.minimumSignalDBm = minimumSignalDBm
    }
  }

  /// Repeats a scan of everything every `intervalS` seconds.
  public init(intervalS: UInt32) { self.intervalS = intervalS }

  /// The attributes of the request, that of the interface included.
  public func message(interfaceIndex: UInt32) -> GenericNetlinkMessage {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    writer.nest(NL80211.Attribute.scheduledScanPlans) { plans in
      plans.nest(1) { $0.write(1, intervalS) }
    }
    if delayS > 0 { writer.write(NL80211.Attribute.scheduledScanDelay, delayS) }
    writer.writeScan(ssids, frequenciesKHz)
    writer.list(NL80211.Attribute.scheduledScanMatch, matches) { inner, number, match in
      inner.nest(number) { inner in
        if let ssid = match.ssid { inner.write(1, ssid.bytes) }
        if let signal = match.minimumSignalDBm { inner.write(2, UInt32(bitPattern: signal)) }
      }
    }
    return GenericNetlinkMessage(command: NL80211.Command.startScheduledScan, attributes: writer.bytes)
  }
}
