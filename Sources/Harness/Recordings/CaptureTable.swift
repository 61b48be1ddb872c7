public import WiFi

/// The BSSs that the beacons and probe responses of a capture tell of.
public struct CaptureTable: Sendable {
  /// The time of the frame that was taken in last.
  public private(set) var end: UTCTime?
  /// The frames that told of a BSS.
  public private(set) var frameCount = 0
  /// The frames that were left out, because their check sequence is wrong or they were not captured whole.
  public private(set) var damagedFrameCount = 0
  private var entries: [MACAddress: BSS] = [:]
  private var order: [MACAddress] = []

  /// Starts empty.
  public init() {}

  /// Whether nothing was heard.
  public var isEmpty: Bool { order.isEmpty }

  /// What was heard, in the order in which it was heard first.
  public var bss: [BSS] { order.compactMap { entries[$0] } }

  /// The frequencies on which anything was heard, in kHz, in order.
  public var frequenciesKHz: [UInt32] { Set(entries.values.map { UInt32(clamping: $0.frequencyKHz) }).sorted() }

  /// Takes in a frame; whether it told of a BSS.
  ///
  /// A frame that was not received whole or whose check sequence is wrong tells nothing, nor does one whose channel neither
  /// the receiver nor the frame says. Without a time it counts as received with the one before.
  @discardableResult
  public mutating func hear(_ captured: CapturedFrame) -> Bool {
    guard !captured.hasBadFCS, captured.missing == 0 else {
      damagedFrameCount += 1
      return false
    }
    guard let frame = try? ManagementFrame(captured.bytes) else { return false }
    let (body, isProbeResponse): (BeaconBody, Bool)
    switch frame.body {
    case .beacon(let beacon): (body, isProbeResponse) = (beacon, false)
    case .probeResponse(let response): (body, isProbeResponse) = (response, true)
    default: return false
    }
    guard let frequencyMHz = Self.frequencyMHz(captured, body.elements) else { return false }
    if let time = captured.timestampNs { end = UTCTime(nanoseconds: Int64(clamping: time)) }
    let elements = body.elements.encoded
    var bss = BSS(
      bssid: frame.bssid, frequencyMHz: frequencyMHz, capability: body.capabilities, informationElements: elements)
    bss.tsfUs = body.timestampUs
    bss.beaconIntervalTU = body.intervalTU
    bss.signalMBm = captured.radiotap?.signalDBm.map { Int32($0) * 100 }
    bss.lastSeenBootTimeNs = end.map { UInt64(clamping: $0.nanoseconds) }
    let old = entries[frame.bssid]
    bss.isFromProbeResponse = isProbeResponse
    if isProbeResponse {
      bss.beaconElements = old?.beaconElements ?? old.flatMap { $0.isFromProbeResponse ? nil : $0.informationElements }
      bss.beaconTSFUs = old?.beaconTSFUs ?? old?.tsfUs
    } else if let old, old.isFromProbeResponse {
      // What a probe response said stays, as the kernel keeps it: a beacon may leave the name out.
      bss.informationElements = old.informationElements
      bss.isFromProbeResponse = true
      bss.beaconElements = elements
      bss.beaconTSFUs = body.timestampUs
    }
    if old == nil { order.append(frame.bssid) }
    entries[frame.bssid] = bss
    frameCount += 1
    return true
  }

  /// The primary channel: as the elements say, because receivers hear neighbouring channels, too; else as the receiver says.
  private static func frequencyMHz(_ captured: CapturedFrame, _ elements: ElementList) -> UInt32? {
    if let tuned = captured.radiotap?.frequencyMHz, tuned > 0 {
      return UInt32(clamping: Channel(elements: elements, frequencyKHz: Int(tuned) * 1000).primaryKHz / 1000)
    }
    for element in elements.elements {
      switch element.value {
      case .dsssParameterSet(let set):
        if let frequency = Band.ghz2_4.frequencyKHz(channel: Int(set.currentChannel)) { return UInt32(clamping: frequency / 1000) }
      case .htOperation(let operation):
        let channel = Int(operation.primaryChannel)
        let frequency = (channel <= 14 ? Band.ghz2_4 : .ghz5).frequencyKHz(channel: channel)
        if let frequency { return UInt32(clamping: frequency / 1000) }
      default: break
      }
    }
    return nil
  }

  /// A scan of what was heard.
  public func scan(interface: String, start: Duration, end: Duration, completion: Scan.Completion = .complete) -> Scan {
    Scan(interface: interface, start: start, end: end, completion: completion, frequenciesKHz: frequenciesKHz, bss: bss)
  }
}
