import CTerminal
import Dispatch
import Models
import Observing
import Terminal
import WiFi

/// One run of the panel line by line.
@MainActor
final class LinearSession {
  private let parts: ViewerParts
  private let viewer: Viewer
  private let presenter = TerminalPresenter()
  private var history: HistoryFile
  private var tokens: [ObservationToken] = []
  private let tasks: ViewerTasks
  private var isEchoing = true

  init(_ parts: ViewerParts, history: HistoryFile) {
    self.parts = parts
    viewer = parts.viewer
    tasks = ViewerTasks(parts)
    self.history = history
  }

  /// Prints news and takes commands until the user quits, or standard input ends.
  func run() async throws {
    let panel = LinearPanel(
      viewer, presenter: presenter, player: parts.player,
      onAttempt: { [tasks] in tasks.run($0, on: $1) }, onScanNow: { [parts] in parts.source?.scanNow() })
    presenter.onDismiss = { [tasks] in tasks.cancelAttempts(of: $0) }
    tokens.append(tasks.navigate(viewer, over: presenter))
    tasks.start()
    tokens.append(
      observe { [viewer] in
        Signs(
          events: viewer.events.totalCount, status: viewer.status, note: viewer.note, isOn: viewer.settings.isOn,
          joined: viewer.settings.selectedNetworkID,
          isConnecting: viewer.settings.destination?.connect?.isConnecting, isListing: viewer.settings.destination?.known?.isLoading)
      } perform: { [viewer] _ in
        viewer.update()
        for line in panel.news() { try? StandardStreams.write(line + "\n") }
      })
    try StandardStreams.write("Type help for the commands.\n")
    // A password is not shown while it is typed; the terminal shows again what is typed whatever ends the process.
    if StandardStreams.isInputInteractive {
      _ = unsafe cterminal_begin("", "")
      cterminal_handle_signals()
    }
    defer { end() }
    for await line in Self.lines() {
      let answer = panel.handle(line)
      for line in answer.lines { try StandardStreams.write(line + "\n") }
      if answer.effect == .quit { return }
      if answer.effect == .export { try export(to: answer.exportPath) }
      // What the command changed is presented at the end of the turn; only then it is known what the next line is.
      await Task.yield()
      echo(!panel.wantsPassword)
    }
  }

  /// What the sentences depend on.
  private struct Signs: Equatable {
    var events: Int
    var status: ScanStatus
    var note: String?
    var isOn: Bool
    var joined: NetworkID?
    var isConnecting: Bool?
    var isListing: Bool?
  }

  /// The lines of standard input.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
      let source = DispatchSource.makeReadSource(fileDescriptor: 0, queue: .main)
      nonisolated(unsafe) var pending: [UInt8] = []
      source.setEventHandler {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let capacity = bytes.count
        let count = unsafe read(0, &bytes, capacity)
        guard count > 0 else {
          if unsafe !pending.isEmpty { continuation.yield(unsafe String(decoding: pending, as: UTF8.self)) }
          return continuation.finish()
        }
        unsafe pending += bytes[..<count]
        while let end = unsafe pending.firstIndex(of: 0x0A) {
          continuation.yield(unsafe String(decoding: pending[..<end], as: UTF8.self))
          unsafe pending.removeFirst(end + 1)
        }
      }
      nonisolated(unsafe) let cancelled = source
      continuation.onTermination = { _ in unsafe cancelled.cancel() }
      source.resume()
    }
  }

  /// Shows what is typed, or not.
  private func echo(_ isWanted: Bool) {
    guard isWanted != isEchoing else { return }
    isEchoing = isWanted
    var modes = termios()
    guard unsafe tcgetattr(0, &modes) == 0 else { return }
    if isWanted { modes.c_lflag |= tcflag_t(ECHO) } else { modes.c_lflag &= ~tcflag_t(ECHO) }
    _ = unsafe tcsetattr(0, TCSADRAIN, &modes)
  }

  private func export(to path: String?) throws {
    let written: String
    do throws(Failure) {
      written = try history.write(viewer, to: path)
    } catch {
      return StandardStreams.say(error.sentence)
    }
    try StandardStreams.write("The history was written to \(written).\n")
  }

  /// Lets everything go that holds the session.
  private func end() {
    tokens = []
    presenter.onDismiss = { _ in }
    tasks.end()
    echo(true)
    cterminal_end()
  }
}
