import ArgumentParser
import Harness
import Models
import ScanTools
import WiFi

/// The command `wifi-harness scan`.
struct ScanCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "Scan once and print every network that was heard.",
    discussion: """
      Starting a scan needs CAP_NET_ADMIN; --cached shows without any privilege what the kernel heard before. While another \
      program scans, the scan waits for its turn. A scan that was cut short is shown with a warning.

      Formats: table; json (one object, schema wifi-harness/scan/1, or with --channels wifi-harness/channels/1); ndjson (one BSS a line); csv; wigle (WiGLE CSV 1.6); \
      pcapng (beacons and probe responses with radiotap, for Wireshark).

      `audit` lists what makes networks weak or doubtful.
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

  mutating func validate() throws {
    if json {
      guard format == .table || format == .json else { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
      format = .json
    }
    if channels {
      let lists = bss || table.columns != nil || query.givenOrder != nil || making.makers || gpsd.gpsd != nil
      if lists || format != .table && format != .json {
        throw ValidationError(
          "--channels goes with --format table and json, and not with --bss, --columns, --gpsd, --makers, --sort and --reverse.")
      }
      if let option = query.filter.givenBesidesBands {
        throw ValidationError("--channels counts every access point: leave out \(option); --band and --not-band choose bands.")
      }
    }
    if color == .always, channels || format != .table {
      throw ValidationError("--color colours the table of networks, so it goes with --format table and not with --channels.")
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
    try gpsd.validate(format: format.rawValue, json: "json")
    if making.makers, format == .wigle || format == .pcapng {
      throw ValidationError("--makers goes with --format table, json, ndjson and csv: \(format.rawValue) has no place for makers.")
    }
    if format == .pcapng, StandardStreams.isInteractive {
      throw ValidationError("--format pcapng is not for a terminal; send it to a file or to Wireshark: … > air.pcapng")
    }
  }

  func run() async throws {
    let registry = try making.registry(table.chosen())
    let positions = try await gpsd.positions()
    let reader = ScanReader(
      source: source, request: request, query: try query.filter.query(), number: number, countsChannels: channels)
    var heard: ScanReader.Heard
    do { heard = try await reader.read() } catch { throw Failure.ofScanning(error) }
    if let positions { heard.scan.position = await positions.position() }
    let (scan, end, surveys) = (heard.scan, heard.end, heard.surveys)
    if end == nil, format == .wigle || format == .pcapng {
      Watcher.warnOfNoTime(Watcher.consequence(of: scan, isPcapng: format == .pcapng))
    }
    var report = ScanReport(
      scan, grouping: bss ? .bss : .network, query: try query.filter.query(), order: query.order, isReversed: query.reverse,
      registry: registry)
    report.defusesNames = defusing.defuse
    report.station = heard.station
    switch format {
    case .table where channels: for one in try advice(scan, surveys) { try StandardStreams.write("\(one)\n") }
    case .json where channels:
      try StandardStreams.write(ChannelsReport(interface: scan.interface, bands: advice(scan, surveys)).json(pretty: pretty))
    case .table: try show(report)
    case .json: try report.writeJSON(pretty: pretty) { (piece) throws(Failure) in try StandardStreams.write(piece) }
    case .ndjson: try StandardStreams.write(report.ndjson())
    case .csv: try StandardStreams.write(report.csv())
    case .wigle: try StandardStreams.write(report.wigleCSV(end: end, release: Release.version))
    case .pcapng:
      try StandardStreams.write(report.pcapng(release: Release.version, end: end ?? UTCTime(seconds: 0).advanced(by: scan.end).known))
    }
    // With a filter that names bands or channels an adapter scans those alone.
    try query.filter.warn(wherePasses: report.networks.count, of: scan)
    ScanReader.warn(of: scan)
    SourceOptions.exitWhereDamaged()
  }

  /// What is known of the channels of each band.
  private func advice(_ scan: Scan, _ surveys: [Survey]) throws -> [ChannelAdvice] {
    // Every access point on a channel counts, shown or not; the filter chooses bands alone.
    let facts = scan.bss.map { BSSFacts($0) }
    let networks = Network.networks(of: facts)
    let wanted = try query.filter.query()
    return [Band.ghz2_4, .ghz5, .ghz6].compactMap { band in
      guard wanted.bands.isEmpty || wanted.bands.contains(band), !wanted.excludedBands.contains(band),
        facts.contains(where: { $0.channel.band == band }) || surveys.contains(where: { Band(frequencyKHz: Int($0.frequencyKHz)) == band })
      else { return nil }
      let advice = ChannelAdvice(networks, surveys: surveys, visited: scan.frequenciesKHz, band: band)
      return advice.choices.isEmpty ? nil : advice
    }
  }

  private func show(_ report: ScanReport) throws {
    if report.networks.isEmpty { return }
    let table = NetworkTable(
      isColoured: color.isOn, width: StandardStreams.size?.columns, columns: try table.chosen(), registry: report.registry)
    try StandardStreams.write(table.lines(of: report).joined(separator: "\n") + "\n")
    if let station = report.station { try StandardStreams.write("\njoined to \(station.summary)\n") }
  }
}
