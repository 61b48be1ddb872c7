public import Determinism
public import Models
public import Simulator
public import WiFi

/// A run about the Wi-Fi settings: where the networks come from, how it starts, what a user does, what is expected.
///
/// Read from YAML by ``ScenarioReader``; run by ``ScenarioRun``.
public struct Scenario: Hashable, Sendable {
  /// What it is called, one line.
  public var name: String
  /// Why it is there, where that is not plain.
  public var about: String?
  /// Where the networks come from.
  public var source: ScenarioSource
  /// How everything is when it begins.
  public var start = ScenarioStart()
  /// What happens, in order.
  public var steps: [ScenarioStep] = []
  /// Whether it is judged by what must always hold alone: it needs no expectation and has no golden trace.
  package var isJudgedByProperties = false
  /// The order in which tasks go on.
  public var jobs = JobOrder.inOrder
  /// Whether a user who has waited acts when his turn comes, before or after whatever else happens then, and not when
  /// everything is at rest.
  public var races = false
  /// The file that it was read from.
  public var file = ""
}

/// Where the networks of a scenario come from.
public enum ScenarioSource: Hashable, Sendable {
  /// A world drawn from a seed.
  case simulate(SimulatedSource)
  /// A recording, by its path from the folder above that of the scenarios, or from the scenario.
  case replay(path: String, place: ScenarioProblem.Place)
  /// A wireless interface of this machine; `nil` is the first that can scan.
  case interface(String?)

  /// A simulated world, as a scenario describes it.
  public struct SimulatedSource: Hashable, Sendable {
    /// The name of the world: `preview`, or a profile of the radio world.
    public var world: String
    /// What everything random is drawn from.
    public var seed: UInt64
    /// Whether networks come and go by themselves, in the preview world.
    public var churns = true
    /// How many devices a radio world has; `nil` is what its profile says.
    public var devices: Int?
    /// Whether devices come and go by the hour of the day, in a world that knows day and night.
    public var hasDayAndNight = false
    /// The simulated daemon that joins and keeps the known networks, in a world with a kernel; `nil` joins without one.
    public var daemon: JoinDaemon?
    /// How long each message of this daemon takes until it arrives.
    public var latency = Duration.zero
    /// The pause between two scans of a radio world.
    public var interval: Duration = .seconds(2)
    /// What goes wrong, in order.
    public var faults: [FaultSpecification] = []
    /// When nothing goes wrong any more, as time from the start of the scenario; `nil` is never.
    public var faultsUntil: Duration?

    /// A world by its name.
    public init(world: String, seed: UInt64) {
      self.world = world
      self.seed = seed
    }
  }
}

/// A network as a scenario describes it.
public struct ScenarioNetwork: Hashable, Sendable {
  /// Its name; empty where it is hidden.
  public var name: String
  /// Whether joining needs a password.
  public var isSecured = true
  /// Its strength in hundredths, 1 to 100.
  public var connectivityPercent = 100
  /// Whether it hides its name, in a world with a kernel; elsewhere a name of nothing is hidden.
  public var isHidden = false
  /// How it is secured, in the world `still`; `nil` is WPA2 and WPA3 at once, or open where it is not secured.
  public var security: JoinSecurity?
  /// The password that it accepts, in the world `still`; `nil` is that of the world.
  public var password: String?

  /// How it is joined.
  package var joinSecurity: JoinSecurity { security ?? (isSecured ? .pskOrSAE : .open) }

  /// A strong network that needs a password.
  public init(name: String) { self.name = name }
}

/// A network that a scenario means: by its name, and where there are several of that name, by number.
public struct NetworkReference: Hashable, Sendable {
  /// The name, as it is shown; empty for one that is hidden.
  public var name: String
  /// Which of several in the order of the list, from 1; `nil` where there must be only one.
  public var number: Int?

  /// The one network of a name.
  public init(name: String, number: Int? = nil) {
    self.name = name
    self.number = number
  }
}

extension NetworkReference {
  /// The name as a row has it.
  var rowName: String { PrintableText.escape(name) }

  /// Whether a network is called so.
  func isName(of network: Network) -> Bool { NetworkRow(network).name == rowName }
}

extension NetworkReference: CustomStringConvertible {
  /// Such as `Home` or `Home (number 2)`.
  public var description: String {
    let shown = name.isEmpty ? "(hidden)" : rowName
    return number.map { "\(shown) (number \($0))" } ?? shown
  }
}

/// How everything is when a scenario begins: any field of any model.
public struct ScenarioStart: Hashable, Sendable {
  /// Whether Wi-Fi is on.
  public var isOn = true
  /// The networks of a world without an air of its own.
  public var networks: [ScenarioNetwork] = []
  /// The selected network.
  public var selected: NetworkReference?
  /// What is known of a selected network that is not among the found ones.
  package var selectedIsOutOfRange = false
  /// Where a user is.
  public var destination: Destination?
  /// The known networks of a simulated world.
  public var known: [ScenarioKnownNetwork] = []
  /// The place that the settings open with, beside ``destination``.
  public var link: DeepLink?
  /// Whether the view cancels what it started when its screen goes, as it should; the models must tolerate it if not.
  public var viewCancels = true
  /// Where the file names the selected network.
  var selectedPlace = ScenarioProblem.Place(line: 1, column: 1)
  /// Where the file names the destination.
  var destinationPlace = ScenarioProblem.Place(line: 1, column: 1)

  /// Where a user is, in any state.
  public enum Destination: Hashable, Sendable {
    /// The sheet that asks for a password.
    case connect(
      NetworkReference, password: String = "", alert: Bool = false, failure: ExpectedFailure? = nil,
      isConnecting: Bool = false, isLost: Bool = false)
    /// The page about a network.
    case detail(NetworkReference, forgetAlert: Bool = false, isLost: Bool = false)

    var network: NetworkReference { subject.network }
    /// Whether the network is not heard any more.
    var isLost: Bool { subject.isLost }

    private var subject: (network: NetworkReference, isLost: Bool) {
      switch self {
      case .connect(let network, _, _, _, _, let isLost), .detail(let network, _, let isLost): (network, isLost)
      }
    }
  }

  /// Wi-Fi on, nothing there.
  public init() {}
}

/// Why a join failed, as a scenario says it.
public enum ExpectedFailure: String, Hashable, Sendable, CaseIterable {
  case timedOut, outOfRange, rejected
}

/// What happens next in a scenario.
public struct ScenarioStep: Hashable, Sendable {
  /// What happens.
  public var action: ScenarioAction
  /// Where the file says so.
  public var place: ScenarioProblem.Place
}
