public import WiFi

/// The BSSs that the beacons and probe responses of a capture describe.
public struct CaptureTable: Sendable {
  /// The time of the frame that was taken in last.
  public private(set) var end: UTCTime?
  /// The number of frames that described a BSS.
  public private(set) var frameCount = 0
  /// The frames that were left out, because their check sequence is wrong or they were not captured whole.
  public private(set) var damagedFrameCount = 0
  /// The beacons and probe responses that describe no access point, or do not say on which channel.
  public private(set) var leftOut = LeftOutFrames()
  private var entries: [BSSKey: BSS] = [:]
  private var order: [BSSKey] = []

  /// When each BSS was heard first and last: in ns, or where there are no times, in frames.
  private var spans: [BSSKey: ClosedRange<Int64>] = [:]

  /// Starts empty.
  public init() {}

  /// Whether nothing was heard.
  public var isEmpty: Bool { order.isEmpty }

  /// What was heard, in the order in which it was heard first.
  public var bss: [BSS] { order.compactMap { entries[$0] } }

  /// What was heard, but a BSS that was not heard again on one channel after it had begun on another: it moved.
  private var bssWhereTheyEnded: [BSS] {
    let begins = Dictionary(grouping: spans, by: \.key.bssid).mapValues { $0.map(\.value.lowerBound).max() ?? 0 }
    return order.compactMap { key in
      let (span, begin) = (spans[key], begins[key.bssid])
      return if let span, let begin, span.upperBound < begin { nil } else { entries[key] }
    }
  }

  /// The frequencies on which anything was heard, in kHz, in order.
  public var frequenciesKHz: [UInt32] { Set(entries.values.map { UInt32(clamping: $0.frequencyKHz) }).sorted() }

  /// Adds a frame; returns whether it describes a BSS.
  ///
  /// A frame that was not received whole or whose check sequence is wrong describes nothing, nor does one whose channel
  /// neither the receiver nor the frame says, or whose BSSID is the address of a group. Without a time it counts as
  /// received with the one before.
  @discardableResult
  public mutating func hear(_ captured: CapturedFrame) -> Bool {
    guard !captured.hasBadFCS, captured.missing == 0 else {
      damagedFrameCount += 1
      return false
    }
    guard let frame = try? ManagementFrame(captured.bytes) else {
      // Frame Control of a DMG Beacon and an S1G Beacon (IEEE 802.11-2020 table 9-1).
      if let first = captured.bytes.first, [0x0C, 0x1C].contains(first) { leftOut.otherBands += 1 }
      return false
    }
    let (body, isProbeResponse): (BeaconBody, Bool)
    switch frame.body {
    case .beacon(let beacon): (body, isProbeResponse) = (beacon, false)
    case .probeResponse(let response): (body, isProbeResponse) = (response, true)
    default: return false
    }
    if frame.bssid.isGroup {
      leftOut.groupAddressed += 1
      return false
    }
    guard let frequencyMHz = Self.frequencyMHz(captured, body.elements) else {
      leftOut.unplaced += 1
      return false
    }
    let time = captured.utc ?? end
    end = [end, time].compactMap { $0 }.max()
    let elements = body.elements.encoded
    var bss = BSS(
      bssid: frame.bssid, frequencyMHz: frequencyMHz, capability: body.capabilities, informationElements: elements)
    bss.tsfUs = body.timestampUs
    bss.beaconIntervalTU = body.intervalTU
    bss.signalMBm = captured.radiotap?.signalDBm.map { Int32($0) * 100 }
    bss.lastSeenBootTimeNs = time.map { UInt64(clamping: $0.nanoseconds) }
    let key = BSSKey(frame.bssid, primaryKHz: bss.frequencyKHz)
    let old = entries[key]
    let moment = time?.nanoseconds ?? Int64(frameCount)
    spans[key] = min(spans[key]?.lowerBound ?? moment, moment)...max(spans[key]?.upperBound ?? moment, moment)
    // Captures that were put together may go back in time: the latest frame counts.
    if let known = old?.lastSeenBootTimeNs, let heard = bss.lastSeenBootTimeNs, heard < known {
      frameCount += 1
      return true
    }
    bss.isFromProbeResponse = isProbeResponse
    if isProbeResponse {
      bss.beaconElements = old?.beaconElements ?? old.flatMap { $0.isFromProbeResponse ? nil : $0.informationElements }
      bss.beaconTSFUs = old?.beaconTSFUs ?? old.flatMap { $0.isFromProbeResponse ? nil : $0.tsfUs }
    } else if let old, old.isFromProbeResponse {
      // What a probe response said stays, as the kernel keeps it: a beacon may leave the name out.
      bss.informationElements = old.informationElements
      bss.isFromProbeResponse = true
      bss.beaconElements = elements
      bss.beaconTSFUs = body.timestampUs
    }
    if old == nil { order.append(key) }
    entries[key] = bss
    frameCount += 1
    return true
  }

  /// The primary channel: as the elements say, because receivers hear neighbouring channels, too; else as the receiver
  /// says.
  ///
  /// A receiver that names a frequency on which no channel is says nothing.
  private static func frequencyMHz(_ captured: CapturedFrame, _ elements: ElementList) -> UInt32? {
    if let tuned = captured.radiotap?.frequencyMHz, mayBeChannel(frequencyKHz: Int(tuned) * 1000) {
      return UInt32(clamping: Channel(elements: elements, frequencyKHz: Int(tuned) * 1000).primaryKHz / 1000)
    }
    for element in elements.elements {
      switch element.value {
      case .dsssParameterSet(let set):
        if let frequency = frequencyMHz(channel: Int(set.currentChannel)) { return frequency }
      case .htOperation(let operation):
        if let frequency = frequencyMHz(channel: Int(operation.primaryChannel)) { return frequency }
      case .heOperation(let operation):
        if let channel = operation.operation6GHz?.primaryChannel, let frequency = Band.ghz6.frequencyKHz(channel: Int(channel)) {
          return UInt32(clamping: frequency / 1000)
        }
      default: break
      }
    }
    return nil
  }

  /// Whether a channel can be at a frequency of whole MHz.
  private static func mayBeChannel(frequencyKHz: Int) -> Bool {
    guard let band = Band(frequencyKHz: frequencyKHz) else { return false }
    // There channels are 2.16 GHz apart, and 65535 is what a field of ones says.
    return band != .ghz60 || band.channel(frequencyKHz: frequencyKHz) != nil
  }

  private static func frequencyMHz(channel: Int) -> UInt32? {
    (channel <= 14 ? Band.ghz2_4 : .ghz5).frequencyKHz(channel: channel).map { UInt32(clamping: $0 / 1000) }
  }

  /// A scan of what was heard; one of a BSS that moved has it where it was last, where it is cached.
  public func scan(interface: String, start: Duration, end: Duration, completion: Scan.Completion = .complete) -> Scan {
    Scan(
      interface: interface, start: start, end: end, completion: completion, frequenciesKHz: frequenciesKHz,
      bss: completion == .cached ? bssWhereTheyEnded : bss)
  }
}

extension CapturedFrame {
  /// The time, at most in 2116: what is later is no time, and one can count on from there.
  var utc: UTCTime? { timestampNs.map { UTCTime(nanoseconds: Int64(min($0, 1 << 62))) } }
}
