import WiFi

/// What the kernel remembers of one BSS (`struct cfg80211_internal_bss`).
struct BSSEntry {
  let bssid: MACAddress
  let frequencyKHz: UInt32
  /// The SSID element's bytes: cfg80211 takes another name for another BSS.
  let ssid: [UInt8]
  /// The elements of the last probe response, or of the last beacon where there was none.
  var elements: [UInt8]
  var isFromProbeResponse: Bool
  var beaconElements: [UInt8]?
  var tsfUs: UInt64
  var beaconTSFUs: UInt64
  var beaconIntervalTU: UInt16
  var capability: UInt16
  var signalMBm: Int32
  /// When it was heard last, in ns since boot.
  var lastHeardNs: Int64
  /// The transmitted BSS of its set, and its timer.
  var parent: (bssid: MACAddress, tsfUs: UInt64)?
}

/// The BSSs that one adapter heard (`rdev->bss_list`), in the order they were first heard.
struct BSSTable {
  /// The BSSs, with places of those that made room for others, which are passed over.
  private var slots: [BSSEntry?] = []
  /// When each was heard last, in ns since boot; for a place without a BSS never again.
  private var heardNs: [Int64] = []
  private var gone = 0

  /// The BSSs that are remembered.
  var entries: some Sequence<BSSEntry> { slots.lazy.compactMap(\.self) }

  /// The number of BSSs that are remembered.
  var count: Int { slots.count - gone }
  /// Counts every change (`rdev->bss_generation`).
  private(set) var generation: UInt32 = 0

  private var indices: [UInt64: [Int]] = [:]
  private var expansions: [UInt64: (elements: [UInt8], bss: [Nontransmitted])] = [:]

  private struct Nontransmitted {
    var bssid: MACAddress
    var capability: UInt16
    var elements: [UInt8]
  }

  /// The most entries (`bss_entries_limit`).
  static let limit = 1000

  /// How long an entry that is not heard stays (`IEEE80211_SCAN_RESULT_EXPIRE`), in ns.
  static let expiryNs: Int64 = 30_000_000_000

  /// Takes over a frame, and what it says of BSSs that send no beacons of their own.
  mutating func hear(_ frame: HeardFrame) {
    update(frame, elements: frame.elements, bssid: frame.bssid, capability: frame.capability, parent: nil)
    guard Self.hasMultipleBSSID(frame.elements) else { return }
    let key = frame.bssid.value << 1 | (frame.isProbeResponse ? 1 : 0)
    var known = expansions[key]
    if known == nil || known?.elements != frame.elements {
      let expansion = MultipleBSSIDExpansion(bssid: frame.bssid, elements: ElementList(parsing: frame.elements))
      let bss = expansion.bss.map {
        Nontransmitted(bssid: $0.bssid, capability: $0.capabilities, elements: $0.elements.encoded)
      }
      known = (frame.elements, bss)
      expansions[key] = known
    }
    for bss in known?.bss ?? [] {
      update(
        frame, elements: bss.elements, bssid: bss.bssid, capability: bss.capability, parent: (frame.bssid, frame.tsfUs))
    }
  }

  /// As `cfg80211_bss_update`: a probe response is kept before a beacon, a beacon beside it.
  private mutating func update(
    _ frame: HeardFrame, elements: [UInt8], bssid: MACAddress, capability: UInt16, parent: (bssid: MACAddress, tsfUs: UInt64)?
  ) {
    generation &+= 1
    let name = Self.ssidRange(elements)
    for index in indices[bssid.value] ?? [] {
      guard let entry = slots[index], entry.frequencyKHz == frame.frequencyKHz, entry.ssid.elementsEqual(elements[name]) else {
        continue
      }
      slots[index]?.take(frame, elements, capability, parent)
      heardNs[index] = max(heardNs[index], frame.time.wholeNanoseconds)
      return
    }
    if count >= Self.limit { removeOldest() }
    var entry = BSSEntry(
      bssid: bssid, frequencyKHz: frame.frequencyKHz, ssid: Array(elements[name]), elements: elements,
      isFromProbeResponse: false, beaconElements: nil, tsfUs: frame.tsfUs, beaconTSFUs: 0,
      beaconIntervalTU: frame.beaconIntervalTU, capability: capability, signalMBm: frame.signalMBm,
      lastHeardNs: frame.time.wholeNanoseconds, parent: parent)
    entry.take(frame, elements, capability, parent)
    if frame.isProbeResponse, let hidden = hiddenTwin(of: entry) {
      // The kernel links the named entry with the hidden one, whose beacon it then shows beside the probe response.
      entry.beaconElements = hidden.beaconElements
      entry.beaconTSFUs = hidden.beaconTSFUs
    }
    indices[bssid.value, default: []].append(slots.count)
    slots.append(entry)
    heardNs.append(entry.lastHeardNs)
  }

  private func hiddenTwin(of entry: BSSEntry) -> BSSEntry? {
    for index in indices[entry.bssid.value] ?? [] {
      guard let twin = slots[index], twin.frequencyKHz == entry.frequencyKHz, twin.beaconElements != nil else { continue }
      if twin.ssid.allSatisfy({ $0 == 0 }) { return twin }
    }
    return nil
  }

  /// Forgets what was not heard for 30 s (`cfg80211_bss_expire`).
  mutating func expire(at nowNs: Int64) { remove(heardBefore: nowNs - Self.expiryNs) }

  /// Forgets what was not heard since `timeNs`: the flush of a scan.
  mutating func flush(before timeNs: Int64) { remove(heardBefore: timeNs) }

  private mutating func remove(heardBefore timeNs: Int64) {
    guard heardNs.contains(where: { $0 < timeNs }) else { return }
    slots.removeAll { $0.map { $0.lastHeardNs < timeNs } ?? true }
    rebuild()
  }

  private mutating func removeOldest() {
    var oldest: (index: Int, heardNs: Int64)?
    for (index, time) in heardNs.enumerated() where time < oldest?.heardNs ?? .max { oldest = (index, time) }
    guard let oldest, let bssid = slots[oldest.index]?.bssid else { return }
    indices[bssid.value]?.removeAll { $0 == oldest.index }
    expansions[bssid.value << 1] = nil
    expansions[bssid.value << 1 | 1] = nil
    slots[oldest.index] = nil
    heardNs[oldest.index] = .max
    gone += 1
    generation &+= 1
    if gone < Self.limit { return }
    slots.removeAll { $0 == nil }
    rebuild()
  }

  private mutating func rebuild() {
    generation &+= 1
    gone = 0
    heardNs = slots.map { $0?.lastHeardNs ?? .max }
    indices.removeAll(keepingCapacity: true)
    expansions.removeAll(keepingCapacity: true)
    for (index, entry) in slots.enumerated() {
      if let entry { indices[entry.bssid.value, default: []].append(index) }
    }
  }

  /// Where the name stands: the SSID element is the first of every frame that is made here.
  private static func ssidRange(_ elements: [UInt8]) -> Range<Int> {
    var position = 0
    while position + 2 <= elements.count {
      let end = position + 2 + Int(elements[position + 1])
      if end > elements.count { break }
      if elements[position] == 0 { return position + 2..<end }
      position = end
    }
    return 0..<0
  }

  private static func hasMultipleBSSID(_ elements: [UInt8]) -> Bool {
    var position = 0
    while position + 2 <= elements.count {
      if elements[position] == MultipleBSSID.elementID.id { return true }
      position += 2 + Int(elements[position + 1])
    }
    return false
  }
}

extension BSSEntry {
  fileprivate mutating func take(
    _ frame: HeardFrame, _ elements: [UInt8], _ capability: UInt16, _ parent: (bssid: MACAddress, tsfUs: UInt64)?
  ) {
    let time = frame.time.wholeNanoseconds
    if frame.isProbeResponse {
      self.elements = elements
      isFromProbeResponse = true
      tsfUs = frame.tsfUs
    } else {
      beaconElements = elements
      beaconTSFUs = frame.tsfUs
      if !isFromProbeResponse {
        self.elements = elements
        tsfUs = frame.tsfUs
      }
    }
    beaconIntervalTU = frame.beaconIntervalTU
    self.capability = capability
    signalMBm = frame.signalMBm
    lastHeardNs = max(lastHeardNs, time)
    self.parent = parent
  }
}
