import ArgumentParser
import CSecrets
import Models
import Terminal
import WiFi

/// The command `wifi-harness panel`.
struct PanelCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "panel", abstract: "Show networks on the whole terminal: list, history, channels, events, joining, and known networks.",
    discussion: """
      Reads an adapter, a recording or a simulated world. The last line shows the keys; ? lists all of them. Without the \
      privilege to scan, and beside NetworkManager, it shows what the kernel hears of other programs' scans.

      With --once it prints one picture and ends. With --linear it moves no cursor: changes are sentences, and commands are \
      typed (help lists them), for screen readers and slow lines.

      Colours follow the terminal (COLORTERM, TERM, COLORFGBG) and NO_COLOR, unless --color and --background override them.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup(title: "Filters") var wanted: FilterOptions

  @Option(parsing: .unconditional, help: TimeOption.intervalHelp)
  var interval = TimeOption(seconds: 10)

  @Option(
    help: ArgumentHelp(
      "Open this place: detail/NAME, connect/NAME, known, known/add, known/NAME/edit, channels, events or help.", valueName: "place"),
    completion: .list(["known", "known/add", "channels", "events", "help"]))
  var open: String?

  @Option(help: ArgumentHelp("List only networks whose name or address contains this.", valueName: "text"))
  var filter: String?

  @Option(
    help: ArgumentHelp("Sort by signal, name, channel, security or found.", valueName: "what"),
    completion: .list(NetworkSort.Criterion.allCases.map(\.rawValue)))
  var sort: String?

  @Flag(help: "Print one picture and end: of one scan, of the end of a recording, or of a simulated world after some time.")
  var once = false

  @Option(
    help: ArgumentHelp(
      "With --once: the size of the picture in cells, such as 100x30; the default is that of the terminal, or 100x30.", valueName: "size"))
  var size: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --once and --simulate: simulate this long first, in virtual time, up to 24h; the default is a minute.", valueName: "time"))
  var after: TimeOption?

  @Flag(help: "Print changes as sentences and read commands line by line.")
  var linear = false

  @Option(help: "Use this many colours; true is 24 bits, auto what the terminal has.")
  var color = PanelColor.auto

  @Option(help: "Choose colours for this background; auto is what the terminal reports.")
  var background = PanelBackground.auto

  @Option(
    help: ArgumentHelp(
      "Write the history to this file when x is pressed, or with --once at the end. A file that is no history is left as it is.",
      valueName: "file"),
    completion: .file(extensions: ["csv"]))
  var export: String?

  /// How long a world is simulated for one picture at most, as a run of `explore`.
  private static let longestAfter = Duration.seconds(86_400)

  func validate() throws {
    try interval.checkInterval(with: source, isView: true)
    if let open, PlaceArgument(open) == nil {
      throw ValidationError(
        "--open \(open): there are detail/NAME, connect/NAME, known, known/add, known/NAME/edit, channels, events and help.")
    }
    if let sort, NetworkSort.Criterion(rawValue: sort) == nil {
      let all = NetworkSort.Criterion.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--sort: unknown order “\(sort)”; choose from \(all).")
    }
    if let size, Size(size) == nil { throw ValidationError("--size \(size): give columns and rows, such as 100x30.") }
    if size != nil, !once { throw ValidationError("--size goes with --once.") }
    if after != nil, !once || source.simulate == nil { throw ValidationError("--after goes with --once and --simulate.") }
    if let after, after.duration > Self.longestAfter { throw ValidationError("--after \(after): at most a day, such as 90s, 10m or 24h.") }
    if once, linear { throw ValidationError("--once and --linear exclude each other.") }
    if open != nil, linear { throw ValidationError("--open names a place of the picture; with --linear type a command, such as known.") }
    if linear, ![.auto, .never].contains(color) || background != .auto {
      throw ValidationError("--color and --background are for pictures; --linear prints sentences, without colours.")
    }
    try request.validate(with: source, isView: true)
  }

  func run() async throws {
    // Passwords are typed into it.
    secrets_protect()
    try HistoryFile.refuseOther(export)
    try OutputFile.refuseUnwritable(export, option: "--export")
    if source.replay == "-", !once {
      throw Failure(
        .usage,
        "panel reads what is typed from standard input, which --replay - reads, too: use --once, or `wifi-harness watch --replay -`.")
    }
    guard once || linear || StandardStreams.isInputInteractive && StandardStreams.canMoveCursor else {
      throw Failure(
        .usage, "panel needs a terminal that it can draw on. Use --once for one picture, --linear for lines, or `wifi-harness watch`.")
    }
    if once { try await PanelOnce(command: self).run() } else { try await PanelCommand.runInteractively(self) }
    SourceOptions.exitWhereDamaged()
  }

  @MainActor
  private static func runInteractively(_ command: PanelCommand) async throws {
    let parts = try await ViewerParts.make(command.source, command.request, command.wanted, interval: command.interval.duration)
    command.apply(to: parts.viewer)
    let link = try PlaceArgument.wanted(command.open, in: parts.viewer)
    if command.linear {
      let session = LinearSession(parts, history: HistoryFile(command.export))
      do { return try await session.run() } catch { throw Failure(error) }
    }
    let device = TerminalDevice()
    let session = PanelSession(
      parts, device: device, palette: command.palette(isTerminal: true), link: link,
      history: HistoryFile(command.export))
    do { try await session.run() } catch { throw Failure(error) }
  }

  /// The filter and the order that were asked for.
  func apply(to viewer: Viewer) {
    if let filter { viewer.filter.text = filter }
    if let sort, let criterion = NetworkSort.Criterion(rawValue: sort) { viewer.sort = NetworkSort(criterion) }
  }

  /// The colours of the terminal.
  func palette(isTerminal: Bool) -> Palette {
    Palette(color.depth(isTerminal: isTerminal), isLight: background.isLight)
  }
}

/// How many colours to use.
enum PanelColor: String, ExpressibleByArgument, CaseIterable {
  case auto, never
  case ansi16 = "16"
  case ansi256 = "256"
  case trueColor = "true"

  /// The colours, where standard output is a terminal or not.
  func depth(isTerminal: Bool) -> Palette.Depth {
    switch self {
    case .never: return .none
    case .ansi16: return .ansi16
    case .ansi256: return .ansi256
    case .trueColor: return .trueColor
    case .auto:
      guard isTerminal, StandardStreams.environment("NO_COLOR") == nil else { return .none }
      let term = StandardStreams.environment("TERM") ?? ""
      if let color = StandardStreams.environment("COLORTERM"), color == "truecolor" || color == "24bit" { return .trueColor }
      if term.hasSuffix("-direct") { return .trueColor }
      if term.contains("256color") { return .ansi256 }
      return term == "dumb" || term.hasPrefix("vt") ? .none : .ansi16
    }
  }
}

/// How light the background is.
enum PanelBackground: String, ExpressibleByArgument, CaseIterable {
  case auto, dark, light

  /// Whether it is light; `COLORFGBG` ends with the number of the background, of which 7 and 15 are light.
  var isLight: Bool {
    switch self {
    case .dark: return false
    case .light: return true
    case .auto:
      let last = StandardStreams.environment("COLORFGBG")?.split(separator: ";").last.map(String.init)
      return last == "7" || last == "15"
    }
  }
}

extension PanelCommand {
  var drawsOnTerminal: Bool { true }
}
