extension Array {
  /// The index of the first element for which `isBehind` is true, or the end.
  ///
  /// It has to be true of all elements behind that one, too. Costs time in proportion to the logarithm of the length.
  @inlinable package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
