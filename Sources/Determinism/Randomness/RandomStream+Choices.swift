extension RandomStream {
  /// A number of a range, each equally likely.
  ///
  /// - Precondition: the range is not empty.
  public mutating func next(in range: Range<Int>) -> Int {
    precondition(!range.isEmpty, "RandomStream: an empty range leaves nothing to draw")
    return range.lowerBound &+ Int(truncatingIfNeeded: next(below: Self.distance(range.lowerBound, range.upperBound)))
  }

  /// A number of a range, each equally likely.
  public mutating func next(in range: ClosedRange<Int>) -> Int {
    let distance = Self.distance(range.lowerBound, range.upperBound)
    return range.lowerBound &+ Int(truncatingIfNeeded: distance == .max ? next() : next(below: distance + 1))
  }

  /// How far the second number is above the first, which may be more than the largest `Int`.
  private static func distance(_ low: Int, _ high: Int) -> UInt64 { UInt64(UInt(bitPattern: high &- low)) }

  /// One of several things, each equally likely.
  ///
  /// - Precondition: there is at least one.
  public mutating func pick<Choices: RandomAccessCollection>(_ choices: Choices) -> Choices.Element {
    precondition(!choices.isEmpty, "RandomStream: nothing to pick from")
    return choices[choices.index(choices.startIndex, offsetBy: Int(next(below: UInt64(choices.count))))]
  }

  /// The place of one of several weights, each as likely as its share of their sum.
  ///
  /// - Precondition: the sum is not zero.
  package mutating func pick(weights: some Sequence<UInt64>) -> Int {
    var rest = next(below: weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    preconditionFailure("RandomStream: weights that are not the same twice")
  }

  /// Puts things into an order, each equally likely (Fisher and Yates, from the end; Durstenfeld 1964).
  package mutating func shuffle<Element>(_ things: inout [Element]) {
    for index in stride(from: things.count - 1, to: 0, by: -1) { things.swapAt(index, Int(next(below: UInt64(index + 1)))) }
  }
}
