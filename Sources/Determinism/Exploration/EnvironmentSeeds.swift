#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A variable of the environment; `nil` where it is not set.
package func environment(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

/// The seeds that the variable `SIMULATED_SEEDS` of the environment gives in the place of those of a test.
package enum EnvironmentSeeds {
  private static let variable = "SIMULATED_SEEDS"

  /// The seeds: of `12`, or of `0..<1000`; `nil` where the variable is not set.
  package static func seeds() throws -> Range<UInt64>? { try environment(variable).map(seeds(of:)) }

  package static func seeds(of text: String) throws -> Range<UInt64> {
    if let seed = UInt64(text), seed < .max { return seed..<seed + 1 }
    if let dots = text.firstRange(of: "..<"), let first = UInt64(text[..<dots.lowerBound]),
      let end = UInt64(text[dots.upperBound...]), first < end
    {
      return first..<end
    }
    throw SeedsError(text: text)
  }

  private struct SeedsError: Error, CustomStringConvertible {
    var text: String
    var description: String { "\(EnvironmentSeeds.variable)=\(text): this is a seed, such as 12, or a range, such as 0..<1000" }
  }

  /// How to run a test again with a seed, by the part of its name that a filter takes.
  package static func repetition(of name: String, seed: UInt64) -> String {
    let pattern = name.map { #"\.[]{}()*+?^$|"#.contains($0) ? "\\\($0)" : "\($0)" }.joined()
    let filter = pattern.split(separator: "'").joined(separator: ".")
    return "Repeat it: \(variable)=\(seed) swift test --filter '\(filter)'"
  }
}
