import Determinism
import Harness
import Synchronization
import WiFi

/// Runs seeds in other processes of this program, one process for each concurrent request.
///
/// A run that ends its process, or says nothing for too long, is a finding; the rest of its batch is run in another
/// process. Where none can be started it prints a warning and runs seeds in this process.
final class WorkerPool: SeedRunner {
  /// Which runs of seeds a process makes: the second is never made by the one that made the first.
  private enum Turn { case first, second }

  private struct State {
    var idle: [Turn: [WorkerProcess]] = [:]
    var cannotStart = false
    var replacedCount = 0
  }

  private let explorer: Explorer
  private let arguments: [String]
  private let state = Mutex(State())

  /// Repeats the runs of an explorer; the arguments make the same explorer in another process.
  init(_ explorer: Explorer, arguments: [String]) {
    self.explorer = explorer
    self.arguments = arguments
  }

  /// How long a run may take: more than it does before it ends itself.
  private var limit: Duration { .seconds(20) + explorer.length / 15 }
  /// How many runs of a batch may end their process, or say nothing for too long, until the rest of it is not run.
  private static let mostEnded = 8
  private static let mostSilent = 1

  // MARK: Seeds

  func firstRuns(of seeds: Range<UInt64>) async throws(Failure) -> FirstRuns {
    var findings: [Batch.Finding] = []
    var ended: Set<UInt64> = []
    var silent = 0
    while true {
      let request = WorkerRequest("first", [seeds.lowerBound, seeds.upperBound], [("without", ended.sorted())])
      switch try await ask("\(request)", .first, isLast: { $0.hasPrefix("{") }) {
      case nil: return await explorer.firstRuns(of: seeds)
      case .lines(let lines, let worker):
        guard let batch = lines.last.flatMap({ Batch(line: $0.utf8) }) else { throw .invalidAnswer }
        var runs = FirstRuns(batch: batch, digests: [])
        var digests = lines.dropLast()[...]
        for seed in seeds {
          let digest = digests.first.flatMap { DigestLine($0, of: seed)?.digest }
          if digest != nil { digests.removeFirst() }
          runs.digests.append(digest)
        }
        runs.batch.findings += findings
        await giveBack(worker, .first, isStuck: batch.findings.contains { SimulationFailure.endless.contains($0.violation.property) })
        return runs
      case .ended(let ending):
        let left = seeds.filter { !ended.contains($0) }
        guard ending.lines.count < left.count else { throw .invalidAnswer }
        let seed = left[ending.lines.count]
        if ending.wasSilent { silent += 1 }
        ended.insert(seed)
        var sentence = Self.sentence(ending)
        if ended.count == Self.mostEnded || silent == Self.mostSilent, let last = seeds.last, seed < last {
          sentence += " The seeds \(seed + 1)..<\(seeds.upperBound) were not run."
          ended.formUnion(seed + 1..<seeds.upperBound)
        }
        findings.append(.init(seed: seed, violation: Violation(property: Violation.endsProcess, sentence: sentence, time: .zero)))
      }
    }
  }

  /// How a run ended its process, in words.
  private static func sentence(_ ending: WorkerProcess.Ending) -> String {
    let words = ending.lastWords.map { PrintableText.escape($0) }.filter { !$0.isEmpty }
    return "its process \(ending.how)" + (words.isEmpty ? "." : ": \(words.joined(separator: " "))")
  }

  func digests(
    of seeds: Range<UInt64>, judging judged: Set<UInt64>, without ended: Set<UInt64>
  ) async throws(Failure) -> [UInt64?] {
    let lists = [("judging", judged.sorted()), ("without", ended.sorted())]
    let request = WorkerRequest("digests", [seeds.lowerBound, seeds.upperBound], lists)
    switch try await ask("\(request)", isLast: { $0 == "end" }) {
    case nil: return await explorer.digests(of: seeds, judging: judged, without: ended)
    case .lines(let lines, let worker):
      guard lines.count == seeds.count + 1 else { throw .invalidAnswer }
      await giveBack(worker)
      return zip(seeds, lines).map { DigestLine($1, of: $0)?.digest }
    case .ended(let ending):
      let digests = zip(seeds, ending.lines).map { DigestLine($1, of: $0)?.digest }
      return digests + Array(repeating: nil, count: seeds.count - digests.count)
    }
  }

  func record(of seed: UInt64) async throws(Failure) -> RunRecord {
    let request = WorkerRequest("record", [seed])
    guard case .lines(let lines, let worker) = try await ask("\(request)", isLast: { _ in true }) else {
      return await explorer.record(of: seed)
    }
    await giveBack(worker)
    guard let record = RunRecord(line: lines[0].utf8) else { throw .invalidAnswer }
    return record
  }

  func records(of seed: UInt64, count: Int) async throws(Failure) -> [RunRecord] {
    guard canStart else { return [] }
    let worker = WorkerProcess(arguments, fixesHashing: true)
    let request = WorkerRequest("record", [seed])
    var records: [RunRecord] = []
    while records.count < count, let line = try? await worker.ask("\(request)", limit: limit, isLast: { _ in true }).first,
      let record = RunRecord(line: line.utf8)
    {
      records.append(record)
    }
    await worker.end()
    return records.count == count ? records : []
  }

  /// Shrinks and describes the run of a seed.
  ///
  /// - Returns: what is written of it, empty where it does not violate the same when it is run; `nil` where that, or a
  ///   candidate, ended the process.
  func files(of finding: Batch.Finding) async throws(Failure) -> [FindingFiles]? {
    let text = Array("\(finding.violation.property)\n".utf8)
    let request = WorkerRequest("shrink", [finding.seed, UInt64(text.count)])
    switch try await ask("\(request)", .second, text, isLast: { $0.hasPrefix("{") }) {
    case nil: return await FindingFiles(finding, explorer).map { [$0] } ?? []
    case .lines(let lines, let worker):
      await giveBack(worker)
      return lines.last.flatMap { FindingFiles(json: $0.utf8) }.map { [$0] } ?? []
    case .ended: return nil
    }
  }

  // MARK: Runs that end their process

  /// The run of a seed that ends its process, with explicit steps, and what is known of it; `nil` where it does not end
  /// its process any more.
  func lostRun(of seed: UInt64, _ violation: Violation) async throws(Failure) -> (SettingsRun, SettingsRun.Outcome)? {
    let request = WorkerRequest("steps", [seed])
    let lines: [String]
    switch try await ask("\(request)", isLast: { $0 == "end" }) {
    case nil: return nil
    case .lines(let all, let worker):
      await giveBack(worker, isStuck: true)
      if violation.property == Violation.endsProcess { return nil }
      lines = all
    case .ended(let ending): lines = ending.lines
    }
    var run = explorer.run(of: seed)
    (run.actions, run.order) = ([], .inOrder)
    let steps = lines.filter { $0.hasPrefix("step ") }.map { "  - \($0.dropFirst(5))" }
    let text = ScenarioWriter.yaml(run, name: "lost").replacing("steps: []", with: (["steps:"] + steps).joined(separator: "\n"))
    let choices = lines.compactMap { line -> JobOrder.Choice? in
      let numbers = line.split(separator: " ").dropFirst().compactMap { Int($0) }
      return line.hasPrefix("choice ") && numbers.count == 2 ? .init(number: numbers[0], index: numbers[1]) : nil
    }
    do { run.actions = try SettingsRun(ScenarioReader(file: "").read(text))?.actions ?? [] } catch { throw Failure(.software, "\(error)") }
    if !choices.isEmpty { run.order = .chosen(choices) }
    return (run, SettingsRun.Outcome(lost: run.actions ?? [], run.order, violation))
  }

  /// Runs a candidate in another process.
  ///
  /// - Returns: what it violates, one of these two, and nothing else.
  func judge(_ run: SettingsRun, _ violation: Violation) async -> SettingsRun.Outcome {
    let text = Array(ScenarioWriter.yaml(run, name: "candidate").utf8)
    var isViolated = false
    // A scenario does not say through which view.
    let view = UInt64(ViewKind.allCases.firstIndex(of: run.start.view) ?? 0)
    let request = WorkerRequest("judge", [UInt64(text.count), view])
    switch try? await ask("\(request)", .second, text, isLast: { $0 == "end" }) {
    case .ended?: isViolated = violation.property == Violation.endsProcess
    case .lines(let lines, let worker)?:
      isViolated = lines.contains("violates \(violation.property)")
      await giveBack(worker, isStuck: isViolated)
    case nil: break
    }
    return isViolated ? SettingsRun.Outcome(lost: run.actions ?? [], run.order, violation) : .good
  }

  // MARK: Processes

  /// How many processes ended, or said nothing, for a reason that said nothing of the runs: another did the same.
  var replacedCount: Int { state.withLock(\.replacedCount) }

  private var canStart: Bool { !state.withLock { $0.cannotStart } }

  /// Lets all processes end, and waits until they have.
  func end() async {
    let idle = state.withLock { state in
      defer { state.idle = [:] }
      return Array(state.idle.values.joined())
    }
    for worker in idle { await worker.end() }
  }

  private func giveBack(_ worker: WorkerProcess, _ turn: Turn = .second, isStuck: Bool = false) async {
    if isStuck { await worker.end(isStuck: true) } else { state.withLock { $0.idle[turn, default: []].append(worker) } }
  }

  private enum Answer: Sendable {
    case lines([String], WorkerProcess)
    case ended(WorkerProcess.Ending)
  }

  /// The signals by which a run ends its own process; any other, or none, says nothing of the run the first time.
  private static let ownSignals: Set<Int32> = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// Asks a process, and a new one where the first ends for a reason that says nothing of the runs: it may have been
  /// killed, or stopped.
  ///
  /// - Returns: the answer, or `nil` where no process can be started.
  private func ask(
    _ line: String, _ turn: Turn = .second, _ bytes: [UInt8] = [], isLast: @escaping @Sendable (String) -> Bool
  ) async throws(Failure) -> Answer? {
    var last: WorkerProcess.Ending?
    for isFirst in [true, false] where canStart {
      let worker = state.withLock { isFirst ? $0.idle[turn]?.popLast() : nil } ?? WorkerProcess(arguments)
      do {
        let lines = try await worker.ask(line, bytes, limit: limit, isLast: isLast)
        if last != nil { state.withLock { $0.replacedCount += 1 } }
        return .lines(lines, worker)
      } catch WorkerProcess.AnswerFailure.noStart(let why) {
        warn(why)
      } catch WorkerProcess.AnswerFailure.ended(let ending) {
        if let signal = ending.signal, Self.ownSignals.contains(signal) { return .ended(ending) }
        last = ending
      } catch {
        throw Failure(.software, "\(error)")
      }
      await worker.end()
    }
    return canStart ? last.map { .ended($0) } : nil
  }

  /// Says once that there is no other process.
  private func warn(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.cannotStart = true }
      return !state.cannotStart
    }
    guard isFirst else { return }
    StandardStreams.say(
      "no second process can be started (\(reason)), so this one runs each seed twice: not every order "
        + "of a Set or Dictionary that shows is noticed, and a run that ends its process ends this one.")
  }
}

extension Failure {
  fileprivate static let invalidAnswer = Failure(.software, "a worker gave an invalid answer; please report this.")
}

/// A line of the answer of a worker: a seed and the digest of its run.
struct DigestLine: CustomStringConvertible {
  let seed: UInt64
  let digest: UInt64

  init(seed: UInt64, digest: UInt64) {
    self.seed = seed
    self.digest = digest
  }

  /// Reads the line of a seed; `nil` where it is something else.
  init?(_ line: String, of seed: UInt64) {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2, UInt64(parts[0]) == seed, parts[1].count == 16, let digest = UInt64(parts[1], radix: 16) else { return nil }
    self.init(seed: seed, digest: digest)
  }

  var description: String { "\(seed) \(TraceHash.text(digest))" }
}
