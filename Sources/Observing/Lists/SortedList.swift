/// A list in the order of keys, which says of each change what it is to a reader of the list.
///
/// For a list that changes element by element and may be long: a change costs time in proportion to the logarithm of
/// the number of elements, and nothing is compared but the element itself.
///
/// ```swift
/// var list = SortedList<Int, Row>()
/// for change in list.set(row, at: row.rank) { view.apply(change) }
/// ```
public struct SortedList<Key: Comparable, Element: Identifiable & Equatable> {
  @usableFromInline struct Place: Comparable {
    @usableFromInline var key: Key
    @usableFromInline var id: Element.ID

    @inlinable init(key: Key, id: Element.ID) { (self.key, self.id) = (key, id) }

    @inlinable static func == (left: Self, right: Self) -> Bool { left.key == right.key }
    @inlinable static func < (left: Self, right: Self) -> Bool { left.key < right.key }
  }

  @usableFromInline var order = SortedRows<Place>()
  @usableFromInline var elements: [Element.ID: (key: Key, element: Element)] = [:]

  /// A list without elements.
  @inlinable public init() {}

  /// The identities, in order.
  @inlinable public var ids: [Element.ID] { order.map(\.id) }

  /// The number of elements.
  @inlinable public var count: Int { order.count }

  /// Brings an element to the place of a key: it comes, or has another place, another content, or both.
  ///
  /// - Precondition: no other element has this key.
  @inlinable public mutating func set(_ element: Element, at key: Key) -> [ListChange<Element>] {
    let place = Place(key: key, id: element.id)
    guard let old = elements.updateValue((key, element), forKey: element.id) else {
      return [.insert(element, before: order.insert(place)?.id)]
    }
    var changes: [ListChange<Element>] = []
    if old.key != key {
      let oldPlace = Place(key: old.key, id: element.id)
      let stoodBefore = order.next(after: oldPlace)
      order.remove(oldPlace)
      let next = order.insert(place)
      if next != stoodBefore { changes.append(.move(element.id, before: next?.id)) }
    }
    if old.element != element { changes.append(.update(element)) }
    return changes
  }

  /// Takes an element out; `nil` where it is not there.
  @inlinable public mutating func remove(_ id: Element.ID) -> ListChange<Element>? {
    guard let old = elements.removeValue(forKey: id) else { return nil }
    order.remove(Place(key: old.key, id: id))
    return .remove(id)
  }
}
