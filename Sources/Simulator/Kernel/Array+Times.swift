extension Array {
  /// Inserts an element in order of time, behind those of the same time.
  mutating func insert(_ new: Element, inOrderOf time: (Element) -> Duration) {
    var index = count
    while index > 0, time(self[index - 1]) > time(new) { index -= 1 }
    insert(new, at: index)
  }
}
