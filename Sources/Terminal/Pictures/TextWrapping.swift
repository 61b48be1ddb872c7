/// Breaks text into lines.
enum TextWrapping {
  /// The lines of `text` at most `width` columns wide, broken at spaces, or within a word that is wider.
  static func lines(_ text: String, width: Int) -> [String] {
    guard width > 0 else { return [] }
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      var used = 0
      for word in paragraph.split(separator: " ") {
        let columns = DisplayWidth.columns(String(word))
        if used > 0, used + 1 + columns <= width {
          line += " " + word
          used += 1 + columns
          continue
        }
        if used > 0 { lines.append(line) }
        (line, used) = ("", 0)
        for character in word {
          let next = DisplayWidth.columns(character)
          if used + next > width {
            lines.append(line)
            (line, used) = ("", 0)
          }
          line.append(character)
          used += next
        }
      }
      lines.append(line)
    }
    return lines
  }
}
