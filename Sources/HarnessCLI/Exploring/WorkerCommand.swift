import ArgumentParser
import Determinism
import Dispatch
import Harness
import WiFi

/// The command `wifi-harness explore worker`, which `explore` starts: seeds are run in such processes, so that a run
/// which ends its process, or never ends, costs no more than that.
///
/// A request is a line of words on standard input, the first of which says what is asked; `first` and `digests` end
/// with the seeds that are not to be run, and text follows `judge` and `shrink`. It ends when its standard input does.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "worker", shouldDisplay: false)

  /// Takes the options that say which runs there are.
  @ParentCommand var explore: ExploreCommand

  func run() async throws {
    // Ctrl-C is for who started it, with whom it ends.
    _ = signal(SIGINT, SIG_IGN)
    Self.endWithStandardInput()
    Self.limitMemory()
    let explorer = explore.explorer
    while let line = readLine() {
      let request = WorkerRequest(line)
      let ended = Set(request?["without"] ?? [])
      switch (request?.kind, request?.numbers ?? []) {
      case ("first", let numbers) where numbers.count == 2 && numbers[0] < numbers[1]:
        let runs = await explorer.firstRuns(of: numbers[0]..<numbers[1], without: ended) { seed, digest in
          try? StandardStreams.write("\(DigestLine(seed: seed, digest: digest))\n")
        }
        try StandardStreams.write(runs.batch.line)
      case ("digests", let numbers) where numbers.count == 2 && numbers[0] < numbers[1]:
        await explorer.each(of: numbers[0]..<numbers[1], judging: Set(request?["judging"] ?? []), without: ended) { seed, outcome in
          try? StandardStreams.write("\(outcome.map { DigestLine(seed: seed, digest: $0.hash).description } ?? "-")\n")
          return true
        }
        try StandardStreams.write("end\n")
      case ("record", let numbers) where numbers.count == 1:
        try StandardStreams.write(await explorer.record(of: numbers[0]).line)
      case ("steps", let numbers) where numbers.count == 1:
        await Self.writeSteps(explorer.run(of: numbers[0]))
      case ("judge", let numbers) where numbers.count == 2 && numbers[1] < UInt64(ViewKind.allCases.count):
        try await Self.judge(Self.text(byteCount: numbers[0]), via: ViewKind.allCases[Int(numbers[1])])
      case ("shrink", let numbers) where numbers.count == 2:
        let property = String(Self.text(byteCount: numbers[1]).dropLast())
        let violation = Violation(property: property, sentence: "", time: .zero)
        let files = await FindingFiles(.init(seed: numbers[0], violation: violation), explorer) { candidate, _ in
          try? StandardStreams.write("try \(candidate)\n")
        }
        try StandardStreams.write(FieldWriter.bytes { if let files { files.describe(into: &$0) } })
      default: throw Failure(.usage, "worker is for explore alone; it does not know “\(PrintableText.escape(line))”.")
      }
    }
  }

  /// Writes each step as a line of a scenario before it is done, and each choice among tasks as it is made: of a run
  /// that ends the process nothing else is known.
  private static func writeSteps(_ run: SettingsRun) async {
    let watcher = SettingsRun.Recorder.Watcher(
      event: { _ in }, begin: { if let step = $0.step { try? StandardStreams.write("step \(ScenarioWriter.step(step))\n") } },
      beginEnd: {}, looked: { _, _ in })
    let recorder = SettingsRun.Recorder(watcher: watcher) { try? StandardStreams.write("choice \($0) \($1)\n") }
    _ = await run.run(recorder: recorder)
    try? StandardStreams.write("end\n")
  }

  /// Reads text that follows a request as so many bytes.
  private static func text(byteCount: UInt64) -> String {
    var text = ""
    while text.utf8.count < byteCount, let line = readLine(strippingNewline: false) { text += line }
    return text
  }

  /// Runs a scenario, and writes the names of what it violates.
  private static func judge(_ text: String, via view: ViewKind) async throws {
    var run = try SettingsRun(ScenarioReader(file: "").read(text))
    run?.start.view = view
    // A run takes some milliseconds; of those that never end none need be waited for long.
    run?.options.limits.realTime = .milliseconds(400)
    for violation in await run?.run().violations ?? [] { try StandardStreams.write("violates \(violation.property)\n") }
    try StandardStreams.write("end\n")
  }

  /// A run that takes memory without end is ended long before the machine has none.
  private static func limitMemory() {
    #if os(Linux)
      var limit = rlimit()
      let resource = __rlimit_resource_t(RLIMIT_AS.rawValue)
      guard unsafe getrlimit(resource, &limit) == 0 else { return }
      limit.rlim_cur = min(limit.rlim_cur, 4 << 30)
      _ = unsafe setrlimit(resource, &limit)
    #endif
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

/// A line that asks something of a worker: what, numbers, and lists of numbers by name, such as
/// `digests 0 64 judging 3 without 5`.
struct WorkerRequest: CustomStringConvertible {
  let kind: String
  let numbers: [UInt64]
  private let lists: [(name: String, numbers: [UInt64])]

  init(_ kind: String, _ numbers: [UInt64], _ lists: [(name: String, numbers: [UInt64])] = []) {
    (self.kind, self.numbers, self.lists) = (kind, numbers, lists)
  }

  init?(_ line: String) {
    var lists: [(name: String, numbers: [UInt64])] = []
    for word in line.split(separator: " ") {
      if let number = UInt64(word) {
        guard !lists.isEmpty else { return nil }
        lists[lists.count - 1].numbers.append(number)
      } else {
        lists.append((String(word), []))
      }
    }
    guard let first = lists.first else { return nil }
    self.init(first.name, first.numbers, Array(lists.dropFirst()))
  }

  subscript(name: String) -> [UInt64] { lists.first { $0.name == name }?.numbers ?? [] }

  var description: String {
    ([(kind, numbers)] + lists.filter { !$0.numbers.isEmpty }).map { name, numbers in
      ([name] + numbers.map { "\($0)" }).joined(separator: " ")
    }.joined(separator: " ")
  }
}
