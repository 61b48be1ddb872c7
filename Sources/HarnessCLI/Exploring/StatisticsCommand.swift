import ArgumentParser
import Simulator

/// The command `wifi-harness explore statistics`.
struct StatisticsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "statistics", abstract: "Test the worlds against the published figures that they claim.",
    discussion: """
      Prints each figure with its source, the sample size and the p-value.

      Exit status: 0 every world agrees with its figures; 1 one deviates.
      """)

  @ParentCommand var explore: ExploreCommand

  @Option(parsing: .unconditional, help: ArgumentHelp("Draw the samples from this seed.", valueName: "seed"))
  var seed: UInt64 = 7

  func run() throws {
    try explore.refuseOptions(of: "statistics")
    let report = Simulator.verifyStatistics(seed: seed)
    try StandardStreams.write("\(report)")
    if !report.passes { StandardStreams.exit(.checkFailed) }
  }
}
