public import Models
import WiFi

/// What a user saw at one moment: the list, and what lay over it.
public struct SettingsPicture: Hashable, Sendable {
  /// A row, and how it changed since the moment before.
  public struct Row: Hashable, Sendable {
    /// What is drawn in it.
    public var row: NetworkRow
    /// What became of it.
    public var news: News
    /// The number of rows before it that the picture leaves out.
    public var skipped = 0
    /// Whether another row is called the same, so that its address has to distinguish them.
    package var isAmbiguous = false

    /// What it is called.
    var name: String { isAmbiguous ? row.title : row.shownName }
  }

  /// How a row changed.
  public enum News: String, Hashable, Sendable {
    /// It is as it was.
    case none = ""
    /// It was not there.
    case new
    /// Something else is drawn in it.
    case changed
  }

  /// Something over the list.
  public enum Layer: Hashable, Sendable {
    /// The sheet that asks for a password.
    case connect(network: String, passwordCount: Int, isConnecting: Bool, failure: ExpectedFailure?, isLost: Bool)
    /// The page about a network.
    case detail(network: String, canForget: Bool, isLost: Bool)
    /// The alert after a wrong password.
    case incorrectPassword
    /// The question whether to forget a network.
    case forget(network: String)
    /// Something else, by its name.
    case other(String)
  }

  /// Whether the switch is on.
  public var isOn: Bool
  /// The row of the selected network.
  public var selected: Row?
  /// The rows below it; of a long list the first, and those that are new or changed.
  public var rows: [Row]
  /// The number of all rows below it.
  public var count: Int
  /// What lay over the list, the topmost last.
  public var layers: [Layer]

  /// A list of so many rows is kept whole.
  private static let limit = 40
  /// Of a longer one so many of the first are kept, and as many that are new or changed.
  private static let excerpt = 12

  /// The number of rows behind the last that the picture leaves out.
  var skippedAtEnd: Int { count - rows.count - rows.reduce(0) { $0 + $1.skipped } }

  init(_ moment: SettingsMoment, since earlier: Panel?) {
    var known: [PanelRow.ID: PanelRow] = [:]
    for row in (earlier?.top ?? []) + (earlier?.networks ?? []) { known[row.id] = row }
    func picture(_ row: PanelRow) -> Row? {
      guard case .network(let network) = row else { return nil }
      if earlier == nil { return Row(row: network, news: .none) }
      return Row(row: network, news: known[row.id].map { $0 == row ? .none : .changed } ?? .new)
    }
    isOn = moment.panel.top.contains(.wifi(isOn: true))
    selected = moment.panel.top.lazy.compactMap(picture).first
    count = moment.panel.networks.count
    rows = []
    var (skipped, others) = (0, 0)
    for (index, row) in moment.panel.networks.enumerated() {
      guard var kept = picture(row) else { continue }
      if count > Self.limit, index >= Self.excerpt {
        guard kept.news != .none, others < Self.excerpt else {
          skipped += 1
          continue
        }
        others += 1
      }
      kept.skipped = skipped
      skipped = 0
      rows.append(kept)
    }
    var counts: [String: Int] = [:]
    for row in rows + [selected].compactMap({ $0 }) { counts[row.row.name, default: 0] += 1 }
    for index in rows.indices { rows[index].isAmbiguous = counts[rows[index].row.name] != 1 }
    if let row = selected?.row { selected?.isAmbiguous = counts[row.name] != 1 }
    let state = moment.state
    let model = moment.model.destination?.connect?.network ?? moment.model.destination?.detail?.network
    let network = model.map { NetworkRow($0).shownName } ?? ""
    layers = moment.shown.map { name in
      switch name {
      case "connect":
        .connect(
          network: network, passwordCount: state.passwordCount, isConnecting: state.isConnecting, failure: state.failure,
          isLost: state.isLost)
      case "detail": .detail(network: network, canForget: state.canForget, isLost: state.isLost)
      case "incorrectPassword": .incorrectPassword
      case "forget": .forget(network: network)
      default: .other(name)
      }
    }
  }

  /// Whether it shows the same, whatever is new in it.
  func shows(theSameAs other: SettingsPicture) -> Bool {
    isOn == other.isOn && selected?.row == other.selected?.row && rows.map(\.row) == other.rows.map(\.row)
      && count == other.count && layers == other.layers
  }
}

extension SettingsPicture.Layer {
  /// Sentences that stand on it, and the buttons below them, the one that goes back last.
  var words: (title: String, lines: [String], buttons: [String]) {
    switch self {
    case .connect(let network, let count, let isConnecting, let failure, let isLost):
      var lines = ["Password: " + (count == 0 ? "nothing typed" : count.counted("character"))]
      if isConnecting { lines.append("Connecting…") }
      if isLost { lines.append("This network is out of range.") }
      switch failure {
      case .timedOut: lines.append("The network did not answer.")
      case .outOfRange: lines.append("The network is out of range.")
      case .rejected: lines.append("The network refused.")
      case nil: break
      }
      return ("Join “\(network)”", lines, ["Join", "Cancel"])
    case .detail(let network, let canForget, let isLost):
      return ("“\(network)”", isLost ? ["This network is out of range."] : [], canForget ? ["Forget", "Back"] : ["Back"])
    case .incorrectPassword: return ("Incorrect password", [], ["OK"])
    case .forget(let network): return ("Forget “\(network)”?", [], ["Forget", "Cancel"])
    case .other(let name): return (name, [], [])
    }
  }

  /// What kind of thing it is.
  var kind: String {
    switch self {
    case .connect, .other: "sheet"
    case .detail: "page"
    case .incorrectPassword, .forget: "alert"
    }
  }
}
