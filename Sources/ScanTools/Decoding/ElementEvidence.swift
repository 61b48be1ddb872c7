import Determinism
import WiFi

/// The evidence that bytes are information elements.
///
/// For each element: whether its number is one that is sent often, how many lengths its body may have, how many random
/// bodies could be read, and of some whether the content is usual. An element that is not known or cannot be read
/// speaks against.
struct ElementEvidence {
  /// The elements that most frames have, as Element IDs.
  private static let common: Set<UInt8> = [
    1, 3, 5, 7, 11, 32, 33, 35, 42, 45, 46, 48, 50, 54, 59, 61, 70, 71, 74, 107, 127, 191, 192, 195, 201, 221, 244, 255,
  ]

  /// The elements that a frame may have several of.
  private static let repeatable: Set<UInt8> = [51, 52, 56, 71, 221, 242, 255]

  /// How many elements are weighed, and within which bits: what is more cannot tip the scales.
  private static let maximumCount = 48
  private static let weighed = -40...200

  private let bytes: [UInt8]
  private var evidence = Evidence()
  private var lengths: [ElementID: Int] = [:]

  /// The evidence for `list`, which was read from `bytes`.
  static func of(_ list: ElementList, in bytes: [UInt8]) -> Evidence {
    var weigher = ElementEvidence(bytes: bytes)
    weigher.weigh(list)
    return weigher.evidence
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func weigh(_ list: ElementList) {
    var seen: Set<ElementID> = []
    let elements = list.elements.prefix(Self.maximumCount)
    for (index, element) in elements.enumerated() where Self.weighed.contains(evidence.bits) {
      let isLast = index == list.elements.count - 1 && list.trailing.isEmpty
      if !seen.insert(element.id).inserted, !Self.repeatable.contains(element.id.id) {
        evidence.add(-6)
      } else {
        evidence.add(bits(of: element, isFirst: index == 0, isLast: isLast))
      }
    }
    let bad = list.elements.count { Self.isUnknown($0.value) }
    let what = list.elements.count.counted("element")
    if list.trailing.isEmpty {
      evidence.reasons.append(
        "\(what) whose lengths add up to \(bytes.count) bytes" + (bad == 0 ? "" : ", \(bad) of them unknown or malformed"))
    } else {
      let cut = list.complaints.last
      // Lengths that do not add up need more to be believed, the more so where the rest is doubtful, too.
      evidence.add(
        4 * bad > list.elements.count ? -100 : -4,
        "\(what), and one at byte \(cut?.offset ?? 0) that declares \(cut?.declared ?? 0) bytes where "
          + "\(cut?.available ?? 0) are left" + (bad == 0 ? "" : ", \(bad) of them unknown or malformed"))
    }
  }

  /// Whether an element cannot be read, or has a number that the standard gives to none (IEEE 802.11-2020 table 9-92).
  private static func isUnknown(_ value: ElementValue) -> Bool {
    switch value {
    case .malformed: return true
    case .other(let id, _):
      if let number = id.extensionID { return number > 140 }
      switch id.id {
      case 8, 9, 17...31, 128...136, 138, 245...254: return true
      default: return false
      }
    default: return false
    }
  }

  private mutating func bits(of element: Element, isFirst: Bool, isLast: Bool) -> Int {
    if Self.isUnknown(element.value) { return isLast ? 0 : -6 }
    if case .other = element.value { return isLast ? 7 : -1 }
    // The number of the element: of those that are sent often, some thirty; of the others, any.
    var bits = element.id.id == 0 ? (isFirst ? 7 : 0) : Self.common.contains(element.id.id) ? 3 : 0
    if element.id.extensionID != nil { bits += 3 }
    // The length of the last element is what is left, in one of 256 random inputs.
    bits += isLast ? 8 : 8 - Evidence.bits(of: allowedLengths(of: element))
    return bits + contentBits(of: element)
  }

  /// What the body of an element is worth.
  private func contentBits(of element: Element) -> Int {
    let body = bytes[element.range].dropFirst(element.id.extensionID == nil ? 2 : 3)
    switch element.value {
    case .ssid(let value):
      let text = String(validating: value.ssid.bytes, as: UTF8.self)
      let isText = text.map { !$0.unicodeScalars.contains(where: PrintableText.mustEscape) } ?? false
      return isText ? min(body.count, 16) : 0
    case .supportedRates, .extendedSupportedRates:
      // 1 to 54 Mb/s, and the selectors of membership (IEEE 802.11-2020 9.4.2.3).
      // Each is there once, so that many of the same say nothing.
      let rates = Set(body).count { [2, 4, 11, 12, 18, 22, 24, 36, 48, 72, 96, 108].contains($0 & 0x7F) || $0 >= 0xFA }
      return max(4 * (2 * rates - body.count), -40)
    case .rsn: return body.starts(with: [1, 0, 0x00, 0x0F, 0xAC]) ? 36 : body.starts(with: [1, 0]) ? 12 : -6
    case .country: return body.prefix(2).allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ? 6 : -6
    case .vendor:
      // The first byte of an OUI has neither the group bit nor, in most, the local bit.
      return body.count >= 3 && body.first.map { $0 & 3 == 0 } ?? false ? 2 : -4
    case _ where element.id.id == 221: return 20
    case .dsssParameterSet, .erp, .powerConstraint, .tpcReport, .fragment, .other: return 0
    default: return structureBits(of: element, body)
    }
  }

  /// What it is worth that a body could be read: how few random ones of its length can be.
  private func structureBits(of element: Element, _ body: ArraySlice<UInt8>) -> Int {
    var generator = SplitMix64(state: UInt64(element.id.code) &+ UInt64(body.count) << 16)
    var readable = 0
    for _ in 0..<15 {
      let random = body.map { _ in UInt8(truncatingIfNeeded: generator.next() >> 40) }
      if canRead(element.id, random) { readable += 1 }
    }
    return 4 - Evidence.bits(of: readable + 1)
  }

  /// How many lengths the body of an element could have, at least 1.
  private mutating func allowedLengths(of element: Element) -> Int {
    switch element.value {
    case .ssid: return 33
    case .supportedRates: return 8
    case .vendor, .other, .extendedSupportedRates, .extendedCapabilities: return 256
    default: break
    }
    if let known = lengths[element.id] { return known }
    let skipped = element.id.extensionID == nil ? 2 : 3
    let body = Array(bytes[element.range].dropFirst(skipped))
    var count = 0
    for length in 0...(257 - skipped) {
      // Long ones are counted by samples.
      let weight = length < 64 ? 1 : 16
      guard length < 64 || length % 16 == 0 else { continue }
      let sample = Array(body.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - body.count))
      if canRead(element.id, sample) { count += weight }
    }
    lengths[element.id] = max(count, 1)
    return max(count, 1)
  }

  private func canRead(_ id: ElementID, _ body: [UInt8]) -> Bool {
    let header = [id.id, UInt8(clamping: body.count + (id.extensionID == nil ? 0 : 1))] + (id.extensionID.map { [$0] } ?? [])
    return ElementList(parsing: header + body).complaints.isEmpty
  }
}
