package import Determinism
import Models
import Simulator
import WiFi

/// Writes runs as scenario files that ``ScenarioReader`` reads back.
package enum ScenarioWriter {
  /// The file of a run with explicit steps, judged by the properties that must always hold.
  ///
  /// - Parameters:
  ///   - name: what the scenario is called.
  ///   - about: what it is about, where that is worth a line.
  package static func yaml(_ run: SettingsRun, name: String, about: String? = nil) -> String {
    let plan = run.start
    var lines = ["scenario: \(quoted(name))"]
    if let about { lines.append("about: \(quoted(about))") }
    lines.append("judgedBy: properties")
    lines += Self.lines(run.order, races: plan.races)
    lines.append("source: { simulate: \(source(plan.source)) }")
    lines += start(plan.start)
    let steps = run.steps ?? []
    lines.append(steps.isEmpty ? "steps: []" : "steps:")
    lines += steps.map { "  - \(step($0))" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of a scenario file that say the order of tasks, and whether a user races.
  package static func lines(_ order: JobOrder, races: Bool) -> [String] { jobs(order) + (races ? ["races: on"] : []) }

  /// The order of tasks; people count from 1.
  private static func jobs(_ order: JobOrder) -> [String] {
    switch order {
    case .inOrder: []
    case .shuffled: ["jobs: shuffled"]
    case .prioritized(let changes): ["jobs: { prioritized: \(changes) }"]
    case .chosen(let choices):
      choices.isEmpty ? [] : ["jobs:"] + choices.map { "  - { choice: \($0.number + 1), takes: \($0.index + 1) }" }
    }
  }

  private static func source(_ source: ScenarioSource.SimulatedSource) -> String {
    var fields = ["world: \(source.world)", "seed: \(source.seed)"]
    if !source.churns, source.world == "preview" { fields.append("churn: off") }
    if let devices = source.devices { fields.append("devices: \(devices)") }
    if let daemon = source.daemon {
      fields.append("daemon: \(daemon.rawValue)")
      if source.latency != .zero { fields.append("takes: \(duration(source.latency))") }
    }
    if source.interval != .seconds(2) { fields.append("interval: \(duration(source.interval))") }
    if !source.faults.isEmpty {
      let faults = source.faults.map { fault -> String in
        var numbers: [String] = []
        if let permille = fault.permille { numbers.append("permille: \(permille)") }
        if let at = fault.at { numbers.append("at: \(duration(at))") }
        if let length = fault.duration { numbers.append("for: \(duration(length))") }
        return numbers.isEmpty ? fault.name : "\(fault.name): { \(numbers.joined(separator: ", ")) }"
      }
      fields.append("faults: [\(faults.map { $0.contains(":") ? "{ \($0) }" : $0 }.joined(separator: ", "))]")
    }
    if let until = source.faultsUntil { fields.append("faultsUntil: \(duration(until))") }
    return "{ \(fields.joined(separator: ", ")) }"
  }

  private static func start(_ start: ScenarioStart) -> [String] {
    var lines: [String] = []
    if !start.isOn { lines.append("  wifi: off") }
    if !start.viewCancels { lines.append("  viewCancels: off") }
    if !start.networks.isEmpty {
      lines.append("  networks:")
      lines += start.networks.map { "    - \(network($0))" }
    }
    if !start.known.isEmpty {
      lines.append("  known:")
      lines += start.known.map { "    - \(known($0))" }
    }
    if let link = start.link { lines.append("  link: \(quoted("\(link)"))") }
    if let selected = start.selected {
      lines.append("  selected: \(reference(selected, start.selectedIsOutOfRange ? ["outOfRange: on"] : []))")
    }
    switch start.destination {
    case .connect(let network, let password, let alert, let failure, let isConnecting, let isLost):
      var extra = password.isEmpty ? [] : ["password: \(quoted(password))"]
      if alert { extra.append("alert: incorrectPassword") }
      if let failure { extra.append("failure: \(failure.rawValue)") }
      if isConnecting { extra.append("connecting: on") }
      if isLost { extra.append("lost: on") }
      lines.append("  destination: { connect: \(reference(network, extra)) }")
    case .detail(let network, let forgetAlert, let isLost):
      lines.append(
        "  destination: { detail: \(reference(network, (forgetAlert ? ["alert: forget"] : []) + (isLost ? ["lost: on"] : []))) }")
    case nil: break
    }
    return lines.isEmpty ? [] : ["start:"] + lines
  }

  private static func network(_ network: ScenarioNetwork) -> String {
    var fields = ["name: \(quoted(network.name))"]
    if let security = network.security { fields.append("security: \(word(security))") }
    if !network.isSecured, network.security == nil { fields.append("secured: off") }
    if let password = network.password { fields.append("password: \(quoted(password))") }
    if network.isHidden { fields.append("hidden: on") }
    if network.connectivityPercent != 100 {
      let percent = network.connectivityPercent
      fields.append("connectivity: 0.\(percent < 10 ? "0" : "")\(percent)")
    }
    return fields.count == 1 ? quoted(network.name) : "{ \(fields.joined(separator: ", ")) }"
  }

  private static func reference(_ reference: NetworkReference, _ extra: [String] = []) -> String {
    if reference.number == nil, extra.isEmpty { return quoted(reference.name) }
    let number = reference.number.map { ["number: \($0)"] } ?? []
    return "{ \((["network: \(quoted(reference.name))"] + number + extra).joined(separator: ", ")) }"
  }

  /// One step, as it stands behind the dash.
  package static func step(_ action: ScenarioAction) -> String {
    switch action {
    case .tap(let control): return "tap: \(control.rawValue)"
    case .tapNetwork(let network):
      // A network that is called as a control is meant by its mapping.
      let isControl = ScenarioAction.Control(rawValue: network.name) != nil
      return "tap: \(isControl && network.number == nil ? "{ network: \(quoted(network.name)) }" : reference(network))"
    case .info(let network): return "info: \(reference(network))"
    case .stale(let network, let isInfo): return "stale: { \(isInfo ? "info" : "tap"): \(reference(network)) }"
    case .typePassword(let password): return "type: { password: \(quoted(password)) }"
    case .fill(let fields): return "type: \(mapping(fields))"
    case .switchWiFi(let isOn): return "switch: { wifi: \(isOn.onOrOff) }"
    case .dismiss: return "dismiss"
    case .view(.filter(let text)): return "view: { filter: \(quoted(text)) }"
    case .view(.sort(let criterion)): return "view: { sort: \(criterion.rawValue) }"
    case .view(.showsPassword(let isShown)): return "view: { password: \(isShown ? "shown" : "hidden") }"
    case .advance(let time): return "advance: \(duration(time))"
    case .world(.lose(let network)): return "world: { lose: \(reference(network)) }"
    case .world(.find(let found)): return "world: { find: \(network(found)) }"
    case .world(.join(let network, let answer)):
      var extra: [String] = []
      if let failure = answer.failure { extra.append("fails: \(failure.rawValue)") }
      if answer.duration != .seconds(1) { extra.append("takes: \(duration(answer.duration))") }
      let mapping = extra.isEmpty && network.number == nil ? "{ network: \(quoted(network.name)) }" : reference(network, extra)
      return "world: { join: \(mapping) }"
    case .world(.link(.dismissed(let reason))): return "world: { link: { dismissed: \(reason) } }"
    case .world(.link(.roams)): return "world: { link: roams }"
    case .world(.radio(let isOn)): return "world: { radio: \(isOn.onOrOff) }"
    case .world(.known(let event)): return "world: { known: \(mapping(event)) }"
    case .atOnce(let actions): return "atOnce: [\(actions.map { $0 == .dismiss ? "dismiss" : "{ \(step($0)) }" }.joined(separator: ", "))]"
    case .wait, .expect: preconditionFailure("ScenarioWriter: a run expects nothing by itself")
    }
  }

  private static func mapping(_ fields: KnownNetworkFields) -> String {
    var parts: [String] = []
    if let name = fields.name { parts.append("name: \(quoted(name))") }
    if let password = fields.password { parts.append("password: \(quoted(password))") }
    if let security = fields.security { parts.append("security: \(word(security))") }
    if let priority = fields.priority { parts.append("priority: \(priority)") }
    if let joins = fields.joinsAutomatically { parts.append("autoconnect: \(joins.onOrOff)") }
    if let isHidden = fields.isHidden { parts.append("hidden: \(isHidden.onOrOff)") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  private static func mapping(_ event: KnownNetworkEvent) -> String {
    switch event {
    case .forget(let name): return "{ forget: \(quoted(typed(name))) }"
    case .joined(let name?): return "{ joins: \(quoted(typed(name))) }"
    case .joined(nil): return "{ leaves: on }"
    case .answer(let rule):
      return "{ fails: \(rule.failure?.rawValue ?? "none")\(rule.duration.map { ", takes: \(duration($0))" } ?? "") }"
    }
  }

  /// The name that was typed where it is shown so.
  private static func typed(_ shown: String) -> String { SSID(typed: shown).map { String(decoding: $0.bytes, as: UTF8.self) } ?? shown }

  private static func word(_ security: JoinSecurity) -> String { security == .pskOrSAE ? "personal" : security.rawValue }

  private static func known(_ network: ScenarioKnownNetwork) -> String {
    let draft = network.draft
    var parts = ["name: \(quoted(String(decoding: draft.ssid.bytes, as: UTF8.self)))", "security: \(word(draft.security))"]
    if let password = draft.password {
      parts.append("password: \(quoted(password.withBytes { String(decoding: $0, as: UTF8.self) }))")
    }
    if draft.priority != 0 { parts.append("priority: \(draft.priority)") }
    if !draft.joinsAutomatically { parts.append("autoconnect: off") }
    if draft.isHidden { parts.append("hidden: on") }
    if network.isJoined { parts.append("joined: on") }
    return "{ \(parts.joined(separator: ", ")) }"
  }

  /// A duration with its unit, such as `1.5s`.
  static func duration(_ duration: Duration) -> String { "\(VirtualTime.seconds(duration))s" }

  /// Text in double quotes, as YAML 1.2 has it (section 7.3.1), every character that must not be printed escaped.
  private static func quoted(_ text: String) -> String {
    let inner = text.replacingScalars { scalar in
      if scalar == "\"" || scalar == "\\" { return "\\\(scalar)" }
      guard PrintableText.mustEscape(scalar) else { return nil }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      let isLong = scalar.value > 0xFFFF
      return (isLong ? "\\U" : "\\u") + String(repeating: "0", count: (isLong ? 8 : 4) - digits.count) + digits
    }
    return "\"\(inner)\""
  }
}
