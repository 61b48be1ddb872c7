public import Models

/// The things that can happen in a scenario.
public indirect enum ScenarioAction: Hashable, Sendable {
  /// The user taps something on the screen.
  case tap(Control)
  /// The user taps the row of a network.
  case tapNetwork(NetworkReference)
  /// The user taps the info button of a row.
  case info(NetworkReference)
  /// A tap, or a tap on info, reaches the model for a network that is not there.
  case stale(NetworkReference, isInfo: Bool)
  /// The user makes the password field hold this.
  case typePassword(String)
  /// The user fills in the form of a known network.
  case fill(KnownNetworkFields)
  /// The user moves the switch.
  case switchWiFi(isOn: Bool)
  /// The view lets what is on top go away: a swipe, a click beside it, the end of its window.
  case dismiss
  /// The user sets something of the view alone, which the models know nothing of.
  case view(ViewSetting)
  /// Time passes.
  case advance(Duration)
  /// Time passes until something is so.
  case wait(Expectations, within: Duration)
  /// An expectation that must be met now.
  case expect(Expectations)
  /// Something happens to the world.
  case world(WorldEvent)
  /// Several things happen in one turn, without rest between them: a double tap, two switches.
  case atOnce([ScenarioAction])

  /// Whether it is done in one turn: no time passes in it, and nothing is looked at.
  var isOneTurn: Bool {
    switch self {
    case .advance, .wait, .expect, .atOnce: false
    case .tap, .tapNetwork, .info, .stale, .typePassword, .fill, .switchWiFi, .dismiss, .view, .world: true
    }
  }

  /// What can be tapped beside rows.
  public enum Control: String, Hashable, Sendable, CaseIterable {
    case join, cancel, forget, confirmForget, cancelForget, ok, back
    /// Of the known networks: their page, reading their list again, the sheet that adds one, saving either form, the
    /// sheet that copies one.
    case knownNetworks, listAgain, add, save, duplicate
  }

  /// What a user sets in a terminal or on a page; without a view it changes nothing.
  public enum ViewSetting: Hashable, Sendable {
    /// The list shows the networks whose name, or the address of an access point, contains this; empty for all.
    case filter(String)
    /// What the list is sorted by.
    case sort(NetworkSort.Criterion)
    /// Whether the password of the sheet on top is shown, which a page decides by itself.
    case showsPassword(Bool)
  }

  /// What can happen to a simulated world.
  public indirect enum WorldEvent: Hashable, Sendable {
    /// A network is there no more.
    case lose(NetworkReference)
    /// A network comes.
    case find(ScenarioNetwork)
    /// The results of joins of a network from now on.
    case join(NetworkReference, JoinAnswer)
    /// Something happens to the known networks.
    case known(KnownNetworkEvent)
    /// Something happens to the association of the network that is joined.
    case link(AssociationChange)
    /// Another program blocks the radio, or lets it send again.
    case radio(isOn: Bool)
  }

  /// What can happen to the association of the network that is joined over a simulated daemon.
  public enum AssociationChange: Hashable, Sendable {
    /// The access point ends it, with a reason code (IEEE 802.11-2020 table 9-49).
    case dismissed(reason: UInt16)
    /// The daemon moves to another access point of the network.
    case roams
  }

  /// The results of joins.
  public struct JoinAnswer: Hashable, Sendable {
    /// The failure whatever the password, or `nil` where the password decides.
    public var failure: ExpectedFailure?
    /// How long it takes.
    public var duration: Duration = .seconds(1)

    /// A join that takes a second and depends on the password.
    public init() {}
  }
}
