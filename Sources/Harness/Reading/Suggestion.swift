/// Suggests a known word for an unknown one.
package enum Suggestion {
  /// ` Did you mean “steps”?`, where one of the known words is near.
  package static func sentence(_ word: String, _ known: [String]) -> String {
    let near = known.map { (distance(word.lowercased(), $0.lowercased()), $0) }.min { $0.0 < $1.0 }
    guard let near, near.0 <= max(1, near.1.count / 3) else { return "" }
    return " Did you mean “\(near.1)”?"
  }

  /// The number of edits from one word to the other, two letters that changed places being one (optimal string
  /// alignment).
  private static func distance(_ left: String, _ right: String) -> Int {
    let (left, right) = (Array(left.prefix(64)), Array(right.prefix(64)))
    var rows = [Array(0...right.count)]
    for index in left.indices {
      var row = [index + 1]
      for place in right.indices {
        var edits = min(rows[index][place] + (left[index] == right[place] ? 0 : 1), rows[index][place + 1] + 1, row[place] + 1)
        if index > 0, place > 0, left[index] == right[place - 1], left[index - 1] == right[place] {
          edits = min(edits, rows[index - 1][place - 1] + 1)
        }
        row.append(edits)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}
