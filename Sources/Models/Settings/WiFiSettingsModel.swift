public import Observation
public import WiFi

/// The Wi-Fi settings panel: the switch, the networks that are found, the selected one, and where a user is.
///
/// A plain class that belongs to its creator; its asynchronous method runs in the caller's isolation. A change of
/// one network costs the same however many there are.
@Observable
public final class WiFiSettingsModel {
  /// The networks that are there now; hidden while Wi-Fi is off.
  ///
  /// To be read: what changes goes through ``apply(_:)-(Scan)``, so that the selection and the destination hear of it.
  public let foundNetworks: FoundNetworksModel

  /// What is known of the selected network: as it was seen last, even when it is out of range.
  public private(set) var selectedNetwork: Network?
  /// Whether the selected network is not there now.
  public private(set) var selectedNetworkIsOutOfRange = false

  /// What happened last to the association, where it is watched: joined, moved to another access point, or lost and
  /// why.
  public private(set) var associationEvent: AssociationEvent?

  /// Why the radio does not stand as the user wanted it; `nil` where it does, or the switch was moved since.
  public private(set) var radioProblem: RadioError?

  private var isSwitchedOn: Bool
  /// How often a following that was not cancelled ended while Wi-Fi was off, or the radio moved the switch.
  private var interruptions = 0
  private var selectedID: NetworkID?
  private var shown: Destination?

  @ObservationIgnored private let source: any NetworkSource
  @ObservationIgnored private let joiner: any NetworkJoiner
  @ObservationIgnored private let knownNetworks: (any KnownNetworkStore)?
  @ObservationIgnored private let radio: (any RadioSwitch)?
  /// Where the radio stands, as far as it is known.
  @ObservationIgnored private var radioIsOn: Bool
  @ObservationIgnored private var isMovingRadio = false
  @ObservationIgnored private var waitingForRadio: [CheckedContinuation<Void, Never>] = []
  @ObservationIgnored let onIssue: (ModelIssue) -> Void
  /// The number of the run of ``followNetworks()`` whose scans count.
  @ObservationIgnored private var following = 0
  /// Whether the network that the daemon joined is to be selected as soon as it may be and a scan has heard it.
  @ObservationIgnored private var associationAwaitsSelection = false
  /// The panel whose networks, switch and selection this one shows; `nil` where they are its own.
  @ObservationIgnored private var base: WiFiSettingsModel?
  /// The panels that show what this one has.
  @ObservationIgnored private var panels: [Weak] = []

  private struct Weak { weak var panel: WiFiSettingsModel? }

  /// Makes the panel in any state.
  ///
  /// ```swift
  /// WiFiSettingsModel(
  ///   foundNetworks: FoundNetworksModel(networks: [home]), source: source, joiner: joiner, onIssue: { print($0) },
  ///   destination: { .connect($0.connectModel(to: home, password: "blo")) })
  /// ```
  ///
  /// - Parameters:
  ///   - selectedNetwork: what is known of the selected network where it is not among the found ones.
  ///   - knownNetworks: the store of known networks; `nil` where there is none, and no page of them.
  ///   - radio: switches the radio; `nil` where Wi-Fi that is off hides the list and nothing else.
  ///   - onIssue: called for each thing that should not have happened and was ignored.
  ///   - destination: makes where a user is; it is given the panel, whose methods make models that answer to it. Not
  ///     asked while Wi-Fi is off.
  public init(
    isOn: Bool = true, foundNetworks: FoundNetworksModel = FoundNetworksModel(), selectedNetworkID: NetworkID? = nil,
    selectedNetwork: Network? = nil, source: any NetworkSource, joiner: any NetworkJoiner,
    knownNetworks: (any KnownNetworkStore)? = nil, radio: (any RadioSwitch)? = nil, onIssue: @escaping (ModelIssue) -> Void,
    destination: (WiFiSettingsModel) -> Destination? = { _ in nil }
  ) {
    self.foundNetworks = foundNetworks
    self.source = source
    self.joiner = joiner
    self.knownNetworks = knownNetworks
    self.radio = radio
    radioIsOn = isOn
    self.onIssue = onIssue
    isSwitchedOn = isOn
    select(selectedNetworkID ?? selectedNetwork?.id, lastKnown: selectedNetwork)
    if isOn { shown = destination(self) }
  }

  /// Makes another panel over the same networks: switch and selection are those of `base`, the destination is its own.
  ///
  /// Scans, the association and the radio are followed by `base` alone.
  public convenience init(beside base: WiFiSettingsModel) {
    self.init(
      isOn: base.isOn, foundNetworks: base.foundNetworks, source: base.source, joiner: base.joiner, knownNetworks: base.knownNetworks,
      onIssue: base.onIssue)
    self.base = base
    base.panels.removeAll { $0.panel == nil }
    base.panels.append(Weak(panel: self))
    base.share(with: self)
  }

  /// Whether Wi-Fi is on; to set it is ``wifiToggled(to:)``.
  public var isOn: Bool {
    get { isSwitchedOn }
    set { wifiToggled(to: newValue) }
  }

  /// Where the switch stands, as a view follows it: ``moveRadio()`` and ``followNetworks()`` begin where this changes.
  ///
  /// It changes, too, where the switch is where it was at the end of a turn, but meanwhile a following ended, or the
  /// radio moved the switch.
  public var switchPosition: SwitchPosition { SwitchPosition(isOn: isSwitchedOn, interruptions: interruptions) }

  /// Where the switch stands.
  public struct SwitchPosition: Hashable, Sendable {
    /// Whether Wi-Fi is on.
    public let isOn: Bool
    /// How often the radio moved the switch, or a following ended, while nothing showed it.
    package let interruptions: Int
  }

  /// The network that is joined.
  public var selectedNetworkID: NetworkID? {
    get { selectedID }
    set { select(newValue, lastKnown: nil) }
  }

  /// Where a user is, beyond the list.
  ///
  /// What was there before is dismissed: a join that it runs does not count any more. While Wi-Fi is off it stays
  /// `nil`.
  public var destination: Destination? {
    get { shown }
    set {
      let old = shown
      guard old != newValue, isSwitchedOn || newValue == nil else { return }
      shown = newValue
      old?.dismissed()
    }
  }

  // MARK: What a user does

  /// Joins, asks for the password of, or shows the network of a row.
  public func networkTapped(_ id: NetworkID) {
    guard isSwitchedOn else { return onIssue(.tappedWhileOff(id)) }
    guard let network = known(id) else { return onIssue(.tappedUnknownNetwork(id)) }
    if id == selectedID {
      destination = .detail(detailModel(of: network))
    } else if network.isSecured {
      destination = .connect(connectModel(to: network))
    } else {
      selectedNetworkID = id
    }
  }

  /// Shows the details of the network of a row.
  public func infoButtonTapped(_ id: NetworkID) {
    guard isSwitchedOn else { return onIssue(.tappedWhileOff(id)) }
    guard let network = known(id) else { return onIssue(.detailOfUnknownNetwork(id)) }
    destination = .detail(detailModel(of: network))
  }

  /// Shows the networks that are known.
  public func knownNetworksButtonTapped() {
    guard let model = knownNetworksModel() else { return onIssue(.noKnownNetworks) }
    destination = .known(model)
  }

  /// Turns Wi-Fi on or off.
  ///
  /// Off: the list is hidden, the destination is closed and with it a join that runs; the selection is kept.
  public func wifiToggled(to isOn: Bool) {
    if let base { return base.wifiToggled(to: isOn) }
    guard isOn != isSwitchedOn else { return }
    if !isOn { destination = nil }
    isSwitchedOn = isOn
    if radioProblem != nil { radioProblem = nil }
    share()
  }

  /// The sheet or page went away by itself, by a swipe or with its window.
  public func dismissed() { destination = nil }

  // MARK: What happens to the radio

  /// Moves the radio to where the switch stands, and returns when it is there; at once where there is none to move.
  ///
  /// The view starts it when ``switchPosition`` changes, in a task that it does not cancel. Where the radio cannot be
  /// moved, the switch goes back to where the radio stands, and ``radioProblem`` says why. One at a time: a caller
  /// meanwhile waits for the first.
  public func moveRadio() async {
    guard let radio else { return }
    if isMovingRadio { return await radioAtRest() }
    isMovingRadio = true
    while radioIsOn != isSwitchedOn {
      let wanted = isSwitchedOn
      do throws(RadioError) {
        try await radio.setRadio(on: wanted)
        radioIsOn = wanted
      } catch {
        guard isSwitchedOn == wanted else { continue }
        radioStands(isOn: radioIsOn)
        radioProblem = error
        share()
      }
    }
    isMovingRadio = false
    let waiting = waitingForRadio
    waitingForRadio = []
    for one in waiting { one.resume() }
  }

  /// Waits until the radio stands where the switch does, so that no scan is asked of a radio that is off.
  public func radioAtRest() async {
    guard radio != nil, isMovingRadio || radioIsOn != isSwitchedOn else { return }
    await withCheckedContinuation { waitingForRadio.append($0) }
  }

  /// Follows the state of the radio, and changes of it by other programs and hardware switches, until the task is
  /// cancelled.
  public func followRadio() async {
    await radio?.followRadio { [weak self] isOn in
      if !Task.isCancelled { self?.radioMoved(to: isOn) }
    }
  }

  /// Another program, or a switch of the machine, moved the radio: the switch goes where it is.
  public func radioMoved(to isOn: Bool) {
    // What the user wants is on its way.
    guard !isMovingRadio, radioIsOn == isSwitchedOn else { return }
    radioStands(isOn: isOn)
  }

  /// The switch goes to where the radio stands.
  private func radioStands(isOn: Bool) {
    if isOn != isSwitchedOn { interruptions += 1 }
    radioIsOn = isOn
    wifiToggled(to: isOn)
  }

  // MARK: What happens in the air

  /// Processes the scans of the source while Wi-Fi is on, until there are no more.
  ///
  /// The view cancels it when ``switchPosition`` changes, and starts it again where that is on. A scan that arrives
  /// while Wi-Fi is off, or after it was started again, is not shown, even where the task was not cancelled.
  ///
  /// - Throws: what the source throws, unless the task was cancelled or the list was started again.
  public func followNetworks() async throws {
    following += 1
    let mine = following
    while !Task.isCancelled {
      let scan: Scan?
      do {
        scan = try await source.nextScan()
      } catch {
        guard following == mine, !Task.isCancelled else { return }
        if isSwitchedOn { throw error }
        return interruptions += 1
      }
      // Off and on again within one turn shows no view a reason to start again: a list ends only if Wi-Fi is off when a
      // scan comes.
      guard let scan, following == mine, !Task.isCancelled else { return }
      guard isSwitchedOn else { return interruptions += 1 }
      apply(scan)
    }
  }

  /// Processes one scan; while Wi-Fi is off, nothing.
  public func apply(_ scan: Scan) {
    guard isSwitchedOn else { return }
    for change in foundNetworks.apply(scan).networks {
      let id = change.network.id
      let network: Network? = if case .lost = change { nil } else { change.network }
      if id == selectedID {
        selectedNetwork = change.network
        selectedNetworkIsOutOfRange = network == nil
      }
      if let shown, shown.network?.id == id { shown.update(network) }
      for one in panels { if let shown = one.panel?.shown, shown.network?.id == id { shown.update(network) } }
    }
    selectLinked()
    share()
  }

  // MARK: What happens to the association

  /// Why the association to the selected network was lost; `nil` where it was not, or is not observed.
  public var associationLoss: AssociationLoss? {
    if case .lost(let ssid, let loss)? = associationEvent, selectedNetwork?.ssid == ssid { loss } else { nil }
  }

  /// The access point that the association goes over, where it is watched and the daemon names it.
  public var linkedAccessPoint: MACAddress? {
    switch associationEvent {
    case .joined(_, let address)?: address
    case .roamed(_, _, let to, _)?: to
    case .lost?, nil: nil
    }
  }

  /// Processes the events of an observer of the association until the task is cancelled.
  public func followAssociation(_ observer: any AssociationObserver) async {
    await observer.follow { [weak self] event in
      if !Task.isCancelled { self?.apply(event) }
    }
  }

  /// Processes one thing that happened to the association.
  ///
  /// A network that the daemon joined by itself, or for another program, is selected once a scan has heard it. What the
  /// sheet on top joins is selected by the sheet, when its attempt has ended; a network that is lost stays selected,
  /// because the daemon tries to return to it.
  public func apply(_ event: AssociationEvent) {
    associationEvent = event
    if case .lost = event { associationAwaitsSelection = false } else { associationAwaitsSelection = true }
    selectLinked()
    share()
  }

  private func selectLinked() {
    guard associationAwaitsSelection, isSwitchedOn, let ssid = associationEvent?.ssid, shown?.connect?.isConnecting != true else { return }
    if panels.contains(where: { $0.panel?.shown?.connect?.isConnecting == true }) { return }
    let named = foundNetworks.all.filter { $0.ssid == ssid }
    let address = linkedAccessPoint
    let linked = named.first { found in found.members.contains { $0.bssid == address } }
    guard let network = linked ?? named.first else { return }
    associationAwaitsSelection = false
    if selectedNetwork?.ssid != ssid { select(network.id, lastKnown: network) }
  }

  // MARK: Models that answer to this one

  /// Makes the sheet for a network, in any state.
  ///
  /// When it has joined and is still the destination, it closes, and then its network is selected.
  public func connectModel(
    to network: Network, password: String = "", isConnecting: Bool = false,
    incorrectPasswordAlertIsPresented: Bool = false, failure: ConnectToNetworkModel.Failure? = nil
  ) -> ConnectToNetworkModel {
    ConnectToNetworkModel(
      network: network, networkIsLost: foundNetworks[network.id] == nil, password: password, isConnecting: isConnecting,
      incorrectPasswordAlertIsPresented: incorrectPasswordAlertIsPresented, failure: failure, joiner: joiner,
      onJoined: { [weak self] in self?.joined($0) },
      onCancelled: { [weak self] model in
        if let self, destination == .connect(model) { destination = nil }
      })
  }

  /// Makes the page about a network, in any state.
  ///
  /// When the network is forgotten and the page is still the destination, it closes and the selection is cleared.
  public func detailModel(of network: Network, forgetAlertIsPresented: Bool = false) -> NetworkDetailModel {
    NetworkDetailModel(
      network: network, networkIsLost: foundNetworks[network.id] == nil, isSelected: network.id == selectedID,
      forgetAlertIsPresented: forgetAlertIsPresented, onForgotten: { [weak self] in self?.forgotten($0) },
      onIssue: onIssue)
  }

  /// Makes the page of the known networks, in any state; `nil` where there is no store of them.
  ///
  /// - Parameters:
  ///   - opens: the name of a network whose page opens once it is listed: a deep link.
  ///   - path: makes the pages over the list, and `sheet` the sheet.
  public func knownNetworksModel(
    networks: [KnownNetwork] = [], isLoading: Bool = false, failure: KnownNetworkError? = nil, opens: SSID? = nil,
    path: (KnownNetworksModel) -> [KnownNetworkEditModel] = { _ in [] },
    sheet: (KnownNetworksModel) -> AddKnownNetworkModel? = { _ in nil }
  ) -> KnownNetworksModel? {
    guard let knownNetworks else { return nil }
    return KnownNetworksModel(
      networks: networks, isLoading: isLoading, failure: failure, opens: opens, foundNetworks: foundNetworks, store: knownNetworks,
      onIssue: onIssue, path: path, sheet: sheet)
  }

  private func joined(_ model: ConnectToNetworkModel) {
    guard destination == .connect(model) else { return }
    destination = nil
    select(model.network.id, lastKnown: model.network)
  }

  private func forgotten(_ model: NetworkDetailModel) {
    guard destination == .detail(model) else { return }
    destination = nil
    // What is still joined is not selected again by the next scan.
    associationAwaitsSelection = false
    selectedNetworkID = nil
  }

  private func known(_ id: NetworkID) -> Network? {
    foundNetworks[id]?.network ?? (id == selectedID ? selectedNetwork : nil)
  }

  private func select(_ id: NetworkID?, lastKnown: Network?) {
    if let base { return base.select(id, lastKnown: lastKnown) }
    associationAwaitsSelection = false
    let found = id.flatMap { foundNetworks[$0]?.network }
    let network = found ?? lastKnown ?? (id == selectedID ? selectedNetwork : nil)
    selectedID = id
    selectedNetwork = network?.id == id ? network : nil
    selectedNetworkIsOutOfRange = id != nil && found == nil
    if case .detail(let model) = shown { model.isSelected = model.network.id == id }
    share()
  }

  // MARK: Panels beside this one

  private func share() { for one in panels { if let panel = one.panel { share(with: panel) } } }

  /// Shows in another panel what is the same for all.
  private func share(with panel: WiFiSettingsModel) {
    if !isSwitchedOn { panel.destination = nil }
    panel.isSwitchedOn = isSwitchedOn
    panel.radioProblem = radioProblem
    panel.associationEvent = associationEvent
    panel.selectedID = selectedID
    panel.selectedNetwork = selectedNetwork
    panel.selectedNetworkIsOutOfRange = selectedNetworkIsOutOfRange
    if case .detail(let model) = panel.shown { model.isSelected = model.network.id == selectedID }
  }
}
