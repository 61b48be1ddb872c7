import WiFi

/// What the kernel remembers of one BSS (`struct cfg80211_internal_bss`).
struct BSSEntry {
  let bssid: MACAddress
  let frequencyKHz: UInt32
  /// The bytes of the SSID element, or `nil` where there is none: cfg80211 takes another name for another BSS.
  let name: [UInt8]?
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
  /// Its number: how many were remembered before it.
  fileprivate let serial: UInt64
  /// The number of the BSS whose beacons hide the name that its probe responses give
  /// (`hidden_beacon_bss`).
  fileprivate var hiddenBeacon: UInt64?

  /// The bytes of its SSID, none where there is no such element.
  var ssid: [UInt8] { name ?? [] }
}

/// The BSSs that one adapter heard (`rdev->bss_list`), in the order they were first heard.
///
/// As in `net/wireless/scan.c` of Linux 6.1, whose functions are named where something is done as there.
struct BSSTable {
  /// The BSSs, with places of those that made room for others, which are skipped.
  private var slots: [BSSEntry?] = []
  /// When each was heard last, in ns since boot; for a place without a BSS never again.
  private var heardNs: [Int64] = []
  private var gone = 0
  private var serial: UInt64 = 0
  /// The channels of the adapter, in kHz, and whether each may be used.
  private let channels: [UInt32: Bool]

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

  /// An empty table of an adapter with these channels.
  init(_ channels: [SimulatedChannel] = []) {
    self.channels = Dictionary(channels.map { ($0.frequencyKHz, !$0.isDisabled) }) { first, _ in first }
  }

  /// Takes over a frame, and what it says of BSSs that send no beacons of their own.
  mutating func hear(_ frame: HeardFrame) {
    let summary = ElementSummary(frame.elements)
    guard update(frame, elements: frame.elements, summary, bssid: frame.bssid, capability: frame.capability) else { return }
    guard summary.hasMultipleBSSID else { return }
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
      let summary = ElementSummary(bss.elements)
      // One without a name is not kept (cfg80211_add_nontrans_list).
      guard summary.name != nil, update(frame, elements: bss.elements, summary, bssid: bss.bssid, capability: bss.capability) else {
        return
      }
    }
  }

  /// Takes over what a frame says of one BSS, as `cfg80211_bss_update` does: a probe response is kept before a beacon,
  /// a beacon beside it.
  ///
  /// Returns whether it was taken over.
  private mutating func update(
    _ frame: HeardFrame, elements: [UInt8], _ summary: ElementSummary, bssid: MACAddress, capability: UInt16
  ) -> Bool {
    guard let frequencyKHz = frequencyKHz(of: summary, heardAt: frame.frequencyKHz) else { return false }
    for index in indices[bssid.value] ?? [] {
      guard let entry = slots[index], entry.frequencyKHz == frequencyKHz, entry.hasName(summary, in: elements) else { continue }
      // Beacons that begin to give the name that they hid are skipped (cfg80211_update_known_bss).
      if !frame.isProbeResponse, entry.hiddenBeacon != nil { return false }
      slots[index]?.take(frame, elements, capability, isOnItsChannel: frequencyKHz == frame.frequencyKHz)
      heardNs[index] = max(heardNs[index], frame.time.wholeNanoseconds)
      if !frame.isProbeResponse { shareBeacon(of: entry.serial, elements, frame.tsfUs, bssid) }
      generation &+= 1
      return true
    }
    var entry = BSSEntry(
      bssid: bssid, frequencyKHz: frequencyKHz, name: summary.name.map { Array(elements[$0]) }, elements: elements,
      isFromProbeResponse: false, beaconElements: nil, tsfUs: frame.tsfUs, beaconTSFUs: 0,
      beaconIntervalTU: frame.beaconIntervalTU, capability: capability, signalMBm: frame.signalMBm,
      lastHeardNs: frame.time.wholeNanoseconds, serial: serial)
    serial += 1
    entry.take(frame, elements, capability, isOnItsChannel: true)
    if frame.isProbeResponse { joinHiddenBeacon(&entry) } else { takeNamed(by: entry) }
    if count >= Self.limit { removeOldest() }
    indices[bssid.value, default: []].append(slots.count)
    slots.append(entry)
    heardNs.append(entry.lastHeardNs)
    generation &+= 1
    return true
  }

  /// The channel that the elements announce, where the adapter has it, as `cfg80211_get_bss_channel` does.
  ///
  /// Beacons are heard on channels beside theirs, too. `nil` where the frame is skipped.
  private func frequencyKHz(of summary: ElementSummary, heardAt frequencyKHz: UInt32) -> UInt32? {
    guard let number = summary.channel, let band = Band(frequencyKHz: Int(frequencyKHz)), band == .ghz2_4 || band == .ghz5 else {
      return frequencyKHz
    }
    guard let announced = band.frequencyKHz(channel: Int(number)).map({ UInt32($0) }), announced != frequencyKHz else {
      return band.frequencyKHz(channel: Int(number)) == nil && band == .ghz2_4 ? nil : frequencyKHz
    }
    guard let isAllowed = channels[announced] else { return band == .ghz2_4 ? nil : frequencyKHz }
    return isAllowed ? announced : nil
  }

  // MARK: Names that beacons keep to themselves

  /// Links an entry that a probe response names with the one whose beacons do not, and takes over those
  /// (`cfg80211_bss_update`).
  private func joinHiddenBeacon(_ entry: inout BSSEntry) {
    guard let name = entry.name else { return }
    let places = indices[entry.bssid.value] ?? []
    func hidden(_ length: Int) -> BSSEntry? {
      places.lazy.compactMap { slots[$0] }
        .first { $0.frequencyKHz == entry.frequencyKHz && $0.name?.count == length && $0.isNameHidden }
    }
    guard let beacon = hidden(0) ?? hidden(name.count), let elements = beacon.beaconElements else { return }
    entry.hiddenBeacon = beacon.serial
    entry.beaconElements = elements
    entry.beaconTSFUs = beacon.beaconTSFUs
  }

  /// Links entries that probe responses named with a new one whose beacons do not (`cfg80211_combine_bsses`).
  private mutating func takeNamed(by beacon: BSSEntry) {
    guard beacon.isNameHidden, let length = beacon.name?.count else { return }
    for index in indices[beacon.bssid.value] ?? [] {
      guard let other = slots[index], other.frequencyKHz == beacon.frequencyKHz, other.beaconElements == nil else { continue }
      guard let name = other.name, length == 0 || name.count == length else { continue }
      slots[index]?.hiddenBeacon = beacon.serial
      slots[index]?.beaconElements = beacon.beaconElements
      slots[index]?.beaconTSFUs = beacon.beaconTSFUs
    }
  }

  /// Gives the beacon of an entry to those that it is linked with (`cfg80211_update_hidden_bsses`).
  private mutating func shareBeacon(of serial: UInt64, _ elements: [UInt8], _ tsfUs: UInt64, _ bssid: MACAddress) {
    guard let places = indices[bssid.value], places.count > 1 else { return }
    for index in places where slots[index]?.hiddenBeacon == serial {
      slots[index]?.beaconElements = elements
      slots[index]?.beaconTSFUs = tsfUs
    }
  }

  /// Whether others are linked with an entry: then it stays as long as they (`__cfg80211_unlink_bss`).
  private func isShared(_ entry: BSSEntry) -> Bool {
    guard let places = indices[entry.bssid.value], places.count > 1 else { return false }
    return places.contains { slots[$0]?.hiddenBeacon == entry.serial }
  }

  // MARK: Forgetting

  /// Forgets what was not heard for 30 s (`cfg80211_bss_expire`).
  mutating func expire(at nowNs: Int64) { flush(before: nowNs - Self.expiryNs) }

  /// Forgets what was not heard since `timeNs`: the flush of a scan.
  mutating func flush(before timeNs: Int64) {
    var isChanged = false
    for index in heardNs.indices where heardNs[index] < timeNs {
      guard let entry = slots[index], !isShared(entry) else { continue }
      forget(index, entry)
      isChanged = true
    }
    if isChanged {
      generation &+= 1
      compact()
    }
  }

  /// As `cfg80211_bss_expire_oldest`: of several that were heard at one time, the last of the list.
  private mutating func removeOldest() {
    var oldest: (index: Int, heardNs: Int64)?
    for (index, time) in heardNs.enumerated() where time <= oldest?.heardNs ?? .max {
      if let entry = slots[index], !isShared(entry) { oldest = (index, time) }
    }
    guard let oldest, let entry = slots[oldest.index] else { return }
    forget(oldest.index, entry)
    expansions[entry.bssid.value << 1] = nil
    expansions[entry.bssid.value << 1 | 1] = nil
    if gone >= Self.limit { compact() }
  }

  private mutating func forget(_ index: Int, _ entry: BSSEntry) {
    indices[entry.bssid.value]?.removeAll { $0 == index }
    slots[index] = nil
    heardNs[index] = .max
    gone += 1
  }

  /// Closes the places of those that are gone.
  private mutating func compact() {
    slots.removeAll { $0 == nil }
    gone = 0
    heardNs = slots.map { $0?.lastHeardNs ?? .max }
    indices.removeAll(keepingCapacity: true)
    expansions.removeAll(keepingCapacity: true)
    for (index, entry) in slots.enumerated() {
      if let entry { indices[entry.bssid.value, default: []].append(index) }
    }
  }
}

/// What the kernel looks for in a list of elements, which may end in the middle of one.
private struct ElementSummary {
  /// Where the bytes of the first SSID element stand.
  private(set) var name: Range<Int>?
  /// The channel that DSSS Parameter Set or else HT Operation announces (`cfg80211_get_ies_channel_number`).
  private(set) var channel: UInt8?
  private(set) var hasMultipleBSSID = false

  init(_ elements: [UInt8]) {
    var (hasDSSS, hasHTOperation) = (false, false)
    var position = 0
    while position + 2 <= elements.count {
      let start = position + 2
      let end = start + Int(elements[position + 1])
      if end > elements.count { break }
      switch elements[position] {
      case 0: if name == nil { name = start..<end }
      case 3 where !hasDSSS:
        hasDSSS = true
        if end == start + 1 { channel = elements[start] }
      case 61 where !hasHTOperation:
        hasHTOperation = true
        // DSSS Parameter Set stands before it wherever both are sent, but need not.
        if end - start >= 22, channel == nil { channel = elements[start] }
      case 71: hasMultipleBSSID = true
      default: break
      }
      position = end
    }
  }
}

extension BSSEntry {
  /// Whether the SSID hides the name: it is empty or of zeros.
  fileprivate var isNameHidden: Bool { name?.allSatisfy { $0 == 0 } ?? false }

  fileprivate func hasName(_ summary: ElementSummary, in elements: [UInt8]) -> Bool {
    guard let range = summary.name else { return name == nil }
    return name?.elementsEqual(elements[range]) ?? false
  }

  /// As `cfg80211_update_known_bss`; the strength is not taken from a channel beside its own.
  fileprivate mutating func take(_ frame: HeardFrame, _ elements: [UInt8], _ capability: UInt16, isOnItsChannel: Bool) {
    if frame.isProbeResponse { isFromProbeResponse = true } else { (beaconElements, beaconTSFUs) = (elements, frame.tsfUs) }
    if frame.isProbeResponse == isFromProbeResponse { (self.elements, tsfUs) = (elements, frame.tsfUs) }
    beaconIntervalTU = frame.beaconIntervalTU
    self.capability = capability
    if isOnItsChannel { signalMBm = frame.signalMBm }
    lastHeardNs = max(lastHeardNs, frame.time.wholeNanoseconds)
  }
}
