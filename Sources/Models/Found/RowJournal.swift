import WiFi

/// Which rows were touched, in order, as far back as it pays to remember.
///
/// A reader of a list of n rows that missed more than n changes does better to read the whole list, so about that
/// many are kept.
struct RowJournal: Sendable {
  private static var minimum: Int { 64 }

  private var ids: [NetworkID] = []
  private var start = 0

  /// The number of entries so far.
  var end: Int { start + ids.count }

  /// Notes that a row of a list of `count` was touched.
  mutating func append(_ id: NetworkID, count: Int) {
    ids.append(id)
    let kept = max(Self.minimum, count)
    guard ids.count >= 2 * kept else { return }
    start += ids.count - kept
    ids.removeFirst(ids.count - kept)
  }

  /// The entries from number `revision` on, or `nil` where some of them are forgotten.
  func entries(since revision: Int) -> ArraySlice<NetworkID>? { revision < start ? nil : ids[(revision - start)...] }
}
