import WiFi

extension KnownExpectations {
  var words: String {
    var words = ExpectationWords()
    if let rows { words.add(rows.isEmpty ? "no known network" : "the known networks \(rows.joined(separator: ", "))") }
    if let pages { words.add(pages.isEmpty ? "no page of one" : "the page of \(pages.joined(separator: ", then "))") }
    words.add(hasSheet, "the sheet on", "the sheet off")
    words.add(isLoading, "loading on", "loading off")
    words.add(isSaving, "saving on", "saving off")
    words.add(isGone, "its network gone", "its network not gone")
    if let failure { words.add(failure.map { "the failure “\($0)”" } ?? "no failure") }
    if let password { words.add("a password of \(password.count.counted("character"))") }
    if let row {
      var facts = ExpectationWords()
      if let security = row.security { facts.add("\(security)") }
      if let priority = row.priority { facts.add("priority \(priority)") }
      facts.add(row.joinsAutomatically, "joined automatically", "joined by hand")
      facts.add(row.isHidden, "hidden", "not hidden")
      facts.add(row.isJoined, "joined", "not joined")
      facts.add(row.isInRange, "in range", "out of range")
      words.add("\(row.name) \(facts.parts.joined(separator: ", "))")
    }
    return words.parts.joined(separator: ", ")
  }
}
