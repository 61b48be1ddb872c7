/// One difference between a list and the next: to be applied in order, one by one.
///
/// Identity and content are apart: a row whose content changes is updated where it is, and one that changes its place
/// is moved, so neither is removed and inserted.
public enum ListChange<Element: Identifiable> {
  /// An element came: in front of another, or at the end.
  case insert(Element, before: Element.ID?)
  /// An element went.
  case remove(Element.ID)
  /// An element changed its place: it stands in front of another now, or at the end.
  case move(Element.ID, before: Element.ID?)
  /// An element has another content, and stays where it is.
  case update(Element)
}

extension ListChange: Equatable where Element: Equatable {}
extension ListChange: Sendable where Element: Sendable, Element.ID: Sendable {}

extension Array where Element: Identifiable {
  /// Applies one difference; costs time in proportion to the length.
  ///
  /// - Precondition: the elements that it names are there.
  public mutating func apply(_ change: ListChange<Element>) {
    switch change {
    case .insert(let element, let before): insert(element, at: before.map(place) ?? endIndex)
    case .remove(let id): remove(at: place(of: id))
    case .move(let id, let before):
      let element = remove(at: place(of: id))
      insert(element, at: before.map(place) ?? endIndex)
    case .update(let element): self[place(of: element.id)] = element
    }
  }

  private func place(of id: Element.ID) -> Int {
    guard let index = firstIndex(where: { $0.id == id }) else { preconditionFailure("ListChange: there is no \(id)") }
    return index
  }
}

extension Array where Element: Identifiable & Equatable {
  /// The fewest insertions, removals, moves and updates that lead here from an earlier list.
  ///
  /// Costs one comparison for each element of the ends that both lists have in common, and between them time in
  /// proportion to n · log n. A list that is kept in the order of keys does better with a ``SortedList``, which need
  /// not be compared as a whole.
  ///
  /// - Precondition: no two elements of a list have one identity.
  public func changes(since old: [Element]) -> [ListChange<Element>] {
    let most = Swift.min(count, old.count)
    var (head, tail) = (0, 0)
    while head < most, self[head].id == old[head].id { head += 1 }
    while tail < most - head, self[count - 1 - tail].id == old[old.count - 1 - tail].id { tail += 1 }

    let (before, now) = (old[head..<(old.count - tail)], self[head..<(count - tail)])
    let places = Dictionary(uniqueKeysWithValues: before.indices.map { (old[$0].id, $0) })
    let kept = Set(now.map(\.id))
    var changes: [ListChange<Element>] = before.filter { !kept.contains($0.id) }.map { .remove($0.id) }
    // Those that stand in the old order among each other stay; the others are moved.
    let staying = longestIncrease(now.compactMap { places[$0.id] })
    // From the end, so that what each is put in front of stands where it will be.
    for index in now.indices.reversed() {
      let next = index + 1 < count ? self[index + 1].id : nil
      if let place = places[self[index].id] {
        if !staying.contains(place) { changes.append(.move(self[index].id, before: next)) }
      } else {
        changes.append(.insert(self[index], before: next))
      }
    }
    for index in indices {
      let place = index < head ? index : index < count - tail ? places[self[index].id] : index - count + old.count
      if let place, self[index] != old[place] { changes.append(.update(self[index])) }
    }
    return changes
  }
}

/// The members of a longest increasing subsequence of values, of which none is there twice; costs n log n.
package func longestIncrease(_ values: [Int]) -> Set<Int> {
  var ends: [Int] = []
  var before = [Int](repeating: -1, count: values.count)
  for (index, value) in values.enumerated() {
    let place = ends.partitioningIndex { values[$0] >= value }
    before[index] = place > 0 ? ends[place - 1] : -1
    if place == ends.count { ends.append(index) } else { ends[place] = index }
  }
  var members: Set<Int> = []
  var index = ends.last ?? -1
  while index >= 0 {
    members.insert(values[index])
    index = before[index]
  }
  return members
}
