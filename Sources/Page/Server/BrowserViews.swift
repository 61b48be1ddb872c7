/// The views of browsers by ``PageBrowser/key``: of each that a page follows, and of the last few that no page follows
/// now.
///
/// A view that was closed is made again, as it is at first, when its browser comes back.
package struct BrowserViews<View> {
  /// The most views that are kept while no page follows them, of those with the token and of those without.
  package static var maximumResting: Int { 16 }

  private var entries: [String: (view: View, followerCount: Int)] = [:]
  /// The keys of those that no page follows, the oldest first.
  private var resting: [String] = []

  package init() {}

  /// Every view, in no order.
  package var all: [View] { entries.values.map(\.view) }

  /// The view of a key, where there is one.
  package subscript(key: String) -> View? { entries[key]?.view }

  /// Adds the view of a key that has none.
  package mutating func add(_ view: View, for key: String) { entries[key] = (view, 0) }

  /// A page follows the view of a key from now on.
  package mutating func follows(_ key: String) {
    entries[key]?.followerCount += 1
    resting.removeAll { $0 == key }
  }

  /// A page that followed the view of a key is gone.
  ///
  /// - Returns: the view where no page follows it now, and the oldest one that has to go for it. That of programs
  ///   stays.
  package mutating func left(_ key: String) -> (rests: View?, goes: View?) {
    guard let entry = entries[key] else { return (nil, nil) }
    entries[key]?.followerCount -= 1
    guard entry.followerCount == 1, !key.isEmpty else { return (nil, nil) }
    resting.append(key)
    let alike = resting.filter { $0.first == key.first }
    guard alike.count > Self.maximumResting else { return (entry.view, nil) }
    resting.removeAll { $0 == alike[0] }
    return (entry.view, entries.removeValue(forKey: alike[0])?.view)
  }
}
