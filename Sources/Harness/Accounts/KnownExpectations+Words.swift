import WiFi

extension KnownExpectations {
  /// The expectations of the known networks, in words.
  var words: String {
    func word(_ value: Bool) -> String { value ? "on" : "off" }
    var parts: [String] = []
    if let rows { parts.append(rows.isEmpty ? "no known network" : "the known networks \(rows.joined(separator: ", "))") }
    if let pages { parts.append(pages.isEmpty ? "no page of one" : "the page of \(pages.joined(separator: ", then "))") }
    if let hasSheet { parts.append("the sheet \(word(hasSheet))") }
    if let isLoading { parts.append("loading \(word(isLoading))") }
    if let isSaving { parts.append("saving \(word(isSaving))") }
    if let isGone { parts.append(isGone ? "its network gone" : "its network not gone") }
    if let failure { parts.append(failure.map { "the failure “\($0)”" } ?? "no failure") }
    if let password { parts.append("a password of \(password.count) \(password.count == 1 ? "character" : "characters")") }
    if let row {
      let facts = [
        row.security.map { "\($0)" }, row.priority.map { "priority \($0)" },
        row.joinsAutomatically.map { $0 ? "joined automatically" : "joined by hand" },
        row.isHidden.map { $0 ? "hidden" : "not hidden" }, row.isJoined.map { $0 ? "joined" : "not joined" },
        row.isInRange.map { $0 ? "in range" : "out of range" },
      ]
      parts.append("\(row.name) \(facts.compactMap { $0 }.joined(separator: ", "))")
    }
    return parts.joined(separator: ", ")
  }
}
