import ArgumentParser
import Determinism
import Harness
import Models
import ScanTools
import Scanner
import Simulator
import WiFi

/// The command `wifi-harness watch`.
struct WatchCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Show networks that are found, changed and lost, live, until interrupted.",
    discussion: """
      On a terminal a table is kept up to date in place; through a pipe each change is a line. A network is lost after \
      three complete scans that visited its channel without hearing it, and at least 30 seconds after it was last heard. A recording is shown as \
      fast as it was made. A simulated world runs on virtual time at the pace of the clock, so one seed always gives the same output.

      With --exec a command is started for each event of --on, one at a time and never through a shell. It gets the event \
      in its environment (WIFI_HARNESS_EVENT, WIFI_HARNESS_SSID, WIFI_HARNESS_BSSID and others) and as JSON on its \
      standard input; what it prints goes to standard error.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup var output: WatchOutput
  @OptionGroup var gpsd: GPSDOptions

  @Option(parsing: .unconditional, help: TimeOption.intervalHelp)
  var interval = TimeOption(seconds: 2)

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many scans.", valueName: "n"))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("With --replay and --simulate: go this many times as fast, such as 10x or 10.", valueName: "factor"))
  var speed: SpeedOption?

  @OptionGroup(title: "Events") var exec: ExecOptions

  func validate() throws {
    try output.validateIsNoPlot()
    try interval.checkInterval()
    if let count, count < 1 { throw ValidationError("--count takes at least 1.") }
    if speed != nil, source.replay == nil, source.simulate == nil { throw ValidationError("--speed goes with --replay and --simulate.") }
    if speed != nil, gpsd.gpsd != nil { throw ValidationError("--gpsd has the time of the clock; leave out --speed.") }
    try ReplayCommand.validate(speed: speed)
    try request.validate(with: source)
    try gpsd.validate(with: source)
  }

  func run() async throws {
    let watcher = try Watcher(output, source)
    let runner = try exec.runner()
    watcher.events = runner
    do {
      let clock = ContinuousClock()
      let speed = speed?.factor ?? 1
      if let replayed = try source.replayed(pause: { try await clock.sleep(for: $0 / speed) }) {
        watcher.setWallClock(replayed)
        try await watcher.follow(replayed.source, limit: count)
      } else if let simulated = source.simulated, gpsd.gpsd == nil {
        nonisolated(unsafe) let watcher = watcher
        let command = self
        try await Determinism.simulate(seed: simulated.seed, order: .inOrder, limits: .endless) { simulation in
          let source = try await command.networkSource(on: simulation.clock)
          let start = clock.now
          var first: Duration?
          try await unsafe watcher.follow(source, limit: command.count) { scan in
            first = first ?? scan.start
            LiveTime.wait((scan.end - (first ?? .zero)) / speed - (clock.now - start))
          }
        }
      } else {
        try await watcher.follow(gpsd.positioned(networkSource(on: clock)), limit: count)
      }
    } catch {
      watcher.end()
      await runner?.finish()
      throw Failure.ofScanning(error, path: source.replay)
    }
    watcher.end()
    await runner?.finish()
    SourceOptions.exitWhereDamaged()
  }

  private func networkSource(on clock: any Clock<Duration>) async throws -> any NetworkSource {
    try await Self.networkSource(source, request, query: output.query.query(), interval: interval.duration, speed: 1, clock: clock)
  }

  /// The source that the options name.
  static func networkSource(
    _ source: SourceOptions, _ request: RequestOptions, query: BSSQuery = BSSQuery(), interval: Duration, speed: Double,
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws -> any NetworkSource {
    if let replayed = try source.replayed(pause: { try await clock.sleep(for: $0 / speed) }) { return replayed.source }
    if let simulated = source.simulated {
      let world = SimulatedWorlds.make(
        simulated, networks: SimulatedWorlds.networksAtFirst(in: simulated.world), clock: clock)
      guard let kernel = (world as? KernelScenarioWorld)?.kernel else { return world.source }
      return try await adapterSource(Scanner(link: kernel.link()), source, request, query, interval: interval, clock: clock)
    }
    return try await adapterSource(try SourceOptions.scanner(), source, request, query, interval: interval, clock: clock)
  }

  private static func adapterSource(
    _ scanner: Scanner, _ source: SourceOptions, _ request: RequestOptions, _ query: BSSQuery, interval: Duration,
    clock: any Clock<Duration>
  ) async throws -> any NetworkSource {
    var configuration = try await request.configuration(interface: source.interface, scanner: scanner, query: query)
    if request.cached { configuration.mode = .others }
    return AdapterSource(scanner: scanner, configuration: configuration, interval: interval) {
      try await clock.sleep(for: $0)
    }
  }
}

/// How changes are shown.
struct WatchOutput: ParsableArguments {
  @OptionGroup var query: QueryOptions

  @Option(
    help: ArgumentHelp(
      "Print changes as table, lines or ndjson, or everything that is heard as csv, wigle or pcapng; the default is a table on a terminal and lines elsewhere."
    ))
  var format: ChangeFormat?

  @Flag(help: "The same as --format ndjson.")
  var json = false

  @Flag(help: "Print one row, or line, for each BSS instead of one for each network.")
  var bss = false

  @Flag(
    help:
      "Begin each line with the time of day (ISO 8601), in the local time zone with its offset from UTC, or in UTC for a simulated world.")
  var absoluteTime = false

  @OptionGroup var table: ColumnOptions
  @OptionGroup var making: MakerOptions
  @OptionGroup var defusing: DefuseOptions

  /// Refuses a plot of what has no end.
  func validateIsNoPlot() throws {
    if format == .plot { throw ValidationError("--format plot goes with replay and simulate, which have an end.") }
  }

  @Option(help: ArgumentHelp("Colour the table; auto does so on a terminal.", valueName: "when"))
  var color = ColourChoice.auto

  @Option(
    help: ArgumentHelp(
      "After each scan, replace this file with figures for Prometheus; the textfile collector of node_exporter reads names that end in .prom.",
      valueName: "file"), completion: .file(extensions: ["prom"]))
  var metrics: String?

  func validate() throws {
    if defusing.defuse, format != .wigle { throw ValidationError("--defuse goes with --format wigle; csv does so always.") }
    if absoluteTime, chosenFormat != .lines {
      throw ValidationError("--absolute-time goes with --format lines; the other formats have the time of day, or no times of events.")
    }
    if json, let format, format != .ndjson { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
    if chosenFormat != .table, let option = query.givenOrder ?? table.columns.map({ _ in "--columns" }) {
      let isDefault = format == nil && !json
      throw ValidationError("\(option) goes with --format table\(isDefault ? "; without a terminal the default is lines" : "").")
    }
  }

  /// The format that was asked for; a table on a terminal, lines elsewhere.
  var chosenFormat: ChangeFormat { json ? .ndjson : format ?? (StandardStreams.canMoveCursor ? .table : .lines) }
}

/// Shows what a source brings, as lines or as a table that is kept up to date.
final class Watcher {
  private var model: FoundNetworksModel
  private let grouping: Grouping
  private let format: ChangeFormat
  private let query: BSSQuery
  private var order: SteadyOrder
  private var table: NetworkTable
  /// Whether a table was written where nothing is drawn in place.
  private var hasDrawn = false
  private var screen = RedrawnLines()
  private var timeline = Timeline()
  private var bars = SteadyBars()
  private var securities = SecurityHistory()
  private var scanNumber = 0
  /// Hears of what happens, where a command does.
  var events: EventRunner?
  /// The date of a time since boot in the last scan that was given; `nil` where it is unknown.
  private var utc: (_ bootTime: Duration) -> UTCTime? = { _ in nil }
  private var series: ScanSeries?
  /// What was heard, where it is to be drawn.
  var history: AirHistory?
  private var saysNoTime = true
  private var metrics: MetricsFile?
  private let output: WatchOutput
  private let isSimulated: Bool
  /// Whether each command ends before the next event is looked for, as nothing is missed meanwhile.
  var waitsForEvents = false
  /// Whether anything passed the filter.
  private var isAnythingShown = false
  /// Whether scans are skipped that are not to be shown.
  private(set) var isSkipping = false

  init(_ output: WatchOutput, _ source: SourceOptions? = nil) throws {
    self.output = output
    isSimulated = source?.simulate != nil
    query = try output.query.query()
    order = SteadyOrder(output.query.order, isReversed: output.query.reverse)
    // In the preview world each find is a row of its own.
    grouping = output.bss || source?.simulate == "preview" ? .bss : .network
    model = FoundNetworksModel(grouping: grouping)
    format = output.chosenFormat
    let registry = try output.making.registry(output.table.chosen())
    table = NetworkTable(
      isColoured: output.color.isOn, width: StandardStreams.isInteractive ? StandardStreams.size?.columns : nil,
      columns: try output.table.chosen(), registry: registry)
    history = format == .plot ? AirHistory() : nil
    let query = query
    series = format.series.map { ScanSeries($0, query: query, release: Release.version, registry: registry) }
    series?.defusesNames = output.defusing.defuse
    try OutputFile.refuseHeard(output.metrics, option: "--metrics")
    try OutputFile.refusePipe(output.metrics, option: "--metrics")
    metrics = output.metrics.map { MetricsFile(path: $0) }
    if let simulated = source?.simulated {
      setWallClock(SimulatedWorlds.boot(seed: simulated.seed), at: .zero)
    } else if source?.replay == nil, let bootTime = StandardStreams.bootTime() {
      setWallClock(StandardStreams.now(), at: bootTime)
    }
  }

  /// Takes the times of a recording or a capture.
  func setWallClock(_ replayed: SourceOptions.Replayed) { utc = replayed.utc }

  /// Counts times from a moment at which the machine had been up for `bootTime`.
  func setWallClock(_ moment: UTCTime, at bootTime: Duration) { utc = { moment.advanced(by: $0 - bootTime).known } }

  /// Processes scans until there are no more, or until one is behind what is to be shown.
  ///
  /// - Parameters:
  ///   - limit: the most scans to take.
  ///   - duration: how long after the first scan began the last may end.
  func follow(
    _ source: any NetworkSource, limit: Int? = nil, duration: Duration? = nil, window: ReplayWindow = ReplayWindow(),
    keep: (Scan) throws -> Void = { _ in }
  ) async throws {
    var count = 0
    var fullest: Scan?
    isSkipping = window.from != nil
    var end = Duration.zero
    if isSkipping, let stream = source as? RecordingStream {
      try stream.skip { start, scanEnd in
        var next = timeline
        let place = next.place(start: start, end: scanEnd)
        if try window.isReached(at: place.time, utc(scanEnd)) { return false }
        (timeline, end) = (next, place.time)
        scanNumber += 1
        return true
      }
    }
    while limit.map({ count < $0 }) ?? true, let scan = try await source.nextScan() {
      let place = timeline.place(scan)
      end = place.time
      let utc = utc(scan.end)
      scanNumber += 1
      guard try window.isReached(at: place.time, utc) else { continue }
      isSkipping = false
      if try window.isPassed(at: place.time, utc) { break }
      if let duration, place.time > duration { break }
      count += 1
      try keep(scan)
      try await show(scan, place, utc)
      if scan.bss.count >= fullest?.bss.count ?? 0 { fullest = scan }
    }
    if !isAnythingShown, !query.isEmpty, let latest = fullest { try output.query.filter.warn(wherePasses: 0, of: latest) }
    if isSkipping, let from = window.from {
      let last = ChangeReport.stamp(end).drop { " +".contains($0) }
      throw Failure(.usage, "there is nothing from \(from) on: the last scan ended \(last) after the first began.")
    }
    if format == .plot, let history { try PlotOptions.draw(history) }
    if var series {
      try StandardStreams.write(series.end())
      self.series = series
    }
  }

  private func show(_ scan: Scan, _ place: Timeline.Place, _ utc: UTCTime?) async throws {
    if series != nil { try write(scan, place, utc) }
    // Nothing is known of what was there before the machine was started again: it is found once more.
    if place.isRestart { model = FoundNetworksModel(grouping: grouping) }
    let selected = query.selected(scan)
    if !selected.bss.isEmpty { isAnythingShown = true }
    let changes = model.apply(selected).networks
    if output.absoluteTime, utc == nil { sayNoTime("the lines begin with the time since the first scan") }
    let clockTime = output.absoluteTime ? utc.map { isSimulated ? $0.iso8601(minutesEast: 0) : LiveTime.iso8601($0) } : nil
    for change in changes {
      var report = bars.report(change, at: place.time)
      report.utc = utc
      report.clockTime = clockTime
      report.showsAddress = output.bss
      report.earlierSecurity = securities.earlier(change)
      events?.post(report)
      if waitsForEvents { await events?.finish() }
      switch format {
      case .table: break
      case .ndjson: try StandardStreams.write(report.json + [0x0A])
      case .lines: if let line = report.line { try StandardStreams.write(line + "\n") }
      case .csv, .wigle, .pcapng, .plot: break
      }
    }
    try metrics?.update(selected, changes: changes, networks: model.all, utc: utc)
    history?.add(selected, time: place.time, utc: utc, networkCount: model.count)
    switch format {
    case .table: try drawTable(at: scan.end)
    case .ndjson:
      let count = ScanCount(
        number: scanNumber, scan: selected, time: place.time, utc: utc, networkCount: model.count, changes: changes)
      try StandardStreams.write(count.json + [0x0A])
    case .lines, .csv, .wigle, .pcapng, .plot: break
    }
  }

  private func sayNoTime(_ consequence: String) {
    if saysNoTime { Self.warnOfNoTime(consequence) }
    saysNoTime = false
  }

  /// What a file has in place of the times of day.
  static func consequence(of scan: Scan, isPcapng: Bool) -> String {
    isPcapng && scan.end > .zero ? "its times count from 1970" : "the times of day are left out"
  }

  /// Says that a recording or a capture has no times of day.
  static func warnOfNoTime(_ consequence: String) {
    StandardStreams.writeError("wifi-harness: the recording does not say when it began; \(consequence).\n")
  }

  /// Writes what a scan adds to a file of all that was heard.
  private func write(_ scan: Scan, _ place: Timeline.Place, _ utc: UTCTime?) throws {
    if utc == nil { sayNoTime(Self.consequence(of: scan, isPcapng: format == .pcapng)) }
    let end = utc ?? (format == .pcapng ? UTCTime(seconds: 0).advanced(by: scan.end).known : nil)
    let bytes = series?.bytes(of: scan, number: scanNumber, end: end, isRestart: place.isRestart) ?? []
    if !bytes.isEmpty { try StandardStreams.write(bytes) }
  }

  private func drawTable(at now: Duration) throws {
    let rows = model.all.map { network in
      (
        network: network, strongest: model.facts(of: network.id).first,
        ageMs: model.lastHeard(network.id).map { max((now - $0).wholeMilliseconds, 0) }
      )
    }
    let size = StandardStreams.isInteractive ? StandardStreams.size : nil
    table.width = size?.columns
    let sorted = order.sorted(rows) { ($0.network, $0.ageMs ?? 0) }
    let lines = table.lines(of: sorted, grouping: grouping)
    if StandardStreams.canMoveCursor { return try screen.draw(lines, on: size) }
    // One table after the other, with a line between.
    try StandardStreams.write((hasDrawn ? "\n" : "") + lines.map { $0 + "\n" }.joined())
    hasDrawn = true
  }

  /// Leaves the cursor below what was drawn.
  func end() { screen.end() }
}
