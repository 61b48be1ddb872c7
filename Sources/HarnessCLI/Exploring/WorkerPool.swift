import Determinism
import Harness
import Synchronization

/// Runs seeds a second time in other processes of this program, one process for each concurrent request.
///
/// Where none can be started it prints a warning and runs them in this process.
final class WorkerPool: SecondRunner {
  private struct State {
    var idle: [WorkerProcess] = []
    var cannotStart = false
  }

  private let explorer: Explorer
  private let arguments: [String]
  private let state = Mutex(State())

  /// Repeats the runs of an explorer; the arguments make the same explorer in another process.
  init(_ explorer: Explorer, arguments: [String]) {
    self.explorer = explorer
    self.arguments = arguments
  }

  private var canStart: Bool { !state.withLock { $0.cannotStart } }

  func digests(of seeds: Range<UInt64>, judging judged: [UInt64]) async throws(Failure) -> [UInt64] {
    let line = (["digests", "\(seeds.lowerBound)", "\(seeds.upperBound)"] + judged.map { "\($0)" }).joined(separator: " ")
    let digests = try await ask(line, lines: seeds.count, of: seeds) { lines in
      let digests = zip(seeds, lines).compactMap { DigestLine($1, of: $0)?.digest }
      return digests.count == seeds.count ? digests : nil
    }
    if let digests { return digests }
    return await explorer.digests(of: seeds, judging: judged)
  }

  func record(of seed: UInt64) async throws(Failure) -> RunRecord {
    let record = try await ask("record \(seed)", lines: 1, of: seed..<seed + 1) { lines in
      RunRecord(line: lines[0].utf8)
    }
    if let record { return record }
    return await explorer.record(of: seed)
  }

  func records(of seed: UInt64, count: Int) async throws(Failure) -> [RunRecord] {
    guard canStart else { return [] }
    let worker = WorkerProcess(arguments, fixesHashing: true)
    var records: [RunRecord] = []
    while records.count < count, let line = try? await worker.ask("record \(seed)", lines: 1).first,
      let record = RunRecord(line: line.utf8)
    {
      records.append(record)
    }
    await worker.end()
    return records.count == count ? records : []
  }

  /// Lets all processes end, and waits until they have.
  func end() async {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      return state.idle
    }
    for worker in idle { await worker.end() }
  }

  /// Asks a process, and a new one where the first does not answer: that it was killed says nothing of the runs.
  ///
  /// - Returns: the answer, or `nil` where no process can be started.
  private func ask<Answer: Sendable>(
    _ line: String, lines: Int, of seeds: Range<UInt64>, _ read: ([String]) -> Answer?
  ) async throws(Failure) -> Answer? {
    var reason = ""
    for isFirst in [true, false] where canStart {
      let idle = state.withLock { isFirst ? $0.idle.popLast() : nil }
      let worker = idle ?? WorkerProcess(arguments)
      do {
        if let answer = read(try await worker.ask(line, lines: lines)) {
          state.withLock { $0.idle.append(worker) }
          return answer
        }
        reason = "gave an invalid answer"
      } catch WorkerProcess.AnswerFailure.noStart(let why) {
        warn(why)
      } catch WorkerProcess.AnswerFailure.noAnswer(let how) {
        reason = how
      } catch {
        reason = "\(error)"
      }
      await worker.end()
    }
    if !canStart { return nil }
    throw Failure(
      .software,
      "the second process, which runs the seeds \(seeds) again, \(reason), and a new one did not answer either. "
        + "What was run before is in the journal of --output; with --once no second process is needed.")
  }

  /// Says once that there is no second process.
  private func warn(_ reason: String) {
    let isFirst = state.withLock { state in
      defer { state.cannotStart = true }
      return !state.cannotStart
    }
    guard isFirst else { return }
    StandardStreams.writeError(
      "wifi-harness: no second process can be started (\(reason)), so this one runs each seed twice: not every order "
        + "of a Set or Dictionary that shows is noticed.\n")
  }
}

/// A line of the answer to `digests`: a seed and the digest of its run.
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
