import Models
import Observing
public import WiFi

/// Something that lies over the list.
public struct PageLayer: Hashable, Sendable {
  /// What it is.
  public enum Content: Hashable, Sendable {
    /// The sheet that asks for a password.
    case sheet(Sheet)
    /// The page about one network, whose details are those of the state.
    case detail(PageKey, canForget: Bool, isLost: Bool)
    /// The list of the known networks.
    case known(PageKnownList)
    /// The page or the sheet of one known network.
    case knownForm(PageKnownForm)
    /// A question.
    case question(title: String, message: String?, buttons: [Button])
    /// Something that the page does not know, by its name.
    case other(String)
  }

  /// The sheet that asks for a password.
  ///
  /// The password itself is in no state: only how many characters were typed.
  public struct Sheet: Hashable, Sendable {
    /// The network.
    public var key: PageKey
    /// Its name.
    public var name: String
    /// How it is secured and how strong it is.
    public var facts: String
    /// Whether joining needs a secret.
    public var isSecured: Bool
    /// How many characters were typed.
    public var passwordCount: Int
    /// Whether an attempt to join runs.
    public var isConnecting: Bool
    /// How far the attempt has come.
    public var progress: String?
    /// Why the last attempt failed, and what to do.
    public var failure: String?
    /// Whether the network is not there any more.
    public var isLost: Bool
  }

  /// A way to answer a question.
  public struct Button: Hashable, Sendable {
    /// What stands on it.
    public var title: String
    /// `cancel`, `destructive`, or nothing.
    public var role: String?
  }

  /// The number of the presentation: what is done to another one is ignored.
  public var number: Int
  /// What it is.
  public var content: Content

  /// Whether a client that may only read sees it: not what is typed, nor the networks that are known here.
  public var isOpen: Bool { if case .detail = content { true } else { false } }

  init(_ shown: PagePresenter.Entry, _ viewer: Viewer) {
    number = shown.number
    let presentation = shown.presentation
    if let sheet = presentation.item as? ConnectToNetworkModel {
      content = .sheet(Sheet(sheet, viewer.joinNote))
    } else if let page = presentation.item as? NetworkDetailModel {
      content = .detail(PageKey(page.network.id), canForget: page.canForget && viewer.forgetHint == nil, isLost: page.networkIsLost)
    } else if let known = presentation.item as? KnownNetworksModel {
      content = .known(PageKnownList(known, viewer))
    } else if let form = KnownNetworkForm(item: presentation.item) {
      content = .knownForm(PageKnownForm(form))
    } else if let question = presentation.question {
      content = .question(
        title: question.title, message: question.message,
        buttons: question.buttons.map { Button(title: $0.title, role: $0.role?.rawValue) })
    } else {
      content = .other(presentation.name)
    }
  }
}

extension PageLayer.Sheet {
  init(_ sheet: ConnectToNetworkModel, _ note: String?) {
    let network = sheet.network
    key = PageKey(network.id)
    name = ShortWords.name(network)
    let signal = network.signalMBm.map { PageWords.signal($0) } ?? "\(network.percent) %"
    facts = "\(network.security.summary), \(signal)"
    isSecured = network.isSecured
    passwordCount = sheet.password.count
    isConnecting = sheet.isConnecting
    progress = sheet.isConnecting ? note : nil
    failure = sheet.failure.map { note ?? $0.sentence }
    isLost = sheet.networkIsLost
  }
}

extension PageLayer: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("number", number)
    switch content {
    case .sheet(let sheet):
      fields.field("kind", "sheet")
      fields.field("network", sheet.key.text)
      fields.field("name", sheet.name)
      fields.field("facts", sheet.facts)
      fields.field("isSecured", sheet.isSecured)
      fields.field("passwordCount", sheet.passwordCount)
      fields.field("isConnecting", sheet.isConnecting)
      if let progress = sheet.progress { fields.field("progress", progress) }
      if let failure = sheet.failure { fields.field("failure", failure) }
      fields.field("isLost", sheet.isLost)
    case .detail(let key, let canForget, let isLost):
      fields.field("kind", "detail")
      fields.field("network", key.text)
      fields.field("canForget", canForget)
      fields.field("isLost", isLost)
    case .known(let list):
      fields.field("kind", "known")
      list.describe(into: &fields)
    case .knownForm(let form):
      fields.field("kind", form.isSheet ? "knownSheet" : "knownPage")
      form.describe(into: &fields)
    case .question(let title, let message, let buttons):
      fields.field("kind", "question")
      fields.field("title", title)
      if let message { fields.field("message", message) }
      fields.objects("buttons", buttons) { fields, button in
        fields.field("title", button.title)
        if let role = button.role { fields.field("role", role) }
      }
    case .other(let name):
      fields.field("kind", "other")
      fields.field("name", name)
    }
  }
}
