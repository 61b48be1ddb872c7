/// Fisher's exact test: whether something happens as often in one series of trials as in another.
///
/// Fisher, *Statistical Methods for Research Workers*, fifth edition, 1934, section 21.02.
public enum FisherExactTest {
  /// The two-sided p-value: the probability of tables that are no likelier than the one observed, the margins given.
  ///
  /// Costs time in proportion to the smaller of the successes and the trials.
  ///
  /// - Precondition: neither number of successes is negative or exceeds its number of trials.
  public static func pValue(_ first: (successes: Int, trials: Int), _ second: (successes: Int, trials: Int)) -> Double {
    precondition(
      (0...first.trials).contains(first.successes) && (0...second.trials).contains(second.successes),
      "FisherExactTest: \(first), \(second)")
    let successes = first.successes + second.successes
    let low = max(0, successes - second.trials)
    let high = min(first.trials, successes)
    // Probabilities relative to that of the table observed: P(x + 1) / P(x) is a ratio of whole numbers.
    func ratio(_ x: Int) -> Double {
      Double(first.trials - x) * Double(successes - x) / (Double(x + 1) * Double(second.trials - successes + x + 1))
    }
    // Equally likely tables differ by rounding alone.
    let limit = 1 + 1e-9
    var (extreme, all) = (1.0, 1.0)
    var relative = 1.0
    for x in first.successes..<max(high, first.successes) {
      relative *= ratio(x)
      all += relative
      if relative <= limit { extreme += relative }
    }
    relative = 1
    for x in stride(from: first.successes - 1, through: low, by: -1) {
      relative /= ratio(x)
      all += relative
      if relative <= limit { extreme += relative }
    }
    return min(extreme / all, 1)
  }
}
