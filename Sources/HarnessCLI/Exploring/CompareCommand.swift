import ArgumentParser
import Harness

/// The command `wifi-harness explore compare`.
struct CompareCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare what two explorations reached.",
    discussion: """
      Prints which steps in which states, which changes of state and which outcomes the later exploration reached for the first time, \
      and which not any more; then what it reached at least twice as often, or at most half as often. Counts are those of 10,000 seeds, so that \
      the two may be of different length.

      Exit status: 0 all that the earlier exploration reached was reached; 1 something was not; 65 a file is no journal of an exploration; \
      66 a file cannot be opened, or a folder holds no journal.
      """)

  /// Refuses its options, which are for an exploration.
  @ParentCommand var explore: ExploreCommand

  @Argument(help: "The folder of the earlier exploration, or one of its journals.", completion: .file())
  var earlier: String

  @Argument(help: "The folder of the later exploration, or one of its journals.", completion: .file())
  var later: String

  func run() async throws {
    try explore.refuseOptions(of: "compare")
    let comparison = try CoverageComparison(JournalMerge(of: [earlier]).report, JournalMerge(of: [later]).report)
    StandardStreams.endWithoutReader(as: comparison.gone.isEmpty ? .success : .checkFailed)
    try StandardStreams.write(comparison.text)
    if !comparison.gone.isEmpty { StandardStreams.exit(.checkFailed) }
  }
}
