import WiFi

/// The secret that lets a page change something.
public struct PageToken: Sendable {
  private let bytes: [UInt8]

  /// Makes a token of random bytes.
  ///
  /// - Precondition: there are at least 16.
  public init(random bytes: [UInt8]) {
    precondition(bytes.count >= 16, "PageToken: \(bytes.count) bytes can be guessed")
    self.bytes = bytes
  }

  /// The token as it stands in a link: hexadecimal digits.
  public var text: String { Hex.string(bytes) }

  /// Whether `text` is the token, in digits of either case; takes as long for a wrong one as for the right one.
  func matches(_ text: String) -> Bool {
    let (mine, other) = (Array(self.text.utf8), Array(text.lowercased().utf8))
    var difference = mine.count ^ other.count
    // Every byte of the token is looked at, whatever was given.
    for (index, byte) in mine.enumerated() { difference |= Int(byte ^ (index < other.count ? other[index] : ~byte)) }
    return difference == 0
  }
}
