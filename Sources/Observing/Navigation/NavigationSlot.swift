/// One place for presentations: what the state wants, what is shown, and how to write a dismissal.
protocol NavigationSlot: AnyObject {
  var kind: Presentation.Kind { get }
  var name: String { get }
  /// The number that the state wants shown, as of the last ``read()``.
  var wantedCount: Int { get }
  /// How many are shown.
  var shownCount: Int { get }
  /// How many of those that are shown the state still wants, counted from the bottom.
  func keptCount() -> Int

  /// Reads what is to be shown.
  func read()
  /// Marks the wanted one at an index as shown, and returns its identity.
  func show(_ index: Int) -> AnyHashable
  /// The one that is to be shown at an index.
  func item(_ index: Int) -> SlotItem
  /// The question at an index as it is now, where it still is what it was.
  func question(_ index: Int, _ id: AnyHashable) -> Question<Int>?
  /// Whether the one at an index is to be shown still, as the state is now.
  func isWanted(_ index: Int, _ id: AnyHashable) -> Bool
  /// Counts the ones from an index on as not shown.
  func takeAway(from index: Int)
  /// Writes that the user dismissed the one at an index, where it still is what it was.
  func dismissed(_ index: Int, _ id: AnyHashable)
  /// What a button of the question at an index means, where it still is what it was.
  func answer(_ index: Int, _ id: AnyHashable, button: Int) -> (() -> Void)?
}

/// One thing that is to be shown.
struct SlotItem {
  /// What a presenter gets.
  var presented: Any?
  /// Declares what can lie over it.
  var declare: (NavigationScope) -> Void = { _ in }
  /// Reports that it is gone.
  var onDismiss: () -> Void = {}
}
