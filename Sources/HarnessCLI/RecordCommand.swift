import ArgumentParser
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
      """)

  @OptionGroup var source: SourceOptions
  @OptionGroup var request: RequestOptions
  @OptionGroup var output: WatchOutput

  @Option(name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("The file to append to.", valueName: "file"))
  var file: String

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
    let watcher = Watcher(output)
    do {
      let networkSource = try await WatchCommand.networkSource(source, request, interval: interval, speed: .infinity)
      let header = Recording.Header(source: source.summary, began: Terminal.timestamp())
      let recording = try RecordingFile(path: file, header: header)
      try await watcher.follow(networkSource, limit: count) { scan in
        try recording.append(scan)
      }
    } catch {
      watcher.end()
      throw Failure(RFKill.refined(error))
    }
    watcher.end()
  }
}
