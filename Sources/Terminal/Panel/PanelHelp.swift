import Models
import Observing
import WiFi

/// The keys, as the line at the bottom and as a page.
struct PanelHelp {
  /// Whether a recording is played.
  let isReplay: Bool

  /// The keys that matter now, the most important first; help and quit last.
  static func keys(_ viewer: Viewer, _ state: PanelState, _ shown: [Presentation]) -> [(key: String, word: String)] {
    if let top = shown.last {
      if let keys = keys(ofKnown: top, state) { return keys }
      switch top.kind {
      case .sheet, .popover:
        return [("Tab", "next"), ("⏎", state.focus == .cancel ? "cancel" : state.focus == .show ? "show" : "join"), ("Esc", "cancel")]
      case .alert, .confirmation: return [("←→", "choose"), ("⏎", "answer"), ("Esc", "close")]
      case .push:
        let canForget = (top.item as? NetworkDetailModel)?.canForget == true
        if state.isSearching { return [("type", "a text of the page"), ("⏎", "done"), ("Esc", "clear")] }
        let more = (state.pageSearch.isEmpty ? [] : [("n", "next")]) + [("z", state.isFolded ? "unfold" : "fold")]
        return [("↑↓", "scroll"), ("/", "search")] + more + (canForget ? [("x", "forget")] : []) + [("Esc", "back"), ("q", "quit")]
      }
    }
    if viewer.layer != nil {
      let marks = viewer.layer == .channels ? [("┼", "primary channel")] : []
      let back = viewer.layer == .help ? [("↑↓", "scroll"), ("Esc", "back")] : [("Esc", "back to the list")]
      return back + marks + [("c", "channels"), ("e", "events"), ("?", "help"), ("q", "quit")]
    }
    switch state.focus {
    case .filter: return [("type", "a name or an address"), ("⏎", "done"), ("Esc", "clear")]
    case .bands, .signal, .interval: return [("←→", "change"), ("Tab", "next"), ("Esc", "list")]
    case .pause, .wifi: return [("space", "switch"), ("Tab", "next"), ("Esc", "list")]
    default: break
    }
    var keys = [("↑↓", "select"), ("⏎", "join"), ("i", "details"), ("/", "filter"), ("s", "sort")]
    if viewer.playback != nil { keys = [("←→", "scan"), ("space", viewer.isPaused ? "play" : "stop")] + keys.filter { $0.0 != "⏎" } }
    keys.append(("c", "channels"))
    if viewer.playback == nil { keys.append(("k", "known")) }
    keys += [("e", "events"), ("f", "follow")]
    if viewer.playback == nil { keys.append(("space", "pause")) }
    return keys + [("?", "help"), ("q", "quit")]
  }

  /// The keys of the known networks, where those are on top.
  private static func keys(ofKnown top: Presentation, _ state: PanelState) -> [(key: String, word: String)]? {
    if let known = top.item as? KnownNetworksModel {
      let features = known.features
      let all: [(feature: KnownNetworkFeature?, key: String, word: String)] = [
        (nil, "↑↓", "select"), (nil, "⏎", "edit"), (.add, "a", "add"), (.duplicate, "d", "duplicate"), (.forget, "x", "forget"),
        (nil, "r", "list again"), (nil, "Esc", "back"), (nil, "q", "quit"),
      ]
      return all.filter { $0.feature.map(features.contains) ?? true }.map { ($0.key, $0.word) }
    }
    guard let form = KnownNetworkForm(item: top.item) else { return nil }
    let change: (key: String, word: String)? =
      switch state.focus {
      case .name, .password: ("type", "a text")
      case .security: ("←→", "choose")
      case .priority: ("←→ 0–9", "change")
      case .autoconnect, .hidden, .show: ("space", "switch")
      default: nil
      }
    let enter: (key: String, word: String) =
      switch state.focus {
      case .cancel: ("⏎", "cancel")
      case .duplicate: ("⏎", "duplicate")
      case .forget: ("⏎", "forget")
      default: if case .add = form.subject { ("⏎", "add") } else { ("⏎", "save") }
      }
    let escape: String = if case .add = form.subject { "cancel" } else { "back" }
    return [("Tab", "next")] + (change.map { [$0] } ?? []) + [enter, ("Esc", escape)]
  }

  private var entries: [(key: String, text: String)] {
    var entries: [(String, String)] = [
      ("↑ ↓  PgUp PgDn", "highlight a row"), ("⏎", "join the highlighted network; details of the joined one"),
      ("i", "details with every decoded element: / searches, z folds"),
      ("f", "keep these details, whichever row is highlighted"),
      ("/", "filter by name or address"), ("b", "bands: all, 2.4, 5, 6 GHz"), ("[ ]", "least signal, 5 dB down or up"),
      ("p", "protection: any, open, secured, weak, modern"), ("g", "least generation of Wi-Fi"),
      ("s S", "sort by the next column; turn the order round"),
      ("Tab", "go through the controls on top"), ("c e", "channels, ┼ being the primary one; events"),
      ("k", "known networks: change, add, copy, forget"),
      ("r", "scan now"), ("- +", "scan less, more often"),
      ("w", "turn Wi-Fi off or on in the panel"),
      ("x", "write the history to a CSV file"), ("Esc", "back; clear the filter"), ("q", "quit"),
    ]
    if isReplay {
      entries.insert(("← →  Home End", "scan by scan; first and last scan"), at: 0)
      entries.insert(("space", "play or stop"), at: 1)
      entries.removeAll { ["k", "r", "- +", "w"].contains($0.0) }
    } else {
      entries.insert(("space", "pause: the picture holds still, nothing is scanned"), at: 12)
    }
    return entries
  }

  /// The columns that keys have.
  private static let keyWidth = 16

  /// The lines: a key and what it does; a text that is wider than its column continues below, without the key.
  private func lines(width: Int) -> [(key: String, text: String)] {
    entries.flatMap { entry in
      TextWrapping.lines(entry.text, width: max(width - Self.keyWidth - 3, 1)).enumerated()
        .map { ($0.offset == 0 ? entry.key : "", $0.element) }
    }
  }

  /// The lines in columns side by side, two where there is room and need, and how many of them an area shows.
  private func table(_ area: Area) -> (lines: [(key: String, text: String)], columns: Int, height: Int) {
    let height = area.rows - 1
    let narrow = lines(width: area.columns)
    guard narrow.count > height, area.columns >= 100 else { return (narrow, 1, height) }
    return (lines(width: area.columns / 2), 2, height)
  }

  /// How many lines an area does not show at once.
  func hiddenLines(_ area: Area) -> Int {
    let (lines, columns, height) = table(area)
    return max((lines.count + columns - 1) / columns - height, 0)
  }

  /// Draws the keys, from the line `scroll` on.
  func draw(into picture: inout Picture, _ area: Area, scroll: Int) {
    let (lines, columns, height) = table(area)
    let hidden = hiddenLines(area)
    let first = min(max(scroll, 0), hidden)
    let title = hidden == 0 ? "KEYS" : "KEYS  lines \(first + 1) to \(first + height) of \(height + hidden)"
    picture.put(title, column: area.column + 2, row: area.row, style: .heading)
    let perColumn = (lines.count + columns - 1) / columns
    let width = area.columns / columns
    for (index, line) in lines.enumerated() {
      let row = index % perColumn - first
      guard row >= 0, row < height else { continue }
      let column = area.column + 2 + index / perColumn * width
      picture.put(line.key, column: column, row: area.row + 1 + row, style: .heading, width: Self.keyWidth)
      picture.put(line.text, column: column + Self.keyWidth, row: area.row + 1 + row, width: width - Self.keyWidth - 3)
    }
  }
}
