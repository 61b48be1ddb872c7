import WiFi

extension Anonymiser {
  /// The attributes of Wi-Fi Protected Setup (Wi-Fi Simple Configuration 2.0.8, 12).
  mutating func anonymise(wps bytes: inout [UInt8]) {
    var offset = 0
    for attribute in WPS(bytes: bytes).attributes {
      let range = offset + 4..<offset + 4 + attribute.body.count
      anonymise(wps: attribute.type, range, in: &bytes)
      offset = range.upperBound
    }
    bytes.zero(from: offset + 4)
  }

  private mutating func anonymise(wps type: UInt16, _ range: Range<Int>, in bytes: inout [UInt8]) {
    switch (type, range.count) {
    case (0x1011, _): names.replace(in: &bytes, range, word: "Device")
    case (0x1021, _): names.replace(in: &bytes, range, word: "Maker")
    case (0x1023, _), (0x1024, _): names.replace(in: &bytes, range, word: "Model")
    case (0x1042, _): names.replace(in: &bytes, range, word: "Serial")
    case (0x1047, 16), (0x1048, 16): numbers.replace(in: &bytes, range)
    case (0x1020, 6): addresses.replace(in: &bytes, at: range.lowerBound)
    case (0x1045, 0...SSID.maximumLength): names.replace(in: &bytes, range, word: "Network")
    case (0x1049, 3...): bytes.change(range) { anonymise(wpsExtension: &$0) }
    // States, methods, bands, versions and types of devices.
    case (0x1002, _), (0x1008, _), (0x1009, _), (0x1012, _), (0x103A, _), (0x103B, _), (0x103C, _), (0x1041, _), (0x1044, _),
      (0x104A, _), (0x1053, _), (0x1054, _), (0x1055, _), (0x1057, _), (0x106A, _):
      break
    default: bytes.zero(range)
    }
  }

  /// A vendor's extension: of those of the Wi-Fi Alliance only the addresses that are let in say whose it is.
  private mutating func anonymise(wpsExtension bytes: inout [UInt8]) {
    guard bytes.starts(with: [0x00, 0x37, 0x2A]) else {
      bytes.zero(from: 3)
      return
    }
    let content = Array(bytes.dropFirst(3))
    var walk = ElementWalk(content, fragmentID: nil)
    while let header = walk.next() {
      let range = header.body.lowerBound + 3..<header.body.upperBound + 3
      switch header.id {
      case 0, 2...8: break
      case 1 where header.length % 6 == 0:
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 6) { addresses.replace(in: &bytes, at: start) }
      default: bytes.zero(range)
      }
    }
    if let rest = walk.rest { bytes.zero(from: rest.lowerBound + 5) }
  }

  /// The attributes of Wi-Fi Direct (Wi-Fi Peer-to-Peer 1.9, 4.1).
  mutating func anonymise(p2p bytes: inout [UInt8]) {
    var offset = 0
    for attribute in P2P(bytes: bytes).attributes {
      let range = offset + 3..<offset + 3 + attribute.body.count
      bytes.change(range) { anonymise(p2p: attribute.id, &$0) }
      offset = range.upperBound
    }
    bytes.zero(from: offset + 3)
  }

  private mutating func anonymise(p2p id: UInt8, _ bytes: inout [UInt8]) {
    switch id {
    // Status, capabilities, channels and times.
    case 0, 1, 2, 4, 5, 6, 8, 10, 11, 12, 17, 18: break
    case 3, 7, 9:
      addresses.replace(in: &bytes, at: 0)
      bytes.zero(from: 6)
    case 13: anonymise(p2pDevice: &bytes, secondaryTypesAt: 16)
    case 14: anonymise(p2pClients: &bytes)
    case 15:
      addresses.replace(in: &bytes, at: 0)
      if bytes.count > 6 { names.replace(in: &bytes, 6..<bytes.count, word: "Network") }
    case 16:
      addresses.replace(in: &bytes, at: 0)
      for start in stride(from: 7, to: bytes.count, by: 6) { addresses.replace(in: &bytes, at: start) }
    case 221: bytes.zero(from: 4)
    default: bytes.zero(from: 0)
    }
  }

  /// P2P Device Info: an address, methods, types, and the name as an attribute of Wi-Fi Protected Setup.
  private mutating func anonymise(p2pDevice bytes: inout [UInt8], secondaryTypesAt count: Int) {
    addresses.replace(in: &bytes, at: 0)
    guard bytes.count > count else { return }
    let name = count + 1 + 8 * Int(bytes[count])
    guard bytes.count >= name + 4 else {
      bytes.zero(from: count + 1)
      return
    }
    let length = Int(bytes[name + 2]) << 8 | Int(bytes[name + 3])
    guard bytes.count >= name + 4 + length else {
      bytes.zero(from: name + 4)
      return
    }
    names.replace(in: &bytes, name + 4..<name + 4 + length, word: "Device")
    bytes.zero(from: name + 4 + length)
  }

  /// P2P Group Info: a descriptor of each client, its length in front.
  private mutating func anonymise(p2pClients bytes: inout [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let range = offset + 1..<min(offset + 1 + Int(bytes[offset]), bytes.count)
      bytes.change(range) { client in
        // The address of the device, that of its interface, capabilities, then as Device Info from its methods on.
        addresses.replace(in: &client, at: 6)
        anonymise(p2pDevice: &client, secondaryTypesAt: 23)
      }
      offset = range.upperBound
    }
  }

  /// The attributes of MBO and OCE: capabilities, channels, reasons and capacities stay, addresses and names do not.
  static func anonymise(mbo bytes: inout [UInt8]) {
    let content = bytes
    var walk = ElementWalk(content, fragmentID: nil)
    while let header = walk.next() {
      if (1...8).contains(header.id) || (101...103).contains(header.id) { continue }
      bytes.zero(header.body)
    }
    if let rest = walk.rest { bytes.zero(from: min(rest.lowerBound + 2, rest.upperBound)) }
  }

  /// Replaces the name, and writes zeros where the meaning is unknown; the bytes that lead to the name stay.
  mutating func anonymise(_ body: APName, in bytes: inout [UInt8]) {
    let name = body.nameBytes.startIndex..<body.nameBytes.endIndex
    let old = bytes
    bytes.zero(from: 4)
    switch body.vendor {
    case .alcatelLucent, .cisco, .meter, .mist, .ruckus, .ubiquiti: break
    case .aerohive, .fortinet: bytes.overwrite(at: 4, with: old[4..<7])
    case .aruba: bytes[4] = old[4]
    case .extreme: bytes[11] = old[11]
    case .mikrotik:
      var offset = 6
      while offset + 2 <= old.count, offset < name.lowerBound {
        bytes.overwrite(at: offset, with: old[offset..<offset + 2])
        offset += 2 + Int(old[offset + 1])
      }
    }
    bytes.overwrite(at: name.lowerBound, with: names.name(for: Array(old[name]), word: "AP"))
  }

  /// Replaces the name, and writes zeros where the meaning is unknown; the number of stations stays.
  mutating func anonymise(_ body: CiscoCCX, in bytes: inout [UInt8]) {
    let name = names.name(for: Array(body.nameBytes), word: "AP")
    bytes.zero(from: 0)
    bytes.overwrite(at: 10, with: name)
    bytes[26] = body.clientCount
  }
}
