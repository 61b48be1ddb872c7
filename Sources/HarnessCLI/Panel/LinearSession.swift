import Dispatch
import Harness
import Models
import Observing
import Terminal
import WiFi

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One run of the panel line by line.
@MainActor
final class LinearSession {
  private let parts: PanelParts
  private let viewer: Viewer
  private let presenter = TerminalPresenter()
  private let exportPath: String
  private var navigation: Navigation?
  private var tokens: [ObservationToken] = []
  private var following: Task<Void, Never>?
  private var tasks: [ObjectIdentifier: [Task<Void, Never>]] = [:]
  private var isEchoing = true

  init(_ parts: PanelParts, exportPath: String) {
    self.parts = parts
    viewer = parts.viewer
    self.exportPath = exportPath
  }

  /// Tells and takes commands until the user quits, or standard input ends.
  func run() async throws {
    let panel = LinearPanel(
      viewer, presenter: presenter, player: parts.player,
      onAttempt: { [self] attempt, sheet in
        self.tasks[ObjectIdentifier(sheet), default: []].append(Task { await attempt.run() })
      }, onScanNow: { [parts] in parts.source?.scanNow() })
    presenter.onDismiss = { [self] presentation in
      for task in tasks.removeValue(forKey: ObjectIdentifier(presentation)) ?? [] { task.cancel() }
    }
    tokens.append(
      observe({ [viewer] in ObjectIdentifier(viewer.settings) }) { [self] _ in
        navigation?.end()
        navigation = Navigation(presenter, viewer.settings.declareNavigation)
      })
    tokens.append(observe({ [viewer] in viewer.settings.isOn }) { [self] in self.follow($0) })
    tokens.append(
      observe({ [viewer] in viewer.settings.selectedNetworkID }) { [self] in self.parts.world?.selectionChanged(to: $0) })
    tokens.append(
      observe { [viewer] in
        Signs(
          events: viewer.events.totalCount, status: viewer.status, isOn: viewer.settings.isOn, joined: viewer.settings.selectedNetworkID,
          isConnecting: viewer.settings.destination?.connect?.isConnecting)
      } perform: { [parts] _ in
        parts.viewer.update()
        parts.showAssociated()
        for line in panel.news() { try? StandardStreams.write(line + "\n") }
      })
    try StandardStreams.write("Type help for the commands.\n")
    defer { end() }
    for await line in Self.lines() {
      let answer = panel.handle(line)
      for line in answer.lines { try StandardStreams.write(line + "\n") }
      if answer.effect == .quit { return }
      if answer.effect == .export { try export() }
      // What the command changed is presented at the end of the turn; only then it is known what the next line is.
      await Task.yield()
      echo(!panel.wantsPassword)
    }
  }

  /// What the sentences depend on.
  private struct Signs: Equatable {
    var events: Int
    var status: ScanStatus
    var isOn: Bool
    var joined: NetworkID?
    var isConnecting: Bool?
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

  private func follow(_ isOn: Bool) {
    following?.cancel()
    following = nil
    viewer.update()
    guard isOn, parts.player == nil else { return }
    let viewer = viewer
    following = Task { await viewer.followSource() }
  }

  private func export() throws {
    do throws(FileFailure) {
      try Files.replace(exportPath, with: HistoryCSV.bytes(of: viewer))
    } catch {
      return StandardStreams.writeError("wifi-harness: \(error).\n")
    }
    try StandardStreams.write("The history was written to \(PrintableText.escape(Array(exportPath.utf8))).\n")
  }

  /// Lets everything go that holds the session.
  private func end() {
    tokens = []
    presenter.onDismiss = { _ in }
    navigation = nil
    following?.cancel()
    for tasks in tasks.values { for task in tasks { task.cancel() } }
    echo(true)
  }
}
