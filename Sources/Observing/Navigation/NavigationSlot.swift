/// One place for presentations: what the state wants, what is shown, and how to write a dismissal.
final class NavigationSlot {
  let kind: Presentation.Kind
  let name: String
  /// The identities of what is to be shown, the topmost last.
  private let ids: () -> [AnyHashable]
  private let itemAt: (Int) -> SlotItem?
  /// Leaves the items before an index.
  private let cut: (Int) -> Void
  private var wanted: [AnyHashable] = []
  private var shown: [AnyHashable] = []

  /// A place for `items`, the topmost last.
  init<Item>(
    _ kind: Presentation.Kind, _ name: String, items: @escaping () -> [Item], cut: @escaping (Int) -> Void,
    _ slotItem: @escaping (Item) -> SlotItem
  ) {
    self.kind = kind
    self.name = name
    self.cut = cut
    ids = { items().map { slotItem($0).id } }
    itemAt = { index in
      let all = items()
      return all.indices.contains(index) ? slotItem(all[index]) : nil
    }
  }

  /// The number that the state wants shown, as of the last ``read()``.
  var wantedCount: Int { wanted.count }
  /// How many are shown.
  var shownCount: Int { shown.count }
  /// How many of those that are shown the state still wants, counted from the bottom.
  func keptCount() -> Int { zip(shown, wanted).prefix { $0 == $1 }.count }

  /// Reads what is to be shown.
  func read() { wanted = ids() }

  /// Marks the wanted one at an index as shown, and returns its identity.
  func show(_ index: Int) -> AnyHashable {
    shown.append(wanted[index])
    return wanted[index]
  }

  /// The one that is to be shown at an index, as the state is now.
  func item(_ index: Int) -> SlotItem? { itemAt(index) }

  /// The question at an index as it is now, where it still is what it was.
  func question(_ index: Int, _ id: AnyHashable) -> Question<Int>? { item(index, id)?.question() }

  /// Whether the one at an index is to be shown still, as the state is now.
  func isWanted(_ index: Int, _ id: AnyHashable) -> Bool { item(index, id) != nil }

  /// Counts the ones from an index on as not shown.
  func takeAway(from index: Int) { if index < shown.count { shown.removeSubrange(index...) } }

  /// Writes that the user dismissed the one at an index, where it still is what it was.
  func dismissed(_ index: Int, _ id: AnyHashable) { if isWanted(index, id) { cut(index) } }

  /// What a button of the question at an index means, where it still is what it was.
  func answer(_ index: Int, _ id: AnyHashable, button: Int) -> (() -> Void)? {
    item(index, id).map { item in { item.answer(button) } }
  }

  private func item(_ index: Int, _ id: AnyHashable) -> SlotItem? { itemAt(index).flatMap { $0.id == id ? $0 : nil } }
}

/// One thing that is to be shown.
struct SlotItem {
  /// Its identity: another one replaces it.
  let id: AnyHashable
  /// What a presenter gets.
  let presented: Any?
  /// Declares what can lie over it.
  var declare: (NavigationScope) -> Void = { _ in }
  /// Reports that it is gone.
  var onDismiss: () -> Void = {}
  /// The question that it is.
  var question: () -> Question<Int>? = { nil }
  /// Does what the button of a number means.
  var answer: (Int) -> Void = { _ in }
}
