import ArgumentParser

/// Work on several things at once.
enum Concurrently {
  /// Refuses a number of jobs that is too large, or none.
  static func check(jobs: Int?) throws(ValidationError) {
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024.") }
  }

  /// Works on `items`, `jobs` at a time, and hands over each result as it comes, with the place of its item.
  ///
  /// An item is asked for when it is worked on. Where one throws, nothing is begun any more, and what runs is waited
  /// for.
  ///
  /// - Parameter take: returns whether to go on; after `false` nothing is begun, and what runs is still handed over.
  static func each<Items: Sequence, Result: Sendable>(
    _ items: Items, jobs: Int, _ work: @escaping @Sendable @concurrent (Items.Element) async throws -> Result,
    _ take: (_ place: Int, Result) throws -> Bool
  ) async throws where Items.Element: Sendable {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var rest = items.enumerated().makeIterator()
      var isOver = false
      func begin() {
        guard !isOver, let (place, item) = rest.next() else { return }
        group.addTask { (place, try await work(item)) }
      }
      for _ in 0..<jobs { begin() }
      while let (place, result) = try await group.next() {
        if try take(place, result) { begin() } else { isOver = true }
      }
    }
  }
}
