import ArgumentParser
import Determinism
import Harness

/// The command `wifi-harness replay`.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Replay a recording: print its changes again.",
    discussion: "Without --speed as fast as possible; with --speed 1 as it was, with --speed 10 ten times as fast.")

  @Argument(help: ArgumentHelp("The recording, or a capture (pcap, pcapng); - is standard input.", valueName: "file"))
  var file: String

  @OptionGroup var output: WatchOutput

  @Option(help: ArgumentHelp("How many times faster than it was.", valueName: "factor"))
  var speed: Double?

  func validate() throws {
    if let speed, !(0.001...1_000_000).contains(speed) {
      throw ValidationError("--speed takes 0.001 to 1000000.")
    }
  }

  func run() async throws {
    StandardStreams.ignoreBrokenPipes()
    let clock = ContinuousClock()
    let speed = speed
    var options = SourceOptions()
    options.replay = file
    guard
      let replayed = try options.replayed(pause: { pause in
        if let speed { try await clock.sleep(for: pause / speed) }
      })
    else { return }
    let watcher = try Watcher(output)
    watcher.setWallClock(replayed)
    defer { watcher.end() }
    do { try await watcher.follow(replayed.source) } catch { throw Failure(error, path: file) }
  }
}
