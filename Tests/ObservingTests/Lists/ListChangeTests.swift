import Determinism
import Observing
import Testing

private struct Row: Identifiable, Equatable {
  var id: Int
  var text = ""
}

/// Differences of lists, applied one by one, lead from the one to the other, with what is the same left alone.
@Suite struct ListChangeTests {
  private func changes(_ old: [Int], _ new: [Int]) -> [ListChange<Row>] {
    new.map { Row(id: $0) }.changes(since: old.map { Row(id: $0) })
  }

  @Test func `an element comes, goes and is moved by itself`() {
    #expect(changes([], []).isEmpty)
    #expect(changes([1, 2], [1, 2, 3]) == [.insert(Row(id: 3), before: nil)])
    #expect(changes([1, 3], [1, 2, 3]) == [.insert(Row(id: 2), before: 3)])
    #expect(changes([1, 2, 3], [1, 3]) == [.remove(2)])
    #expect(changes([1, 2, 3, 4], [4, 1, 2, 3]) == [.move(4, before: 1)])
    #expect(changes([1, 2, 3, 4], [2, 3, 4, 1]) == [.move(1, before: nil)])
  }

  @Test func `another content is an update and no removal, also of an element that moves`() {
    let old = [Row(id: 1), Row(id: 2), Row(id: 3)]
    #expect([Row(id: 1), Row(id: 2, text: "x"), Row(id: 3)].changes(since: old) == [.update(Row(id: 2, text: "x"))])
    #expect(
      [Row(id: 3, text: "x"), Row(id: 1), Row(id: 2)].changes(since: old)
        == [.move(3, before: 1), .update(Row(id: 3, text: "x"))])
  }

  /// A list of some of twenty rows in any order, half of them with another text.
  private func random(_ stream: inout RandomStream, from old: [Row]) -> [Row] {
    var rows = (0..<20).filter { _ in stream.next(below: 3) > 0 }.map { Row(id: $0, text: stream.next(below: 2) == 0 ? "" : "x") }
    // Half of the time as it was, but for a few.
    if stream.next(below: 2) == 0 { rows = old }
    for _ in 0..<stream.next(below: 4) where rows.count > 1 {
      let row = rows.remove(at: Int(stream.next(below: UInt64(rows.count))))
      rows.insert(row, at: Int(stream.next(below: UInt64(rows.count + 1))))
    }
    return rows
  }

  @Test func `applied one by one they are the other list, and as few as can be`() {
    var stream = RandomStream(seed: 7, name: "lists")
    var old: [Row] = []
    for _ in 0..<3000 {
      let new = random(&stream, from: old)
      let changes = new.changes(since: old)
      var (inserted, removed, moved, updated) = (0, 0, 0, 0)
      var applied = old
      for change in changes {
        applied.apply(change)
        switch change {
        case .insert: inserted += 1
        case .remove: removed += 1
        case .move: moved += 1
        case .update: updated += 1
        }
      }
      guard applied == new else {
        Issue.record("\(old) to \(new) by \(changes)")
        return
      }
      let (before, after) = (Set(old.map(\.id)), Set(new.map(\.id)))
      #expect(inserted == after.subtracting(before).count && removed == before.subtracting(after).count)
      #expect(updated == new.filter { row in old.contains { $0.id == row.id && $0 != row } }.count)
      let places = new.compactMap { row in old.firstIndex { $0.id == row.id } }
      #expect(moved == places.count - Self.longestIncrease(places))
      old = new
    }
  }

  /// The length of a longest increasing subsequence, by trying all ends.
  private static func longestIncrease(_ values: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, value) in values.enumerated() {
      lengths.append(1 + (values[..<index].indices.filter { values[$0] < value }.map { lengths[$0] }.max() ?? 0))
    }
    return lengths.max() ?? 0
  }

  @Test func `a sorted list says of each change what it is`() {
    var list = SortedList<Int, Row>()
    #expect(list.set(Row(id: 1), at: 10) == [.insert(Row(id: 1), before: nil)])
    #expect(list.set(Row(id: 2), at: 5) == [.insert(Row(id: 2), before: 1)])
    #expect(list.set(Row(id: 2), at: 5).isEmpty)
    #expect(list.set(Row(id: 2, text: "x"), at: 7) == [.update(Row(id: 2, text: "x"))], "it stands where it stood")
    #expect(list.set(Row(id: 2, text: "y"), at: 12) == [.move(2, before: nil), .update(Row(id: 2, text: "y"))])
    #expect(list.ids == [1, 2] && list.count == 2)
    #expect(list.remove(1) == .remove(1))
    #expect(list.remove(1) == nil)
    #expect(list.ids == [2])
  }

  @Test func `the changes of a sorted list, applied one by one, are the list in the order of its keys`() {
    var stream = RandomStream(seed: 7, name: "sorted")
    var (list, keys, shown) = (SortedList<Int, Row>(), [Int: Int](), [Row]())
    for step in 0..<5000 {
      let id = Int(stream.next(below: 300))
      if stream.next(below: 4) == 0 {
        if let change = list.remove(id) { shown.apply(change) }
        keys[id] = nil
      } else {
        // No two have one key.
        keys[id] = Int(stream.next(below: 1000)) * 1000 + id
        let changes = list.set(Row(id: id, text: step % 2 == 0 ? "" : "x"), at: keys[id] ?? 0)
        #expect(changes.count <= 2)
        for change in changes { shown.apply(change) }
      }
      if step % 100 == 0 || step < 100 { #expect(shown.map(\.id) == keys.sorted { $0.value < $1.value }.map(\.key)) }
    }
    #expect(list.ids == shown.map(\.id))
  }
}
