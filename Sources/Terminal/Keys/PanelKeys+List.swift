import Models
import Observing
public import WiFi

/// Keys of the list and of the filter.
extension PanelKeys {
  func handleList(_ key: Key) -> Effect? {
    let height = listHeight
    switch key {
    case .up: scrollOrMove(-1, height)
    case .down: scrollOrMove(1, height)
    case .pageUp: scrollOrMove(-max(height - 1, 1), height)
    case .pageDown: scrollOrMove(max(height - 1, 1), height)
    case .home: if let player { player.go(to: 1) } else { moveToEnd(first: true, height) }
    case .end: if let player { player.go(to: player.count) } else { moveToEnd(first: false, height) }
    case .left: player?.step(by: -1)
    case .right: player?.step(by: 1)
    case .enter: rowTapped(height)
    case .escape: escape()
    case .character(let character): return command(character)
    default: break
    }
    return nil
  }

  func scrollOrMove(_ lines: Int, _ height: Int) {
    if viewer.layer == .help, let layout {
      let help = PanelHelp(isReplay: viewer.playback != nil)
      state.pageScroll = min(max(state.pageScroll + lines, 0), help.hiddenLines(layout.main))
    } else if viewer.layer == .events, let layout {
      state.pageScroll = min(max(state.pageScroll - lines, 0), EventsPicture.maximumScroll(viewer, layout.main))
    } else {
      viewer.moveCursor(by: lines, height: height)
    }
  }

  /// Goes to the first or the last line of what is shown.
  private func moveToEnd(first: Bool, _ height: Int) {
    switch viewer.layer {
    case .help, .events: scrollOrMove(first ? -100_000 : 100_000, height)
    case .channels, nil: viewer.highlightEnd(first: first, height: height)
    }
  }

  /// The first press highlights what the details are of, so that a user joins only what was highlighted.
  func rowTapped(_ height: Int) {
    guard viewer.layer == nil else { return viewer.layer = nil }
    guard let id = viewer.cursor, viewer.index(of: id) != nil else {
      if let subject = viewer.subject { viewer.show(subject, height: height) }
      return
    }
    tap(id)
  }

  /// Taps the row of a network: joins it, or shows the joined one.
  public func tap(_ id: NetworkID) {
    state.message = isGone(id) ? ShortWords.isLostToJoin : viewer.rowTapped(id)
  }

  private func isGone(_ id: NetworkID) -> Bool { viewer[id]?.isLost == true && id != viewer.settings.selectedNetworkID }

  func escape() {
    if viewer.layer != nil {
      viewer.layer = nil
    } else if !viewer.filter.isEmpty {
      viewer.filter = NetworkFilter()
    } else if viewer.followed != nil {
      viewer.followTapped()
    } else {
      viewer.highlight(nil)
    }
    state.pageScroll = 0
  }

  func pauseTapped() {
    if let player { player.play(viewer.isPaused) } else { viewer.pauseTapped() }
  }

  func command(_ character: Character) -> Effect? {
    switch character {
    case "q": return .quit
    case "x": return .export
    case "i":
      guard let id = viewer.subject else { break }
      if isGone(id) { state.message = ShortWords.isLostToShow } else { viewer.settings.infoButtonTapped(id) }
    case "/":
      viewer.layer = nil
      focus(.filter)
    case "s": viewer.sort = viewer.sort.next
    case "S": viewer.sort.isReversed.toggle()
    case "b": viewer.bandSegments.step(1, wraps: true)
    case "[": viewer.signalSlider.move(-1)
    case "]": viewer.signalSlider.move(1)
    case "p": Segments(viewer.bind(\.filter).protection, NetworkFilter.Protection.allCases).step(1, wraps: true)
    case "g": Segments(viewer.bind(\.filter).minimumGeneration, [nil, 4, 5, 6, 7]).step(1, wraps: true)
    case "-" where player == nil: viewer.intervalStepper.step(1)
    case "+" where player == nil: viewer.intervalStepper.step(-1)
    case "f": viewer.followTapped()
    case "k": state.message = viewer.knownNetworksTapped()
    case "c": layer(.channels)
    case "e": layer(.events)
    case "?": layer(.help)
    case "w" where player == nil: switchKeyPressed()
    case "r" where player == nil:
      onScanNow()
      state.message = viewer.scanHint ?? "Scanning as soon as the adapter can."
    case " ": pauseTapped()
    default: break
    }
    return nil
  }

  /// Moves the switch; where that ends a connection, only when pressed twice, as the key lies beside others.
  func switchKeyPressed() {
    if viewer.settings.isOn, let joined = viewer.settings.selectedNetwork, !state.asksToSwitchOff {
      state.asksToSwitchOff = true
      state.message = "This ends the connection to \(ShortWords.name(joined)): press w again to turn Wi-Fi off."
    } else {
      state.asksToSwitchOff = false
      moveSwitch()
    }
  }

  /// Turns Wi-Fi on or off, where there is an adapter.
  func moveSwitch() {
    guard viewer.hasAdapter else { return state.message = viewer.status.problem }
    Switch(viewer.settings.bind(\.isOn)).toggle()
  }

  func layer(_ layer: Viewer.Layer) {
    state.pageScroll = 0
    viewer.layerTapped(layer)
  }

  func handleFilter(_ key: Key) -> Effect? {
    switch key {
    case .enter, .down:
      state.focus = .list
      // The next press is for a row that passes.
      if viewer.cursor.flatMap({ viewer.index(of: $0) }) == nil { viewer.highlight(viewer.subject) }
    case .escape:
      viewer.filter.text = ""
      state.focus = .list
    case .up, .pageUp, .pageDown: break
    default: edit(viewer.bind(\.filter).text, key)
    }
    return nil
  }

  func edit(_ text: Binding<String>, _ key: Key) {
    var field = TextField(text, cursor: state.fieldCursor, isSelected: state.fieldIsSelected)
    guard field.handle(key) else { return }
    state.fieldCursor = field.cursor
    state.fieldIsSelected = field.isSelected
  }

  func paste(_ text: String) {
    // What is copied of a file or a manager of passwords often ends with the end of its line; no field has two lines.
    let text = String(text.unicodeScalars.filter { $0 != "\n" && $0 != "\r" })
    if page != nil, state.isSearching {
      // What is typed last searches.
      guard let last = text.last else { return }
      state.pageSearch += text.dropLast()
      _ = handle(.character(last))
      return
    }
    let target: Binding<String>? =
      switch state.focus {
      case .password: sheet?.bind(\.password) ?? form?.password
      case .name: form?.name
      case .filter: presenter.shown.isEmpty ? viewer.bind(\.filter).text : nil
      default: nil
      }
    guard let target else { return }
    var field = TextField(target, cursor: state.fieldCursor, isSelected: state.fieldIsSelected)
    field.insert(text)
    state.fieldCursor = field.cursor
    state.fieldIsSelected = false
  }
}
