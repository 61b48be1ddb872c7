import Models
import Observing
public import WiFi

/// The page that changes a known network, or the sheet that adds one.
///
/// A password is in no state: only how many characters were typed.
public struct PageKnownForm: Hashable, Sendable {
  /// Whether it is the sheet.
  package var isSheet: Bool
  /// What it is about: the name of the network, or that one is added.
  public var title: String
  /// Where the network is and how it is secured, in words.
  public var facts: String?
  /// The fields that can be filled in, in order; see ``Models/KnownNetworkForm/Field``.
  public var fields: [String]
  /// What is typed as the name.
  public var name: String?
  /// How many characters of a password were typed.
  public var passwordCount: Int
  /// How it is secured.
  public var security: JoinSecurity
  /// The kinds of security that can be chosen.
  public var securityChoices: [JoinSecurity]
  /// The priority.
  public var priority: Int
  /// Whether the daemon joins it by itself.
  public var joinsAutomatically: Bool
  /// Whether it hides its name.
  public var isHidden: Bool
  /// Whether a request runs.
  public var isSaving: Bool
  /// Whether saving would do anything.
  public var canSave: Bool
  /// What happens or went wrong.
  public var status: String?
  /// Whether it went wrong.
  public var isFailure: Bool
  /// What else can be done: `duplicate`, `forget`.
  public var can: [String]

  init(_ form: KnownNetworkForm) {
    switch form.subject {
    case .edit(let page):
      isSheet = false
      facts = "\(page.place), \(page.network.security)"
      can = PageKnownList.can(page.features)
    case .add(let sheet):
      isSheet = true
      can = []
      if sheet.original != nil { facts = "Without a password it takes that of the original, where the daemon copies it." }
    }
    title = form.title
    fields = form.fields.map(\.rawValue)
    name = form.name?.wrappedValue
    passwordCount = form.password.wrappedValue.count
    security = form.security.wrappedValue
    securityChoices = form.securityChoices
    priority = form.priority.wrappedValue
    joinsAutomatically = form.autoconnect.wrappedValue
    isHidden = form.hidden.wrappedValue
    isSaving = form.isSaving
    canSave = form.canSave
    status = form.status?.sentence
    isFailure = form.status?.isFailure ?? false
  }
}

extension PageKnownForm: Describable {
  public func describe(into writer: inout FieldWriter) {
    writer.field("title", title)
    if let facts { writer.field("facts", facts) }
    writer.field("fields", fields)
    if let name { writer.field("name", name) }
    writer.field("passwordCount", passwordCount)
    writer.field("security", security.rawValue)
    writer.objects("securityChoices", securityChoices) { writer, choice in
      writer.field("value", choice.rawValue)
      writer.field("title", "\(choice)")
    }
    writer.field("priority", priority)
    writer.field("joinsAutomatically", joinsAutomatically)
    writer.field("isHidden", isHidden)
    writer.field("isSaving", isSaving)
    writer.field("canSave", canSave)
    if let status { writer.field("status", status) }
    writer.field("isFailure", isFailure)
    writer.field("can", can)
  }
}
