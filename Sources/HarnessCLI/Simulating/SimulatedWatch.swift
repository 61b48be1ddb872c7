import Determinism
import Harness
import Models
import ScanTools
import WiFi

/// One world, watched on virtual time.
struct SimulatedWatch: Sendable {
  var source: ScenarioSource.SimulatedSource
  var end: Duration
  var grouping: Grouping?
  var format: SimulationFormat
  var file: String?
  var plots: PlotOptions

  func run() async throws {
    let watch = self
    try await Determinism.simulate(seed: source.seed, order: .inOrder, limits: .endless) { try await watch.follow($0) }
  }

  private func follow(_ simulation: Simulation) async throws {
    let world = SimulatedWorlds.make(source, networks: [], clock: simulation.clock)
    let boot = SimulatedWorlds.boot(seed: source.seed)
    let header = Recording.Header(
      source: "simulation \(source.world)\(source.hasDayAndNight ? " by day and night" : ""), seed \(source.seed)",
      began: boot, beganBootTime: .zero)
    let recording = try file.map { path in
      // What comes of a seed can be had again, so the recording of a simulation makes room for another.
      try RecordingFile(path: path, header: header, isDurable: false, mayReplace: { $0.source.hasPrefix("simulation ") })
    }
    let model = FoundNetworksModel(grouping: grouping ?? world.grouping, order: world.order)
    var counts: [NetworkChange.Kind: Int] = [:]
    var hash = TraceHash()
    var bars = SteadyBars()
    var securities = SecurityHistory()
    var scanNumber = 0
    var history = AirHistory()
    var firstStart: Duration?
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
          counts[change.kind, default: 0] += 1
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
    let happened = NetworkChange.Kind.allCases.map { "\(counts[$0] ?? 0) \($0.rawValue), " }.joined()
    let summary =
      "\(source.world), seed \(source.seed), \(end.components.seconds) s: \(happened)\(model.count) there; hash \(hash)\n"
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
