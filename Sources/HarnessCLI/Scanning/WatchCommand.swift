import ArgumentParser
import Determinism
import Harness
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
    try interval.checkInterval(with: source)
    if let count, count < 1 { throw ValidationError("--count takes at least 1.") }
    if speed != nil, source.replay == nil, source.simulate == nil { throw ValidationError("--speed goes with --replay and --simulate.") }
    if speed != nil, gpsd.gpsd != nil { throw ValidationError("--gpsd has the time of the clock; leave out --speed.") }
    try ReplayCommand.validate(speed: speed)
    try request.validate(with: source)
    try gpsd.validate(with: source)
    try gpsd.validate(format: output.chosenFormat.rawValue, json: "ndjson")
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
      await runner?.finish()
      throw Failure.ofScanning(error, path: source.replay)
    }
    await runner?.finish()
    SourceOptions.exitWhereDamaged()
  }

  private func networkSource(on clock: any Clock<Duration>) async throws -> any NetworkSource {
    try await Self.networkSource(source, request, query: output.query.filter.query(), interval: interval.duration, clock: clock)
  }

  /// The source that the options name, where it is no recording and no capture.
  static func networkSource(
    _ source: SourceOptions, _ request: RequestOptions, query: BSSQuery = BSSQuery(), interval: Duration, clock: any Clock<Duration>
  ) async throws -> any NetworkSource {
    let scanner: Scanner
    if let simulated = source.simulated {
      let world = SimulatedWorlds.make(
        simulated, networks: SimulatedWorlds.networksAtFirst(in: simulated.world), clock: clock)
      guard let kernel = (world as? KernelScenarioWorld)?.kernel else { return world.source }
      scanner = Scanner(link: kernel.link())
    } else {
      scanner = try SourceOptions.scanner()
    }
    var configuration = try await request.configuration(interface: source.interface, scanner: scanner, query: query)
    if request.cached { configuration.mode = .others }
    return AdapterSource(scanner: scanner, configuration: configuration, interval: interval) {
      try await clock.sleep(for: $0)
    }
  }
}

extension WatchCommand: WritesFiles {
  func namedFiles() -> NamedFiles { NamedFiles(written: [("--metrics", output.metrics)], read: [("what is read", source.replay)]) }
}
