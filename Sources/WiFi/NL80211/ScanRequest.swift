/// What to scan for, and how (`NL80211_CMD_TRIGGER_SCAN`).
public struct ScanRequest: Hashable, Sendable {
  /// SSIDs to ask for by name, which makes hidden networks answer.
  public var ssids: [SSID] = []
  /// Whether to ask for any network beside those named in ``ssids``.
  public var asksForAny = true
  /// Frequencies to visit, in kHz; empty visits all that are allowed.
  public var frequenciesKHz: [UInt32] = []
  /// Whether only to listen: no probe request is sent.
  public var isPassive = false
  /// How long to stay on each channel, in TU of 1024 µs (`NL80211_ATTR_MEASUREMENT_DURATION`, u16).
  public var dwellTU: UInt16?
  /// Whether the kernel first forgets what it heard before.
  public var flushes = false
  /// Whether traffic goes first.
  public var hasLowPriority = false
  /// Whether probe requests carry a random address instead of the adapter's.
  public var randomizesMAC = false
  /// Whether 6 GHz channels are visited where an access point on another band says it also is (RNR).
  public var includesColocated6GHz = false
  /// Elements to add to probe requests.
  public var extraElements: [UInt8] = []

  /// Asks for everything, actively.
  public init() {}

  /// The attributes of the request, those of the interface included.
  public func message(interfaceIndex: UInt32) -> GenericNetlinkMessage {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    let asked = asksForAny || ssids.isEmpty ? ssids + [SSID.wildcard] : ssids
    writer.writeScan(isPassive ? [] : asked, frequenciesKHz)
    if let dwellTU { writer.write(NL80211.Attribute.measurementDuration, dwellTU) }
    if !extraElements.isEmpty { writer.write(NL80211.Attribute.informationElements, extraElements) }
    if flags != 0 { writer.write(NL80211.Attribute.scanFlags, flags) }
    return GenericNetlinkMessage(command: NL80211.Command.triggerScan, attributes: writer.bytes)
  }

  private var flags: UInt32 {
    (flushes ? NL80211.ScanFlag.flush : 0)
      | (hasLowPriority ? NL80211.ScanFlag.lowPriority : 0)
      | (randomizesMAC ? NL80211.ScanFlag.randomAddress : 0)
      | (includesColocated6GHz ? NL80211.ScanFlag.colocated6GHz : 0)
  }
}
