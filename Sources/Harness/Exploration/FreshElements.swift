extension Array {
  /// The elements that are not as they were, in the same order, in an earlier list: those that came, changed or moved.
  ///
  /// What is called fresh may be as it was, where much is gone before it; what is not called fresh is. Costs time in
  /// proportion to the length of the list.
  ///
  /// - Parameters:
  ///   - isSame: whether the element at a place here is the one at a place there, changed or not.
  ///   - isUnchanged: whether it is as it was.
  func fresh(
    after earlier: [Element], isSame: (_ here: Int, _ there: Int) -> Bool, isUnchanged: (_ here: Int, _ there: Int) -> Bool
  ) -> [Element] {
    var fresh: [Element] = []
    var next = 0
    for here in indices {
      // A few may be gone.
      var there = next
      let end = Swift.min(next + 8, earlier.count)
      while there < end, !isSame(here, there) { there += 1 }
      if there < end { next = there + 1 }
      if there == end || !isUnchanged(here, there) { fresh.append(self[here]) }
    }
    return fresh
  }
}
