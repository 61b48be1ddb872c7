public import Determinism
import Models
import WiFi

/// Runs a scenario in a simulation and judges it.
public struct ScenarioRun: Sendable {
  /// What is run.
  public internal(set) var scenario: Scenario
  /// Gets the choices among tasks that are made, where they are wanted.
  var choices: ChoiceRecord?

  /// Runs this scenario.
  public init(_ scenario: Scenario) { self.scenario = scenario }

  /// The result of a run.
  public struct Outcome: Sendable {
    /// The expectations that were not met, each a sentence with lines of detail; empty where everything was.
    public var failures: [String]
    /// What happened, a line each.
    public var trace: [String]
    /// The hash of the trace.
    public var hash: UInt64
    /// The virtual time at the end.
    public var end: Duration
    /// The pictures of a view that draws, each with its virtual time; empty where none does.
    public var pictures: [String] = []
  }

  /// Runs the run on virtual time, or with an adapter on real time, on the world that `makeWorld` makes.
  ///
  /// - Parameters:
  ///   - keepsTrace: whether the outcome has the lines of the trace.
  ///   - observer: the observer of the run.
  ///   - view: which view it goes through.
  ///   - makeWorld: makes the world; runs isolated to the simulation.
  /// - Throws: what `makeWorld` throws, and ``ScenarioProblem`` where the start state means a network that is not
  ///   there.
  public func run(
    keepsTrace: Bool = true, observer: RunObserver? = nil, via view: ViewKind = .headless,
    makeWorld: nonisolated(nonsending) @escaping @Sendable (Simulation) async throws -> any ScenarioWorld
  ) async throws -> Outcome {
    let scenario = scenario
    let seed: UInt64 = if case .simulate(let source) = scenario.source { source.seed } else { 0 }
    var limits = SimulationLimits()
    // A scenario that fails ends where it is, with the panel open.
    limits.allowed.insert(.unfinishedTasks)
    // Its steps end by themselves. Ten thousand networks through a view take a debugging build on a busy machine more
    // than a minute.
    limits.realTime = .seconds(600)
    if case .interface = scenario.source { limits.pace = .real }
    return try await simulate(seed: seed, order: scenario.jobs, choices: choices, limits: limits) { simulation in
      simulation.trace.keepsLines = keepsTrace
      observer?.watch(simulation.trace)
      let world = ProbedWorld(
        try await makeWorld(simulation), clock: simulation.clock, trace: simulation.trace,
        notes: observer == nil ? nil : simulation.trace)
      var pictures: [String] = []
      let keepPicture = { (lines: [String]) in
        pictures.append("--- \(VirtualTime.text(simulation.clock.now.offset)) ---")
        pictures += lines
      }
      let fixture = try SettingsFixture(simulation, world: world, via: view, onPicture: keepsTrace ? keepPicture : nil) { found, onIssue in
        try StartState(scenario, world).model(found, onIssue)
      }
      let performer = ScenarioPerformer(scenario, fixture)
      fixture.viewCancels = scenario.start.viewCancels
      let monitor = PropertyMonitor(SettingsProperties.safety)
      fixture.onMoment = { moment in
        monitor.take(moment, at: moment.time)
        observer?.take(moment, world, monitor.violations)
      }
      if let link = scenario.start.link { fixture.model.open(link) }
      fixture.open()
      await simulation.settle()
      var failures: [String] = []
      for step in scenario.steps {
        observer?.begin(step.action, line: step.place.line)
        let differences = await performer.perform(step)
        if let first = differences.first {
          simulation.trace.record("stops at line \(step.place.line): \(first)")
          observer?.fail(differences)
          failures.append(
            "\(ScenarioProblem(file: scenario.file, place: step.place, sentence: differences.joined(separator: "\n  ")))")
          break
        }
        if !monitor.violations.isEmpty { break }
      }
      failures += monitor.violations.map { "\(scenario.file): what must always hold did not: \($0)" }
      let end = simulation.clock.now.offset
      fixture.close()
      return Outcome(failures: failures, trace: simulation.trace.lines, hash: simulation.trace.hash, end: end, pictures: pictures)
    }
  }
}

/// Makes the models as a scenario says that they begin.
struct StartState {
  private let scenario: Scenario
  private let world: any ScenarioWorld

  init(_ scenario: Scenario, _ world: any ScenarioWorld) {
    self.scenario = scenario
    self.world = world
  }

  func model(
    _ found: FoundNetworksModel, _ onIssue: @escaping (ModelIssue) -> Void
  ) throws(ScenarioProblem) -> WiFiSettingsModel {
    let start = scenario.start
    var selected: Network?
    if let reference = start.selected {
      selected = start.selectedIsOutOfRange ? Self.absent(reference, world.grouping) : try network(reference, found, start.selectedPlace)
    }
    var destination: (start: ScenarioStart.Destination, network: Network)?
    if let wanted = start.destination {
      let isLost =
        switch wanted {
        case .connect(_, _, _, _, _, let isLost), .detail(_, _, let isLost): isLost
        }
      let isSame = wanted.network == start.selected || wanted.network.number == nil
      if let selected, !isLost, isSame, Self.matches(selected, wanted.network) {
        destination = (wanted, selected)
      } else if isLost {
        destination = (wanted, Self.absent(wanted.network, world.grouping))
      } else {
        destination = (wanted, try network(wanted.network, found, start.destinationPlace))
      }
    }
    return WiFiSettingsModel(
      isOn: start.isOn, foundNetworks: found, selectedNetworkID: selected?.id, selectedNetwork: selected,
      source: world.source, joiner: world.joiner,
      knownNetworks: world.knownNetworks, radio: world.radio, onIssue: onIssue,
      destination: { settings in
        destination.map { destination in
          switch destination.start {
          case .connect(_, let password, let alert, let failure, let isConnecting, _):
            .connect(
              settings.connectModel(
                to: destination.network, password: password, isConnecting: isConnecting,
                incorrectPasswordAlertIsPresented: alert, failure: failure.map(ConnectToNetworkModel.Failure.init)))
          case .detail(_, let forgetAlert, _):
            .detail(settings.detailModel(of: destination.network, forgetAlertIsPresented: forgetAlert))
          }
        }
      })
  }

  private static func matches(_ network: Network, _ reference: NetworkReference) -> Bool {
    NetworkRow(network).name == PrintableText.escape(Array(reference.name.utf8))
  }

  private func network(
    _ reference: NetworkReference, _ found: FoundNetworksModel, _ place: ScenarioProblem.Place
  ) throws(ScenarioProblem) -> Network {
    let named = found.all.filter { Self.matches($0, reference) }
    let index = (reference.number ?? 1) - 1
    guard named.indices.contains(index), reference.number != nil || named.count == 1 else {
      let there =
        switch named.count {
        case 0: "\(NetworkReference(name: reference.name)), which is not among the networks before the first step"
        case let count where reference.number != nil: "\(reference), but of that name there \(count == 1 ? "is" : "are") \(count)"
        default: "one of \(named.count) networks called \(reference); say which with { network: …, number: 1 }"
        }
      throw ScenarioProblem(file: scenario.file, place: place, sentence: "“start” means \(there).")
    }
    return named[index]
  }

  /// A network of which only the name is known.
  static func absent(_ reference: NetworkReference, _ grouping: Grouping) -> Network {
    let bytes = Array(reference.name.utf8)
    var elements: [UInt8] = [0, UInt8(bytes.count)] + bytes
    // RSN with CCMP and PSK, as most networks have (IEEE 802.11-2020 9.4.2.24).
    elements += [48, 20, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 2, 0, 0]
    // Another address for another name.
    var hash = TraceHash()
    hash.append(reference.name)
    var bss = BSS(
      bssid: MACAddress(0x0200_0000_0000 | hash.value & 0xFF_FFFF_FFFF), frequencyMHz: 2412, capability: 0x11,
      informationElements: elements)
    bss.signalMBm = -9000
    let facts = BSSFacts(bss)
    return Network(id: facts.networkID(grouping), of: [facts])
  }
}

extension ConnectToNetworkModel.Failure {
  fileprivate init(_ failure: ExpectedFailure) {
    self =
      switch failure {
      case .timedOut: .timedOut
      case .outOfRange: .outOfRange
      case .rejected: .rejected(status: 17)
      }
  }
}
