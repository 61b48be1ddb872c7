import WiFi

/// The evidence that bytes are one 802.11 frame.
enum FrameEvidence {
  /// The bits that a relation between two addresses is worth, or a broadcast address.
  private static let addressBits = 44

  /// Weighs a frame, with its frame check sequence or without.
  static func weigh(_ bytes: [UInt8]) -> ReadingVerdict {
    guard bytes.count >= 10 else { return .impossible("\(bytes.count) bytes, and the shortest frame has 10") }
    let control = FrameControl(UInt16(bytes[0]) | UInt16(bytes[1]) << 8)
    guard control.version == 0 else { return .impossible("protocol version \(control.version), not 0") }
    let hasFCS = FrameCheckSequence.isRight(bytes, in: 0..<bytes.count)
    let content = hasFCS ? Array(bytes.dropLast(FrameCheckSequence.size)) : bytes
    var verdict: ReadingVerdict
    switch control.type {
    case .management: verdict = weighManagement(content, control)
    case .control: verdict = weighControl(content, control)
    case .data: verdict = weighData(content, control)
    case .extension: verdict = weighExtension(content, control)
    }
    if hasFCS, content.count >= 10 {
      var evidence = Evidence(32, "the frame check sequence is right")
      if case .possible(let other) = verdict { evidence.add(other) }
      verdict = .possible(evidence)
    }
    return verdict
  }

  // MARK: Management frames

  private static func weighManagement(_ content: [UInt8], _ control: FrameControl) -> ReadingVerdict {
    guard ![7, 15].contains(control.subtype) else { return .impossible("management frame of the reserved subtype \(control.subtype)") }
    guard control.rawValue & 0x0300 == 0 else { return .impossible("management frame to or from a distribution system") }
    let frame: ManagementFrame
    do throws(WireError) { frame = try ManagementFrame(content) } catch { return .impossible("\(error)") }
    var evidence = Evidence(9, "802.11 management frame of subtype \(control.subtype)")
    if frame.durationUs >= 0x8000 { evidence.add(-6) }
    evidence.add(weighAddresses(frame.receiver, frame.transmitter, frame.bssid))
    switch frame.body {
    case .beacon(let body), .probeResponse(let body):
      evidence.add((1...10_000).contains(body.intervalTU) ? 2 : -4)
    case .action(let body):
      guard body.count >= 1 else { return .impossible("action frame without a category") }
      evidence.add(body[0] & 0x7F <= 40 || body[0] >= 126 ? 1 : -6)
    case .other(10, let body), .other(12, let body):
      if !frame.isOpaque {
        guard body.count >= 2 else { return .impossible("deauthentication or disassociation frame without a reason") }
        let isKnown = body[1] == 0 && body[0] < 80
        evidence.add(isKnown ? 9 : -6, isKnown ? "known reason code" : nil)
      }
    case .other(11, let body):
      if !frame.isOpaque {
        guard body.count >= 6 else { return .impossible("authentication frame of \(body.count) bytes, not 6") }
        let isKnown = body[1] == 0 && body[0] <= 7 && body[3] == 0 && (1...4).contains(body[2])
        evidence.add(isKnown ? 24 : -6, isKnown ? "known authentication algorithm" : nil)
      }
    default: break
    }
    if let elements = frame.elements, !elements.elements.isEmpty || !elements.trailing.isEmpty {
      // The frame is what it is by its header, too: elements that are broken do not speak as much against it.
      let weighed = ElementEvidence.of(elements, in: content)
      evidence.add(max(weighed.bits, -16), weighed.description)
    }
    return .possible(evidence)
  }

  /// What three addresses are worth: of an access point, the second and the third are the same; to it, the first and
  /// the third.
  private static func weighAddresses(_ receiver: MACAddress, _ transmitter: MACAddress, _ bssid: MACAddress) -> Evidence {
    var evidence = Evidence()
    evidence.add(transmitter.bytes[0] & 1 == 0 ? 1 : -8)
    let broadcast = MACAddress(0xFFFF_FFFF_FFFF)
    // Bytes that are all the same are the same everywhere.
    let isUniform = Set(transmitter.bytes).count == 1
    if !isUniform, bssid == transmitter || bssid == receiver { evidence.add(addressBits, "two addresses are the same") }
    if !isUniform, receiver == broadcast || bssid == broadcast { evidence.add(addressBits, "broadcast") }
    return evidence
  }

  // MARK: Control frames

  /// The lengths of control frames by subtype (IEEE 802.11-2020 9.3.1).
  private static let controlLengths: [UInt8: (name: String, length: Int)] = [
    10: ("PS-Poll", 16), 11: ("RTS", 16), 12: ("CTS", 10), 13: ("ACK", 10), 14: ("CF-End", 16), 15: ("CF-End with CF-Ack", 16),
  ]

  private static func weighControl(_ content: [UInt8], _ control: FrameControl) -> ReadingVerdict {
    // Only power management and more data may be set.
    guard control.rawValue & 0xCF00 == 0 else { return .impossible("control frame with flags that none has") }
    if let known = controlLengths[control.subtype] {
      guard content.count == known.length else {
        return .impossible("\(known.name) frame of \(content.count) bytes, not \(known.length)")
      }
      return .possible(Evidence(11, "\(known.name) frame of its length, \(known.length) bytes"))
    }
    guard [2, 4, 5, 7, 8, 9].contains(control.subtype) else {
      return .impossible("control frame of the reserved subtype \(control.subtype)")
    }
    guard content.count >= 17 else { return .impossible("control frame of \(content.count) bytes, too few for subtype \(control.subtype)") }
    return .possible(Evidence(4, "control frame of subtype \(control.subtype)"))
  }

  // MARK: Data frames

  private static func weighData(_ content: [UInt8], _ control: FrameControl) -> ReadingVerdict {
    let isQoS = control.subtype & 8 != 0
    let hasFourAddresses = control.rawValue & 0x0300 == 0x0300
    let header = 24 + (hasFourAddresses ? 6 : 0) + (isQoS ? 2 : 0) + (isQoS && control.hasHTControl ? 4 : 0)
    guard content.count >= header else { return .impossible("data frame of \(content.count) bytes, whose header has \(header)") }
    guard control.subtype != 13 else { return .impossible("data frame of the reserved subtype \(control.subtype)") }
    var evidence = Evidence(5, "802.11 data frame")
    var cursor = ByteCursor(content, in: 4..<content.count)
    guard let first = try? cursor.readMACAddress(), let second = try? cursor.readMACAddress(), let third = try? cursor.readMACAddress()
    else { return .impossible("data frame without its addresses") }
    evidence.add(weighAddresses(first, second, third))
    let body = content[header...]
    if control.subtype & 4 != 0 {
      // No data: nothing stands behind the header.
      guard body.isEmpty else { return .impossible("null data frame with \(body.count) bytes of data") }
      evidence.add(6, "of the length of a null data frame")
    } else if control.isProtected {
      // The byte of the key identifier: Ext IV is set for every cipher but WEP, the rest is reserved.
      guard body.count >= 8 else {
        return .impossible("protected data frame of \(body.count) bytes of data, less than the header of a cipher")
      }
      let key = body[header + 3]
      evidence.add(key & 0x3F == 0x20 ? 5 : -8)
      evidence.add(body[header + 2] == 0 ? 6 : 0)
    } else if body.starts(with: [0xAA, 0xAA, 0x03, 0x00, 0x00]) {
      evidence.add(36, "LLC header")
    } else if body.dropFirst(14).starts(with: [0xAA, 0xAA, 0x03, 0x00, 0x00]) {
      evidence.add(36, "LLC header in an A-MSDU")
    } else {
      evidence.add(-4)
    }
    return .possible(evidence)
  }

  // MARK: Extension frames

  private static func weighExtension(_ content: [UInt8], _ control: FrameControl) -> ReadingVerdict {
    guard control.subtype <= 1 else { return .impossible("extension frame of the reserved subtype \(control.subtype)") }
    let frame: Frame
    do throws(WireError) { frame = try Frame(content) } catch { return .impossible("\(error)") }
    var evidence = Evidence(control.subtype == 0 ? 11 : 5, control.subtype == 0 ? "DMG beacon" : "S1G beacon")
    if let elements = frame.elements, !elements.elements.isEmpty || !elements.trailing.isEmpty {
      evidence.add(ElementEvidence.of(elements, in: content))
    }
    return .possible(evidence)
  }
}
