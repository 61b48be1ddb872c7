import Determinism
import Models
import WiFi

extension Explanation {
  /// The run for a terminal, step by step.
  ///
  /// - Parameter isColoured: whether to mark failures and what is less important with colours.
  public func text(isColoured: Bool = false) -> String {
    var page = ExplanationText(isColoured: isColoured)
    page.heading(PrintableText.escapeLines(title))
    page.plain(PrintableText.escapeLines(file))
    if let about { page.plain(PrintableText.escapeLines(about)) }
    page.plain("from \(source)")
    page.plain("\(verdict), hash \(TraceHash.text(hash))", isBad: !failures.isEmpty)
    for failure in failures { page.failure(failure) }
    if let difference { page.difference(difference) }
    for (number, step) in account.steps.enumerated() { page.step(number, step, self) }
    page.blank()
    page.plain("repeat: \(view.command(PrintableText.escapeLines(file)))")
    return page.lines.joined(separator: "\n") + "\n"
  }
}

/// Lines for a terminal.
private struct ExplanationText {
  let isColoured: Bool
  var lines: [String] = []
  private var list: [String] = []

  init(isColoured: Bool) { self.isColoured = isColoured }

  private func paint(_ text: String, _ code: String) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }

  mutating func heading(_ text: String) { lines.append(paint(text, "1")) }
  mutating func blank() { lines.append("") }
  mutating func plain(_ text: String, isBad: Bool = false) {
    for line in text.split(separator: "\n") { lines.append(isBad ? paint(String(line), "1;31") : String(line)) }
  }

  mutating func failure(_ text: String, indent: String = "") {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      lines.append(indent + paint((index == 0 ? "✗ " : "  ") + PrintableText.escapeLines(String(line)), "31"))
    }
  }

  mutating func difference(_ difference: Explanation.FirstDifference, indent: String = "") {
    lines.append(indent + "first difference from \(difference.other), in line \(difference.line + 1) of the trace:")
    lines.append(indent + paint("  - \(difference.expected.map(PrintableText.escapeLines) ?? "the end")", "32"))
    lines.append(indent + paint("  + \(difference.actual.map(PrintableText.escapeLines) ?? "the end")", "31"))
  }

  mutating func step(_ number: Int, _ step: RunAccount.Step, _ explanation: Explanation) {
    blank()
    let place = step.line.map { "  (line \($0))" } ?? ""
    let words = step.words ?? "the beginning"
    heading("\(number == 0 ? "" : "\(number)  ")at \(Explanation.time(step.time)): \(PrintableText.escapeLines(words))" + place)
    for stretch in step.stretches {
      if let words = explanation.quietWords(stretch) {
        lines.append("   \(paint("scanner ", "2")) \(words)")
      } else {
        for moment in stretch { self.moment(moment, explanation, in: step) }
      }
    }
    for failure in step.failures { self.failure(failure, indent: "   ") }
    for violation in step.violations { self.failure(violation.description, indent: "   ") }
    if step.isExpectation {
      if step.failures.isEmpty { lines.append("   OK") }
    } else if step.moments.isEmpty, step.failures.isEmpty {
      lines.append("   nothing changed")
    }
  }

  private mutating func moment(_ moment: RunAccount.Moment, _ explanation: Explanation, in step: RunAccount.Step) {
    if moment.time != step.time { lines.append("   " + paint("at \(Explanation.time(moment.time))", "1")) }
    // At the beginning the picture says more than a line for each row.
    let events = step.words == nil ? moment.events.filter { !$0.text.hasPrefix("panel begins") } : moment.events
    for event in events.prefix(40) {
      let lane = event.lane.rawValue + String(repeating: " ", count: 8 - event.lane.rawValue.count)
      lines.append("   \(paint(lane, "2")) \(PrintableText.escapeLines(event.shortText))")
    }
    if events.count > 40 { lines.append("            … and \(events.count - 40) events more") }
    if moment.showsNews { picture(moment.picture) }
    for violation in moment.violations { failure(violation.description, indent: "   ") }
    if explanation.differs(in: moment), let difference = explanation.difference {
      lines.append("   " + paint("here it first differs from \(difference.other)", "33"))
    }
  }

  private mutating func picture(_ picture: SettingsPicture) {
    var box: [String] = ["Wi-Fi " + (picture.isOn ? "[on]" : "[off]")]
    if let selected = picture.selected { box.append(Self.row(selected)) }
    if picture.selected != nil, picture.count > 0 { box.append("") }
    for row in picture.rows {
      if row.skipped > 0 { box.append("… \(row.skipped.counted("row"))") }
      box.append(Self.row(row))
    }
    let rest = picture.skippedAtEnd
    if rest > 0 { box.append("… and \(rest.counted("row")) more") }
    // Where something lies over a list that is as it was, the list need not be drawn again.
    if !picture.layers.isEmpty, box == list { box = ["the list as before"] } else { list = box }
    for line in box { lines.append(line.isEmpty ? "   │" : "   │ " + line) }
    for (depth, layer) in picture.layers.enumerated() {
      let indent = "   │ " + String(repeating: "  ", count: depth + 1)
      let words = layer.words
      lines.append(indent + "┌ \(layer.kind): \(words.title)")
      for line in words.lines { lines.append(indent + "│ \(line)") }
      lines.append(indent + "└ " + words.buttons.map { "[\($0)]" }.joined(separator: " "))
    }
  }

  private static func row(_ row: SettingsPicture.Row) -> String {
    let network = row.row
    let bars = String(repeating: "▮", count: network.bars) + String(repeating: "▯", count: 4 - network.bars)
    var text = "\(bars) \(network.isSecured ? "locked" : "open  ") \(row.name)"
    if network.isSelected { text += ", selected" }
    if network.isOutOfRange { text += ", out of range" }
    if row.news != .none { text += "  ← \(row.news.rawValue)" }
    return text
  }
}

extension TraceEvent {
  /// What happened, without the word for the lane where the trace begins with it.
  var shortText: String {
    let words: [TraceLane: String] = [.world: "world ", .models: "model ", .screen: "screen ", .user: "user "]
    if let word = words[lane], text.hasPrefix(word) { return String(text.dropFirst(word.count)) }
    return text
  }
}
