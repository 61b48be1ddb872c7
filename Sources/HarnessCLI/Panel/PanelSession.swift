import Models
import Observing
import Terminal
import WiFi

/// One run of the panel on a terminal: what a view does, and nothing that a model should hold.
@MainActor
final class PanelSession {
  private let parts: ViewerParts
  private let viewer: Viewer
  private let device: TerminalDevice
  private let state = PanelState()
  private let presenter = TerminalPresenter()
  private var keys: PanelKeys?
  private var encoder: PictureEncoder
  private var tokens: [ObservationToken] = []
  private let tasks: ViewerTasks
  private var history: HistoryFile

  init(_ parts: ViewerParts, device: TerminalDevice, palette: Palette, link: PlaceArgument?, history: HistoryFile) {
    self.parts = parts
    viewer = parts.viewer
    self.device = device
    encoder = PictureEncoder(palette)
    tasks = ViewerTasks(parts, link: link)
    self.history = history
  }

  /// Shows the panel until the user quits.
  ///
  /// - Throws: ``Failure`` where the terminal cannot be used.
  func run() async throws {
    try device.open()
    defer { end() }
    let keys = PanelKeys(
      viewer, state: state, presenter: presenter, size: device.size,
      onAttempt: { [tasks] in tasks.run($0, on: $1) }, onCancelled: { [tasks] in tasks.cancelAttempts(of: $0) },
      onScanNow: { [parts] in parts.source?.scanNow() })
    keys.player = parts.player
    self.keys = keys
    observeModels(keys)
    for await input in device.inputs {
      switch input {
      case .closed: return
      case .wokeUp: resized()
      case .event(let event):
        switch keys.handle(event) {
        case nil: break
        case .quit: return
        case .suspend: device.stop()
        case .redraw: resized()
        case .export: export()
        }
      }
      try draw()
    }
  }

  private func observeModels(_ keys: PanelKeys) {
    presenter.onPresent = { [weak keys] _ in keys?.presented() }
    presenter.onDismiss = { [tasks, weak keys] presentation in
      tasks.cancelAttempts(of: presentation)
      keys?.presented()
    }
    tokens.append(tasks.navigate(viewer, over: presenter))
    tasks.start()
    tokens.append(observe({ [viewer] in viewer.subject }) { [weak keys] _ in keys?.listed() })
    // The list has no room for what is wrong beside it.
    tokens.append(
      observe({ [viewer] in [viewer.settings.radioProblem?.description, viewer.associationNote].compactMap(\.self) }) { [state] notes in
        if !notes.isEmpty { state.message = notes.joined(separator: " ") }
      })
    tokens.append(observe { [self] in try? self.draw() })
  }

  private func draw() throws {
    let picture = PanelPicture.draw(viewer, state, over: presenter.shown, size: keys?.size ?? device.size)
    try device.write(encoder.encode(picture))
  }

  private func resized() {
    device.resume()
    keys?.size = device.size
    encoder.reset()
  }

  private func export() {
    do throws(Failure) {
      state.message = "The history was written to \(try history.write(viewer))."
    } catch {
      state.message = error.sentence
    }
  }

  /// Lets everything go that holds the session.
  private func end() {
    tokens = []
    presenter.onPresent = { _ in }
    presenter.onDismiss = { _ in }
    keys = nil
    tasks.end()
    device.close()
  }
}
