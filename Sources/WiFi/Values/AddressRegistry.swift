/// Who registered which first three bytes of addresses: the list MA-L of the IEEE as text (`oui.txt`).
///
/// Reading it costs time in proportion to its size, some 5 MB; what is kept are places in the bytes.
public struct AddressRegistry: Sendable {
  /// The file of Debian's package `ieee-data`.
  public static let path = "/usr/share/ieee-data/oui.txt"

  private let bytes: [UInt8]
  /// Where the name of each registration begins.
  private var places: [UInt32: Int] = [:]

  /// Reads the text of the list; a line that is no registration is skipped.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    places.reserveCapacity(40_000)
    // `00-00-0C   (hex)\t\tCisco Systems, Inc`
    let mark = Array("(hex)".utf8)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, bytes[end] != 0x0A { end += 1 }
      if end - start > 16, let oui = Self.oui(bytes[start..<(start + 8)]) {
        var place = start + 8
        while place < end, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        if bytes[place..<end].starts(with: mark) {
          place += mark.count
          while place < end, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
          if place < end { places[oui] = place }
        }
      }
      start = end + 1
    }
  }

  /// The number of registrations.
  public var count: Int { places.count }

  /// Who registered the first bytes of an address, safe to print; `nil` if unregistered or locally administered.
  ///
  /// A block that the IEEE divides further has no single registrant.
  public func maker(of address: MACAddress) -> String? {
    guard !address.isLocallyAdministered, let place = places[address.oui] else { return nil }
    var end = place
    while end < bytes.count, bytes[end] != 0x0A, bytes[end] != 0x0D { end += 1 }
    while end > place, bytes[end - 1] == 0x20 { end -= 1 }
    let name = PrintableText.escape(bytes[place..<end])
    return name == "IEEE Registration Authority" || name == "Private" ? nil : name
  }

  /// `00-00-0C` as a number.
  private static func oui(_ text: ArraySlice<UInt8>) -> UInt32? {
    var value: UInt32 = 0
    for (index, byte) in text.enumerated() {
      if index % 3 == 2 {
        guard byte == 0x2D else { return nil }
        continue
      }
      guard let digit = Hex.value(byte) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
