import ArgumentParser
import Dispatch
import ScanTools
import WiFi

/// What to start for which events.
struct ExecOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Start this command for each event, without a shell: words are divided by spaces, and quoted by '…', \"…\" and \\.",
      valueName: "command"))
  var exec: String?

  @Option(
    name: .customLong("on"),
    help: ArgumentHelp(
      "With --exec: for these events: found, lost, changed (as a line shows it), security (a network changed it, or one was found under "
        + "the name of another that is secured otherwise). Separated by commas, repeatable; the default is found,lost.", valueName: "list"),
    completion: .list(EventFilter.names.map(\.name)))
  var events: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --exec: end the command if it takes longer than this, from 100ms to 1h; the default is 30s.", valueName: "time"))
  var execLimit: TimeOption?

  func validate() throws {
    _ = try filter()
    guard let exec else {
      if !events.isEmpty { throw ValidationError("--on goes with --exec.") }
      if execLimit != nil { throw ValidationError("--exec-limit goes with --exec.") }
      return
    }
    do throws(CommandWords.Failure) { _ = try CommandWords(exec) } catch { throw ValidationError("--exec \(exec): \(error).") }
    if let execLimit, !(.milliseconds(100) ... .seconds(3600)).contains(execLimit.duration) {
      throw ValidationError("--exec-limit \(execLimit): from 100ms to an hour.")
    }
  }

  private func filter() throws -> EventFilter {
    if events.isEmpty { return [.found, .lost] }
    let filters = try CommaList.items(events, "--on") { text in
      EventFilter.names.first { $0.name == text.lowercased() }?.filter
    } hint: {
      "choose from \(EventFilter.names.map(\.name).joined(separator: ", "))."
    }
    return EventFilter(filters)
  }

  /// What starts the command, where one was given.
  func runner() throws -> EventRunner? {
    guard let exec else { return nil }
    return EventRunner(
      EventCommand(try CommandWords(exec).words, limit: execLimit ?? TimeOption(seconds: 30)), filter: try filter())
  }
}

/// Starts a command for the events that are of interest.
///
/// An interrupt lets it end in peace; who terminates the program or closes its terminal ends the command, too.
final class EventRunner {
  private let command: EventCommand
  private let filter: EventFilter
  private let signals: SignalWatch

  init(_ command: EventCommand, filter: EventFilter) {
    self.command = command
    self.filter = filter
    // Not on the queue of the command, which is busy as long as it runs.
    let queue = DispatchQueue(label: "signals")
    signals = SignalWatch([SIGINT, SIGTERM, SIGHUP], evenIgnored: [SIGINT, SIGTERM], on: queue) { number in
      if command.drop() { return command.kill() }
      if number != SIGINT { command.terminate() }
      Task {
        await command.finish()
        SignalAction.end(by: number)
      }
    }
  }

  /// Lets the command hear of a change, if it is of interest.
  func post(_ report: ChangeReport) {
    if filter.accepts(report) { command.post(.init(environment: report.environment, input: report.json + [0x0A])) }
  }

  /// Waits until the command heard of everything.
  func finish() async { await command.finish() }
}
