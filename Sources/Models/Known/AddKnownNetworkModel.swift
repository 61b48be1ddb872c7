public import Observation
public import WiFi

/// The sheet that adds a known network, or a copy of one.
///
/// A plain class that belongs to its creator; its asynchronous method runs in the caller's isolation.
@Observable
public final class AddKnownNetworkModel {
  /// The network that is copied; `nil` for one that is new.
  public let original: KnownNetwork?
  /// What is typed as the name; a byte that is no text is `\xHH`.
  public var name: String
  /// How the network is secured.
  public var security: JoinSecurity
  /// What is typed as the password; empty in a copy takes that of the original, where the daemon copies it.
  public var password: String
  /// The higher is joined first.
  public var priority: Int
  /// Whether the daemon is to join it by itself.
  public var joinsAutomatically: Bool
  /// Whether the network hides its name.
  public var isHidden: Bool
  /// Whether the request runs.
  public private(set) var isSaving: Bool
  /// Why the last request failed.
  public var failure: KnownNetworkError?

  @ObservationIgnored private let store: any KnownNetworkStore
  @ObservationIgnored private let onAnswer: (KnownNetworkAnswer) -> Void
  @ObservationIgnored private let onAdded: (AddKnownNetworkModel, KnownNetwork.ID?) -> Void
  @ObservationIgnored private let onCancelled: (AddKnownNetworkModel) -> Void
  @ObservationIgnored private var attempts = AttemptCounter()

  /// Makes the sheet in any state.
  ///
  /// - Parameters:
  ///   - original: the network that is copied; fields that are not given are those of it.
  ///   - onAnswer: called with the new contents of the store, even if the sheet has been closed.
  ///   - onAdded: called when the network is added, with its identity.
  ///   - onCancelled: called when the sheet is to close without.
  public init(
    original: KnownNetwork? = nil, name: String? = nil, security: JoinSecurity? = nil, password: String = "", priority: Int? = nil,
    joinsAutomatically: Bool? = nil, isHidden: Bool? = nil, isSaving: Bool = false, failure: KnownNetworkError? = nil,
    store: any KnownNetworkStore, onAnswer: @escaping (KnownNetworkAnswer) -> Void,
    onAdded: @escaping (AddKnownNetworkModel, KnownNetwork.ID?) -> Void, onCancelled: @escaping (AddKnownNetworkModel) -> Void
  ) {
    self.original = original
    self.name = name ?? original?.ssid.description ?? ""
    self.security = security ?? original?.security ?? .pskOrSAE
    self.password = password
    self.priority = priority ?? original?.priority ?? 0
    self.joinsAutomatically = joinsAutomatically ?? original?.joinsAutomatically ?? true
    self.isHidden = isHidden ?? original?.isHidden ?? false
    self.isSaving = isSaving
    self.failure = failure
    self.store = store
    self.onAnswer = onAnswer
    self.onAdded = onAdded
    self.onCancelled = onCancelled
  }

  /// What the fields ask for; `nil` where the name is none.
  private var request: KnownNetworkRequest? {
    guard let ssid = SSID(typed: name) else { return nil }
    let secret = password.isEmpty || !security.needsPassword ? nil : Secret(password)
    guard let original else {
      return .add(
        KnownNetworkDraft(
          ssid: ssid, security: security, password: secret, priority: priority, joinsAutomatically: joinsAutomatically,
          isHidden: isHidden))
    }
    var edit = KnownNetworkEdit(password: secret)
    if ssid != original.ssid { edit.ssid = ssid }
    if security != original.security { edit.security = security }
    if priority != original.priority ?? 0 { edit.priority = priority }
    if joinsAutomatically != original.joinsAutomatically { edit.joinsAutomatically = joinsAutomatically }
    if isHidden != original.isHidden { edit.isHidden = isHidden }
    return .duplicate(original.id, edit)
  }

  /// Begins to add the network with the fields as they are now; `nil` where a request runs already or nothing can come
  /// of it.
  ///
  /// When this returns, ``isSaving`` is true, or ``failure`` says what is wrong. The view runs the attempt in a task,
  /// which it cancels with the sheet.
  public func addButtonTapped() -> KnownNetworkAttempt? {
    guard !isSaving else { return nil }
    failure = nil
    guard let request else {
      failure = .nameMissing
      return nil
    }
    if case .add(let draft) = request, let problem = draft.problem {
      failure = problem
      return nil
    }
    let number = attempts.begin()
    isSaving = true
    return KnownNetworkAttempt { await self.run(number, request) }
  }

  private func run(_ number: Int, _ request: KnownNetworkRequest) async {
    guard attempts.mayRun(number) else { return }
    let outcome = await store.outcome(of: request)
    if case .success(let answer) = outcome { onAnswer(answer) }
    guard attempts.current == number else { return }
    isSaving = false
    switch outcome {
    case .success(let answer): onAdded(self, answer.changed)
    case .failure(.cancelled): break
    case .failure(let error): failure = error
    }
  }

  /// Gives up the request that runs; where none runs, closes the sheet.
  public func cancelButtonTapped() {
    if isSaving { endAttempt() } else { onCancelled(self) }
  }

  /// Ends with the sheet, however it was closed: no outcome counts any more.
  public func dismissed() { endAttempt() }

  private func endAttempt() {
    attempts.end()
    isSaving = false
  }
}
