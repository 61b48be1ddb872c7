import Determinism
import Models
import Simulator
import WiFi

/// Reads scenarios from YAML, strictly: an unknown key, a wrong value or a contradiction is an error with its place.
public struct ScenarioReader {
  /// The duration that a text such as `1.5s`, `10m` or `2h` is; `nil` where it is none.
  public static func duration(_ text: String) -> Duration? { StrictYAML.duration(text) }

  private let file: String

  /// Reads for a file of this name.
  public init(file: String) { self.file = file }

  /// Reads one scenario.
  ///
  /// - Throws: ``ScenarioProblem`` with the first thing that is wrong, and all others that can be found without it.
  public func read(_ text: String) throws(ScenarioProblem) -> Scenario {
    let document = try StrictYAML.read(text, file: file)
    let problems = ScenarioProblemList()
    let keys = ["scenario", "about", "judgedBy", "jobs", "races", "source", "start", "steps"]
    let fields = try document.fields("a scenario", keys, keeping: problems)
    let name = fields.required("scenario", keeping: problems) { (node) throws(ScenarioProblem) in
      let name = try node.text("the name of a scenario")
      guard !name.isEmpty, !name.contains(where: \.isNewline) else {
        throw node.problem("the name of a scenario is one line of text.")
      }
      return name
    }
    let source = fields.required("source", keeping: problems) { (node) throws(ScenarioProblem) in try self.source(node, problems) } ?? nil
    // Where the source is wrong, nothing is said of what depends on it.
    var scenario = Scenario(
      name: name ?? "", source: source ?? .simulate(ScenarioSource.SimulatedSource(world: "preview", seed: 0)), file: file)
    scenario.about = fields.optional("about", keeping: problems) { (node) throws(ScenarioProblem) in try node.text("“about”") }
    scenario.isJudgedByProperties =
      fields.optional("judgedBy", keeping: problems) { (node) throws(ScenarioProblem) in
        let judge = try node.word("“judgedBy”", Judge.self)
        if let source, !source.isSimulated { throw node.problem("“judgedBy: properties” needs a simulated source.") }
        return judge
      } != nil
    if let order = fields.optional("jobs", keeping: problems, jobs) { scenario.jobs = order }
    if let races = fields.isOn("races", keeping: problems) { scenario.races = races }
    let start = fields.optional("start", keeping: problems) { (node) throws(ScenarioProblem) in try self.start(node, source, problems) }
    if let start { scenario.start = start }
    let steps = fields.required("steps", keeping: problems) { (node) throws(ScenarioProblem) in
      for step in try node.list("“steps”") {
        if let step = problems.attempt({ () throws(ScenarioProblem) in try self.step(step, problems) }) { scenario.steps.append(step) }
      }
      return node
    }
    if let steps, fields["judgedBy"] == nil {
      problems.attempt { () throws(ScenarioProblem) in try check(scenario, steps) }
    }
    try problems.finish()
    return scenario
  }

  /// Checks the steps together, each of which is valid by itself.
  private func check(_ scenario: Scenario, _ steps: StrictYAML) throws(ScenarioProblem) {
    let count = try steps.list("“steps”").count
    guard count > 0 else { throw steps.problem("a scenario needs at least one step.") }
    // Where a step is wrong, it may have been the one that is missed here.
    guard count == scenario.steps.count else { return }
    guard scenario.steps.contains(where: { if case .expect = $0.action { true } else if case .wait = $0.action { true } else { false } })
    else { throw steps.problem("a scenario that expects nothing cannot fail; add an “expect”.") }
    try ScenarioContradictions.check(scenario)
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
    var choices: [JobOrder.Choice] = []
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

  private func source(_ node: StrictYAML, _ problems: ScenarioProblemList) throws(ScenarioProblem) -> ScenarioSource? {
    let (name, value) = try node.fields("a source", ["simulate", "replay", "interface"]).only()
    switch name {
    case "simulate": return try simulated(value, problems).map { .simulate($0) }
    case "replay": return .replay(path: try value.text("the path of a recording"), place: value.place)
    default:
      let interface = try value.text("the name of an interface")
      return .interface(interface == "any" ? nil : interface)
    }
  }

  /// What is simulated; `nil` where its world is wrong, so that nothing can be said of what depends on it.
  private func simulated(
    _ node: StrictYAML, _ problems: ScenarioProblemList
  ) throws(ScenarioProblem) -> ScenarioSource.SimulatedSource? {
    let keys = ["world", "seed", "churn", "devices", "dayAndNight", "daemon", "takes", "interval", "faults", "faultsUntil"]
    let fields = try node.fields("“simulate”", keys, keeping: problems)
    let world = fields.required("world", keeping: problems) { (node) throws(ScenarioProblem) in
      let world = try node.text("the name of a world")
      let worlds = SimulatedWorlds.names
      guard worlds.contains(world) else {
        throw node.problem(
          "unknown world \(node.kind); choose from \(worlds.joined(separator: ", "))." + Suggestion.sentence(world, worlds))
      }
      return world
    }
    let seed = fields.required("seed", keeping: problems) { (node) throws(ScenarioProblem) in
      try node.integer("a seed", in: 0...UInt64.max)
    }
    var source = ScenarioSource.SimulatedSource(world: world ?? "", seed: seed ?? 0)
    let churns = fields.optional("churn", keeping: problems) { (churn) throws(ScenarioProblem) in
      guard world ?? "preview" == "preview" else {
        throw churn.problem("“churn” is for the preview world; a radio world has its access points.")
      }
      return try churn.isOn("“churn”")
    }
    if let churns { source.churns = churns }
    for key in ["daemon", "interval", "faults", "faultsUntil"] where world == "preview" {
      if let node = fields[key] { problems.add(node.problem("“\(key)” is for worlds with a kernel; the preview world has none.")) }
    }
    source.devices = fields.optional("devices", keeping: problems) { (devices) throws(ScenarioProblem) in
      guard world.map({ SimulatedWorlds.profileNames.contains($0) }) ?? true else {
        throw devices.problem("“devices” is for a radio world; the networks of \(world ?? "") are those of “start”.")
      }
      return try devices.integer("“devices”", in: SimulatedWorlds.minimumDevices...SimulatedWorlds.maximumDevices)
    }
    let hasDayAndNight = fields.optional("dayAndNight", keeping: problems) { (node) throws(ScenarioProblem) in
      guard world.map({ SimulatedWorlds.namesWithDayAndNight.contains($0) }) ?? true else {
        throw node.problem("“dayAndNight” is for the worlds \(SimulatedWorlds.namesWithDayAndNight.joined(separator: ", ")).")
      }
      return try node.isOn("“dayAndNight”")
    }
    source.hasDayAndNight = hasDayAndNight ?? false
    source.daemon = fields.optional("daemon", keeping: problems) { (node) throws(ScenarioProblem) in
      try node.word("“daemon”", JoinDaemon.self)
    }
    if let latency = fields.duration("takes", keeping: problems) { source.latency = latency }
    if let takes = fields["takes"], fields["daemon"] == nil {
      problems.add(takes.problem("“takes” is how long each message of a daemon takes; say which with “daemon”."))
    }
    source.faultsUntil = fields.duration("faultsUntil", keeping: problems)
    if let interval = fields.duration("interval", keeping: problems) { source.interval = interval }
    let faults = fields.optional("faults", keeping: problems) { (node) throws(ScenarioProblem) in try node.list("“faults”") }
    for item in faults ?? [] {
      let fault = problems.attempt { () throws(ScenarioProblem) in
        let fault = try self.fault(item)
        if source.daemon != nil, FaultCatalog.namesAboutJoins.contains(fault.name) {
          throw item.problem("“\(fault.name)” is for joins without a daemon; over one, “world: { join: … }” says what access points do.")
        }
        return fault
      }
      if let fault { source.faults.append(fault) }
    }
    return world == nil ? nil : source
  }

  private func fault(_ node: StrictYAML) throws(ScenarioProblem) -> FaultSpecification {
    if let name = node.scalar {
      guard FaultCatalog.entry(name) != nil else {
        throw node.problem(
          "unknown fault \(node.kind); choose from \(FaultCatalog.names.joined(separator: ", "))."
            + Suggestion.sentence(name, FaultCatalog.names))
      }
      return FaultSpecification(name: name)
    }
    let (name, value) = try node.fields("a fault", FaultCatalog.names).only()
    var fault = FaultSpecification(name: name)
    let parameters = FaultCatalog.entry(name)?.parameters ?? []
    let fields = try value.fields("“\(name)”", parameters.map(\.rawValue))
    fault.permille = try fields.integer("permille", in: 0...1000)
    fault.at = try fields.duration("at")
    fault.duration = try fields.duration("for")
    return fault
  }

  // MARK: Start

  /// - Parameter source: what the networks come from; `nil` where that is wrong itself.
  private func start(
    _ node: StrictYAML, _ source: ScenarioSource?, _ problems: ScenarioProblemList
  ) throws(ScenarioProblem) -> ScenarioStart {
    let keys = ["wifi", "networks", "known", "link", "selected", "destination", "viewCancels"]
    let fields = try node.fields("“start”", keys, keeping: problems)
    let isSimulated = source?.isSimulated ?? true
    var start = ScenarioStart()
    let known = fields.optional("known", keeping: problems) { (known) throws(ScenarioProblem) in
      guard isSimulated else { throw known.problem("“known” is for simulated worlds; other sources keep no networks.") }
      return try KnownScenarioReader().networks(known)
    }
    if let known { start.known = known }
    start.link = fields.optional("link", keeping: problems) { (link) throws(ScenarioProblem) in
      guard isSimulated else { throw link.problem("“link” is for simulated worlds; other sources keep no networks.") }
      let value = try KnownScenarioReader().link(link)
      if fields["destination"] != nil { throw link.problem("“link” and “destination” are two places; give one.") }
      return value
    }
    if let isOn = fields.isOn("wifi", keeping: problems) { start.isOn = isOn }
    if let cancels = fields.isOn("viewCancels", keeping: problems) { start.viewCancels = cancels }
    let networks = fields.optional("networks", keeping: problems) { (node) throws(ScenarioProblem) in
      try self.networks(node, source, problems)
    }
    if let networks { start.networks = networks }
    if let selected = fields["selected"] {
      problems.attempt { () throws(ScenarioProblem) in
        if selected.isMapping, let inner = try? selected.fields("", ["network", "number", "outOfRange"]) {
          start.selectedIsOutOfRange = try inner.isOn("outOfRange") ?? false
        }
        start.selected = try reference(selected, also: ["outOfRange"])
        start.selectedPlace = selected.place
      }
    }
    if let destination = fields["destination"] {
      problems.attempt { () throws(ScenarioProblem) in
        start.destination = try self.destination(destination)
        start.destinationPlace = destination.place
        guard start.isOn else { throw destination.problem("while Wi-Fi is off there is no destination.") }
      }
    }
    return start
  }

  /// The networks of the start, which must suit the source.
  private func networks(
    _ node: StrictYAML, _ source: ScenarioSource?, _ problems: ScenarioProblemList
  ) throws(ScenarioProblem) -> [ScenarioNetwork] {
    guard let source else { return try networks(node, problems) }
    guard case .simulate(let simulated) = source, ["preview", "still"].contains(simulated.world) else {
      throw node.problem("“networks” are for the worlds preview and still; other sources bring their own.")
    }
    let list = try networks(node, problems)
    guard simulated.world == "preview" else { return list }
    if list.contains(where: { $0.security != nil || $0.password != nil }) {
      throw node.problem("“security” and “password” are for the world still; in the preview a network is secured or not.")
    }
    if let hidden = list.first(where: \.isHidden) {
      throw node.problem(
        "“\(PrintableText.escape(hidden.name))” cannot hide its name in the preview world; there a network without a name is hidden."
      )
    }
    return list
  }

  private func networks(_ node: StrictYAML, _ problems: ScenarioProblemList) throws(ScenarioProblem) -> [ScenarioNetwork] {
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
    return try node.list("“networks”").compactMap { item in problems.attempt { () throws(ScenarioProblem) in try network(item) } }
  }

  private func network(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioNetwork {
    if node.scalar != nil { return ScenarioNetwork(name: try networkName(node)) }
    let fields = try node.fields("a network", ["name", "secured", "security", "password", "connectivity", "hidden"])
    var network = ScenarioNetwork(name: try networkName(try fields.required("name")))
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
    network.isHidden = try fields.isOn("hidden") ?? false
    if let connectivity = fields["connectivity"] {
      network.connectivityPercent = try connectivity.hundredths("“connectivity”", in: 1...100)
    }
    return network
  }

  private func networkName(_ node: StrictYAML) throws(ScenarioProblem) -> String {
    if node.isMissing { throw node.problem("the name of a network is missing; one that hides its name is \"\".") }
    let name = try node.text("the name of a network")
    guard name.utf8.count <= 32 else { throw node.problem("the name of a network has at most 32 bytes, this one \(name.utf8.count).") }
    return name
  }

  /// A name, or a mapping with a name and a number.
  func reference(_ node: StrictYAML, also: [String] = []) throws(ScenarioProblem) -> NetworkReference {
    if node.scalar != nil { return NetworkReference(name: try networkName(node)) }
    let fields = try node.fields("a network", ["network", "number"] + also)
    return NetworkReference(
      name: try networkName(try fields.required("network")),
      number: try fields.integer("number", in: 1...100_000))
  }

  private func destination(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioStart.Destination {
    let (name, value) = try node.fields("a destination", ["connect", "detail"]).only()
    if name == "connect" {
      if value.scalar != nil { return .connect(try reference(value)) }
      let also = ["password", "alert", "failure", "connecting", "lost"]
      let fields = try value.fields("“connect”", ["network", "number"] + also)
      let alert = try fields.word("alert", Expectations.Alert.self)
      if [.forget, .forgetKnown].contains(alert), let node = fields["alert"] {
        throw node.problem("the alert of “connect” is incorrectPassword.")
      }
      return .connect(
        try reference(value, also: also), password: try fields.text("password") ?? "",
        alert: alert == .incorrectPassword, failure: try fields.word("failure", ExpectedFailure.self),
        isConnecting: try fields.isOn("connecting") ?? false,
        isLost: try fields.isOn("lost") ?? false)
    }
    if value.scalar != nil { return .detail(try reference(value)) }
    let also = ["alert", "lost"]
    let fields = try value.fields("“detail”", ["network", "number"] + also)
    let alert = try fields.word("alert", Expectations.Alert.self)
    if [.incorrectPassword, .forgetKnown].contains(alert), let node = fields["alert"] {
      throw node.problem("the alert of “detail” is forget.")
    }
    return .detail(
      try reference(value, also: also), forgetAlert: alert == .forget, isLost: try fields.isOn("lost") ?? false)
  }

  // MARK: Steps

  /// What a step can be, by its key.
  enum StepKey: String, CaseIterable {
    case tap, info, stale, type, `switch`, dismiss, view, advance, wait, expect, world, atOnce
  }

  private func step(_ node: StrictYAML, _ problems: ScenarioProblemList) throws(ScenarioProblem) -> ScenarioStep {
    if node.scalar == "dismiss" { return ScenarioStep(action: .dismiss, place: node.place) }
    let fields = try node.fields("a step", StepKey.allCases.map(\.rawValue))
    let (name, value) = try fields.only(inStep: true)
    guard let key = StepKey(rawValue: name) else { preconditionFailure("ScenarioReader: \(name) is no key of a step") }
    return ScenarioStep(action: try action(key, value, problems), place: fields.place(of: name))
  }

  private func action(
    _ key: StepKey, _ value: StrictYAML, _ problems: ScenarioProblemList
  ) throws(ScenarioProblem) -> ScenarioAction {
    switch key {
    case .tap:
      if let control = value.scalar.flatMap(ScenarioAction.Control.init) { return .tap(control) }
      return .tapNetwork(try reference(value))
    case .info: return .info(try reference(value))
    case .stale:
      let (what, network) = try value.fields("“stale”", ["tap", "info"]).only(inStep: true)
      return .stale(try reference(network), isInfo: what == "info")
    case .type:
      let typed = try KnownScenarioReader().fields(value)
      var only = KnownNetworkFields()
      only.password = typed.password
      // A password alone goes into whatever field for one is on top.
      if let password = typed.password, typed == only { return .typePassword(password) }
      return .fill(typed)
    case .switch:
      return .switchWiFi(isOn: try value.fields("“switch”", ["wifi"]).required("wifi").isOn("“wifi”"))
    case .dismiss:
      _ = try value.word("“dismiss”", Top.self)
      return .dismiss
    case .view:
      let (name, value) = try value.fields("“view”", ["filter", "sort", "password"]).only(inStep: true)
      switch name {
      case "filter": return .view(.filter(try value.text("“filter”")))
      case "sort": return .view(.sort(try value.word("“sort”", NetworkSort.Criterion.self)))
      default: return .view(.showsPassword(try value.word("“password”", ShownPassword.self) == .shown))
      }
    case .advance: return .advance(try value.duration("“advance”"))
    case .wait:
      let fields = try value.fields("“wait”", ["until", "within"])
      return .wait(
        try ExpectationReader(self).read(try fields.required("until")),
        within: try fields.required("within").duration("“within”"))
    case .expect: return .expect(try ExpectationReader(self).read(value))
    case .atOnce: return .atOnce(try together(value, problems))
    case .world: return .world(try worldEvent(value))
    }
  }

  /// Steps with nothing between them: only what a user or the world does, no time and no look at the screen.
  private func together(_ node: StrictYAML, _ problems: ScenarioProblemList) throws(ScenarioProblem) -> [ScenarioAction] {
    var actions: [ScenarioAction] = []
    for item in try node.list("“atOnce”") {
      let step = try step(item, problems)
      guard step.action.isOneTurn else {
        throw item.problem("in “atOnce” there is no time and no rest, so no advance, wait, expect or atOnce.")
      }
      actions.append(step.action)
    }
    guard actions.count > 1 else { throw node.problem("“atOnce” needs at least two steps.") }
    return actions
  }

  private enum Top: String, CaseIterable { case top }
  private enum ShownPassword: String, CaseIterable { case shown, hidden }

  private func worldEvent(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioAction.WorldEvent {
    let (name, value) = try node.fields("“world”", ["lose", "find", "join", "known", "link", "radio"]).only(inStep: true)
    switch name {
    case "lose": return .lose(try reference(value))
    case "find": return .find(try network(value))
    case "known": return .known(try KnownScenarioReader().event(value))
    case "radio": return .radio(isOn: try value.isOn("“radio”"))
    case "link":
      if value.scalar == "roams" { return .link(.roams) }
      let reason = try value.fields("“link”", ["dismissed"]).required("dismissed")
      return .link(.dismissed(reason: try reason.integer("“dismissed”, the reason code,", in: 1...UInt16.max)))
    default:
      let also = ["fails", "takes"]
      let fields = try value.fields("“join”", ["network", "number"] + also)
      var answer = ScenarioAction.JoinAnswer()
      answer.failure = try fields.word("fails", ExpectedFailure.self)
      if let takes = fields["takes"] { answer.duration = try takes.duration("“takes”") }
      return .join(try reference(value, also: also), answer)
    }
  }
}

extension ScenarioSource {
  fileprivate var isSimulated: Bool { if case .simulate = self { true } else { false } }
}
