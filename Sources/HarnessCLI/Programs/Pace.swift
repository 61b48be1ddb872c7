import ArgumentParser

/// How the time of a simulated kernel advances while a program uses it.
enum Pace: Hashable, Sendable, ExpressibleByArgument {
  /// As outside.
  case real
  /// So many times as fast, for the clocks of the program, too.
  case scaled(Int64)
  /// It jumps whenever every process of the program waits.
  case virtual

  /// Reads `real`, `virtual` or a factor such as `20x` or `20`.
  init?(argument: String) {
    switch argument {
    case "real": self = .real
    case "virtual": self = .virtual
    default:
      let number = argument.hasSuffix("x") ? argument.dropLast() : argument[...]
      guard let factor = Int64(number), (1...1000).contains(factor) else { return nil }
      self = factor == 1 ? .real : .scaled(factor)
    }
  }

  /// The number in the page with the time (`enum pace`).
  var number: UInt32 {
    switch self {
    case .real: 0
    case .scaled: 1
    case .virtual: 2
    }
  }
}
