import ArgumentParser
import Determinism
import Harness
import ScanTools
import WiFi

/// The command `wifi-harness record`.
struct RecordCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Record the scans of a source to a file that can be replayed.",
    discussion: """
      The file is only appended to, one line a scan, which is on the disk before the next scan. A kill costs at most \
      the line being written. The changes are printed as `watch` prints them, and `replay` prints the same again; recording goes on \
      when their reader is gone.

      With --anonymise the file holds made-up addresses and names, consistent over the whole recording, and no serial \
      numbers, contents of vendor elements or positions; channels, security, capabilities, signals and times stay. What is \
      printed while recording is not anonymised. Numbering restarts with each run, so give each run its own file.

      A file whose name ends in .zst is compressed; it holds the same. A simulated world is recorded on virtual time, \
      hours in seconds, unless --real-time or --gpsd is given.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup var output: WatchOutput
  @OptionGroup var gpsd: GPSDOptions

  @Option(
    name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("Append to this file.", valueName: "file"),
    completion: .file())
  var file: String

  @Flag(help: "Remove identifying data: replace addresses, names and serial numbers in the file.")
  var anonymise = false

  @Option(parsing: .unconditional, help: TimeOption.intervalHelp)
  var interval = TimeOption(seconds: 2)

  @Option(parsing: .unconditional, help: ArgumentHelp("Stop after this many scans.", valueName: "n"))
  var count: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stop after this long, from the start of the first scan: 90s, 10m, 24h.", valueName: "time"))
  var duration: TimeOption?

  @Flag(help: "With --simulate: record at the pace of the clock.")
  var realTime = false

  /// Whether time is the world's: a position is one of the clock's.
  private var isVirtual: Bool { source.simulate != nil && !realTime && gpsd.gpsd == nil }

  func validate() throws {
    try output.validateIsNoPlot()
    try interval.checkInterval(with: source)
    if let count, count < 1 { throw ValidationError("--count takes at least 1.") }
    if let duration, duration.duration <= .zero { throw ValidationError("--duration \(duration): it ends before it begins.") }
    if realTime, source.simulate == nil { throw ValidationError("--real-time goes with --simulate; other sources have no other time.") }
    if isVirtual, count == nil, duration == nil {
      throw ValidationError(
        "--simulate runs on virtual time and would never end: give --count or --duration, or --real-time to record until interrupted.")
    }
    try request.validate(with: source)
    if file == "-" {
      throw ValidationError("--output takes a file, to which a recording is appended: give a name; ./- is a file called “-”.")
    }
    if let replay = source.replay, Files.isSame(replay, file) {
      throw ValidationError("--replay and --output name one file, which would be appended to itself; give another name.")
    }
    try gpsd.validate(with: source)
  }

  /// The source as the file names it.
  private var sourceName: String { anonymise ? "anonymised" : source.summary }

  /// What the recording begins with; one that is made of another keeps its times.
  private func header(_ replayed: SourceOptions.Replayed?) -> Recording.Header {
    let name = sourceName
    if let replayed { return Recording.Header(source: name, began: replayed.began, beganBootTime: replayed.beganBootTime) }
    if let simulated = source.simulated {
      return Recording.Header(source: name, began: SimulatedWorlds.boot(seed: simulated.seed), beganBootTime: .zero)
    }
    return Recording.Header(source: name, began: StandardStreams.now(), beganBootTime: StandardStreams.bootTime())
  }

  func run() async throws {
    let name = PrintableText.escape(file)
    StandardStreams.outliveReader("the reader of standard output is gone; \(name) is recorded all the same.")
    guard let simulated = source.simulated, isVirtual else { return try await record(on: ContinuousClock()) }
    let command = self
    do {
      try await Determinism.simulate(seed: simulated.seed, order: .inOrder, limits: .endless) { simulation in
        try await command.record(on: simulation.clock)
      }
    } catch {
      throw Failure(error)
    }
  }

  private func record(on clock: any Clock<Duration>) async throws {
    let watcher = try Watcher(output, source)
    do {
      // A recording or a capture is gone through as fast as possible.
      let replayed = try source.replayed { _ in }
      let networkSource: any NetworkSource
      if let replayed {
        networkSource = replayed.source
      } else {
        networkSource = try await gpsd.positioned(
          WatchCommand.networkSource(source, request, interval: interval.duration, clock: clock))
      }
      let header = header(replayed)
      let recording = try RecordingFile(path: file, header: header, isDurable: !isVirtual)
      // To the second, as it stands in the file, so that a replay prints the same.
      if let replayed, replayed.stream != nil {
        watcher.setWallClock(replayed)
      } else if let began = header.began.flatMap({ UTCTime("\($0)") }), let bootTime = header.beganBootTime {
        watcher.setWallClock(began, at: bootTime)
      }
      var anonymiser = Anonymiser()
      var partNumber = 0
      try await watcher.follow(networkSource, limit: count, duration: duration?.duration) { scan in
        if let stream = replayed?.stream, stream.partNumber > partNumber {
          // It was continued under another header, such as after the machine was started again.
          partNumber = stream.partNumber
          var header = stream.partHeader
          header.source = sourceName
          try recording.append(header)
        }
        try recording.append(anonymise ? anonymiser.anonymised(scan) : scan)
      }
    } catch {
      throw Failure.ofScanning(error, path: source.replay)
    }
    SourceOptions.exitWhereDamaged()
  }
}

extension RecordCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    NamedFiles(written: [("--metrics", output.metrics), ("--output", file)], read: [("what is read", source.replay)])
  }
}
