import ArgumentParser
import Determinism
import Harness
import Models
import ScanTools
import Scanner
import Simulator
import WiFi

/// The command `wifi-harness scan`.
struct ScanCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Scan once and print every network that was heard.",
    discussion: """
      Starting a scan needs CAP_NET_ADMIN; --cached shows without any privilege what the kernel heard before. While another \
      program scans, the scan waits for its turn. A scan that was cut short is shown with a warning.

      Formats: table; json (one object, schema wifi-harness/scan/1); ndjson (one BSS a line); csv; wigle (WiGLE CSV 1.6); \
      pcapng (beacons and probe responses with radiotap, for Wireshark).

      With --audit it lists what makes networks weak or doubtful, each with the reason and the clause of the standard, as a \
      table or as JSON. Of a recording or a capture it audits all scans, unless --at names one.

      Exit status: 0 success, and with --audit nothing was found; 1 the audit found something.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup var query: QueryOptions

  @Option(help: "Print the scan in this format.")
  var format = ScanFormat.table

  @Flag(help: "Print one row for each BSS instead of one for each network.")
  var bss = false

  @Flag(help: "Print the least busy channels of each band, with the reasons, instead of networks.")
  var channels = false

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Write JSON with one field a line.")
  var pretty = false

  @OptionGroup var table: ColumnOptions
  @OptionGroup var making: MakerOptions
  @OptionGroup var defusing: DefuseOptions
  @OptionGroup var gpsd: GPSDOptions

  @Option(help: ArgumentHelp("Colour the table; auto does so on a terminal.", valueName: "when"))
  var color = ColourChoice.auto

  @Option(
    name: .customLong("at"), parsing: .unconditional,
    help: ArgumentHelp("With --replay: show the scan with this number, from 1; the default is the last.", valueName: "n"))
  var number: Int?

  @OptionGroup(title: "Audit") var auditing: AuditOptions

  mutating func validate() throws {
    if auditing.audit, format != .table, format != .json { throw ValidationError("--audit goes with --format table and json.") }
    if auditing.audit, bss || table.columns != nil || query.givenOrder != nil {
      throw ValidationError("--audit lists findings: --bss, --columns, --sort and --reverse have nothing to apply to.")
    }
    if auditing.known == "-", source.replay == "-" { throw ValidationError("- stands for standard input, which can be read once.") }
    if json {
      guard format == .table || format == .json else { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
      format = .json
    }
    if channels, format != .table || auditing.audit || bss || table.columns != nil || query.givenOrder != nil {
      throw ValidationError("--channels goes with --format table, and not with --audit, --bss, --columns, --sort and --reverse.")
    }
    if table.columns != nil, format != .table { throw ValidationError("--columns goes with --format table.") }
    if format == .pcapng, let option = query.givenOrder {
      throw ValidationError("\(option) goes with every format but pcapng, whose frames are in the order of their times.")
    }
    if pretty, format != .json { throw ValidationError("--pretty goes with --format json.") }
    if number != nil, source.replay == nil { throw ValidationError("--at goes with --replay.") }
    if let number, number < 1 { throw ValidationError("--at counts from 1.") }
    if defusing.defuse, format != .wigle { throw ValidationError("--defuse goes with --format wigle; csv does so always.") }
    try request.validate(with: source)
    try gpsd.validate(with: source)
    if making.makers, format == .wigle || format == .pcapng {
      throw ValidationError("--makers goes with --format table, json, ndjson and csv: \(format.rawValue) has no place for makers.")
    }
    if format == .pcapng, StandardStreams.isInteractive {
      throw ValidationError("--format pcapng is not for a terminal; send it to a file or to Wireshark: … > air.pcapng")
    }
  }

  func run() async throws {
    StandardStreams.ignoreBrokenPipes()
    if auditing.audit { return try await runAudit() }
    let registry = try making.registry(table.chosen())
    let positions = try await gpsd.positions()
    var (scan, end, surveys, station): (Scan, UTCTime, [Survey], Station?)
    do { (scan, end, surveys, station) = try await self.scan() } catch { throw Failure.ofScanning(error) }
    if let positions { scan.position = await positions.position() }
    var report = ScanReport(
      scan, grouping: bss ? .bss : .network, query: try query.query(), order: query.order, isReversed: query.reverse,
      registry: registry)
    report.defusesNames = defusing.defuse
    report.station = station
    switch format {
    case .table where channels:
      // Every access point on a channel counts, shown or not; the filter chooses bands alone.
      let facts = scan.bss.map { BSSFacts($0) }
      let networks = Network.networks(of: facts)
      let wanted = try query.query()
      for band in [Band.ghz2_4, .ghz5, .ghz6] where wanted.bands.isEmpty || wanted.bands.contains(band) {
        let isHeard = facts.contains { $0.channel.band == band } || surveys.contains { Band(frequencyKHz: Int($0.frequencyKHz)) == band }
        if !isHeard || wanted.excludedBands.contains(band) { continue }
        let advice = ChannelAdvice(networks, surveys: surveys, visited: scan.frequenciesKHz, band: band)
        if !advice.choices.isEmpty { try StandardStreams.write("\(advice)\n") }
      }
    case .table: try show(report)
    case .json: try report.writeJSON(pretty: pretty) { (piece) throws(Failure) in try StandardStreams.write(piece) }
    case .ndjson: try StandardStreams.write(report.ndjson())
    case .csv: try StandardStreams.write(report.csv())
    case .wigle: try StandardStreams.write(report.wigleCSV(end: end, release: Release.version))
    case .pcapng: try StandardStreams.write(report.pcapng(release: Release.version, end: end))
    }
    // With a filter that names bands or channels an adapter scans those alone.
    try query.filter.warn(wherePasses: report.networks.count, of: scan)
    ScanCommand.warn(of: scan)
    SourceOptions.exitWhereDamaged()
  }

  private func runAudit() async throws {
    let (query, baseline) = (try query.query(), try await auditing.baseline())
    let list: [AuditedBSS]
    if let file = source.replay, number == nil {
      list = try await DiffCommand.summary(of: file, query).audited
      if list.isEmpty, !query.isEmpty { self.query.filter.warnThatNothingPasses("") }
    } else {
      let scan: Scan
      do { scan = try await self.scan().0 } catch { throw Failure.ofScanning(error) }
      ScanCommand.warn(of: scan)
      list = AuditedBSS.list(scan.bss.map { BSSFacts($0) }.filter(query.accepts))
      try self.query.filter.warn(wherePasses: list.count, of: scan)
    }
    let audit = Audit(list, baseline: baseline, rules: try auditing.chosen(), maker: AuditOptions.maker())
    let report = AuditReport(audit)
    try StandardStreams.write(format == .json ? report.json(pretty: pretty) : Array(report.text.utf8))
    SourceOptions.exitWhereDamaged()
    if !audit.findings.isEmpty { StandardStreams.exit(.checkFailed) }
  }

  /// How busy channels were, where that is asked for and counted, and what the link is like, where an access point is
  /// joined.
  private static func counts(_ scanner: Scanner, _ scan: Scan, channels: Bool) async -> ([Survey], Station?) {
    let isJoined = scan.bss.contains { $0.status == 1 }
    guard channels || isJoined, let index = try? await scanner.interfaces().first(where: { $0.name == scan.interface })?.index
    else { return ([], nil) }
    return (
      channels ? (try? await scanner.survey(interfaceIndex: index)) ?? [] : [],
      isJoined ? try? await scanner.stations(interfaceIndex: index).first : nil
    )
  }

  /// The scan, when it ended, how busy channels were, and what the link is like.
  private func scan() async throws -> (Scan, UTCTime, [Survey], Station?) {
    if let input = try source.input() {
      do {
        let (scan, end) = try await scan(input)
        return (scan, end, [], nil)
      } catch { throw Failure(error, path: source.replay) }
    }
    if let simulated = source.simulated {
      let (scan, surveys) = try await scan(simulated)
      return (scan, SimulatedWorlds.boot(seed: simulated.seed).advanced(by: scan.end), surveys, nil)
    }
    let scanner = try SourceOptions.scanner()
    let configuration = try await request.configuration(interface: source.interface, scanner: scanner, query: query.query())
    let progress = Progress(request.cached ? nil : "scanning …")
    defer { progress.end() }
    let scan = try await scanner.scan(configuration)
    let (surveys, station) = await Self.counts(scanner, scan, channels: channels)
    return (scan, StandardStreams.now(), surveys, station)
  }

  /// The scan of a file that was asked for, and when it ended: the last, or the whole of a capture.
  private func scan(_ input: RecordingInput) async throws -> (Scan, UTCTime) {
    if number == nil, input.kind == .capture {
      let source = input.captureSource()
      let scan = try await source.wholeScan()
      if source.damagedFrameCount > 0 {
        let frames = source.damagedFrameCount == 1 ? "a frame" : "\(source.damagedFrameCount) frames"
        StandardStreams.writeError(
          "wifi-harness: \(frames) with a wrong check sequence, or not captured whole, left out.\n")
      }
      return (scan, UTCTime(nanoseconds: scan.end.wholeNanoseconds))
    }
    let (found, count, utc): (Scan?, Int, (Duration) -> UTCTime?)
    switch input.kind {
    case .recording:
      let stream = try SourceOptions.stream(input)
      ((found, count), utc) = (try stream.scan(number: number), stream.utc(_:))
    case .capture:
      let source = input.captureSource()
      var (latest, number): (Scan?, Int) = (nil, 0)
      while number < self.number ?? .max, let scan = try await source.nextScan() { (latest, number) = (scan, number + 1) }
      // Its times count from 1970.
      (found, count, utc) = (number < self.number ?? 0 ? nil : latest, number, { UTCTime(seconds: 0).advanced(by: $0) })
    case .savedScans:
      let contents = try Recording.read(input.rest())
      let index = (number ?? contents.scans.count) - 1
      found = contents.scans.indices.contains(index) ? contents.scans[index] : nil
      (count, utc) = (contents.scans.count, { contents.utc(ofScan: index, $0) })
    }
    guard let scan = found else {
      throw Failure(.noInput, count == 0 ? "the recording holds no scan." : "the recording holds scans 1 to \(count).")
    }
    if let end = utc(scan.end) { return (scan, end) }
    if format == .wigle || format == .pcapng {
      StandardStreams.writeError("wifi-harness: the recording does not say when it began; its times count from 1970.\n")
    }
    return (scan, UTCTime(seconds: 0).advanced(by: scan.end))
  }

  /// One scan of a simulated world, on virtual time: it takes no longer than its work.
  private func scan(_ simulated: ScenarioSource.SimulatedSource) async throws -> (Scan, [Survey]) {
    let channels = channels
    let (request, interface, query) = (request, source.interface, try query.query())
    return try await Determinism.simulate(seed: simulated.seed, limits: .endless) { simulation in
      let world = SimulatedWorlds.make(
        simulated, networks: SimulatedWorlds.networksAtFirst(in: simulated.world), clock: simulation.clock)
      if let kernel = (world as? KernelScenarioWorld)?.kernel {
        let scanner = Scanner(link: kernel.link())
        let scan = try await scanner.scan(request.configuration(interface: interface, scanner: scanner, query: query))
        return (scan, await Self.counts(scanner, scan, channels: channels).0)
      }
      guard let scan = try await world.source.nextScan() else { throw Failure(.software, "the preview ended.") }
      return (scan, [])
    }
  }

  private func show(_ report: ScanReport) throws {
    if report.networks.isEmpty { return }
    let table = NetworkTable(
      isColoured: color.isOn, width: StandardStreams.isInteractive ? StandardStreams.size?.columns : nil, columns: try table.chosen(),
      registry: report.registry)
    try StandardStreams.write(table.lines(of: report).joined(separator: "\n") + "\n")
    if let station = report.station { try StandardStreams.write("\njoined to \(station.summary)\n") }
  }

  /// Says on standard error what a scan is short of.
  static func warn(of scan: Scan) {
    let reason: String
    switch scan.completion {
    case .complete, .cached: reason = ""
    case .partial(.aborted): reason = "the scan was ended early, by another program or because the interface went down"
    case .partial(.eventsLost): reason = "the kernel dropped events, so the end of the scan was not heard"
    case .partial(.deadline): reason = "the scan did not end in time and was given up"
    case .partial(.dumpInterrupted): reason = "the kernel changed its list each time it was read"
    }
    if !reason.isEmpty {
      StandardStreams.writeError("wifi-harness: \(scan.interface): \(reason); networks may be missing.\n")
    }
    if scan.unreadable > 0 {
      StandardStreams.writeError("wifi-harness: \(scan.interface): \(scan.unreadable) messages of the kernel could not be read.\n")
    }
  }
}

/// A word on standard error while something takes long, on a terminal only.
struct Progress {
  private let isShown: Bool

  init(_ text: String?) {
    isShown = text != nil && StandardStreams.isErrorInteractive
    if let text, isShown { StandardStreams.writeError(text) }
  }

  func end() {
    if isShown { StandardStreams.writeError("\r\u{1B}[K") }
  }
}
