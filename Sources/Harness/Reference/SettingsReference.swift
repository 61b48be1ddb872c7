import Models
import WiFi

/// The Wi-Fi settings as they should be: worked out a second time in the plainest way, from what was on the air, what
/// was done and how attempts to join ended.
///
/// It shares no code with the models. What it holds is what *What the settings do* says
/// (`docs/what-the-settings-do.md`).
struct SettingsReference {
  /// The sheet that asks for a password.
  struct Sheet {
    var row: ReferenceRow
    var password = ""
    var attempt: Attempt?
    var hasAlert = false
    var failure: ExpectedFailure?
  }

  /// An attempt to join that a sheet waits for.
  struct Attempt {
    /// The password as it was when Join was tapped.
    var password: String?
    /// Which attempt of the world it is; `nil` before the world was asked.
    var number: Int?
    /// Whether it ran when everything began, so that the world knows nothing of it.
    var isFromStart = false
  }

  /// The page about a network.
  struct Details {
    var row: ReferenceRow
    var asksToForget = false
  }

  /// Where a user is.
  enum Shown {
    case list
    case sheet(Sheet)
    case page(Details)
    case knownNetworks(KnownReference)
  }

  private(set) var list: ReferenceList
  /// The number of scans, heard or not.
  private(set) var scanCount = 0
  private(set) var isOn: Bool
  /// The selected network, as it was seen last.
  private(set) var selected: ReferenceRow?
  private(set) var shown = Shown.list {
    didSet {
      if case .list = shown { showsPassword = false }
      if case .knownNetworks(let known) = shown, case .knownNetworks(let before) = oldValue, known.topForm != before.topForm {
        showsPassword = false
      }
    }
  }
  /// Whether a terminal shows passwords, which it does until another form or nothing lies over the list.
  private(set) var showsPassword = false
  /// What happened to the association last, while what it joined is to be selected as soon as it may be.
  private var awaited: AssociationEvent?
  /// Where the radio stands.
  private var radioIsOn: Bool
  /// Whether it was asked to move, and has not answered.
  private var radioIsMoving = false
  /// Whether it could not be moved, and the switch was not moved since.
  private(set) var radioIsRefused = false
  /// What the link to was lost, and why, where nothing else happened to it since.
  private(set) var lost: (name: [UInt8], reason: AssociationLoss)?
  /// What a view lists: the networks whose name contains this.
  private(set) var filter = ""
  /// What a view sorts them by.
  private(set) var sort = NetworkSort.Criterion.signal
  /// What can be done with the known networks.
  let features: Set<KnownNetworkFeature>
  /// What was done in vain, which the models report, a sentence each.
  private(set) var issues: [String] = []
  /// What an attempt should not have done, a sentence.
  private(set) var complaint: String?

  /// How everything is when a run begins, of which this is the first moment.
  init(_ moment: SettingsMoment) {
    self.init(moment.start, moment.log, grouping: moment.grouping, order: moment.order, features: moment.knownFeatures)
  }

  /// How everything is when a run begins.
  init(
    _ start: ScenarioStart, _ log: WorldLog, grouping: Grouping, order: NetworkOrder, features: Set<KnownNetworkFeature>? = nil
  ) {
    self.features = features ?? []
    list = ReferenceList(grouping: grouping, order: order)
    isOn = start.isOn
    radioIsOn = start.isOn
    if let scan = log.initialScan { list.take(scan, heard: scan.bss.map { PlainBSS($0) }) }
    let given = list
    func row(_ reference: NetworkReference, isAbsent: Bool) -> ReferenceRow? {
      if isAbsent { return ReferenceRow(absent: reference, grouping) }
      return given.rows.filter { $0.name == Array(reference.name.utf8) }.dropFirst((reference.number ?? 1) - 1).first
    }
    selected = start.selected.flatMap { row($0, isAbsent: start.selectedIsOutOfRange) }
    if let link = start.link {
      guard let features else {
        issues.append("The known networks were requested, but there is no store of them; nothing is shown.")
        return
      }
      if isOn { shown = .knownNetworks(KnownReference(features: features, link)) }
      return
    }
    guard isOn, let destination = start.destination else { return }
    let isSelected =
      !destination.isLost && (destination.network == start.selected || destination.network.number == nil)
      && selected?.name == Array(destination.network.name.utf8)
    guard let opened = isSelected ? selected : row(destination.network, isAbsent: destination.isLost) else { return }
    switch destination {
    case .connect(_, let password, let alert, let failure, let isConnecting, _):
      shown = .sheet(
        Sheet(
          row: opened, password: password, attempt: isConnecting ? Attempt(isFromStart: true) : nil, hasAlert: alert, failure: failure))
    case .detail(_, let forgetAlert, _): shown = .page(Details(row: opened, asksToForget: forgetAlert))
    }
  }

  /// Processes something that passed or was done.
  mutating func take(_ event: WorldLog.Event, _ log: WorldLog) {
    switch event {
    case .scan(let scan, let bytes): take(scan, bytes)
    case .attemptBegan(let number): attemptBegan(number, log)
    case .attemptEnded(let number, let isCancelled): attemptEnded(number, log, isCancelled: isCancelled)
    case .associated(let event):
      if case .lost(let name, let reason) = event {
        (awaited, lost) = (nil, (name.bytes, reason))
        if reason == .left, log.leavesAlone(name) { complaint = "\(name) counts as left, and nothing left it" }
      } else {
        (awaited, lost) = (event, nil)
      }
      selectAwaited()
    case .radioAsked: radioIsMoving = true
    case .radio(let isOn, isRefused: false): (radioIsOn, radioIsMoving) = (isOn, false)
    // The switch goes where another program moved the radio, unless the radio is on its way to the switch.
    case .radioReported(let isOn, let isOld):
      if isOld { complaint = "the radio counts as \(isOn.onOrOff) again, where it was before it was moved" }
      guard !radioIsMoving, radioIsOn == self.isOn else { return }
      radioIsOn = isOn
      take(.switchWiFi(isOn: isOn))
    // The switch goes back to where the radio stands, unless it was moved since.
    case .radio(let isOn, isRefused: true):
      radioIsMoving = false
      guard self.isOn == isOn else { return }
      take(.switchWiFi(isOn: radioIsOn))
      radioIsRefused = true
    case .input(let input): take(input)
    case .knownAsked(let number, let request):
      if case .knownNetworks(var known) = shown {
        complaint = known.ask(number, request) ?? complaint
        shown = .knownNetworks(known)
      } else if request != .list {
        complaint = "the known networks were asked for a change, and their page is closed"
      }
    case .knownAnswered(let number, let outcome, let daemon, let isAlone):
      complaint = daemon.flatMap { outcome.lack(beside: $0) } ?? complaint
      guard case .knownNetworks(var known) = shown else { return }
      complaint = known.answer(number, outcome, isAlone: isAlone) ?? complaint
      shown = .knownNetworks(known)
    case .knownChangedInVain: complaint = "a change of the known networks was given up, and the daemon made it all the same"
    }
  }

  // MARK: The air

  /// A scan counts while Wi-Fi is on.
  private mutating func take(_ scan: Scan, _ bytes: [[UInt8]]?) {
    scanCount += 1
    guard isOn else { return }
    list.take(scan, heard: bytes.flatMap { PlainBSS.all(in: $0) } ?? scan.bss.map { PlainBSS($0) })
    // What is out of range stays as it was seen last.
    if let row = list[selected?.id] { selected = row }
    switch shown {
    case .sheet(var sheet):
      sheet.row = list[sheet.row.id] ?? sheet.row
      shown = .sheet(sheet)
    case .page(var page):
      page.row = list[page.row.id] ?? page.row
      shown = .page(page)
    case .list, .knownNetworks: break
    }
    selectAwaited()
  }

  /// What a daemon joined by itself is selected once it is listed, but not under a sheet that connects.
  private mutating func selectAwaited() {
    guard isOn, let event = awaited else { return }
    if case .sheet(let sheet) = shown, sheet.attempt != nil { return }
    let named = list.rows.filter { $0.name == event.ssid.bytes }
    let address: MACAddress? =
      switch event {
      case .joined(_, let address): address
      case .roamed(_, _, let to, _): to
      case .lost: nil
      }
    guard let row = named.first(where: { list.members(of: $0.id).contains { $0 == address?.value } }) ?? named.first else { return }
    awaited = nil
    if selected?.name != row.name { selected = row }
  }

  // MARK: Attempts to join

  /// The world is asked to join what a tap on Join meant, once for each tap.
  private mutating func attemptBegan(_ number: Int, _ log: WorldLog) {
    guard case .sheet(var sheet) = shown, let attempt = sheet.attempt, attempt.number == nil, !attempt.isFromStart,
      log.attempts[number].network == sheet.row.id
    else { return complaint = "the world was asked to join \(log.attempts[number].network), and no tap on Join waits for that" }
    if log.attempts[number].password != attempt.password {
      complaint = "the world was asked to join \(sheet.row.id) with another password than that of the tap"
    }
    sheet.attempt?.number = number
    shown = .sheet(sheet)
  }

  /// A sheet shows how its own attempt ended; of any other nothing is to be seen.
  private mutating func attemptEnded(_ number: Int, _ log: WorldLog, isCancelled: Bool) {
    guard case .sheet(var sheet) = shown, sheet.attempt?.number == number else { return }
    sheet.attempt = nil
    defer { if case .sheet = shown { shown = .sheet(sheet) } }
    if isCancelled { return }
    switch log.attempts[number].error {
    case nil:
      // What an access point says of itself may be wrong while elements are.
      let members = log.isUndisturbed ? list.members(of: sheet.row.id) : []
      if let linked = log.attempts[number].linkAfter, !members.isEmpty, !members.contains(linked.value),
        list.rows.contains(where: { $0.name == sheet.row.name && list.members(of: $0.id).contains(linked.value) })
      {
        complaint = "another network of the name \(sheet.row.title) was joined than that which was tapped"
      }
      shown = .list
      (selected, awaited) = (list[sheet.row.id] ?? sheet.row, nil)
    case .wrongPassword: sheet.hasAlert = true
    case .timedOut: sheet.failure = .timedOut
    case .outOfRange: sheet.failure = .outOfRange
    case .rejected: sheet.failure = .rejected
    case .cancelled: break
    }
  }

  // MARK: What a user does

  private mutating func take(_ input: UserInput) {
    switch input {
    case .switchWiFi(let isOn):
      if !isOn { shown = .list }
      if self.isOn != isOn { radioIsRefused = false }
      self.isOn = isOn
    case .tapRow(let id):
      guard isOn else { return issues.append("\(id) was tapped while Wi-Fi is off; the tap is ignored.") }
      guard let row = row(id) else { return issues.append("\(id) was tapped, which is not in the list; the tap is ignored.") }
      if id == selected?.id {
        shown = .page(Details(row: row))
      } else if row.isSecured {
        shown = .sheet(Sheet(row: row))
      } else {
        (selected, awaited) = (row, nil)
      }
    case .tapInfo(let id):
      guard isOn else { return issues.append("\(id) was tapped while Wi-Fi is off; the tap is ignored.") }
      guard let row = row(id) else {
        return issues.append("Details were asked for of \(id), which is not in the list; nothing is shown.")
      }
      shown = .page(Details(row: row))
    case .view(.filter(let text)): filter = text
    case .view(.sort(let criterion)): sort = criterion
    case .view(.showsPassword(let isShown)): showsPassword = isShown
    case .showKnownNetworks: if isOn { shown = .knownNetworks(KnownReference(features: features)) }
    case .close(let name, isCurrent: true, let count): close(name, over: count)
    case .close: break
    case .type, .join, .cancel, .forget, .confirmForget, .keep, .tapKnown, .addKnown, .duplicate, .save, .fill:
      takeOnSheet(input)
      takeOnPage(input)
      takeOnKnown(input)
    }
  }

  private func row(_ id: NetworkID) -> ReferenceRow? { list[id] ?? (id == selected?.id ? selected : nil) }

  private mutating func takeOnSheet(_ input: UserInput) {
    guard case .sheet(var sheet) = shown else { return }
    switch input {
    case .type(let text): sheet.password = text
    case .join where sheet.attempt == nil:
      sheet.attempt = Attempt(password: sheet.row.isSecured ? sheet.password : nil)
      (sheet.hasAlert, sheet.failure) = (false, nil)
    // Cancel gives up an attempt that runs, and closes the sheet where none does.
    case .cancel where sheet.attempt == nil: return shown = .list
    case .cancel: sheet.attempt = nil
    default: break
    }
    shown = .sheet(sheet)
  }

  private mutating func takeOnPage(_ input: UserInput) {
    guard case .page(var page) = shown else { return }
    let isSelected = page.row.id == selected?.id
    if input == .forget || input == .confirmForget, !isSelected {
      issues.append("\(page.row.id) was to be forgotten, which is not selected; nothing is forgotten.")
    }
    page.asksToForget = input == .forget && isSelected
    shown = .page(page)
    if input == .confirmForget, isSelected { (shown, selected, awaited) = (.list, nil, nil) }
  }

  private mutating func takeOnKnown(_ input: UserInput) {
    guard case .knownNetworks(var known) = shown else { return }
    if case .tapKnown(let id) = input, !known.networks.contains(where: { $0.id == id }) {
      issues.append("\(id) was tapped, which is not among the known networks; the tap is ignored.")
    }
    known.take(input)
    shown = .knownNetworks(known)
  }

  private mutating func close(_ name: String, over count: Int) {
    takeOnKnown(.close(name, isCurrent: true, over: count))
    switch (name, shown) {
    case ("incorrectPassword", .sheet(var sheet)):
      sheet.hasAlert = false
      shown = .sheet(sheet)
    case ("forget", .page(var page)):
      page.asksToForget = false
      shown = .page(page)
    case ("connect", .sheet), ("detail", .page), ("known", .knownNetworks): shown = .list
    default: break
    }
  }
}

extension ReferenceRow {
  /// What is known of a network that a run begins with and that is not there: its name, and that it needs a password.
  init(absent reference: NetworkReference, _ grouping: Grouping) {
    self.init(
      id: StartState.absent(reference, grouping).id, name: Array(reference.name.utf8), strength: 1_000 / 6_000, family: .personal)
  }
}
