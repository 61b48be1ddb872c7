public import Observing
public import WiFi

/// The fields of a known network as views offer them: of the page that changes one, or of the sheet that adds one.
///
/// A value over a model, which holds everything; each field is bound to it.
public struct KnownNetworkForm {
  /// A field of the form.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// What the network is called; only in the sheet.
    case name
    /// How it is secured.
    case security
    /// Its password, a new one on the page.
    case password
    /// The higher is joined first.
    case priority
    /// Whether the daemon joins it by itself.
    case autoconnect
    /// Whether it hides its name.
    case hidden
  }

  /// What the form is of.
  public enum Subject {
    /// The page that changes a network.
    case edit(KnownNetworkEditModel)
    /// The sheet that adds one, or a copy.
    case add(AddKnownNetworkModel)
  }

  /// What the form is of.
  public let subject: Subject

  /// The form of a page.
  public init(_ page: KnownNetworkEditModel) { subject = .edit(page) }

  /// The form of a sheet.
  public init(_ sheet: AddKnownNetworkModel) { subject = .add(sheet) }

  /// The form of what is shown; `nil` where that has none.
  public init?(item: Any?) {
    switch item {
    case let page as KnownNetworkEditModel: self.init(page)
    case let sheet as AddKnownNetworkModel: self.init(sheet)
    default: return nil
    }
  }

  /// What it is about: the name of the network, or that one is added.
  package var title: String {
    switch subject {
    case .edit(let page): DisplayName.shown(page.network.ssid)
    case .add(let sheet): sheet.original.map { "Duplicate “\(DisplayName.of($0.ssid))”" } ?? "Add a known network"
    }
  }

  /// The fields, in order; what the daemon cannot change is left out.
  public var fields: [Field] {
    switch subject {
    case .edit(let page):
      let features = page.features
      var fields: [Field] = []
      if features.contains(.autoconnect) { fields.append(.autoconnect) }
      if features.contains(.priority) { fields.append(.priority) }
      if features.contains(.security), securityChoices.count > 1 { fields.append(.security) }
      if features.contains(.hidden) { fields.append(.hidden) }
      if features.contains(.password), page.security.use != nil { fields.append(.password) }
      return fields
    case .add(let sheet):
      let choices: [Field] = securityChoices.count > 1 ? [.security] : []
      return [.name] + choices + (sheet.security.use == nil ? [] : [.password]) + [.priority, .autoconnect, .hidden]
    }
  }

  /// The kinds of security that can be chosen: those of the family of what there is.
  public var securityChoices: [JoinSecurity] {
    let all: [JoinSecurity] = [.open, .owe, .psk, .sae, .pskOrSAE]
    let family: Security.Family
    switch subject {
    case .edit(let page): family = page.network.security.family
    case .add(let sheet):
      guard let original = sheet.original else { return all }
      family = original.security.family
    }
    return JoinSecurity.allCases.filter { family.alike.contains($0.family) }
  }

  /// The name, in the sheet.
  public var name: Binding<String>? { if case .add(let sheet) = subject { sheet.bind(\.name) } else { nil } }

  /// The password.
  public var password: Binding<String> { bind(\.password, \.password) }

  /// How it is secured.
  public var security: Binding<JoinSecurity> { bind(\.security, \.security) }

  /// The priority.
  public var priority: Binding<Int> { bind(\.priority, \.priority) }

  /// Whether the daemon joins it by itself.
  public var autoconnect: Binding<Bool> { bind(\.joinsAutomatically, \.joinsAutomatically) }

  /// Whether it hides its name.
  public var hidden: Binding<Bool> { bind(\.isHidden, \.isHidden) }

  private func bind<Value>(
    _ page: any ReferenceWritableKeyPath<KnownNetworkEditModel, Value> & Sendable,
    _ sheet: any ReferenceWritableKeyPath<AddKnownNetworkModel, Value> & Sendable
  ) -> Binding<Value> {
    switch subject {
    case .edit(let model): model.bind(page)
    case .add(let model): model.bind(sheet)
    }
  }

  /// Whether a request runs.
  public var isSaving: Bool {
    switch subject {
    case .edit(let page): page.isSaving
    case .add(let sheet): sheet.isSaving
    }
  }

  /// Whether saving would do anything.
  public var canSave: Bool {
    switch subject {
    case .edit(let page): page.hasChanges && !page.isSaving
    case .add(let sheet): !sheet.isSaving
    }
  }

  /// What happens or went wrong, in a sentence, and whether it went wrong; `nil` where there is nothing to say.
  public var status: (sentence: String, isFailure: Bool)? {
    switch subject {
    case .edit(let page):
      if page.isSaving { return ("Saving…", false) }
      if let failure = page.failure { return ("\(failure)", true) }
      if page.isGone { return ("This network is not known any more.", true) }
    case .add(let sheet):
      if sheet.isSaving { return (sheet.original == nil ? "Adding…" : "Copying…", false) }
      if let failure = sheet.failure { return ("\(failure)", true) }
    }
    return nil
  }

  /// Begins to save the page or to add what the sheet describes; `nil` where there is nothing to run.
  public func save() -> ViewerAttempt? {
    switch subject {
    case .edit(let page): page.saveButtonTapped().map { ViewerAttempt($0, "saves a known network") }
    case .add(let sheet): sheet.addButtonTapped().map { ViewerAttempt($0, "adds a known network") }
    }
  }
}

extension KnownNetworkEditModel {
  /// Where the network is, in words.
  package var place: String { isGone ? "not known any more" : network.isJoined ? "joined" : isInRange ? "in range" : "not in range" }
}
