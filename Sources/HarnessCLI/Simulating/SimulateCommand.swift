import ArgumentParser
import Harness
import WiFi

/// The command `wifi-harness simulate`.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate", abstract: "Simulate a world from a seed on virtual time.",
    discussion: """
      Prints every network that is found, changed and lost, as `watch` does, and then the hash of what was printed: \
      one seed gives the same bytes on every machine and in every build. Minutes take milliseconds.

      Worlds: preview, the churn of a settings preview, which is the default; still, a simulated kernel without networks; and places \
      full of access points, scanned through a simulated kernel by the same scanner that reads real adapters.

      `run` runs programs in such a world, and `explore` many seeds with random user input.
      """)

  @OptionGroup var world: SimulatedWorldOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("Simulate this long, in virtual time, such as 90s, 10m or 2h.", valueName: "time"))
  var duration = TimeOption(seconds: 60)

  @Option(parsing: .unconditional, help: ArgumentHelp("Pause this long between scans, in virtual time.", valueName: "time"))
  var interval = TimeOption(seconds: 2)

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

  func validate() throws {
    let source = try world.source(otherwise: "preview")
    if source.world == "preview", interval.isGiven {
      throw ValidationError("the world preview has a scan each second, so --interval has nothing to apply to. Give another --world.")
    }
  }

  func run() async throws {
    var source = try world.source(otherwise: "preview")
    source.interval = interval.duration
    try plots.refuseUnwritable()
    let run = SimulatedWatch(source: source, end: duration.duration, grouping: bss ? .bss : nil, format: format, file: file, plots: plots)
    do {
      try await run.run()
    } catch {
      throw Failure(error)
    }
  }
}

enum SimulationFormat: String, ExpressibleByArgument, CaseIterable { case lines, ndjson, plot }

extension SimulateCommand: WritesFiles {
  func namedFiles() -> NamedFiles { NamedFiles(written: [("--output", file), ("--plot", plots.plot)]) }
}
