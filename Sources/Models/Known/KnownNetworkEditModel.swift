public import Observation
public import WiFi

/// The page that changes a known network, copies it or forgets it.
///
/// A plain class that belongs to its creator; its asynchronous methods run in the caller's isolation.
@Observable
public final class KnownNetworkEditModel {
  /// The network, as the store had it last.
  public private(set) var network: KnownNetwork
  /// Whether the network is not known any more; the page stays anyway.
  public private(set) var isGone: Bool
  /// Whether it was heard.
  public internal(set) var isInRange: Bool
  /// What is typed as a new password; empty keeps the one that there is, which is shown nowhere.
  public var password: String
  /// The higher is joined first.
  public var priority: Int
  /// Whether the daemon is to join it by itself.
  public var joinsAutomatically: Bool
  /// Whether the network hides its name.
  public var isHidden: Bool
  /// How the network is secured.
  public var security: JoinSecurity
  /// Whether a request runs.
  public private(set) var isSaving: Bool
  /// Why the last request failed.
  public var failure: KnownNetworkError?
  /// Whether an alert asks if the network is to be forgotten.
  public var forgetAlertIsPresented: Bool

  @ObservationIgnored private let store: any KnownNetworkStore
  @ObservationIgnored private let isCovered: () -> Bool
  @ObservationIgnored private let onAnswer: (KnownNetworkAnswer) -> Void
  @ObservationIgnored private let onForgotten: (KnownNetworkEditModel) -> Void
  @ObservationIgnored private let onDuplicate: (KnownNetworkEditModel) -> Void
  @ObservationIgnored private var attempts = AttemptCounter()

  /// Makes the page in any state.
  ///
  /// - Parameters:
  ///   - priority: and the fields behind it: what is in the form; those that are not given are the network's.
  ///   - isCovered: whether a sheet lies over the page, so that a tap on it is late.
  ///   - onAnswer: called with the new contents of the store, even if the page has been closed.
  ///   - onForgotten: called when the network is forgotten.
  ///   - onDuplicate: called when the network is to be copied.
  public init(
    network: KnownNetwork, isGone: Bool = false, isInRange: Bool = false, password: String = "", priority: Int? = nil,
    joinsAutomatically: Bool? = nil, isHidden: Bool? = nil, security: JoinSecurity? = nil, isSaving: Bool = false,
    failure: KnownNetworkError? = nil, forgetAlertIsPresented: Bool = false, store: any KnownNetworkStore,
    isCovered: @escaping () -> Bool, onAnswer: @escaping (KnownNetworkAnswer) -> Void,
    onForgotten: @escaping (KnownNetworkEditModel) -> Void, onDuplicate: @escaping (KnownNetworkEditModel) -> Void
  ) {
    self.network = network
    self.isGone = isGone
    self.isInRange = isInRange
    self.password = password
    self.priority = priority ?? network.priority ?? 0
    self.joinsAutomatically = joinsAutomatically ?? network.joinsAutomatically
    self.isHidden = isHidden ?? network.isHidden
    self.security = security ?? network.security
    self.isSaving = isSaving
    self.failure = failure
    self.forgetAlertIsPresented = forgetAlertIsPresented
    self.store = store
    self.isCovered = isCovered
    self.onAnswer = onAnswer
    self.onForgotten = onForgotten
    self.onDuplicate = onDuplicate
  }

  /// What can be changed; a view offers nothing else.
  public var features: Set<KnownNetworkFeature> { store.knownNetworkFeatures }

  /// What the form changes of the network, and nothing else.
  public var edit: KnownNetworkEdit {
    var edit = KnownNetworkEdit(password: password.isEmpty ? nil : Secret(password))
    if priority != network.priority ?? 0 { edit.priority = priority }
    if joinsAutomatically != network.joinsAutomatically { edit.joinsAutomatically = joinsAutomatically }
    if isHidden != network.isHidden { edit.isHidden = isHidden }
    if security != network.security { edit.security = security }
    return edit
  }

  /// Whether saving would change anything.
  public var hasChanges: Bool { !edit.isEmpty }

  /// Begins to save what the form changes; `nil` where nothing does, a request runs already, or nothing can come of it.
  ///
  /// When this returns, ``isSaving`` is true, or ``failure`` says what is wrong. The view runs the attempt in a task,
  /// which it cancels with the page.
  public func saveButtonTapped() -> KnownNetworkAttempt? {
    let edit = edit
    guard !isSaving, !edit.isEmpty else { return nil }
    if let problem = isGone ? .unknownNetwork(network.ssid) : edit.problem(with: network) {
      failure = problem
      return nil
    }
    return attempt(.edit(network.id, edit))
  }

  /// Asks whether the network is to be forgotten.
  public func forgetButtonTapped() {
    guard !isSaving, !isGone, !isCovered() else { return }
    forgetAlertIsPresented = true
  }

  /// Begins to forget the network; `nil` where a request runs already.
  public func confirmForgetButtonTapped() -> KnownNetworkAttempt? {
    forgetAlertIsPresented = false
    guard !isSaving else { return nil }
    return attempt(.forget(network.id))
  }

  /// Keeps the network after all.
  public func cancelForgetButtonTapped() { forgetAlertIsPresented = false }

  /// Opens the sheet that copies the network; not over the question whether to forget it.
  public func duplicateButtonTapped() {
    guard !isGone, !forgetAlertIsPresented else { return }
    onDuplicate(self)
  }

  private func attempt(_ request: KnownNetworkRequest) -> KnownNetworkAttempt {
    let number = attempts.begin()
    isSaving = true
    failure = nil
    return KnownNetworkAttempt { await self.run(number, request) }
  }

  private func run(_ number: Int, _ request: KnownNetworkRequest) async {
    guard attempts.mayRun(number) else { return }
    let outcome = await store.outcome(of: request)
    if case .success(let answer) = outcome {
      if attempts.current == number, case .edit = request {
        // What was saved is no change any more.
        password = ""
        if let changed = answer.changed, let network = answer.networks.first(where: { $0.id == changed }) { take(network) }
      }
      onAnswer(answer)
    }
    guard attempts.current == number else { return }
    isSaving = false
    switch outcome {
    case .success: if case .forget = request { onForgotten(self) }
    case .failure(.cancelled): break
    case .failure(let error): failure = error
    }
  }

  /// Takes over what the store has of the network now; `nil` where it is not known any more.
  ///
  /// A field that the user has not touched follows.
  func update(_ now: KnownNetwork?) {
    isGone = now == nil
    guard let now, now != network else { return }
    if priority == network.priority ?? 0 { priority = now.priority ?? 0 }
    if joinsAutomatically == network.joinsAutomatically { joinsAutomatically = now.joinsAutomatically }
    if isHidden == network.isHidden { isHidden = now.isHidden }
    if security == network.security { security = now.security }
    network = now
  }

  /// Takes over a network that was just saved, the fields with it.
  private func take(_ now: KnownNetwork) {
    update(now)
    priority = now.priority ?? 0
    joinsAutomatically = now.joinsAutomatically
    isHidden = now.isHidden
    security = now.security
  }

  /// Ends with the page, however it was closed: no outcome counts any more.
  public func dismissed() {
    attempts.end()
    isSaving = false
    forgetAlertIsPresented = false
  }
}
