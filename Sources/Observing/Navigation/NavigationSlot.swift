/// One place where something can be presented: how to read what is to be there, and how to write that it went.
struct NavigationSlot {
  let kind: Presentation.Kind
  let name: String
  /// The identities of what is to be shown, the topmost last.
  let ids: () -> [AnyHashable]
  /// What is to be shown at an index.
  let item: (Int) -> Any?
  /// Declares what can lie over it.
  let declare: (Any?, NavigationScope) -> Void
  /// Writes that a user dismissed what is at an index, where it still is what it was.
  let dismissed: (Int, AnyHashable) -> Void

  static func optional<Item, ID: Hashable>(
    _ kind: Presentation.Kind, _ name: String, _ binding: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void
  ) -> NavigationSlot {
    NavigationSlot(
      kind: kind, name: name, ids: { binding.wrappedValue.map { [AnyHashable(id($0))] } ?? [] },
      item: { _ in binding.wrappedValue },
      declare: { item, scope in if let item = item as? Item { declare(item, scope) } },
      dismissed: { _, itemID in
        if let item = binding.wrappedValue, AnyHashable(id(item)) == itemID { binding.wrappedValue = nil }
      })
  }

  static func flag(
    _ kind: Presentation.Kind, _ name: String, _ binding: Binding<Bool>,
    _ declare: @escaping (NavigationScope) -> Void
  ) -> NavigationSlot {
    NavigationSlot(
      kind: kind, name: name, ids: { binding.wrappedValue ? [AnyHashable(true)] : [] }, item: { _ in nil },
      declare: { _, scope in declare(scope) }, dismissed: { _, _ in binding.wrappedValue = false })
  }

  static func stack<Element, ID: Hashable>(
    _ name: String, _ binding: Binding<[Element]>, id: @escaping (Element) -> ID,
    _ declare: @escaping (Element, NavigationScope) -> Void
  ) -> NavigationSlot {
    NavigationSlot(
      kind: .push, name: name, ids: { binding.wrappedValue.map { AnyHashable(id($0)) } },
      item: { index in
        let path = binding.wrappedValue
        return index < path.count ? path[index] : nil
      },
      declare: { item, scope in if let item = item as? Element { declare(item, scope) } },
      dismissed: { index, itemID in
        let path = binding.wrappedValue
        if index < path.count, AnyHashable(id(path[index])) == itemID { binding.wrappedValue = Array(path[..<index]) }
      })
  }
}
