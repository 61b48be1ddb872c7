import Simulator
public import WiFi

/// A known network as a scenario describes it.
public struct ScenarioKnownNetwork: Hashable, Sendable {
  /// Its profile; one that needs a password and is given none has ``defaultPassword``.
  public var draft: KnownNetworkDraft
  /// Whether it is joined.
  public var isJoined = false

  /// The password of a known network that is given none.
  public static let defaultPassword = JoinRule.commonPassword

  /// The password of a known network that is given none; `nil` where it needs none.
  package static func password(for security: JoinSecurity) -> Secret? { security.needsPassword ? Secret(defaultPassword) : nil }

  /// A network that is known.
  public init(_ draft: KnownNetworkDraft) { self.draft = draft }
}

/// What a user fills into the form of a known network; a field that is `nil` is not touched.
public struct KnownNetworkFields: Hashable, Sendable {
  /// What is typed as the name.
  public var name: String?
  /// What is typed as the password.
  public var password: String?
  /// How the network is secured.
  public var security: JoinSecurity?
  /// The priority.
  public var priority: Int?
  /// Whether the daemon joins it by itself.
  public var joinsAutomatically: Bool?
  /// Whether the network hides its name.
  public var isHidden: Bool?

  /// Touches nothing.
  public init() {}
}

extension KnownNetworkFields: CustomStringConvertible {
  /// Such as `name Cabin, a password of 9 characters`; never the password.
  public var description: String {
    var parts: [String] = []
    if let name { parts.append("name \(PrintableText.escape(name))") }
    if let password { parts.append("a password of \(password.count.counted("character"))") }
    if let security { parts.append("security \(security.rawValue)") }
    if let priority { parts.append("priority \(priority)") }
    if let joinsAutomatically { parts.append("autoconnect \(joinsAutomatically.onOrOff)") }
    if let isHidden { parts.append("hidden \(isHidden.onOrOff)") }
    return parts.joined(separator: ", ")
  }
}

/// What happens to the known networks without the user.
public enum KnownNetworkEvent: Hashable, Sendable {
  /// Another program forgets the networks of a name.
  case forget(String)
  /// Another program joins the network of a name; `nil` leaves the one that is joined.
  case joined(String?)
  /// From now on requests fail, or not, and take so long.
  case answer(KnownNetworkAnswerRule)
}

/// The results of requests about known networks.
public struct KnownNetworkAnswerRule: Hashable, Sendable {
  /// The errors that a scenario can ask for.
  public enum Failure: String, Hashable, Sendable, CaseIterable {
    case noPermission, noDaemon, daemonLost, daemonSilent, busy

    var error: KnownNetworkError {
      switch self {
      case .noPermission: .noPermission
      case .noDaemon: .noDaemon
      case .daemonLost: .daemonLost
      case .daemonSilent: .daemonSilent
      case .busy: .busy
      }
    }
  }

  /// Why they fail; `nil` where they do not.
  public var failure: Failure?
  /// How long they take, and of a daemon each message of it; `nil` is 100 ms, and no time of a daemon.
  public var duration: Duration?
  /// How long they take where nothing else is said and no daemon answers.
  package static let usualDuration = Duration.milliseconds(100)

  /// Requests that succeed.
  public init() {}
}

/// Expectations of the known networks, all of which must be met; what is not mentioned may be anything.
public struct KnownExpectations: Hashable, Sendable {
  /// The expectations of one row.
  public struct Row: Hashable, Sendable {
    /// The name of the network.
    public var name: String
    /// How it is secured.
    public var security: JoinSecurity?
    /// Its priority.
    public var priority: Int?
    /// Whether the daemon joins it by itself.
    public var joinsAutomatically: Bool?
    /// Whether it hides its name.
    public var isHidden: Bool?
    /// Whether it is joined.
    public var isJoined: Bool?
    /// Whether it is in range.
    public var isInRange: Bool?

    /// The row of a name.
    public init(name: String) { self.name = name }
  }

  /// The names of all rows, in order.
  public var rows: [String]?
  /// Facts of one row.
  public var row: Row?
  /// The names of the networks whose pages are open, the last on top.
  public var pages: [String]?
  /// Whether the sheet that adds a network is open.
  package var hasSheet: Bool?
  /// Whether the networks are being listed.
  public var isLoading: Bool?
  /// Whether a request of the sheet or the page on top runs.
  public var isSaving: Bool?
  /// Whether the network of the page on top is not known any more.
  public var isGone: Bool?
  /// The name of the error of the sheet, the page on top or the list; `.some(nil)` where there must be none.
  public var failure: String??
  /// What the password field of the sheet or the page on top holds.
  public var password: String?

  /// Nothing in particular.
  public init() {}
}

extension Bool {
  /// How a switch is written that stands so: `on` or `off`.
  var onOrOff: String { self ? "on" : "off" }
}
