import ArgumentParser
import ScanTools

/// The command `wifi-harness replay`.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Replay a recording: print its changes again, or export all that was heard.",
    discussion: """
      Without --speed it goes as fast as possible; --speed 1 is the original pace. The changes are decided by the same rule as when \
      the recording was made, so the lines are the same. With --exec and without --speed each command ends before the next event.

      With --format csv each time that an access point was heard is a line with the number of the scan, UTC and the time \
      since boot, with wigle a line for wigle.net, with pcapng a frame. With --format plot, and with --plot, networks over time, signals \
      over time and channels in use are drawn; the filters choose the access points.

      Exit status: 65 the file is empty or no recording, or of a version that this program does not read, or a damaged capture.
      """)

  @Argument(help: ArgumentHelp("The recording, or a capture (pcap, pcapng); - is standard input.", valueName: "file"), completion: .file())
  var file: String

  @OptionGroup var output: WatchOutput
  @OptionGroup var plots: PlotOptions

  @Option(parsing: .unconditional, help: ArgumentHelp("Go this many times as fast as it was, such as 10x or 10.", valueName: "factor"))
  var speed: SpeedOption?

  @OptionGroup(title: "Events") var exec: ExecOptions

  @Option(
    help: ArgumentHelp(
      "Begin with the first scan that ends at this time or later: 90s, 10m or 2h after the first scan, or a time in UTC such as 2026-11-22T10:00:00Z.",
      valueName: "moment"))
  var from: MomentOption?

  @Option(help: ArgumentHelp("End before the first scan that ends at this time or later, as with --from.", valueName: "moment"))
  var to: MomentOption?

  func validate() throws {
    try window.validate()
    try Self.validate(speed: speed)
  }

  static func validate(speed: SpeedOption?) throws {
    if let speed, !(0.001...1_000_000).contains(speed.factor) { throw ValidationError("--speed takes 0.001 to 1000000.") }
  }

  private var window: ReplayWindow { ReplayWindow(from: from, to: to) }

  func run() async throws {
    try plots.refuseUnwritable()
    let clock = ContinuousClock()
    let speed = speed?.factor
    let watcher = try Watcher(output)
    var options = SourceOptions()
    options.replay = file
    guard
      let replayed = try options.replayed(pause: { pause in
        if let speed, !watcher.isSkipping { try await clock.sleep(for: pause / speed) }
      })
    else { return }
    watcher.setWallClock(replayed)
    let runner = try exec.runner()
    watcher.events = runner
    watcher.waitsForEvents = speed == nil
    if plots.plot != nil { watcher.history = AirHistory() }
    do { try await watcher.follow(replayed.source, window: window) } catch {
      await runner?.finish()
      throw Failure(error, path: file)
    }
    await runner?.finish()
    if let history = watcher.history { try plots.write(history, name: Files.name(file)) }
    SourceOptions.exitWhereDamaged()
  }
}

extension ReplayCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    NamedFiles(written: [("--metrics", output.metrics), ("--plot", plots.plot)], read: [("what is read", file)])
  }
}
