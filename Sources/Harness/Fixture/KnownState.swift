public import Models
import WiFi

/// The state of the page of known networks: what a trace records and an expectation checks.
public struct KnownState: Hashable, Sendable {
  /// The rows, in order.
  public var rows: [KnownNetworkRow]
  /// Whether the networks are being listed.
  public var isLoading: Bool
  /// The names of the networks whose pages are open, the last on top.
  public var pages: [String]
  /// Whether the sheet that adds a network is open; of a copy, the name of the original.
  public var sheet: String?
  /// What is in the form of the sheet or the page on top; of a password the number of its characters.
  public var form: String
  /// Whether a request of the sheet or the page on top runs.
  public var isSaving: Bool
  /// Whether the network of the page on top is not known any more.
  public var isGone: Bool
  /// Whether an alert asks if the network of the page on top is to be forgotten.
  package var asksToForget: Bool
  /// The name of the error of the sheet, the page on top or the list.
  public var failure: String?
  /// Whether the last change outlives the daemon.
  public var isSaved: Bool

  /// The state of a model now.
  public init(_ model: KnownNetworksModel) {
    rows = model.rows
    isLoading = model.isLoading
    pages = model.path.map(\.network.ssid.description)
    let page = model.path.last
    let sheet = model.addSheet
    self.sheet = sheet.map { $0.original.map { "copy of \($0.ssid)" } ?? "new" }
    if let sheet {
      form = Self.form(
        name: sheet.name, sheet.password, sheet.security.rawValue, sheet.priority, sheet.joinsAutomatically, sheet.isHidden)
    } else if let page {
      form = Self.form(
        name: nil, page.password, page.security.rawValue, page.priority, page.joinsAutomatically, page.isHidden)
    } else {
      form = "none"
    }
    isSaving = sheet?.isSaving ?? page?.isSaving ?? false
    isGone = page?.isGone ?? false
    asksToForget = page?.forgetAlertIsPresented ?? false
    failure = (sheet != nil ? sheet?.failure : page != nil ? page?.failure : model.failure)?.name
    isSaved = model.isSaved
  }

  private static func form(
    name: String?, _ password: String, _ security: String, _ priority: Int, _ joins: Bool, _ isHidden: Bool
  ) -> String {
    let text = name.map { "“\(PrintableText.escape($0))”, " } ?? ""
    return text + "\(security), password \(password.count), priority \(priority)" + (joins ? "" : ", by hand")
      + (isHidden ? ", hidden" : "")
  }

  /// What this state means to lie over the list, the topmost last.
  var shown: [String] {
    ["known"] + pages.map { _ in "edit" } + (asksToForget ? ["forgetKnown"] : []) + (sheet == nil ? [] : ["add"])
  }

  /// What changed since an earlier state of the page; one that opens is compared with an empty one.
  func changes(since earlier: KnownState?) -> [SettingsState.Change] {
    var changes: [SettingsState.Change] = []
    changes.note("known rows", earlier?.rows ?? [], rows) { rows in
      rows.isEmpty ? "none" : rows.count > 20 ? "\(rows.count)" : rows.map(\.description).joined(separator: "; ")
    }
    changes.note("known loading", earlier?.isLoading ?? false, isLoading, \.onOrOff)
    changes.note("known pages", earlier?.pages ?? [], pages) { $0.isEmpty ? "none" : $0.joined(separator: " / ") }
    changes.note("known sheet", earlier?.sheet, sheet) { $0 ?? "none" }
    changes.note("known form", earlier?.form ?? "none", form) { $0 }
    changes.note("known saving", earlier?.isSaving ?? false, isSaving, \.onOrOff)
    changes.note("known gone", earlier?.isGone ?? false, isGone, \.onOrOff)
    changes.note("known failure", earlier?.failure, failure) { $0 ?? "none" }
    changes.note("known saved", earlier?.isSaved ?? true, isSaved, \.onOrOff)
    return changes
  }
}
