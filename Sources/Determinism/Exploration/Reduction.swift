/// What is left out next of many things of which few matter: all, halves, quarters and so on, down to single ones.
package struct Reduction {
  private var count: Int
  private var length: Int
  private var start = 0

  package init(_ count: Int) { (self.count, length) = (count, count) }

  /// The places of those to do without; `nil` where each was tried.
  package mutating func next() -> Range<Int>? {
    while length > 0 {
      if start < count { return start..<min(start + length, count) }
      (start, length) = (0, min(length / 2, count))
    }
    return nil
  }

  /// Goes on, with as many things as are left; `nil` where those that were last named matter.
  package mutating func add(left: Int?) {
    if let left { count = left } else { start += length }
  }
}
