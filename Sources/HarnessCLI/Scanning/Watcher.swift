import Harness
import Models
import ScanTools
import WiFi

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
    query = try output.query.filter.query()
    order = SteadyOrder(output.query.order, isReversed: output.query.reverse)
    // In the preview world each find is a row of its own.
    grouping = output.bss || source?.simulate == "preview" ? .bss : .network
    model = FoundNetworksModel(grouping: grouping)
    format = output.chosenFormat
    let registry = try output.making.registry(output.table.chosen())
    table = NetworkTable(
      isColoured: output.color.isOn, width: StandardStreams.size?.columns, columns: try output.table.chosen(), registry: registry)
    history = format == .plot ? AirHistory() : nil
    let query = query
    series = format.series.map { ScanSeries($0, query: query, release: Release.version, registry: registry) }
    series?.defusesNames = output.defusing.defuse
    try OutputFile.refuseHeard(output.metrics, option: "--metrics")
    try OutputFile.refusePipe(output.metrics, option: "--metrics")
    metrics = output.metrics.map { MetricsFile(path: $0) }
    if let simulated = source?.simulated {
      setWallClock(SimulatedWorlds.boot(seed: simulated.seed), at: .zero)
    } else if source?.replay == nil {
      utc = LiveTime.utc(at:)
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
    StandardStreams.say("the recording does not say when it began; \(consequence).")
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
    let size = StandardStreams.size
    table.width = size?.columns
    let sorted = order.sorted(rows) { ($0.network, $0.ageMs ?? 0) }
    let lines = table.lines(of: sorted, grouping: grouping)
    if StandardStreams.canMoveCursor { return try screen.draw(lines, on: size) }
    // One table after the other, with a line between.
    try StandardStreams.write((hasDrawn ? "\n" : "") + lines.map { $0 + "\n" }.joined())
    hasDrawn = true
  }
}
