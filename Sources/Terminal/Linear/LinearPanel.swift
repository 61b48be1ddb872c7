public import Models
public import Observing
import WiFi

/// The panel line by line: changes as sentences, commands as words, for screen readers and slow lines.
///
/// It moves no cursor and draws nothing twice. It reads and writes nothing itself: lines go in, lines come out.
public final class LinearPanel {
  /// What a command gives.
  public struct Answer: Hashable, Sendable {
    /// What to print.
    public var lines: [String]
    /// What the caller is to do.
    public var effect: PanelKeys.Effect?
    /// The file that the history is to be written to, where one was named.
    public var exportPath: String?

    /// Makes an answer from its parts.
    public init(_ lines: [String] = [], _ effect: PanelKeys.Effect? = nil, exportPath: String? = nil) {
      self.lines = lines
      self.effect = effect
      self.exportPath = exportPath
    }
  }

  private let viewer: Viewer
  private let presenter: TerminalPresenter
  private let player: RecordingPlayer?
  private let onAttempt: (ViewerAttempt, Presentation) -> Void
  private let onScanNow: () -> Void
  private var printedEvents = 0
  private var printedStatus: String?
  /// Whether the known networks are to be printed as soon as they are listed.
  private var awaitsKnown = false
  private var isKnownAsked = false
  /// The networks of the list that was printed last, in its order: what numbers mean, whatever has changed since.
  private var listed: [NetworkID]?
  /// The network of the question that was printed last, until the next line, which is never taken for a command.
  private var asked: Network?
  /// The sheet whose attempt runs.
  private weak var joining: ConnectToNetworkModel?

  /// Creates a line-based view of a viewer.
  ///
  /// - Parameters:
  ///   - onAttempt: runs an attempt to join in a task that ends with the sheet.
  ///   - onScanNow: begins the next scan before its time.
  public init(
    _ viewer: Viewer, presenter: TerminalPresenter, player: RecordingPlayer? = nil,
    onAttempt: @escaping (ViewerAttempt, Presentation) -> Void, onScanNow: @escaping () -> Void
  ) {
    self.viewer = viewer
    self.presenter = presenter
    self.player = player
    self.onAttempt = onAttempt
    self.onScanNow = onScanNow
  }

  /// Whether the next line is a password, which must not be echoed.
  ///
  /// It stays one where the sheet goes meanwhile, as when another program turns Wi-Fi off.
  public var wantsPassword: Bool { (asking?.network ?? asked)?.isSecured == true }

  /// The sheet that the next line answers: with a password, or with yes where there is none.
  private var asking: ConnectToNetworkModel? {
    guard joining == nil, let sheet = presenter.shown.last?.item as? ConnectToNetworkModel, !sheet.isConnecting else { return nil }
    return sheet
  }

  // MARK: What changed

  /// What happened since this was asked last, a sentence each; to be asked when the models have changed.
  public func news() -> [String] {
    viewer.update()
    if viewer.events.totalCount < printedEvents { printedEvents = 0 }
    var lines = viewer.events.since(printedEvents).map(sentence)
    printedEvents = viewer.events.totalCount
    if let sheet = joining, !sheet.isConnecting {
      joining = nil
      if sheet.incorrectPasswordAlertIsPresented {
        lines.append("\(ShortWords.name(sheet.network)) does not accept this password. Type join again to try another.")
      } else if let failure = sheet.failure {
        lines.append(viewer.joinNote ?? failure.sentence)
      }
      while !presenter.shown.isEmpty { presenter.dismissTop() }
    }
    lines += knownNews
    let status = statusSentence
    if status != printedStatus, let status { lines.append(status) }
    printedStatus = status
    return lines
  }

  /// The known networks, once they are listed; then their page goes.
  private var knownNews: [String] {
    guard awaitsKnown, let known = presenter.shown.last?.item as? KnownNetworksModel else { return [] }
    // The list is asked for when the page has appeared.
    if known.isLoading { isKnownAsked = true }
    guard !known.isLoading, isKnownAsked || known.failure != nil else { return [] }
    let rows = known.rows
    isKnownAsked = false
    awaitsKnown = false
    while !presenter.shown.isEmpty { presenter.dismissTop() }
    if let failure = known.failure { return ["\(failure)"] }
    return rows.isEmpty ? ["No network is known."] : rows.map { "\($0)." }
  }

  private var statusSentence: String? {
    if let problem = viewer.settings.radioProblem { return "\(problem)" }
    if !viewer.settings.isOn { return "Wi-Fi is off." }
    if let problem = viewer.status.problem { return problem }
    if viewer.status.phase == .joining { return "Scans wait for the join." }
    if viewer.status.count == 0, viewer.playback == nil { return "Scanning." }
    return viewer.note
  }

  private func sentence(_ event: NetworkEvents.Event) -> String {
    let name = ShortWords.name(event.network)
    let time = viewer.timeStyle.text(event.time)
    return switch event.kind {
    case .found: "\(time) found \(name), \(event.network.security.summary), \(SignalMarks.text(event.network))."
    case .lost: "\(time) lost \(name)."
    case .changed(let difference): "\(time) changed \(name): \(difference.replacing("→", with: "to"))."
    case .joined: "\(time) joined \(name)."
    case .left: "\(time) left \(name)."
    case .disconnected(let loss): "\(time) lost the connection to \(name). \(loss)"
    case .roamed(let from, let to, let reason): "\(time) roamed within \(name) \(NetworkEvents.roamingText(from: from, to: to, reason))."
    }
  }

  // MARK: Commands

  /// What the commands are.
  public static let help = [
    "list: the networks with their numbers", "details NUMBER or NAME: what is known of one network",
    "join NUMBER or NAME: join it; a password is asked for",
    "a NUMBER is that of the list that was printed last; of a NAME a part will do that one network alone has",
    "forget: forget the joined network",
    "filter TEXT: list only names with it; filter alone lists all", "band 2.4, 5, 6 or all", "signal -70 or all: the least signal in dBm",
    "sort signal, name, channel, security or found; reverse turns it round", "channels: which access points are on which channel",
    "events: what happened", "known: the known networks", "scan: scan now", "pause and resume", "wifi on, wifi off",
    "next, back, first, last: in a recording",
    "export: write the history to a file; export PATH: to this one", "quit",
  ]

  /// Does what a line says.
  public func handle(_ line: String) -> Answer {
    let asked = asked
    self.asked = nil
    if asking != nil { return joinWith(line) }
    if let asked {
      return Answer([line.isEmpty ? "Cancelled." : "\(ShortWords.name(asked)) is not to be joined any more; the line was not used."])
    }
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let command = words.first?.lowercased() else { return Answer() }
    let rest = words.count > 1 ? words[1] : ""
    switch command {
    case "help", "?": return Answer(Self.help)
    case "list", "ls": return Answer(list)
    case "details", "info": return answer(about: rest, details)
    case "join":
      while !presenter.shown.isEmpty { presenter.dismissTop() }
      return answer(about: rest, join)
    case "forget": return forget()
    case "filter":
      viewer.filter.text = rest
      return Answer(list)
    case "band": return band(rest)
    case "signal": return signal(rest)
    case "sort": return sort(rest)
    case "reverse":
      viewer.sort.isReversed.toggle()
      return Answer(list)
    case "channels": return Answer(channels)
    case "events": return Answer(viewer.events.suffix(20).map(sentence))
    case "known":
      let refusal = viewer.knownNetworksTapped()
      awaitsKnown = refusal == nil
      return Answer([refusal ?? "Asking which networks are known."])
    case "scan" where player != nil, "wifi" where player != nil:
      return Answer(["This is a recording; next, back, first, last and resume go through it."])
    case "wifi": return wifi(rest)
    case "scan":
      onScanNow()
      return Answer([viewer.scanHint ?? "Scanning as soon as the adapter can."])
    case "pause":
      if let player { player.play(false) } else { viewer.isPaused = true }
      return Answer(["Paused."])
    case "resume":
      if let player { player.play(true) } else { viewer.isPaused = false }
      return Answer(["Goes on."])
    case "next", "back", "first", "last": return step(command)
    case "export":
      let path = String(rest.trimmed)
      return Answer([], .export, exportPath: path.isEmpty ? nil : path)
    case "quit", "exit", "q": return Answer([], .quit)
    default: return Answer(["There is no command \(PrintableText.escape(command)); help lists them."])
    }
  }

  private var list: [String] {
    viewer.update()
    listed = viewer.ids
    guard viewer.rowCount > 0 else {
      if !viewer.settings.isOn { return ["Wi-Fi is off."] }
      return [viewer.totalCount > 0 ? "No network matches the filter; it hides \(viewer.totalCount)." : "No networks yet."]
    }
    return (0..<viewer.rowCount).map { index in
      let row = viewer[row: index]
      let network = row.listed
      var parts = ["\(index + 1) \(ShortWords.name(network))"]
      if row.isJoined { parts.append(row.associationLoss == nil ? "joined" : "connection lost") }
      parts.append(row.isLost ? "lost" : "\(SignalMarks.text(network)), \(network.bars.counted("bar"))")
      parts.append(network.securityText)
      if let channel = network.members.first?.channel.number { parts.append("channel \(channel)") }
      return parts.joined(separator: ", ")
    }
  }

  /// The row of a number of the list that was printed last, or of a name: the whole of it, or a part that one row alone
  /// has.
  private func row(_ text: String) throws(Complaint) -> ViewedRow {
    viewer.update()
    let rows = (0..<viewer.rowCount).map { viewer[row: $0] }
    let shown = PrintableText.escape(text)
    func names(_ isMeant: (String) -> Bool) -> [ViewedRow] { rows.filter { isMeant(ShortWords.name($0.network)) } }
    let wanted = text.lowercased()
    let trimmed = text.trimmed
    guard !trimmed.isEmpty else { throw Complaint("Say which: a number of the list, or a name.") }
    var found = names { $0 == text }
    if found.isEmpty { found = names { $0.lowercased() == wanted } }
    if trimmed.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      let number = Int(trimmed) ?? .max
      guard let listed else {
        if found.count == 1 { return found[0] }
        throw Complaint("A number is that of a list; list prints one.")
      }
      guard listed.indices.contains(number - 1) else {
        if found.count == 1 { return found[0] }
        throw Complaint("The list that was printed last has no \(shown); its numbers go to \(listed.count).")
      }
      let id = listed[number - 1]
      guard let row = viewer[id] else { throw Complaint("The network with number \(shown) is not there any more; list shows which are.") }
      if let other = found.first, other.id != id {
        throw Complaint("\(shown) is a number of the list, and another network is called so; give a part of the name, or filter the list.")
      }
      return row
    }
    if found.isEmpty { found = names { $0.lowercased().contains(wanted) } }
    if found.count == 1 { return found[0] }
    throw Complaint(
      found.isEmpty
        ? "No network is called \(shown); list shows which there are."
        : "\(found.count) networks are called \(shown); give a number of the list.")
  }

  private struct Complaint: Error {
    let sentence: String
    init(_ sentence: String) { self.sentence = sentence }
  }

  private func answer(about text: String, _ body: (ViewedRow) -> Answer) -> Answer {
    do throws(Complaint) { return body(try row(text)) } catch { return Answer([error.sentence]) }
  }

  private func details(_ row: ViewedRow) -> Answer {
    let lines = DetailLines(viewer: viewer, row: row)
    let all = lines.summary + lines.protection + lines.load
    let members = row.network.members.map { member in
      "\(member.bssid), channel \(member.channel.number.map(String.init) ?? "unknown"), \(member.signalMBm.map { "\($0.wholeDBm) dBm" } ?? "no signal")"
    }
    let signals = viewer.signals(of: row.id, last: .seconds(60), count: 6).map { $0.map(String.init) ?? "none" }
    return Answer(all.map { $0.parts.map(\.text).joined() } + members + ["last minute, dBm: " + signals.joined(separator: ", ")])
  }

  private func join(_ row: ViewedRow) -> Answer {
    let name = ShortWords.name(row.network)
    if row.isJoined { return Answer(["\(name) is joined already."]) }
    if row.isLost { return Answer(["\(name) is lost; it can be joined when it is heard again."]) }
    if let refusal = viewer.rowTapped(row.id) { return Answer([refusal]) }
    // One that is only to be selected asks nothing.
    guard row.network.isSecured || viewer.joinsOpenNetworks else { return Answer() }
    asked = row.network
    return Answer([
      row.network.isSecured
        ? "Password for \(name), or an empty line to cancel:" : "Type yes to join without protection, or an empty line to cancel:"
    ])
  }

  private func joinWith(_ line: String) -> Answer {
    guard let top = presenter.shown.last, let sheet = top.item as? ConnectToNetworkModel else { return Answer() }
    guard sheet.network.isSecured ? !line.isEmpty : ["y", "yes"].contains(line.trimmed.lowercased()) else {
      presenter.dismissTop()
      return Answer(["Cancelled."])
    }
    if sheet.network.isSecured { sheet.password = line }
    guard let attempt = sheet.joinButtonTapped() else { return Answer() }
    joining = sheet
    onAttempt(ViewerAttempt(attempt), top)
    return Answer(["Joining \(ShortWords.name(sheet.network))."])
  }

  private func forget() -> Answer {
    guard let id = viewer.settings.selectedNetworkID else { return Answer(["No network is joined."]) }
    if let hint = viewer.forgetHint { return Answer([hint]) }
    viewer.settings.infoButtonTapped(id)
    guard let page = viewer.settings.destination?.detail else { return Answer() }
    page.forgetButtonTapped()
    page.confirmForgetButtonTapped()
    return Answer(["Forgotten; its password is asked for the next time."])
  }

  private func band(_ text: String) -> Answer {
    guard let choice = BandSegments.choices.first(where: { $0.title == text }) else { return Answer(["band takes 2.4, 5, 6 or all."]) }
    viewer.filter.bands = choice.bands
    return Answer(list)
  }

  private func signal(_ text: String) -> Answer {
    if text == "all" {
      viewer.filter.minimumSignalDBm = nil
    } else if let value = Int(text), NetworkFilter.signalRange.contains(value) {
      viewer.filter.minimumSignalDBm = value
    } else {
      return Answer(["signal takes -100 to -30, or all."])
    }
    return Answer(list)
  }

  private func sort(_ text: String) -> Answer {
    guard let criterion = NetworkSort.Criterion(rawValue: text) else {
      return Answer(["sort takes \(NetworkSort.Criterion.allCases.map(\.rawValue).joined(separator: ", "))."])
    }
    viewer.sort = NetworkSort(criterion)
    return Answer(list)
  }

  private var channels: [String] {
    viewer.occupancies.flatMap { occupancy in
      occupancy.bars.map { bar in
        let channel = occupancy.band.channel(frequencyKHz: bar.primaryKHz).map { "channel \($0)" } ?? "\(bar.primaryKHz / 1000) MHz"
        let name = DisplayName.shown(bar.ssid)
        return "\(occupancy.band.rawValue) \(channel), \(bar.lowKHz / 1000) to \(bar.highKHz / 1000) MHz: \(name)"
          + (bar.signalMBm.map { ", \($0.wholeDBm) dBm" } ?? "")
      }
    }
  }

  private func wifi(_ text: String) -> Answer {
    guard text == "on" || text == "off" else { return Answer(["wifi takes on or off."]) }
    guard viewer.hasAdapter else { return Answer([viewer.status.problem ?? "There is no adapter."]) }
    let wasOn = viewer.settings.isOn
    viewer.settings.wifiToggled(to: text == "on")
    // Where it is switched off the news say so.
    return Answer(text == "on" ? [wasOn ? "Wi-Fi is on." : "Wi-Fi is switched on; scans begin again."] : [])
  }

  private func step(_ command: String) -> Answer {
    guard let player else { return Answer(["There is no recording to go through; give one with --replay."]) }
    switch command {
    case "next": player.step(by: 1)
    case "back": player.step(by: -1)
    case "first": player.go(to: 1)
    default: player.go(to: player.count)
    }
    printedEvents = min(printedEvents, viewer.events.totalCount)
    return Answer(["Scan \(player.position) of \(player.count), \(viewer.timeStyle.text(viewer.now))."])
  }
}

extension String {
  /// Without the spaces at either end.
  fileprivate var trimmed: Substring {
    let head = drop { $0 == " " || $0 == "\t" || $0 == "\r" }
    return head.dropLast(head.reversed().prefix { $0 == " " || $0 == "\t" || $0 == "\r" }.count)
  }
}
