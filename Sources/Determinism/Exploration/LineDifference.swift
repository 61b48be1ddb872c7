/// How two texts differ, line by line, as a user reads it.
package enum LineDifference {
  /// The differing lines with `context` equal ones around them; empty where the texts are equal.
  ///
  /// A line begins with `-` where only the expected text has it, with `+` where only the actual one has it, and with a
  /// space where both have it. A gap is a line with the number of lines left out. Costs time in proportion to the
  /// length times the number of differences (Myers, "An O(ND) difference algorithm", 1986).
  package static func text(expected: [String], actual: [String], context: Int = 2) -> [String] {
    let rows = rows(expected, actual)
    guard rows.contains(where: { $0.sign != " " }) else { return [] }
    return excerpt(rows.count) { place in
      let near = rows[max(0, place - context)...min(rows.count - 1, place + context)]
      return near.contains { $0.sign != " " } ? "\(rows[place].sign) \(rows[place].line)" : nil
    } gap: {
      "  … \($0) as expected"
    }
  }

  /// So many lines; those that are left out, `nil`, are said in words, such as `3 lines`.
  static func excerpt(_ count: Int, _ lineAt: (_ place: Int) -> String?, gap: (_ words: String) -> String) -> [String] {
    var result: [String] = []
    var skipped = 0
    for place in 0...count {
      let line = place < count ? lineAt(place) : nil
      if line != nil || place == count, skipped > 0 { result.append(gap("\(skipped) \(skipped == 1 ? "line" : "lines")")) }
      skipped = line == nil ? skipped + 1 : 0
      if let line { result.append(line) }
    }
    return result
  }

  private struct Row {
    var sign: Character
    var line: String
  }

  private static func rows(_ expected: [String], _ actual: [String]) -> [Row] {
    // Most of a long trace is equal at both ends, and the algorithm need not see that.
    let prefix = zip(expected, actual).prefix { $0 == $1 }.count
    let rest = min(expected.count, actual.count) - prefix
    let suffix = zip(expected.reversed().prefix(rest), actual.reversed().prefix(rest)).prefix { $0 == $1 }.count
    let old = Array(expected[prefix..<(expected.count - suffix)])
    let new = Array(actual[prefix..<(actual.count - suffix)])
    var removed = Array(repeating: false, count: old.count)
    var inserted = Array(repeating: false, count: new.count)
    // Two long texts without anything in common would take the square of their length.
    if old.count + new.count <= 4000 {
      for change in new.difference(from: old) {
        switch change {
        case .remove(let offset, _, _): removed[offset] = true
        case .insert(let offset, _, _): inserted[offset] = true
        }
      }
    } else {
      removed = Array(repeating: true, count: old.count)
      inserted = Array(repeating: true, count: new.count)
    }
    var rows = expected[..<prefix].map { Row(sign: " ", line: $0) }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      if left < old.count, removed[left] {
        rows.append(Row(sign: "-", line: old[left]))
        left += 1
      } else if right < new.count, inserted[right] {
        rows.append(Row(sign: "+", line: new[right]))
        right += 1
      } else {
        rows.append(Row(sign: " ", line: old[left]))
        left += 1
        right += 1
      }
    }
    return rows + expected[(expected.count - suffix)...].map { Row(sign: " ", line: $0) }
  }
}
