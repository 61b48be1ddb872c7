import Determinism
import Models
import Observing
import WiFi

extension SettingsUser {
  /// Taps a control of the known networks; `false` where it is none of theirs.
  func tapKnown(_ control: ScenarioAction.Control) -> Bool {
    if control == .knownNetworks {
      stage.model.knownNetworksButtonTapped()
      return true
    }
    guard let known = stage.model.destination?.known, let top = stage.presenter.shown.last else { return false }
    switch (top.name, control) {
    case ("known", .add): known.addButtonTapped()
    case ("edit", .save): start(known.path.last?.saveButtonTapped(), "saves a known network", on: "edit")
    case ("edit", .duplicate): known.path.last?.duplicateButtonTapped()
    case ("edit", .forget): known.path.last?.forgetButtonTapped()
    case ("forgetKnown", .confirmForget):
      start(known.path.last?.confirmForgetButtonTapped(), "forgets a known network", on: "edit")
    case ("forgetKnown", .cancelForget): known.path.last?.cancelForgetButtonTapped()
    case ("add", .save): start(known.addSheet?.addButtonTapped(), "adds a known network", on: "add")
    case ("add", .cancel):
      known.addSheet?.cancelButtonTapped()
      stage.cancelTasks(of: top)
    default: return false
    }
    return true
  }

  /// Runs an attempt in a task that ends with the topmost screen of a name.
  private func start(_ attempt: KnownNetworkAttempt?, _ name: String, on screen: String) {
    guard let attempt, let presentation = stage.presenter.shown.last(where: { $0.name == screen }) else { return }
    stage.start(name, on: presentation) { await attempt.run() }
  }

  /// Opens the page of a known network, where their list is on top.
  func tapKnownRow(_ reference: NetworkReference, in known: KnownNetworksModel) throws(Cannot) {
    let name = PrintableText.escape(Array(reference.name.utf8))
    let named = known.rows.filter { $0.name == name }
    let index = (reference.number ?? 1) - 1
    guard named.indices.contains(index), reference.number != nil || named.count == 1 else {
      let names = known.rows.map(\.name)
      throw Cannot(
        description: named.isEmpty
          ? "no known network is called \(reference); " + (names.isEmpty ? "none is known." : "there are \(names.joined(separator: ", ")).")
          : "\(named.count) known networks are called \(reference.name); say which with { network: …, number: 1 }.")
    }
    stage.simulation.trace.record("user taps the known network \(name)", in: .user)
    known.networkTapped(named[index].id)
  }

  /// Fills in the form of a known network that is on top.
  ///
  /// - Throws: ``Cannot`` where there is none, or it has no such field.
  public func fill(_ fields: KnownNetworkFields) throws(Cannot) {
    guard let known = stage.model.destination?.known, let top = stage.presenter.shown.last?.name, ["add", "edit"].contains(top) else {
      throw Cannot(description: "there is no form of a known network on the screen.")
    }
    stage.simulation.trace.record("user fills in \(fields)", in: .user)
    if top == "add", let sheet = known.addSheet {
      if let name = fields.name { sheet.name = name }
      if let password = fields.password { sheet.password = password }
      if let security = fields.security { sheet.security = security }
      if let priority = fields.priority { sheet.priority = priority }
      if let joins = fields.joinsAutomatically { sheet.joinsAutomatically = joins }
      if let isHidden = fields.isHidden { sheet.isHidden = isHidden }
    } else if let page = known.path.last {
      if fields.name != nil {
        throw Cannot(description: "the page of a known network has no field for the name; duplicate it under another.")
      }
      if let password = fields.password { page.password = password }
      if let security = fields.security { page.security = security }
      if let priority = fields.priority { page.priority = priority }
      if let joins = fields.joinsAutomatically { page.joinsAutomatically = joins }
      if let isHidden = fields.isHidden { page.isHidden = isHidden }
    }
  }

  /// What can be tapped on the screens of known networks.
  func knownControls(_ top: String) -> [ScenarioAction.Control]? {
    guard let known = stage.model.destination?.known else { return nil }
    switch top {
    case "known": return (known.features.contains(.add) ? [.add] : []) + [.back]
    case "edit":
      let features = known.features
      return [.save] + (features.contains(.duplicate) ? [.duplicate] : []) + (features.contains(.forget) ? [.forget] : []) + [.back]
    case "add": return [.save, .cancel]
    case "forgetKnown": return [.confirmForget, .cancelForget]
    default: return nil
    }
  }
}
