import ArgumentParser
import Dispatch
import Harness
import WiFi

/// The command `wifi-harness explore second-run`, which `explore` starts to run each seed in a second process.
///
/// Requests are lines of standard input: `digests FIRST END JUDGED…` is answered with a line a seed, `record SEED` with
/// a line of JSON. It ends when its standard input does.
struct SecondRunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "second-run", shouldDisplay: false)

  /// Takes the options that say which runs there are.
  @ParentCommand var explore: ExploreCommand

  func run() async throws {
    // Ctrl-C is for who started it, with whom it ends.
    _ = signal(SIGINT, SIG_IGN)
    Self.endWithStandardInput()
    let explorer = explore.explorer
    while let line = readLine() {
      let words = line.split(separator: " ")
      let numbers = words.dropFirst().compactMap { UInt64($0) }
      switch (words.first, numbers.count) {
      case ("digests", 2...) where numbers[0] < numbers[1]:
        try await explorer.digests(of: numbers[0]..<numbers[1], judging: Array(numbers.dropFirst(2))) { seed, digest in
          try StandardStreams.write("\(DigestLine(seed: seed, digest: digest))\n")
        }
      case ("record", 1):
        let record = await explorer.record(of: numbers[0])
        try StandardStreams.write(record.line)
      default: throw Failure(.usage, "second-run is for explore alone; it does not know “\(PrintableText.escape(Array(line.utf8)))”.")
      }
    }
  }

  /// Ends the process as soon as its standard input has no writer any more, even in the middle of a long run.
  private static func endWithStandardInput() {
    DispatchQueue(label: "standard input").async {
      var input = pollfd(fd: 0, events: 0, revents: 0)
      repeat { _ = unsafe poll(&input, 1, -1) } while input.revents == 0
      StandardStreams.exit(.success)
    }
  }
}
