import Models
import Observing
import WiFi

extension SettingsReference {
  /// What is not as it should be, the first of it.
  ///
  /// - Parameter rowsMayDiffer: whether anything happened that could change the rows.
  func difference(from moment: SettingsMoment, rowsMayDiffer: Bool = true) -> ReferenceDifference? {
    func of(_ part: ReferenceDifference.Part, _ sentence: String?) -> ReferenceDifference? {
      sentence.map { ReferenceDifference(part, $0) }
    }
    return of(.request, requestDifference(moment)) ?? of(.wifi, switchDifference(moment)) ?? of(.selection, selectionDifference(moment))
      ?? of(.issues, issueDifference(moment)) ?? of(.layers, layerDifference(moment)) ?? openDifference(moment)
      ?? (rowsMayDiffer ? of(.list, rowDifference(moment)) : nil)
  }

  /// Attempts run while the sheet that began them waits, where a view cancels what it began.
  private func requestDifference(_ moment: SettingsMoment) -> String? {
    if let complaint { return complaint }
    if case .sheet(let sheet) = shown, let attempt = sheet.attempt, attempt.number == nil, !attempt.isFromStart {
      return "Join was tapped, and the world was not asked to join \(sheet.row.title)"
    }
    guard moment.viewCancels else { return nil }
    let isAwaited = if case .sheet(let sheet) = shown { sheet.attempt?.number != nil } else { false }
    let known: KnownReference? = if case .knownNetworks(let known) = shown { known } else { nil }
    if moment.log.awaitedChanges.contains(where: { known?.waits(for: $0) != true }) {
      return "a change of the known networks was given up, and its request runs on"
    }
    let count = moment.log.awaitedCount
    return count == (isAwaited ? 1 : 0) ? nil : "\(count) attempts to join run; it should be \(isAwaited ? "one" : "none")"
  }

  private func switchDifference(_ moment: SettingsMoment) -> String? {
    if moment.state.isOn != isOn || moment.panel.top.first != .wifi(isOn: isOn) { return "Wi-Fi should be \(isOn.onOrOff)" }
    if (moment.model.radioProblem != nil) == radioIsRefused { return nil }
    return "the settings should \(radioIsRefused ? "" : "not ")say that the radio cannot be moved"
  }

  private func selectionDifference(_ moment: SettingsMoment) -> String? {
    let state = moment.state
    if state.selectedID != selected?.id {
      return "\(state.selected ?? "nothing") is selected; it should be \(selected?.title ?? "nothing")"
    }
    let isOutOfRange = selected != nil && list[selected?.id] == nil
    if state.isOutOfRange != isOutOfRange {
      return "\(state.selected ?? "nothing") should \(isOutOfRange ? "" : "not ")be out of range"
    }
    let loss = lost?.name == selected?.name ? lost?.reason : nil
    func words(_ loss: AssociationLoss?) -> String { loss.map { "\($0)" } ?? "nothing" }
    if moment.model.associationLoss == loss { return nil }
    return "of the link to \(selected?.title ?? "nothing") is said: \(words(moment.model.associationLoss)); it should be \(words(loss))"
  }

  private func issueDifference(_ moment: SettingsMoment) -> String? {
    let last = moment.issues.last.map { "\($0)" }
    if moment.issues.count == issues.count, last == issues.last { return nil }
    return "the models report “\(last ?? "nothing")”; it should be “\(issues.last ?? "nothing")”"
  }

  // MARK: What lies over the list

  /// The names of what lies over the list, the topmost last.
  private var layers: [String] {
    switch shown {
    case .list: []
    case .knownNetworks(let known): known.layers
    case .page(let page): page.asksToForget ? ["detail", "forget"] : ["detail"]
    case .sheet(let sheet): sheet.hasAlert ? ["connect", "incorrectPassword"] : ["connect"]
    }
  }

  private func layerDifference(_ moment: SettingsMoment) -> String? {
    let (modelled, expected) = (moment.state.shown, layers)
    if modelled == expected, moment.shown == expected { return nil }
    func words(_ layers: [String]) -> String { layers.isEmpty ? "nothing" : layers.joined(separator: ", then ") }
    return
      "over the list there is \(words(moment.shown)) on the screen and \(words(modelled)) in the models; it should be \(words(expected))"
  }

  private func openDifference(_ moment: SettingsMoment) -> ReferenceDifference? {
    switch shown {
    case .list: nil
    case .knownNetworks(let known):
      knownDifference(known, moment.model.destination?.known).map { ReferenceDifference(.known, $0) }
    case .page(let page): pageDifference(page, moment).map { ReferenceDifference(.sheet, $0) }
    case .sheet(let sheet): sheetDifference(sheet, moment).map { ReferenceDifference(.sheet, $0) }
    }
  }

  private func pageDifference(_ page: Details, _ moment: SettingsMoment) -> String? {
    let model = moment.model.destination?.detail
    if moment.state.canForget != (page.row.id == selected?.id) {
      return "the page of \(page.row.title) should \(moment.state.canForget ? "not " : "")offer Forget"
    }
    if page.asksToForget {
      let question = "Forget \(page.row.quoted)?"
      let shown = model?.forgetQuestion?.title ?? ""
      if shown != question { return "the question is “\(shown)”; it should be “\(question)”" }
    }
    return networkDifference(page.row, model?.network, isLost: moment.state.isLost)
  }

  private func sheetDifference(_ sheet: Sheet, _ moment: SettingsMoment) -> String? {
    let (state, model) = (moment.state, moment.model.destination?.connect)
    if model?.password != sheet.password { return "the field of \(sheet.row.title) does not hold what was typed" }
    if state.isConnecting != (sheet.attempt != nil) {
      return "the sheet of \(sheet.row.title) should \(state.isConnecting ? "not " : "")say that it connects"
    }
    if state.failure != sheet.failure {
      let (shown, expected) = (state.failure?.rawValue ?? "nothing", sheet.failure?.rawValue ?? "nothing")
      return "the sheet of \(sheet.row.title) says \(shown); it should be \(expected)"
    }
    return networkDifference(sheet.row, model?.network, isLost: state.isLost)
  }

  private func networkDifference(_ row: ReferenceRow, _ network: Network?, isLost: Bool) -> String? {
    guard let network, row.isShown(by: NetworkRow(network)) else {
      return "what is open is about \(network.map { "\(NetworkRow($0))" } ?? "nothing"); it should be about \(row)"
    }
    let shouldBeLost = list[row.id] == nil
    return isLost == shouldBeLost ? nil : "\(row.title) is \(shouldBeLost ? "lost" : "there"), and what is open says otherwise"
  }

  // MARK: Known networks

  private func knownDifference(_ known: KnownReference, _ model: KnownNetworksModel?) -> String? {
    guard let model else { return "the known networks should be shown" }
    if model.networks != known.networks { return "the known networks are other than those that were answered last" }
    if model.isLoading != (known.listing != nil) { return "whether the known networks are being listed is said wrongly" }
    if let difference = Self.failureDifference("the list of known networks", model.failure, known.failure) { return difference }
    if model.isSaved != known.isSaved { return "whether the last change outlives the daemon is said wrongly" }
    let isInRange = isInRange
    let (shown, expected) = (model.rows, known.rows(inRange: isInRange))
    for (row, network) in zip(shown, expected) where row.id != network.id {
      return "where \(network.ssid) should stand among the known networks, \(row) does"
    }
    for (row, network) in zip(shown, expected) where row.isInRange != isInRange(network) {
      return "the known network \(row.name) should \(row.isInRange ? "not " : "")be in range"
    }
    for (page, form) in zip(model.path, known.pages) {
      let name = "the page of \(page.network.ssid)"
      if page.network != form.network { return "\(name) is about another network than was answered last" }
      if page.isGone != form.isGone { return "\(name) should \(page.isGone ? "not " : "")say that it is not known any more" }
      let fields = KnownReference.Fields(
        name: form.fields.name, security: page.security, password: page.password, priority: page.priority,
        joinsAutomatically: page.joinsAutomatically, isHidden: page.isHidden)
      if let difference = Self.formDifference(name, fields, page.isSaving, page.failure, form) { return difference }
    }
    guard let sheet = model.addSheet, let form = known.sheet else { return nil }
    if sheet.original != form.network { return "the sheet copies another network than was tapped" }
    let fields = KnownReference.Fields(
      name: sheet.name, security: sheet.security, password: sheet.password, priority: sheet.priority,
      joinsAutomatically: sheet.joinsAutomatically, isHidden: sheet.isHidden)
    return Self.formDifference("the sheet of a known network", fields, sheet.isSaving, sheet.failure, form)
  }

  /// Whether a known network is among those that are heard.
  var isInRange: (KnownNetwork) -> Bool {
    let heard = list.families
    return { network in
      let family = network.security.family
      let families: [Security.Family] = family == .open || family == .owe ? [.open, .owe] : [family]
      return heard[network.ssid.bytes].map { !$0.isDisjoint(with: families) } ?? false
    }
  }

  private static func formDifference(
    _ name: String, _ fields: KnownReference.Fields, _ isSaving: Bool, _ failure: KnownNetworkError?, _ form: KnownReference.Form
  ) -> String? {
    if case .toAsk = form.waiting { return "\(name) was to ask the known networks, and did not" }
    if isSaving != (form.waiting != .nothing) { return "\(name) should \(isSaving ? "not " : "")say that a request runs" }
    if fields != form.fields { return "the fields of \(name) hold other values than were filled in" }
    return failureDifference(name, failure, form.failure)
  }

  private static func failureDifference(_ name: String, _ shown: KnownNetworkError?, _ expected: KnownNetworkError?) -> String? {
    if shown == expected { return nil }
    func words(_ error: KnownNetworkError?) -> String { error.map { "“\($0)”" } ?? "nothing" }
    return "\(name) says \(words(shown)); it should be \(words(expected))"
  }

  // MARK: Rows

  private func rowDifference(_ moment: SettingsMoment) -> String? {
    let top = moment.selectedRow
    guard isOn else { return top == nil && moment.rows.isEmpty ? nil : "while Wi-Fi is off there should be no rows" }
    guard let selected else { return top.map { "\($0) stands at the top, and nothing is selected" } ?? rowDifference(moment, list.rows) }
    guard let top, selected.isShown(by: top), top.isSelected, top.isOutOfRange == (list[selected.id] == nil) else {
      return "at the top stands \(top.map { "\($0)" } ?? "nothing"); it should be \(selected)"
    }
    return rowDifference(moment, list.rows.filter { $0.id != selected.id })
  }

  private func rowDifference(_ moment: SettingsMoment, _ expected: [ReferenceRow]) -> String? {
    for (shown, row) in zip(moment.rows, expected) where !row.isShown(by: shown) || shown.isSelected || shown.isOutOfRange {
      return "where \(row) should stand, \(shown) does"
    }
    // Words cost more than all else: those of the weakest of what is new are enough.
    let fresh = Set(moment.freshNetworks.map(\.id))
    let weakest = zip(moment.rows, expected).filter { $0.shownName != "(unknown)" && fresh.contains($1.id) }.min { $0.1.bars < $1.1.bars }
    if let (shown, row) = weakest, "\(shown)" != "\(row)" { return "a row is described as “\(shown)”; it should be “\(row)”" }
    if moment.rows.count > expected.count { return "\(moment.rows[expected.count]) should not be listed" }
    if moment.rows.count < expected.count { return "\(expected[moment.rows.count]) should be listed" }
    return memberDifference(moment, fresh) ?? readingDifference(moment.model.foundNetworks)
  }

  /// Each network has the access points that are there, and their key managements.
  private func memberDifference(_ moment: SettingsMoment, _ fresh: Set<NetworkID>) -> String? {
    for network in moment.networks {
      let isAsExpected = network.members.count == list.memberCount(of: network.id)
      guard fresh.contains(network.id) || !isAsExpected else { continue }
      let members = list.members(of: network.id)
      if !isAsExpected || !network.members.allSatisfy({ members.contains($0.bssid.value) }) {
        func words(_ addresses: [MACAddress]) -> String { addresses.sorted().map(\.description).joined(separator: ", ") }
        let (shown, expected) = (words(network.members.map(\.bssid)), words(members.map { MACAddress($0) }))
        return "“\(network.ssid)” has the access points \(shown); it should \(expected.isEmpty ? "be lost" : "have \(expected)")"
      }
      guard members.count > 1, let suites = list.keyManagements(of: network.id) else { continue }
      if Set(network.security.akms.map(\.selector)) != suites {
        return "\(network.ssid) has the key managements \(network.security.akms.names); those of its access points are others"
      }
    }
    return nil
  }

  /// What is listed of an access point follows from its elements.
  private func readingDifference(_ found: FoundNetworksModel) -> String? {
    var (id, listed): (NetworkID?, [BSSFacts]) = (nil, [])
    for (plain, reading, row) in list.freshReadings {
      if row != id { (id, listed) = (row, found.facts(of: row)) }
      guard let facts = listed.first(where: { $0.bss.bssid.value == plain.address }) else { continue }
      let name = "“\(facts.ssid)” (\(facts.bss.bssid))"
      if !reading.name.isEmpty, reading.name != facts.ssid.bytes {
        return "\(name) says that it is called “\(PrintableText.escape(reading.name))”"
      }
      if reading.family != facts.security.family {
        return "\(name) is listed as \(facts.security.family); it says that it is \(reading.family)"
      }
      if let center = plain.centerKHz, reading.suites != nil, facts.channel.width == .mhz40, center != facts.channel.center0KHz {
        return "\(name) is listed at \(facts.channel.center0KHz) kHz; it says \(center)"
      }
    }
    return nil
  }
}

extension ReferenceRow: CustomStringConvertible {
  var title: String {
    let text = name.isEmpty ? "(hidden)" : PrintableText.escape(name)
    if case .bss(let address) = id { return "\(text) \(address)" }
    return text
  }

  var description: String {
    "\(title): \(bars) \(bars == 1 ? "bar" : "bars"), \(Int((strength * 100).rounded())) %, \(isSecured ? "secured" : "open")"
  }

  /// Whether a row shows this.
  func isShown(by row: NetworkRow) -> Bool {
    row.id == id && row.connectivity == strength && row.bars == bars && row.isSecured == isSecured
      && (row.name.utf8.elementsEqual(name) || row.name == PrintableText.escape(name))
  }
}
