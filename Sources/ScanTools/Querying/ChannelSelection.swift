public import WiFi

/// Channels as a user names them: a number, a range of numbers, or a frequency in MHz.
///
/// A number means the channel of that number on every band that has one.
public struct ChannelSelection: Hashable, Sendable {
  private enum Item: Hashable, Sendable {
    case numbers(ClosedRange<Int>)
    case frequencyMHz(Int)
  }

  /// The least number that is a frequency: no channel has it.
  private static let leastMHz = 700

  private let item: Item

  /// Reads `36`, `1-11` or `5180`; `nil` for anything else.
  public init?(_ text: some StringProtocol) {
    func number(_ text: some StringProtocol) -> Int? {
      !text.isEmpty && text.utf8.count <= 5 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    switch ends.count {
    case 1:
      guard let value = number(ends[0]), value > 0 else { return nil }
      item = value < Self.leastMHz ? .numbers(value...value) : .frequencyMHz(value)
    case 2:
      guard let first = number(ends[0]), let last = number(ends[1]), first > 0, first <= last, last < Self.leastMHz else { return nil }
      item = .numbers(first...last)
    default: return nil
    }
  }

  /// Whether it is a frequency, and so means one channel on one band.
  public var isFrequency: Bool { if case .frequencyMHz = item { true } else { false } }

  /// Whether a primary channel is meant.
  public func contains(frequencyKHz: Int) -> Bool {
    switch item {
    case .numbers(let numbers): Band(frequencyKHz: frequencyKHz)?.channel(frequencyKHz: frequencyKHz).map(numbers.contains) ?? false
    case .frequencyMHz(let megahertz): frequencyKHz / 1000 == megahertz
    }
  }
}

extension Band {
  /// Reads a band as users write it: `2.4`, `2`, `5`, `5GHz`, `5 ghz`; `nil` for anything else.
  public init?(typed text: some StringProtocol) {
    var name = text.lowercased()
    if name.hasSuffix("ghz") { name.removeLast(3) }
    while name.last == " " { name.removeLast() }
    switch name {
    case "2.4", "2": self = .ghz2_4
    case "5": self = .ghz5
    case "6": self = .ghz6
    case "60": self = .ghz60
    case "s1g": self = .s1g
    default: return nil
    }
  }
}
