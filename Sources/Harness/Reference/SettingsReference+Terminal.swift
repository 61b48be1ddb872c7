import Models
import WiFi

extension SettingsReference {
  /// What of a terminal's picture is not as it should be, the first of it, a sentence: of the list, or of what lies on
  /// top of it.
  ///
  /// - Parameter seen: the rows as they were seen last, also of networks that were lost.
  func difference(from screen: TerminalLines, _ viewer: Viewer, seen: [NetworkID: ReferenceRow]) -> String? {
    switch shown {
    case .list:
      if isOn { return listDifference(screen, viewer, seen) }
      return screen.lines.say("Wi-Fi is off.") ? nil : "the terminal does not say that Wi-Fi is off"
    case .sheet(let sheet): return sheetDifference(sheet, screen)
    case .page(let page):
      return page.asksToForget ? questionDifference("Forget \(page.row.quoted)?", screen) : pageDifference(page, screen)
    case .knownNetworks(let known): return knownDifference(known, screen)
    }
  }

  private func questionDifference(_ question: String, _ screen: TerminalLines) -> String? {
    guard let box = screen.box, box.lines.joined().plain.contains(question.plain) else {
      return "the terminal should ask “\(question)”"
    }
    return nil
  }

  private func pageDifference(_ page: Details, _ screen: TerminalLines) -> String? {
    func sentence(_ words: String) -> String { "the page of \(page.row) \(words)" }
    guard let top = screen.lines.firstIndex(where: { $0.hasPrefix("‹ Back") }) else { return sentence("is not on the terminal") }
    let title = screen.lines[top + 1]
    if !title.begins(withNameOf: page.row) { return sentence("has the title “\(title)”") }
    let offersForget = screen.lines[top].contains("[ Forget ]")
    if offersForget != (page.row.id == selected?.id) { return sentence(offersForget ? "offers Forget" : "does not offer Forget") }
    let isLost = screen.lines.say("Not in range: this is what")
    return isLost == (list[page.row.id] == nil) ? nil : sentence(isLost ? "says that it is lost" : "does not say that it is lost")
  }

  private func sheetDifference(_ sheet: Sheet, _ screen: TerminalLines) -> String? {
    if sheet.hasAlert { return questionDifference("Incorrect password", screen) }
    guard let box = screen.box else { return "the sheet of \(sheet.row) is not on the terminal" }
    if !box.title.shows("Join \(sheet.row.isHidden ? "hidden network" : "“\(PrintableText.shown(sheet.row.name))”")") {
      return "the sheet of \(sheet.row) has the title “\(box.title)”"
    }
    let sentence = sheet.attempt == nil ? sheet.failure?.sentence : "Joining:"
    let said = (ExpectedFailure.allCases.map(\.sentence) + ["Joining:"]).filter(box.lines.say)
    if said != [sentence].compactMap(\.self) {
      return "the sheet of \(sheet.row) says \(said); it should be “\(sentence ?? "nothing")”"
    }
    guard sheet.row.isSecured else { return nil }
    guard let field = box.lines.first(where: { $0.hasPrefix("Password") }) else { return "the sheet of \(sheet.row) has no field" }
    return passwordDifference(sheet.password, field, screen)
  }

  /// A field of a narrow terminal has room for eleven characters, and for one less where the cursor is behind the last.
  private func passwordDifference(_ password: String, _ field: String, _ screen: TerminalLines) -> String? {
    if showsPassword { return field.contains("•") ? "the password should be shown; the field is “\(field)”" : nil }
    let room = screen.columns > 40 ? .max : 11
    let (count, expected) = (field.count { $0 == "•" }, min(password.count, room))
    if count == expected || screen.cursorLine?.contains(field) == true && count == min(expected, room - 1) { return nil }
    return "\(password.count) characters of a password were typed; \(count) are shown"
  }

  // MARK: The list

  private func listDifference(_ screen: TerminalLines, _ viewer: Viewer, _ seen: [NetworkID: ReferenceRow]) -> String? {
    let ids = viewer.ids
    guard !ids.isEmpty, ids.count < 1000 else { return nil }
    guard let (top, places) = screen.heading(["NAME", "SIGNAL", "SECURITY"]) else { return "the terminal shows no list" }
    // How many rows lie above and below.
    func count(_ mark: Character) -> Int {
      let words = screen.text(top, places[0]..<places[1]).split(separator: " ")
      return words.lazy.filter { $0.first == mark }.compactMap { Int($0.dropFirst()) }.first ?? 0
    }
    guard count("↑") + count("↓") < ids.count else { return "the terminal shows no row of \(ids.count)" }
    for (index, id) in ids.dropLast(count("↓")).dropFirst(count("↑")).enumerated() {
      let line = top + 1 + index
      guard let row = list[id] ?? (id == selected?.id ? selected : seen[id]) else { continue }
      let name = screen.text(line, places[0]..<places[1])
      let signal = screen.text(line, places[1]..<places[1] + 8)
      let marks = (screen.text(line, 0..<1) == "▌", screen.text(line, 1..<2) == "●")
      guard row.isHidden ? name == "(hidden)" || name == "(unknown)" : name.shows(row.shownName),
        marks == (id == viewer.cursor, id == selected?.id),
        list[id] == nil ? signal == "··· lost" : row.isSignal(signal), row.isSecurity(screen.text(line, places[2]..<places[2] + 8))
      else { return "where the terminal should show \(row)\(marks.1 ? ", selected" : ""), it shows “\(screen.lines[line])”" }
    }
    return nil
  }

  // MARK: Known networks

  private func knownDifference(_ known: KnownReference, _ screen: TerminalLines) -> String? {
    if let form = known.sheet {
      guard let box = screen.box else { return "the sheet of a known network is not on the terminal" }
      let title = form.network.map { "Duplicate “\(PrintableText.shown($0.ssid.bytes))”" } ?? "Add a known network"
      if !box.title.shows(title) { return "the sheet “\(title)” has the title “\(box.title)”" }
      return formDifference(form, isSheet: true, box.lines, screen)
    }
    if let form = known.pages.last {
      let name = form.network?.ssid.bytes ?? []
      if form.asksToForget { return questionDifference("Forget “\(PrintableText.escape(name))”?", screen) }
      guard let back = screen.lines.firstIndex(where: { $0.hasPrefix("‹ Known networks") }),
        let title = screen.lines.dropFirst(back + 1).firstIndex(where: { !$0.isEmpty }),
        screen.lines[title].begins(with: PrintableText.shown(name))
      else { return "the page of the known network \(PrintableText.shown(name)) is not on the terminal" }
      return formDifference(form, isSheet: false, Array(screen.lines.dropFirst(title + 1)), screen)
    }
    if let failure = known.failure, !screen.lines.say("\(failure)") { return "the terminal should say “\(failure)”" }
    let rows = known.rows(inRange: isInRange)
    if rows.isEmpty {
      let sentence = known.failure == nil ? known.listing == nil ? "No network is known." : "Asking which" : ""
      return screen.lines.say(sentence) ? nil : "the terminal should say “\(sentence)”"
    }
    guard let (top, places) = screen.heading(["NAME", "IN RANGE", "PRIO", "AUTO"]) else { return "no known network is on the terminal" }
    // The last line is that of the keys; the one above it may say what is wrong.
    let room = screen.lines.count - 2 - top - (known.failure == nil && known.isSaved ? 0 : 1)
    let shown = (0..<min(rows.count, room)).map { line in
      [(places[0], places[1]), (places[2], places[3]), (places[3], places[3] + 5)].map { screen.text(top + 1 + line, $0..<$1) }
        + [screen.text(top + 1 + line, 1..<2)]
    }
    let isShown = (0...(rows.count - shown.count)).contains { first in
      zip(rows.dropFirst(first), shown).allSatisfy { row, texts in
        let expected = [row.priority.map { "\($0)" } ?? "-", row.joinsAutomatically ? "yes" : "no", row.isJoined ? "●" : ""]
        return texts[0].shows(PrintableText.shown(row.ssid.bytes)) && Array(texts.dropFirst()) == expected
      }
    }
    return isShown ? nil : "of the known networks the terminal shows \(shown); it should be \(rows.map { "\($0)" })"
  }

  private func formDifference(_ form: KnownReference.Form, isSheet: Bool, _ lines: [String], _ screen: TerminalLines) -> String? {
    let fields = form.fields
    let families: Set<Security.Family> = form.network.map { [$0.security.family, fields.security.family] } ?? []
    let canBeChosen = families.count < 2 || families == [.open, .owe]
    var expected: [(label: String, needed: KnownNetworkFeature?, texts: [String])] = [
      ("Priority", .priority, ["‹ \(fields.priority) ›"]),
      ("Auto-join", .autoconnect, [fields.joinsAutomatically ? "[on]" : "[off]"]),
      ("Hidden name", .hidden, [fields.isHidden ? "[on]" : "[off]"]),
    ]
    // What is none of the kinds that can be chosen is not marked.
    if canBeChosen { expected.append(("Security", nil, ["[\(fields.security.word)]", "‹ \(fields.security.word) ›"])) }
    // What is longer, or escaped, is shown in part.
    let isPlain = fields.name.count < 20 && fields.name.utf8.allSatisfy { (0x21..<0x7F).contains($0) }
    if isSheet, isPlain, !fields.name.isEmpty { expected.append(("Name", nil, [fields.name])) }
    func field(_ label: String) -> String? { lines.first { $0.prefix(13).trimmed == label } }
    for (label, needed, texts) in expected {
      guard let line = field(label) else {
        if isSheet, needed != nil { return "the terminal shows no field \(label)" }
        if let needed, features.contains(needed) { return "the terminal shows no field \(label)" }
        continue
      }
      let value = line.dropFirst(13)
      if !texts.contains(where: { label == "Security" ? value.contains($0) : value.hasPrefix($0) }) {
        return "the terminal shows “\(line)”; it should be \(texts[0])"
      }
    }
    let problem = form.failure.map { "\($0)" } ?? (form.isGone ? "This network is not known any more." : "")
    let sentence = form.waiting != .nothing ? "ing…" : problem
    if !lines.say(sentence) { return "the terminal should say “\(sentence)”" }
    return field(isSheet ? "Password" : "New password").flatMap { passwordDifference(fields.password, $0, screen) }
  }
}

extension ExpectedFailure {
  /// How the sentence of it begins.
  var sentence: String {
    switch self {
    case .timedOut: "The access point did not answer in time."
    case .outOfRange: "The network is out of range."
    case .rejected: "The access point refused with status"
    }
  }
}

extension JoinSecurity {
  /// How it is called where there is little room.
  fileprivate var word: String {
    switch self {
    case .open: "open"
    case .owe: "OWE"
    case .psk: "WPA2"
    case .sae: "WPA3"
    case .pskOrSAE: "WPA2/3"
    case .enterprise: "WPA-E"
    case .wep: "WEP"
    }
  }
}

extension ReferenceRow {
  fileprivate var isHidden: Bool { name.isEmpty }
  fileprivate var shownName: String { PrintableText.shown(name) }
  /// What a question calls it.
  var quoted: String { isHidden ? "this network" : "“\(PrintableText.escape(name))”" }

  /// Whether marks and a number are its signal: in percent, or in dBm.
  fileprivate func isSignal(_ text: String) -> Bool {
    let number = text.drop { !"-0123456789".contains($0) }
    let shown = number.last == "%" ? Double(number.dropLast()).map { $0 / 100 } : Double(number).map { min(max(($0 + 100) / 60, 0), 1) }
    return text.count { "▂▄▆█".contains($0) } == bars && shown.map { abs($0 - strength) < 0.02 } ?? false
  }

  /// Whether a word is that of its security.
  fileprivate func isSecurity(_ word: String) -> Bool {
    switch family {
    case .open: word == "open" || word == "open/OWE"
    case .owe: word == "OWE"
    case .wep: word == "WEP"
    case .personal: !word.hasPrefix("open") && word != "OWE" && word != "WEP" && !word.contains("-E")
    case .enterprise: !word.hasPrefix("open") && (word.contains("-E") || word.last == "…" || !word.hasPrefix("W"))
    }
  }
}

extension String {
  /// Whether it begins with the name of a row, or with a word for none.
  fileprivate func begins(withNameOf row: ReferenceRow) -> Bool {
    row.isHidden ? hasPrefix("(hidden)") || hasPrefix("(unknown)") : begins(with: row.shownName)
  }
}
