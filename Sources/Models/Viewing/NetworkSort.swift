/// What the rows of a viewer are sorted by.
public struct NetworkSort: Hashable, Sendable {
  /// A property of networks.
  public enum Criterion: String, Hashable, Sendable, CaseIterable {
    /// The strongest first.
    case signal
    /// By name, upper and lower case being the same.
    case name
    /// By the frequency of the strongest BSS.
    case channel
    /// The weakest protection first, by the weakest that a station may choose.
    case security
    /// As they were found.
    case found
  }

  /// What counts first; equal rows are sorted by name, then by identity.
  public var criterion: Criterion
  /// Whether the order is turned round.
  public var isReversed: Bool

  /// Makes an order from its parts.
  public init(_ criterion: Criterion = .signal, isReversed: Bool = false) {
    self.criterion = criterion
    self.isReversed = isReversed
  }

  /// The order by the next criterion.
  public var next: NetworkSort {
    let all = Criterion.allCases
    let index = all.firstIndex(of: criterion) ?? 0
    return NetworkSort(all[(index + 1) % all.count])
  }
}
