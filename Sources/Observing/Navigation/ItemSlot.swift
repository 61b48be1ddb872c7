final class ItemSlot<Item, ID: Hashable>: NavigationSlot {
  /// How the state is read and written, and what is declared for it.
  struct Parts {
    /// What is to be shown, the topmost last.
    var items: () -> [Item]
    var id: (Item) -> ID
    /// Leaves the items before an index.
    var cut: (Int) -> Void
    /// What a presenter gets.
    var presented: (Item) -> Any? = { $0 }
    var declare: (Item, NavigationScope) -> Void = { _, _ in }
    var onDismiss: (Item) -> Void = { _ in }
    var question: (Item) -> Question<Int>? = { _ in nil }
    /// What the button of a question means.
    var answer: (Item, Int) -> Void = { _, _ in }
  }

  let kind: Presentation.Kind
  let name: String
  private let parts: Parts
  private var wanted: [ID] = []
  private var shown: [ID] = []

  init(_ kind: Presentation.Kind, _ name: String, _ parts: Parts) {
    self.kind = kind
    self.name = name
    self.parts = parts
  }

  var wantedCount: Int { wanted.count }
  var shownCount: Int { shown.count }

  func keptCount() -> Int {
    var count = 0
    while count < shown.count, count < wanted.count, shown[count] == wanted[count] { count += 1 }
    return count
  }

  func read() { wanted = parts.items().map(parts.id) }

  func show(_ index: Int) -> AnyHashable {
    shown.append(wanted[index])
    return AnyHashable(wanted[index])
  }

  func item(_ index: Int) -> SlotItem {
    let items = parts.items()
    guard items.indices.contains(index) else { return SlotItem() }
    let (item, parts) = (items[index], parts)
    return SlotItem(
      presented: parts.presented(item), declare: { parts.declare(item, $0) }, onDismiss: { parts.onDismiss(item) })
  }

  func question(_ index: Int, _ id: AnyHashable) -> Question<Int>? { item(index, id).flatMap(parts.question) }

  func isWanted(_ index: Int, _ id: AnyHashable) -> Bool { item(index, id) != nil }

  func takeAway(from index: Int) { if index < shown.count { shown.removeSubrange(index...) } }

  func dismissed(_ index: Int, _ id: AnyHashable) { if item(index, id) != nil { parts.cut(index) } }

  func answer(_ index: Int, _ id: AnyHashable, button: Int) -> (() -> Void)? {
    item(index, id).map { [parts] item in { parts.answer(item, button) } }
  }

  private func item(_ index: Int, _ id: AnyHashable) -> Item? {
    let items = parts.items()
    return items.indices.contains(index) && AnyHashable(parts.id(items[index])) == id ? items[index] : nil
  }
}

extension ItemSlot.Parts {
  /// One while there is an item.
  static func optional(_ binding: Binding<Item?>, id: @escaping (Item) -> ID) -> Self {
    Self(items: { binding.wrappedValue.map { [$0] } ?? [] }, id: id, cut: { _ in binding.wrappedValue = nil })
  }

  /// One while a flag is set.
  static func flag(_ binding: Binding<Bool>) -> Self where Item == Bool, ID == Bool {
    Self(
      items: { binding.wrappedValue ? [true] : [] }, id: { $0 }, cut: { _ in binding.wrappedValue = false },
      presented: { _ in nil })
  }

  /// One for each element of a path.
  static func path(_ binding: Binding<[Item]>, id: @escaping (Item) -> ID) -> Self {
    Self(
      items: { binding.wrappedValue }, id: id, cut: { index in binding.wrappedValue = Array(binding.wrappedValue[..<index]) })
  }
}
