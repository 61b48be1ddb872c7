import ArgumentParser
import Harness
import ScanTools

/// The command `wifi-harness explore merge`.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge the journals of the shards of one exploration.",
    discussion: """
      The order of the journals does not matter, and a journal that is given twice counts once. Hash, findings and report are those \
      of the same exploration in one piece. If seeds are missing, because a share is missing or was interrupted, that is a failure, which names the share.

      Exit status: 0 every seed was run, and no violation was found; 1 at least one was, or seeds are missing; 65 a file is no journal, \
      or one of another exploration; 66 a file cannot be opened, or the folder holds no journal.
      """)

  /// Takes options that both have, also where they stand behind `merge`.
  @ParentCommand var explore: ExploreCommand

  @Argument(help: ArgumentHelp("Journals, or folders that hold them.", valueName: "path"), completion: .file())
  var paths: [String]

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write the report to this folder, too.", valueName: "folder"), completion: .directory)
  var output: String?

  @Option(help: ArgumentHelp("Write the properties and their verdicts as JUnit XML, too.", valueName: "file"), completion: .file())
  var junit: String?

  private var givenOutput: String? { output ?? explore.output }
  private var givenJUnit: String? { junit ?? explore.junit }
  /// What is merged is in one piece.
  private static let whole = Shard(index: 0, count: 1)

  func run() async throws {
    try explore.refuseOptions(of: "merge", but: ["--output", "--junit", "--format"])
    let (output, junit) = (givenOutput, givenJUnit)
    try OutputFile.refuseNoFolder(output, option: "--output")
    try OutputFile.refuseUnwritable(junit, option: "--junit")
    let merge = try JournalMerge(of: paths)
    let summary = ExplorationSummary(merge.report)
    if let output { try ExplorationFiles.write(summary, to: output, Self.whole) }
    if let junit { try Failure.wrap(Files.replace(junit, with: Array(summary.junit.utf8))) }
    let missing = merge.missing
    let isBad = missing != nil || !merge.report.violations.isEmpty || summary.failsSelfCheck
    if let missing { StandardStreams.say(missing) }
    // The reader may go: by then all is written.
    StandardStreams.endWithoutReader(as: isBad ? .checkFailed : .success)
    try StandardStreams.write(summary.written(as: explore.format))
    if isBad { StandardStreams.exit(.checkFailed) }
  }
}

extension MergeCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    let report = givenOutput.map { ExplorationFiles.report(in: $0, Self.whole) }
    return NamedFiles(
      written: [("--output", report?.json), ("--output", report?.markdown), ("--junit", givenJUnit)],
      read: paths.flatMap { JournalMerge.journals(in: $0) }.map { (words: "a journal", path: Optional($0)) })
  }
}
