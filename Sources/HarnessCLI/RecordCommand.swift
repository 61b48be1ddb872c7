import ArgumentParser
import Determinism
import Harness
import WiFi

/// The command `wifi-harness record`.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record", abstract: "Keep what a source hears as a recording that can be replayed.",
    discussion: """
      The file is only ever appended to: one line a scan, at the disk before the next scan. A kill costs at most the \
      line that was being written. The found and lost lines are shown as `watch` shows them, and `replay` shows the \
      same again.

      With --anonymise the file holds made-up addresses and names in place of the true ones, the same for the same over \
      the whole recording, and no serial numbers or contents of vendor elements; channels, security, capabilities, \
      signals and times stay. What is shown while recording is not anonymised. The numbers start anew with each run, so \
      give each run a file of its own.
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup var request: RequestOptions
  @OptionGroup var output: WatchOutput

  @Option(name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("The file to append to.", valueName: "file"))
  var file: String

  @Flag(help: "Replace addresses, names and serial numbers by made-up ones in the file.")
  var anonymise = false

  @Option(help: ArgumentHelp("Pause this long between scans, in seconds.", valueName: "s"))
  var interval: Double = 2

  @Option(help: ArgumentHelp("Stop after this many scans.", valueName: "n"))
  var count: Int?

  func validate() throws {
    guard interval >= 0, interval <= 3600 else { throw ValidationError("--interval takes 0 to 3600 seconds.") }
    if let count, count < 1 { throw ValidationError("--count takes at least 1.") }
    try request.validate(with: source)
  }

  func run() async throws {
    Terminal.ignoreBrokenPipes()
    let watcher = Watcher(output, source)
    do {
      let networkSource = try await WatchCommand.networkSource(source, request, interval: interval, speed: .infinity)
      let header = Recording.Header(source: anonymise ? "anonymised" : source.summary, began: Terminal.timestamp())
      let recording = try RecordingFile(path: file, header: header)
      var anonymiser = Anonymiser()
      try await watcher.follow(networkSource, limit: count) { scan in
        try recording.append(anonymise ? anonymiser.anonymised(scan) : scan)
      }
    } catch {
      watcher.end()
      throw Failure(RFKill.refined(error))
    }
    watcher.end()
  }
}
