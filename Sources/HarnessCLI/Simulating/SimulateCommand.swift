import ArgumentParser
import Determinism
import Harness
import Models
import ScanTools
import Simulator
import WiFi

/// The command `wifi-harness simulate`.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Simulate a world from a seed on virtual time.",
    discussion: """
      Prints every network that is found, changed and lost, as `watch` does, and then the hash of what was printed: \
      one seed gives the same bytes on every machine and in every build. Minutes take milliseconds.

      Worlds: preview, the churn of a settings preview; still, a simulated kernel without networks; and places full of \
      access points, scanned through a simulated kernel by the same scanner that reads real adapters.

      With -- and a command, that command runs on the simulated kernel, whatever language it is written in: simulate --world home \
      --seed 7 -- iw dev wlan0 scan. It needs no root and touches no adapter; this command ends with its exit status.

      With --seeds many seeds are run instead: each draws a world, a start state, faults and user input. The properties are checked \
      whenever a run is at rest, and each violation is printed with its seed.

      With --verify-statistics the worlds are tested against the published figures that they claim: each with its source, the sample \
      size and the p-value.

      Exit status: 1 a property was violated, or a world deviates from a figure; 66 there is no such program; 69 the program cannot \
      run on the simulated kernel, such as one that is linked statically.
      """)

  @Option(parsing: .unconditional, help: ArgumentHelp("Seed all randomness with this number.", valueName: "seed"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("The world: \(SimulatedWorlds.names.joined(separator: ", ")).", valueName: "world"),
    completion: .list(SimulatedWorlds.names))
  var world = "preview"

  @Option(parsing: .unconditional, help: ArgumentHelp("Simulate this long, in virtual time, such as 90s, 10m or 2h.", valueName: "time"))
  var duration = TimeOption(seconds: 60)

  @Option(parsing: .unconditional, help: ArgumentHelp("Pause this long between scans, in virtual time.", valueName: "time"))
  var interval = TimeOption(seconds: 2)

  @Flag(
    help: ArgumentHelp(
      "Let people's devices and access points come and go by the hour, from midnight (UTC) on, in the worlds \(SimulatedWorlds.namesWithDayAndNight.joined(separator: ", "))."
    ))
  var dayAndNight = false

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "Inject this fault into the simulated kernel, with numbers after a colon where it takes them, such as rfkill:at=5s,for=10s; "
        + "repeatable: \(FaultOption.names.joined(separator: ", ")).", valueName: "fault"),
    completion: .list(FaultOption.names))
  var faults: [String] = []

  @OptionGroup var plots: PlotOptions

  @Option(help: "Print the changes in this format; plot draws the run in the terminal at its end.")
  var format = SimulationFormat.lines

  @Flag(help: "Print one row, or line, for each BSS instead of one for each network.")
  var bss = false

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the scans to a recording, too; one of an earlier simulation is replaced.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "Run these seeds, such as 0..<1000, with random user input instead, and print their combined hash.",
      valueName: "a..<b"))
  var seeds: String?

  @Option(help: ArgumentHelp("With --seeds: run this many at once; the default is one for each core.", valueName: "n"))
  var jobs: Int?

  @Option(help: ArgumentHelp("With --seeds: run through this view; the hash is the same.", valueName: "view"))
  var via = ViewChoice.headless

  @Flag(help: "Test the worlds against the published figures they claim.")
  var verifyStatistics = false

  @Option(
    help: ArgumentHelp(
      "Let time pass for a command at this pace: real, the default; a factor such as 20x; or virtual, which jumps ahead when every process waits.",
      valueName: "pace"), completion: .list(["real", "virtual", "10x"]))
  var pace: Pace?

  @Option(
    help: ArgumentHelp(
      "With a command: write the frames that its adapters hear to this file (pcapng with radiotap), which is replaced.",
      valueName: "file"), completion: .file())
  var frames: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Run this program on the simulated kernel, with its arguments.", valueName: "command"))
  var command: [String] = []

  enum SimulationFormat: String, ExpressibleByArgument, CaseIterable { case lines, ndjson, plot }

  func validate() throws {
    if seed == nil, seeds == nil, !verifyStatistics {
      throw ValidationError("--seed is missing: a run is its seed, so that it can be seen again; any number will do, such as 7.")
    }
    if let seeds, SeedRange(seeds) == nil {
      throw ValidationError("--seeds \(seeds): give a number such as 1000, or a range such as 0..1000, whose end is not run.")
    }
    if via != .headless, seeds == nil { throw ValidationError("--via goes with --seeds.") }
    if jobs != nil, seeds == nil { throw ValidationError("--jobs goes with --seeds.") }
    if let jobs, !(1...1024).contains(jobs) { throw ValidationError("--jobs takes 1 to 1024.") }
    guard SimulatedWorlds.names.contains(world) else {
      throw ValidationError("--world: unknown world “\(world)”; choose from \(SimulatedWorlds.names.joined(separator: ", ")).")
    }
    for fault in faults { _ = try FaultOption.specification(fault) }
    if seeds != nil, !faults.isEmpty { throw ValidationError("--fault goes with --seed: the runs of --seeds draw faults of their own.") }
    if world == "preview", !faults.isEmpty {
      throw ValidationError("--fault is for worlds with a kernel; the preview has none. Give another --world.")
    }
    if dayAndNight, !SimulatedWorlds.namesWithDayAndNight.contains(world) {
      throw ValidationError("--day-and-night is for the worlds \(SimulatedWorlds.namesWithDayAndNight.joined(separator: ", ")).")
    }
    if command.isEmpty, pace != nil {
      throw ValidationError("--pace is for a command: simulate --world home --seed 7 --pace virtual -- iw dev wlan0 scan.")
    }
    if command.isEmpty, frames != nil {
      throw ValidationError("--frames is for a command: simulate --world home --seed 7 --frames air.pcapng -- iw dev wlan0 scan.")
    }
    if !command.isEmpty {
      if world == "preview" {
        throw ValidationError("a command needs a world with a kernel, which the preview has not. Give another --world, such as home.")
      }
      if seeds != nil || verifyStatistics || file != nil {
        throw ValidationError("a command runs in one simulation of its own: leave out --seeds, --verify-statistics and --output.")
      }
      if plots.plot != nil || bss || format != .lines {
        throw ValidationError("a command writes what it likes: leave out --plot, --bss and --format; --frames keeps what was on the air.")
      }
    }
  }

  func run() async throws {
    if !command.isEmpty { return try runCommand() }
    StandardStreams.ignoreBrokenPipes()
    if verifyStatistics {
      let report = Simulator.verifyStatistics(seed: seed ?? 7)
      try StandardStreams.write("\(report)")
      if !report.passes { StandardStreams.exit(.checkFailed) }
      return
    }
    if let seeds, let range = SeedRange(seeds) {
      return try await Runs.run(range.seeds, via: via.kind, jobs: jobs ?? SystemFiles.coreCount)
    }
    guard let seed else { return }
    var source = ScenarioSource.SimulatedSource(world: world, seed: seed)
    source.interval = interval.duration
    source.hasDayAndNight = dayAndNight
    source.faults = try faults.map(FaultOption.specification)
    let run = SimulatedWatch(source: source, end: duration.duration, grouping: bss ? .bss : nil, format: format, file: file, plots: plots)
    do {
      try await run.run()
    } catch {
      throw Failure(error)
    }
  }
}

extension SimulateCommand {
  /// Runs a program on the simulated kernel, and ends as it does.
  private func runCommand() throws(Failure) {
    #if os(Linux)
      var source = ScenarioSource.SimulatedSource(world: world, seed: seed ?? 0)
      source.hasDayAndNight = dayAndNight
      source.faults = faults.compactMap { text in
        guard var fault = try? FaultOption.specification(text) else { return nil }
        // A command is over soon: what begins at a time begins with it, unless another is given.
        fault.at = fault.at ?? .zero
        return fault
      }
      let image = try ProgramImage(named: command[0])
      let library = try PreloadLibrary.path()
      try ProgramHost(source, pace: pace ?? .real, frames: frames).run(image, arguments: command, library: library)
    #else
      throw Failure(.unavailable, "programs run on the simulated kernel under Linux alone.")
    #endif
  }
}

/// One world, watched on virtual time.
struct SimulatedWatch: Sendable {
  var source: ScenarioSource.SimulatedSource
  var end: Duration
  var grouping: Grouping?
  var format: SimulateCommand.SimulationFormat
  var file: String?
  var plots: PlotOptions

  func run() async throws {
    let watch = self
    try await Determinism.simulate(seed: source.seed, limits: .endless) { simulation in try await watch.follow(simulation) }
  }

  private func follow(_ simulation: Simulation) async throws {
    let world = SimulatedWorlds.make(source, networks: [], clock: simulation.clock)
    let header = Recording.Header(
      source: "simulation \(source.world)\(source.hasDayAndNight ? " by day and night" : ""), seed \(source.seed)",
      began: SimulatedWorlds.boot(seed: source.seed), beganBootTime: .zero)
    let recording = try file.map { path in
      // What comes of a seed can be made again, so the recording of a simulation makes room for another.
      try RecordingFile(path: path, header: header, isDurable: false, mayReplace: { $0.source.hasPrefix("simulation ") })
    }
    let model = FoundNetworksModel(grouping: grouping ?? world.grouping, order: world.order)
    var (found, changed, lost) = (0, 0, 0)
    var hash = TraceHash()
    var bars = SteadyBars()
    var securities = SecurityHistory()
    var scanNumber = 0
    var history = AirHistory()
    var firstStart: Duration?
    let boot = SimulatedWorlds.boot(seed: source.seed)
    // An error of a task is one of the simulation; a disk that is full is none.
    var failure: (any Error)?
    let task = simulation.task("watches") {
      while simulation.clock.now.offset < end {
        let scan: Scan?
        do {
          scan = try await world.source.nextScan()
        } catch {
          if Task.isCancelled { return }
          try write("\(ChangeReport.stamp(simulation.clock.now.offset))  failed   \(error)", &hash)
          try await simulation.clock.sleep(for: .seconds(5))
          continue
        }
        guard let scan else { return }
        do { try recording?.append(scan) } catch {
          failure = error
          return
        }
        scanNumber += 1
        let (utc, time) = (boot.advanced(by: scan.end), simulation.clock.now.offset)
        let changes = model.apply(scan).networks
        for change in changes {
          switch change {
          case .found: found += 1
          case .changed: changed += 1
          case .lost: lost += 1
          }
          var report = bars.report(change, at: time)
          report.showsAddress = grouping == .bss
          if format == .ndjson {
            report.utc = utc
            report.earlierSecurity = securities.earlier(change)
            try write(String(decoding: report.json, as: UTF8.self), &hash)
          } else if let line = report.line {
            try write(line, &hash)
          }
        }
        if format == .plot || plots.plot != nil {
          history.add(scan, time: scan.end - (firstStart ?? scan.start), utc: utc, networkCount: model.count)
          firstStart = firstStart ?? scan.start
        }
        if format == .ndjson {
          let count = ScanCount(number: scanNumber, scan: scan, time: time, utc: utc, networkCount: model.count, changes: changes)
          try write(String(decoding: count.json, as: UTF8.self), &hash)
        }
      }
    }
    await simulation.advance(to: .init(offset: end))
    task.cancel()
    await task.finished()
    if let failure { throw failure }
    let summary =
      "\(source.world), seed \(source.seed), \(end.components.seconds) s: \(found) found, \(changed) changed, \(lost) lost, "
      + "\(model.count) there; hash \(hash)\n"
    if format == .plot { try PlotOptions.draw(history) }
    try plots.write(history, name: "simulation \(source.world), seed \(source.seed)")
    if format == .ndjson { StandardStreams.writeError(summary) } else { try StandardStreams.write(summary) }
  }

  private func write(_ line: String, _ hash: inout TraceHash) throws(Failure) {
    hash.append(line)
    hash.append("\n")
    if format != .plot { try StandardStreams.write(line + "\n") }
  }
}
