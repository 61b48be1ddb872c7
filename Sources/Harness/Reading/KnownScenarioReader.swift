import Models
import WiFi

/// Reads what a scenario says of known networks.
struct KnownScenarioReader {
  private enum Securities: String, CaseIterable {
    case open, owe, psk, sae, personal, enterprise, wep

    var value: JoinSecurity { JoinSecurity(rawValue: rawValue) ?? .pskOrSAE }
  }

  /// How a network is secured: open, owe, psk, sae, personal, enterprise or wep.
  func security(_ node: StrictYAML) throws(ScenarioProblem) -> JoinSecurity {
    try node.word("“security”", Securities.self).value
  }

  private func name(_ node: StrictYAML) throws(ScenarioProblem) -> SSID {
    let text = try node.text("the name of a network")
    guard let ssid = SSID(Array(text.utf8)), !ssid.isHidden else {
      throw node.problem("the name of a known network has 1 to 32 bytes, this one \(text.utf8.count).")
    }
    return ssid
  }

  private func priority(_ node: StrictYAML) throws(ScenarioProblem) -> Int {
    try node.integer("“priority”", in: KnownNetwork.priorities)
  }

  /// The networks that are known when a scenario begins.
  func networks(_ node: StrictYAML) throws(ScenarioProblem) -> [ScenarioKnownNetwork] {
    var networks: [ScenarioKnownNetwork] = []
    for item in try node.list("“known”") {
      let network = try network(item)
      if let problem = network.draft.problem { throw item.problem("\(problem)") }
      networks.append(network)
    }
    guard networks.count(where: \.isJoined) < 2 else { throw node.problem("at most one network is joined.") }
    return networks
  }

  private func network(_ node: StrictYAML) throws(ScenarioProblem) -> ScenarioKnownNetwork {
    let secret = Secret(ScenarioKnownNetwork.defaultPassword)
    guard node.scalar == nil else {
      return ScenarioKnownNetwork(KnownNetworkDraft(ssid: try name(node), security: .pskOrSAE, password: secret))
    }
    let keys = ["name", "security", "password", "priority", "autoconnect", "hidden", "joined"]
    let fields = try node.fields("a known network", keys)
    let security = try fields["security"].map(security) ?? .pskOrSAE
    var network = ScenarioKnownNetwork(KnownNetworkDraft(ssid: try name(try fields.required("name")), security: security))
    if security.needsPassword {
      network.draft.password = try fields["password"].map { node throws(ScenarioProblem) in Secret(try node.text("“password”")) } ?? secret
    }
    if let priority = fields["priority"] { network.draft.priority = try self.priority(priority) }
    if let joins = fields["autoconnect"] { network.draft.joinsAutomatically = try joins.isOn("“autoconnect”") }
    network.draft.isHidden = try fields.isOn("hidden") ?? false
    network.isJoined = try fields.isOn("joined") ?? false
    return network
  }

  /// Where the settings open: a link such as `known/Home/edit`.
  func link(_ node: StrictYAML) throws(ScenarioProblem) -> DeepLink {
    let text = try node.text("“link”")
    guard let link = DeepLink(text) else {
      throw node.problem("\(node.kind) is no link; there are known, known/add and known/NAME/edit.")
    }
    return link
  }

  /// What is typed into the form of a known network.
  func fields(_ node: StrictYAML) throws(ScenarioProblem) -> KnownNetworkFields {
    let fields = try node.fields("“type”", ["name", "password", "security", "priority", "autoconnect", "hidden"])
    guard !fields.fields.isEmpty else { throw node.problem("“type” types nothing.") }
    var typed = KnownNetworkFields()
    typed.name = try fields.text("name")
    typed.password = try fields["password"]?.text("a password")
    typed.security = try fields["security"].map(security)
    typed.priority = try fields["priority"].map(priority)
    typed.joinsAutomatically = try fields.isOn("autoconnect")
    typed.isHidden = try fields.isOn("hidden")
    return typed
  }

  /// What another program does.
  func event(_ node: StrictYAML) throws(ScenarioProblem) -> KnownNetworkEvent {
    let fields = try node.fields("“known”", ["forget", "joins", "leaves", "fails", "takes"])
    if fields["fails"] != nil || fields["takes"] != nil {
      guard fields["forget"] == nil, fields["joins"] == nil, fields["leaves"] == nil else {
        throw node.problem("one thing happens at a time.")
      }
      var rule = KnownNetworkAnswerRule()
      if let fails = fields["fails"], fails.scalar != "none" {
        rule.failure = try fails.word("“fails”", KnownNetworkAnswerRule.Failure.self)
      }
      if let takes = fields["takes"] { rule.duration = try takes.duration("“takes”") }
      return .answer(rule)
    }
    let (key, value) = try fields.only(inStep: true)
    switch key {
    case "forget": return .forget(try name(value).description)
    case "joins": return .joined(try name(value).description)
    default:
      guard try value.isOn("“leaves”") else { throw value.problem("“leaves” is on: the network that is joined is left.") }
      return .joined(nil)
    }
  }

  func expectations(_ node: StrictYAML) throws(ScenarioProblem) -> KnownExpectations {
    let keys = ["rows", "row", "pages", "sheet", "loading", "saving", "gone", "failure", "password"]
    let fields = try node.fields("“known”", keys)
    guard !fields.fields.isEmpty else { throw node.problem("an expectation of nothing cannot fail.") }
    var expected = KnownExpectations()
    expected.rows = try fields["rows"].map(names)
    expected.row = try fields["row"].map(row)
    expected.pages = try fields["pages"].map(names)
    expected.hasSheet = try fields.isOn("sheet")
    expected.isLoading = try fields.isOn("loading")
    expected.isSaving = try fields.isOn("saving")
    expected.isGone = try fields.isOn("gone")
    if let failure = fields["failure"] {
      let text = try failure.text("“failure”")
      expected.failure = .some(text == "none" ? nil : text)
    }
    expected.password = try fields.text("password")
    return expected
  }

  private func names(_ node: StrictYAML) throws(ScenarioProblem) -> [String] {
    if node.scalar == "none" { return [] }
    return try node.list("a list of names").map { (item) throws(ScenarioProblem) in try name(item).description }
  }

  private func row(_ node: StrictYAML) throws(ScenarioProblem) -> KnownExpectations.Row {
    let keys = ["name", "security", "priority", "autoconnect", "hidden", "joined", "inRange"]
    let fields = try node.fields("“row”", keys)
    var row = KnownExpectations.Row(name: try name(try fields.required("name")).description)
    row.security = try fields["security"].map(security)
    row.priority = try fields["priority"].map(priority)
    row.joinsAutomatically = try fields.isOn("autoconnect")
    row.isHidden = try fields.isOn("hidden")
    row.isJoined = try fields.isOn("joined")
    row.isInRange = try fields.isOn("inRange")
    guard fields.fields.count > 1 else { throw node.problem("“row” says nothing of the row; use “rows” for whether it is there.") }
    return row
  }
}
