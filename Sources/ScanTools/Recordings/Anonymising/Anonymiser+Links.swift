import WiFi

extension Anonymiser {
  /// The profiles within, each a list of elements.
  mutating func anonymised(_ set: MultipleBSSID) -> MultipleBSSID {
    var result = set
    Self.zeroSubelements(of: set.subelements, in: &result.subelements)
    for header in ElementWalk(set.subelements, fragmentID: nil) where header.id == 0 {
      result.subelements.overwrite(
        at: header.body.lowerBound, with: anonymised(elements: Array(set.subelements[header.body]), excluding: [MultipleBSSID.elementID]))
    }
    return result
  }

  /// The device and the stations of its links (IEEE 802.11be 9.4.2.322).
  mutating func anonymised(_ multiLink: MultiLink) -> MultiLink {
    var result = multiLink
    guard let basic = multiLink.basic else {
      // Other variants come in requests and answers to them, not in beacons.
      result.commonInfo.zero(from: 0)
      Self.zeroSubelements(of: multiLink.linkInfo, in: &result.linkInfo)
      return result
    }
    addresses.replace(in: &result.commonInfo, at: 0)
    result.commonInfo.zero(from: result.commonInfo.count - basic.trailing.count)
    // Subelement 254 continues the one before.
    var walk = ElementWalk(multiLink.linkInfo, fragmentID: 254)
    while let header = walk.next() {
      var body = header.defragmentedBody(of: multiLink.linkInfo)
      if header.id == 0 { anonymise(profile: &body) } else { body.zero(from: header.id == 221 ? 4 : 0) }
      Self.scatter(body, over: header, in: &result.linkInfo)
    }
    if let rest = walk.rest { result.linkInfo.zero(min(rest.lowerBound + 2, rest.upperBound)..<rest.upperBound) }
    return result
  }

  /// A Per-STA Profile: STA Control, STA Info with its length, then the elements of the station.
  private mutating func anonymise(profile bytes: inout [UInt8]) {
    guard bytes.count >= 3, bytes[2] > 0, 2 + Int(bytes[2]) <= bytes.count else {
      bytes.zero(from: 3)
      return
    }
    let info = Int(bytes[2])
    if bytes[0] & 0x20 != 0, info >= 7 { addresses.replace(in: &bytes, at: 3) }
    let isComplete = bytes[0] & 0x10 != 0 && bytes.count >= 2 + info + 2
    bytes.change(2 + info + (isComplete ? 2 : 0)..<bytes.count) {
      $0 = anonymised(elements: $0, excluding: [MultiLink.elementID, MultipleBSSID.elementID])
    }
  }

  /// Writes a body that was put together of a subelement and its fragments back to where they are.
  private static func scatter(_ body: [UInt8], over header: ElementHeader, in bytes: inout [UInt8]) {
    var rest = body[...]
    var offset = header.offset
    while offset < header.offset + header.size + header.fragmentsSize {
      let length = Int(bytes[offset + 1])
      bytes.overwrite(at: offset + 2, with: rest.prefix(length))
      rest = rest.dropFirst(length)
      offset += 2 + length
    }
  }

  /// The neighbours: addresses, and checksums of names (IEEE 802.11-2020 9.4.2.170).
  mutating func anonymised(_ report: ReducedNeighborReport) -> ReducedNeighborReport {
    var neighbors = report.neighbors
    for index in neighbors.indices {
      let length = neighbors[index].informationLength
      for (position, accessPoint) in neighbors[index].accessPoints.enumerated() {
        let range = position * length..<(position + 1) * length
        neighbors[index].bytes.change(range) { anonymise(accessPoint, in: &$0) }
      }
    }
    return ReducedNeighborReport(neighbors: neighbors)
  }

  private mutating func anonymise(_ accessPoint: ReducedNeighborReport.TBTTInformation, in bytes: inout [UInt8]) {
    if accessPoint.bssid != nil { addresses.replace(in: &bytes, at: 1) }
    if let checksum = accessPoint.shortSSID {
      bytes.overwrite(at: accessPoint.bssid == nil ? 1 : 7, with: ByteWriter.bytes { $0.write(numbers.shortSSID(checksum)) })
    }
    bytes.zero(from: bytes.count - accessPoint.trailing.count)
  }
}
