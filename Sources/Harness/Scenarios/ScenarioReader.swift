import Determinism
import WiFi

/// Reads scenarios from YAML, strictly: an unknown key, a wrong value or a contradiction is an error with its place.
public struct ScenarioReader {
  /// The names of the worlds that can be simulated.
  public static var worlds: [String] { SimulatedWorlds.names }

  /// The duration that a text such as `1.5s`, `10m` or `2h` is; `nil` where it is none.
  public static func duration(_ text: String) -> Duration? { StrictYAML.duration(text) }

  private let file: String

  /// Reads for a file of this name.
  public init(file: String) { self.file = file }

  /// Reads one scenario.
  ///
  /// - Throws: ``ScenarioProblem`` with the first thing that is wrong.
  public func read(_ text: String) throws(ScenarioProblem) -> Scenario {
    let document = try StrictYAML.read(text, file: file)
    let fields = try document.fields("a scenario", ["scenario", "about", "judgedBy", "jobs", "races", "source", "start", "steps"])
    let name = try fields.required("scenario")
    var scenario = Scenario(
      name: try name.text("the name of a scenario"), source: try source(try fields.required("source")), file: file)
    guard !scenario.name.isEmpty, !scenario.name.contains(where: \.isNewline) else {
      throw name.problem("the name of a scenario is one line of text.")
    }
    scenario.about = try fields["about"]?.text("“about”")
    scenario.isJudgedByProperties = try fields["judgedBy"]?.word("“judgedBy”", Judge.self) != nil
    if let node = fields["jobs"] { scenario.jobs = try jobs(node) }
    if let node = fields["races"] { scenario.races = try node.isOn("“races”") }
    if scenario.isJudgedByProperties, let node = fields["judgedBy"] {
      guard case .simulate = scenario.source else { throw node.problem("“judgedBy: properties” needs a simulated source.") }
    }
    if let node = fields["start"] { scenario.start = try start(node, scenario.source) }
    let steps = try fields.required("steps")
    for step in try steps.list("“steps”") { scenario.steps.append(try self.step(step)) }
    if scenario.isJudgedByProperties { return scenario }
    guard !scenario.steps.isEmpty else { throw steps.problem("a scenario needs at least one step.") }
    guard scenario.steps.contains(where: { if case .expect = $0.action { true } else if case .wait = $0.action { true } else { false } })
    else { throw steps.problem("a scenario that expects nothing cannot fail; add an “expect”.") }
    try ScenarioContradictions.check(scenario)
    return scenario
  }

  private enum Judge: String, CaseIterable { case properties }
  private enum Jobs: String, CaseIterable {
    case inOrder, shuffled
  }

  private func jobs(_ node: StrictYAML) throws(ScenarioProblem) -> JobOrder {
    if node.isMapping {
      let (_, changes) = try node.fields("“jobs”", ["prioritized"]).only()
      return .prioritized(changes: try changes.integer("“prioritized”, the number of changes,", in: 0...JobOrder.maximumChanges))
    }
    guard node.isList else { return try node.word("“jobs”", Jobs.self) == .shuffled ? .shuffled : .inOrder }
    var choices: [Scheduling.Choice] = []
    for node in try node.list("“jobs”") {
      let fields = try node.fields("a choice", ["choice", "takes"])
      let choice = try fields.required("choice")
      let number = try choice.integer("“choice”", in: 1...1_000_000_000) - 1
      guard choices.last.map({ $0.number < number }) ?? true else {
        throw choice.problem("choices are in order; \(number + 1) does not come after \((choices.last?.number ?? 0) + 1).")
      }
      let index = try fields.required("takes").integer("“takes”", in: 1...1_000_000_000) - 1
      choices.append(.init(number: number, index: index))
    }
    return choices.isEmpty ? .inOrder : .chosen(choices)
  }

  // MARK: Source

  private func source(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioSource {
    let (name, value) = try node.fields("a source", ["simulate", "replay", "interface"]).only()
    switch name {
    case "simulate": return .simulate(try simulated(value))
    case "replay": return .replay(path: try value.text("the path of a recording"), place: value.place)
    default:
      let interface = try value.text("the name of an interface")
      return .interface(interface == "any" ? nil : interface)
    }
  }

  private func simulated(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioSource.SimulatedSource {
    let fields = try node.fields("“simulate”", ["world", "seed", "churn", "devices", "daemon", "interval", "faults", "faultsUntil"])
    let worldNode = try fields.required("world")
    let world = try worldNode.text("the name of a world")
    guard Self.worlds.contains(world) else {
      throw worldNode.problem(
        "unknown world \(worldNode.kind); choose from \(Self.worlds.joined(separator: ", "))."
          + Suggestion.sentence(world, Self.worlds))
    }
    var source = ScenarioSource.SimulatedSource(
      world: world, seed: try fields.required("seed").integer("a seed", in: 0...UInt64.max))
    if let churn = fields["churn"] {
      guard world == "preview" else { throw churn.problem("“churn” is for the preview world; a radio world has its access points.") }
      source.churns = try churn.isOn("“churn”")
    }
    for key in ["daemon", "interval", "faults", "faultsUntil"] where world == "preview" {
      if let node = fields[key] { throw node.problem("“\(key)” is for worlds with a kernel; the preview world has none.") }
    }
    if let devices = fields["devices"] {
      guard SimulatedWorlds.profileNames.contains(world) else {
        throw devices.problem("“devices” is for a radio world; the networks of \(world) are those of “start”.")
      }
      source.devices = try devices.integer("“devices”", in: SimulatedWorlds.minimumDevices...SimulatedWorlds.maximumDevices)
    }
    source.daemon = try fields["daemon"]?.word("“daemon”", JoinDaemon.self)
    source.faultsUntil = try fields["faultsUntil"]?.duration("“faultsUntil”")
    if let interval = fields["interval"] { source.interval = try interval.duration("“interval”") }
    if let faults = fields["faults"] {
      for item in try faults.list("“faults”") {
        let fault = try self.fault(item)
        if source.daemon != nil, ["wrongPassword", "connectTimeout"].contains(fault.name) {
          throw item.problem("“\(fault.name)” is for joins without a daemon; over one, “world: { join: … }” says what access points do.")
        }
        source.faults.append(fault)
      }
    }
    return source
  }

  private func fault(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioSource.FaultSpecification {
    if let name = node.scalar {
      guard FaultCatalog.entry(name) != nil else {
        throw node.problem(
          "unknown fault \(node.kind); choose from \(FaultCatalog.names.joined(separator: ", "))."
            + Suggestion.sentence(name, FaultCatalog.names))
      }
      return ScenarioSource.FaultSpecification(name: name)
    }
    let (name, value) = try node.fields("a fault", FaultCatalog.names).only()
    var fault = ScenarioSource.FaultSpecification(name: name)
    let parameters = FaultCatalog.entry(name)?.parameters ?? []
    let fields = try value.fields("“\(name)”", parameters.map(\.rawValue))
    fault.permille = try fields["permille"]?.integer("“permille”", in: 0...1000)
    fault.at = try fields["at"]?.duration("“at”")
    fault.duration = try fields["for"]?.duration("“for”")
    return fault
  }

  // MARK: Start

  private func start(_ node: StrictYAML, _ source: ScenarioSource) throws(ScenarioProblem) -> ScenarioStart {
    let fields = try node.fields("“start”", ["wifi", "networks", "known", "link", "selected", "destination", "viewCancels"])
    var start = ScenarioStart()
    if let known = fields["known"] {
      guard case .simulate = source else { throw known.problem("“known” is for simulated worlds; other sources keep no networks.") }
      start.known = try KnownScenarioReader().networks(known)
    }
    if let link = fields["link"] {
      guard case .simulate = source else { throw link.problem("“link” is for simulated worlds; other sources keep no networks.") }
      start.link = try KnownScenarioReader().link(link)
      if fields["destination"] != nil { throw link.problem("“link” and “destination” are two places; give one.") }
    }
    if let wifi = fields["wifi"] { start.isOn = try wifi.isOn("“wifi”") }
    if let viewCancels = fields["viewCancels"] { start.viewCancels = try viewCancels.isOn("“viewCancels”") }
    if let networks = fields["networks"] {
      guard case .simulate(let simulated) = source, ["preview", "still"].contains(simulated.world) else {
        throw networks.problem("“networks” are for the worlds preview and still; other sources bring their own.")
      }
      start.networks = try self.networks(networks)
      if simulated.world == "preview", start.networks.contains(where: { $0.security != nil || $0.password != nil }) {
        throw networks.problem("“security” and “password” are for the world still; in the preview a network is secured or not.")
      }
      if simulated.world == "preview", let hidden = start.networks.first(where: \.isHidden) {
        throw networks.problem(
          "“\(PrintableText.escape(Array(hidden.name.utf8)))” cannot hide its name in the preview world; there a network without a name is hidden."
        )
      }
    }
    if let selected = fields["selected"] {
      if selected.isMapping, let inner = try? selected.fields("", ["network", "number", "outOfRange"]) {
        start.selectedIsOutOfRange = try inner["outOfRange"]?.isOn("“outOfRange”") ?? false
      }
      start.selected = try reference(selected, also: ["outOfRange"])
      start.selectedPlace = selected.place
    }
    if let destination = fields["destination"] {
      start.destination = try self.destination(destination)
      start.destinationPlace = destination.place
      guard start.isOn else { throw destination.problem("while Wi-Fi is off there is no destination.") }
    }
    return start
  }

  private func networks(_ node: StrictYAML) throws(ScenarioProblem) -> [ScenarioNetwork] {
    if node.scalar == "mocks" { return SimulatedWorlds.mocks }
    if node.scalar == "none" { return [] }
    if node.isMapping {
      let fields = try node.fields("“networks”", ["count"])
      let count = try fields.required("count").integer("“count”", in: 0...100_000)
      return (0..<count).map { index in
        var network = ScenarioNetwork(name: "Network \(index + 1)")
        network.isSecured = !index.isMultiple(of: 5)
        network.connectivityPercent = 1 + index * 37 % 100
        return network
      }
    }
    guard node.scalar == nil else { throw node.problem("“networks” is mocks, none, a list of networks or { count: N }, not \(node.kind).") }
    var networks: [ScenarioNetwork] = []
    for item in try node.list("“networks”") { networks.append(try network(item)) }
    return networks
  }

  private func network(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioNetwork {
    if let name = node.scalar { return ScenarioNetwork(name: try fitting(name, node)) }
    let fields = try node.fields("a network", ["name", "secured", "security", "password", "connectivity", "hidden"])
    let name = try fields.required("name")
    var network = ScenarioNetwork(name: try fitting(try name.text("the name of a network"), name))
    if let secured = fields["secured"] { network.isSecured = try secured.isOn("“secured”") }
    if let security = fields["security"] {
      if fields["secured"] != nil { throw security.problem("“security” says whether the network is secured; leave out “secured”.") }
      let kind = try KnownScenarioReader().security(security)
      (network.security, network.isSecured) = (kind, kind.needsPassword)
    }
    if let password = fields["password"] {
      guard network.isSecured else { throw password.problem("an open network takes no password.") }
      network.password = try password.text("“password”")
    }
    network.isHidden = try fields["hidden"]?.isOn("“hidden”") ?? false
    if let connectivity = fields["connectivity"] {
      network.connectivityPercent = try connectivity.hundredths("“connectivity”", in: 1...100)
    }
    return network
  }

  private func fitting(_ name: String, _ node: StrictYAML) throws(ScenarioProblem) -> String {
    guard name.utf8.count <= 32 else { throw node.problem("the name of a network has at most 32 bytes, this one \(name.utf8.count).") }
    return name
  }

  /// A name, or a mapping with a name and a number.
  func reference(_ node: StrictYAML, also: [String] = []) throws(ScenarioProblem) -> NetworkReference {
    if let name = node.scalar { return NetworkReference(name: try fitting(name, node)) }
    let fields = try node.fields("a network", ["network", "number"] + also)
    let name = try fields.required("network")
    return NetworkReference(
      name: try fitting(try name.text("the name of a network"), name),
      number: try fields["number"]?.integer("“number”", in: 1...100_000))
  }

  private func destination(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioStart.Destination {
    let (name, value) = try node.fields("a destination", ["connect", "detail"]).only()
    if name == "connect" {
      if value.scalar != nil { return .connect(try reference(value)) }
      let also = ["password", "alert", "failure", "connecting", "lost"]
      let fields = try value.fields("“connect”", ["network", "number"] + also)
      let alert = try fields["alert"]?.word("“alert”", Expectations.Alert.self)
      if [.forget, .forgetKnown].contains(alert), let node = fields["alert"] {
        throw node.problem("the alert of “connect” is incorrectPassword.")
      }
      return .connect(
        try reference(value, also: also), password: try fields["password"]?.text("“password”") ?? "",
        alert: alert == .incorrectPassword, failure: try fields["failure"]?.word("“failure”", ExpectedFailure.self),
        isConnecting: try fields["connecting"]?.isOn("“connecting”") ?? false,
        isLost: try fields["lost"]?.isOn("“lost”") ?? false)
    }
    if value.scalar != nil { return .detail(try reference(value)) }
    let also = ["alert", "lost"]
    let fields = try value.fields("“detail”", ["network", "number"] + also)
    let alert = try fields["alert"]?.word("“alert”", Expectations.Alert.self)
    if [.incorrectPassword, .forgetKnown].contains(alert), let node = fields["alert"] {
      throw node.problem("the alert of “detail” is forget.")
    }
    return .detail(
      try reference(value, also: also), forgetAlert: alert == .forget, isLost: try fields["lost"]?.isOn("“lost”") ?? false)
  }

  // MARK: Steps

  private static let stepKeys = [
    "tap", "info", "stale", "type", "switch", "dismiss", "advance", "wait", "expect", "world", "atOnce",
  ]

  private func step(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioStep {
    if node.scalar == "dismiss" { return ScenarioStep(.dismiss, at: node.place) }
    let fields = try node.fields("a step", Self.stepKeys)
    let (name, value) = try fields.only()
    return ScenarioStep(try action(name, value), at: fields.place(of: name))
  }

  private func action(_ name: String, _ value: StrictYAML) throws(ScenarioProblem) -> ScenarioAction {
    switch name {
    case "tap":
      if let control = value.scalar.flatMap(ScenarioAction.Control.init) { return .tap(control) }
      return .tapNetwork(try reference(value))
    case "info": return .info(try reference(value))
    case "stale":
      let (what, network) = try value.fields("“stale”", ["tap", "info"]).only()
      return .stale(try reference(network), isInfo: what == "info")
    case "type":
      let typed = try KnownScenarioReader().fields(value)
      var only = KnownNetworkFields()
      only.password = typed.password
      // A password alone goes into whatever field for one is on top.
      if let password = typed.password, typed == only { return .typePassword(password) }
      return .fill(typed)
    case "switch":
      return .switchWiFi(isOn: try value.fields("“switch”", ["wifi"]).required("wifi").isOn("“wifi”"))
    case "dismiss":
      _ = try value.word("“dismiss”", Top.self)
      return .dismiss
    case "advance": return .advance(try value.duration("“advance”"))
    case "wait":
      let fields = try value.fields("“wait”", ["until", "within"])
      return .wait(
        try ExpectationReader(self).read(try fields.required("until")),
        within: try fields.required("within").duration("“within”"))
    case "expect": return .expect(try ExpectationReader(self).read(value))
    case "atOnce": return .atOnce(try together(value))
    default: return .world(try worldEvent(value))
    }
  }

  /// Steps with nothing between them: only what a user or the world does, no time and no look at the screen.
  private func together(_ node: StrictYAML) throws(ScenarioProblem) -> [ScenarioAction] {
    var actions: [ScenarioAction] = []
    for item in try node.list("“atOnce”") {
      let step = try step(item)
      switch step.action {
      case .advance, .wait, .expect, .atOnce:
        throw item.problem("in “atOnce” there is no time and no rest, so no advance, wait, expect or atOnce.")
      default: actions.append(step.action)
      }
    }
    guard actions.count > 1 else { throw node.problem("“atOnce” needs at least two steps.") }
    return actions
  }

  private enum Top: String, CaseIterable { case top }

  private func worldEvent(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioAction.WorldEvent {
    let (name, value) = try node.fields("“world”", ["lose", "find", "join", "known", "link"]).only()
    switch name {
    case "lose": return .lose(try reference(value))
    case "find": return .find(try network(value))
    case "known": return .known(try KnownScenarioReader().event(value))
    case "link":
      if value.scalar == "roams" { return .link(.roams) }
      let reason = try value.fields("“link”", ["dismissed"]).required("dismissed")
      return .link(.dismissed(reason: try reason.integer("“dismissed”, the reason code,", in: 1...UInt16.max)))
    default:
      let also = ["fails", "takes"]
      let fields = try value.fields("“join”", ["network", "number"] + also)
      var answer = ScenarioAction.JoinAnswer()
      answer.failure = try fields["fails"]?.word("“fails”", ExpectedFailure.self)
      if let takes = fields["takes"] { answer.duration = try takes.duration("“takes”") }
      return .join(try reference(value, also: also), answer)
    }
  }
}
