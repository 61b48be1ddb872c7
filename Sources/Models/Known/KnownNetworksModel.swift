public import Observation
public import WiFi

/// The page of known networks: the list, a stack of pages that change them, and a sheet that adds one.
///
/// A plain class that belongs to its creator; its asynchronous methods run in the caller's isolation. It shows the
/// last answer of the store.
@Observable
public final class KnownNetworksModel {
  /// The known networks, in the store's order.
  public private(set) var networks: [KnownNetwork]
  /// Whether the networks are being listed.
  public private(set) var isLoading: Bool
  /// Why they could not be listed.
  public private(set) var failure: KnownNetworkError?
  /// Whether the last change outlives the daemon.
  public private(set) var isSaved: Bool
  /// The found networks, of which those that are known are in range.
  public let foundNetworks: FoundNetworksModel

  private var pages: [KnownNetworkEditModel] = []
  private var sheet: AddKnownNetworkModel?
  /// The network whose page is to open once the networks are listed.
  private var awaited: SSID?

  @ObservationIgnored private let store: any KnownNetworkStore
  @ObservationIgnored private let onIssue: (ModelIssue) -> Void
  /// The number of changes so far, so that a list that was read before one is not shown after it.
  @ObservationIgnored private var changeCount = 0
  @ObservationIgnored private var loads = AttemptCounter()

  /// Makes the page in any state.
  ///
  /// - Parameters:
  ///   - opens: the name of a network whose page opens once it is listed: a deep link.
  ///   - onIssue: called for each thing that should not have happened and was ignored.
  ///   - path: makes the pages over the list, and `sheet` the sheet; both are given this model, whose methods make
  ///     models that answer to it.
  public init(
    networks: [KnownNetwork] = [], isLoading: Bool = false, failure: KnownNetworkError? = nil, isSaved: Bool = true,
    opens awaited: SSID? = nil, foundNetworks: FoundNetworksModel = FoundNetworksModel(), store: any KnownNetworkStore,
    onIssue: @escaping (ModelIssue) -> Void, path: (KnownNetworksModel) -> [KnownNetworkEditModel] = { _ in [] },
    sheet: (KnownNetworksModel) -> AddKnownNetworkModel? = { _ in nil }
  ) {
    self.networks = networks
    self.isLoading = isLoading
    self.failure = failure
    self.isSaved = isSaved
    self.awaited = awaited
    self.foundNetworks = foundNetworks
    self.store = store
    self.onIssue = onIssue
    pages = path(self)
    self.sheet = sheet(self)
  }

  /// What can be done; a view offers nothing else.
  public var features: Set<KnownNetworkFeature> { store.knownNetworkFeatures }

  /// The pages over the list, the last on top; a page that goes is dismissed.
  public var path: [KnownNetworkEditModel] {
    get { pages }
    set {
      let gone = pages.filter { page in !newValue.contains { $0 === page } }
      pages = newValue
      for page in gone { page.dismissed() }
    }
  }

  /// The sheet that adds a network; one that goes is dismissed.
  public var addSheet: AddKnownNetworkModel? {
    get { sheet }
    set {
      let old = sheet
      guard old !== newValue else { return }
      sheet = newValue
      old?.dismissed()
    }
  }

  /// The rows: the joined one, then those in range, then by priority and name.
  ///
  /// Costs time in proportion to the known and the found networks; a reader in `observe` is notified of every change of
  /// either.
  public var rows: [KnownNetworkRow] {
    let heard = HeardNames(foundNetworks)
    return networks.map { KnownNetworkRow($0, isInRange: heard.contains($0)) }.sorted(by: KnownNetworkRow.isBefore)
  }

  // MARK: What a user does

  /// Opens the page of a network, in place of any page that is open.
  public func networkTapped(_ id: KnownNetwork.ID) {
    guard let network = networks.first(where: { $0.id == id }) else { return onIssue(.tappedUnknownProfile(id)) }
    path = [editModel(of: network)]
  }

  /// Opens the sheet that adds a network.
  public func addButtonTapped() {
    guard features.contains(.add), sheet == nil else { return }
    addSheet = addModel()
  }

  // MARK: Listing

  /// Lists the networks again; a view runs it when the page appears.
  ///
  /// A list that was read before a change shows nowhere after it.
  public func load() async {
    let number = loads.begin()
    let changes = changeCount
    isLoading = true
    let outcome = await store.outcome(of: .list)
    guard loads.current == number else { return }
    isLoading = false
    switch outcome {
    case .success(let answer):
      failure = nil
      if changes == changeCount { show(answer.networks) }
      openAwaited()
    case .failure(.cancelled): break
    case .failure(let error): failure = error
    }
  }

  private func openAwaited() {
    guard let ssid = awaited else { return }
    awaited = nil
    guard let network = networks.first(where: { $0.ssid == ssid }) else {
      failure = .unknownNetwork(ssid)
      return
    }
    // What the user opened meanwhile stays on top.
    if pages.isEmpty, sheet == nil { path = [editModel(of: network)] }
  }

  /// Processes the result of a change.
  private func take(_ answer: KnownNetworkAnswer) {
    changeCount += 1
    failure = nil
    isSaved = answer.isSaved
    show(answer.networks)
  }

  private func show(_ now: [KnownNetwork]) {
    if networks != now { networks = now }
    let heard = HeardNames(foundNetworks)
    for page in pages {
      page.update(now.first { $0.id == page.network.id })
      page.isInRange = heard.contains(page.network)
    }
  }

  // MARK: Models that answer to this one

  /// Makes the page of a network, in any state.
  ///
  /// When the network is forgotten the page goes, and those over it.
  public func editModel(
    of network: KnownNetwork, password: String = "", priority: Int? = nil, joinsAutomatically: Bool? = nil, isHidden: Bool? = nil,
    security: JoinSecurity? = nil, isSaving: Bool = false, failure: KnownNetworkError? = nil, forgetAlertIsPresented: Bool = false
  ) -> KnownNetworkEditModel {
    KnownNetworkEditModel(
      network: network, isGone: !networks.contains { $0.id == network.id }, isInRange: HeardNames(foundNetworks).contains(network),
      password: password, priority: priority, joinsAutomatically: joinsAutomatically, isHidden: isHidden, security: security,
      isSaving: isSaving, failure: failure, forgetAlertIsPresented: forgetAlertIsPresented, store: store,
      isCovered: { [weak self] in self?.sheet != nil }, onAnswer: { [weak self] in self?.take($0) },
      onForgotten: { [weak self] page in
        guard let self, let index = pages.firstIndex(where: { $0 === page }) else { return }
        path = Array(pages[..<index])
      },
      onDuplicate: { [weak self] page in
        guard let self, sheet == nil else { return }
        addSheet = addModel(copying: page.network)
      })
  }

  /// Makes the sheet that adds a network or copies one, in any state.
  ///
  /// When the network is added the sheet closes; over a page, the page of the copy opens then.
  public func addModel(
    copying original: KnownNetwork? = nil, name: String? = nil, security: JoinSecurity? = nil, password: String = "", priority: Int? = nil,
    joinsAutomatically: Bool? = nil, isHidden: Bool? = nil, isSaving: Bool = false, failure: KnownNetworkError? = nil
  ) -> AddKnownNetworkModel {
    AddKnownNetworkModel(
      original: original, name: name, security: security, password: password, priority: priority, joinsAutomatically: joinsAutomatically,
      isHidden: isHidden, isSaving: isSaving, failure: failure, store: store, onAnswer: { [weak self] in self?.take($0) },
      onAdded: { [weak self] model, id in
        guard let self, sheet === model else { return }
        addSheet = nil
        if model.original != nil, let copy = networks.first(where: { $0.id == id }) { path.append(editModel(of: copy)) }
      },
      onCancelled: { [weak self] model in
        if let self, sheet === model { addSheet = nil }
      })
  }

  /// Ends with the page, however it was closed: no list counts any more.
  public func dismissed() {
    loads.end()
    isLoading = false
    addSheet = nil
    path = []
  }
}

/// The names and families of security of the networks that were heard.
private struct HeardNames {
  private var ids: Set<NetworkID> = []

  init(_ found: FoundNetworksModel) {
    for network in found.all where network.isSSIDKnown { ids.insert(.network(network.ssid, network.security.family)) }
  }

  func contains(_ network: KnownNetwork) -> Bool {
    network.security.family.alike.contains { ids.contains(.network(network.ssid, $0)) }
  }
}
