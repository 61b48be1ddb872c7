import Determinism
import Models
import Observing
import WiFi

extension SettingsUser {
  /// Taps a control of the known networks; `false` where it is none of theirs.
  func tapKnown(_ control: ScenarioAction.Control) -> Bool {
    if control == .knownNetworks {
      fixture.view.tapKnownNetworks()
      return true
    }
    guard let known = fixture.model.destination?.known, let top = fixture.presenter.shown.last else { return false }
    switch (top.name, control) {
    case ("known", .listAgain): fixture.view.tapKnown(.list, in: known)
    case ("known", .add): fixture.view.tapKnown(.add, in: known)
    case ("edit", .save), ("add", .save): fixture.view.tapKnown(.save, in: known)
    case ("edit", .duplicate): fixture.view.tapKnown(.duplicate, in: known)
    case ("edit", .forget): fixture.view.tapKnown(.forget, in: known)
    case ("add", .cancel): fixture.view.tapKnown(.cancel, in: known)
    default: return false
    }
    return true
  }

  /// Opens the page of a known network, where their list is on top.
  func tapKnownRow(_ reference: NetworkReference, in known: KnownNetworksModel) throws(Cannot) {
    let name = reference.rowName
    let named = known.rows.filter { $0.name == name }
    let index = (reference.number ?? 1) - 1
    guard named.indices.contains(index), reference.number != nil || named.count == 1 else {
      let names = known.rows.map(\.name)
      throw Cannot(
        description: named.isEmpty
          ? "no known network is called \(reference); " + (names.isEmpty ? "none is known." : "there are \(names.joined(separator: ", ")).")
          : "\(named.count) known networks are called \(reference.name); say which with { network: …, number: 1 }.")
    }
    fixture.simulation.trace.record("user taps the known network \(name)", in: .user)
    fixture.log?.add(.input(.tapKnown(named[index].id)))
    fixture.view.tapKnownRow(named[index].id, in: known)
  }

  /// Fills in the form of a known network that is on top.
  ///
  /// - Throws: ``Cannot`` where there is none, or it has no such field.
  public func fill(_ fields: KnownNetworkFields) throws(Cannot) {
    guard let known = fixture.model.destination?.known, let top = fixture.presenter.shown.last?.name, ["add", "edit"].contains(top) else {
      throw Cannot(description: "there is no form of a known network on the screen.")
    }
    fixture.simulation.trace.record("user fills in \(fields)", in: .user)
    if top == "add", let sheet = known.addSheet {
      fixture.log?.add(.input(.fill(fields, onSheet: true)))
      fixture.view.fill(fields, in: KnownNetworkForm(sheet))
    } else if let page = known.path.last {
      if fields.name != nil {
        throw Cannot(description: "the page of a known network has no field for the name; duplicate it under another.")
      }
      fixture.log?.add(.input(.fill(fields, onSheet: false)))
      fixture.view.fill(fields, in: KnownNetworkForm(page))
    }
  }

  /// What can be tapped on the screens of known networks.
  func knownControls(_ top: String) -> [ScenarioAction.Control]? {
    guard let known = fixture.model.destination?.known else { return nil }
    switch top {
    case "known": return (known.features.contains(.add) ? [.add] : []) + [.listAgain, .back]
    case "edit":
      let features = known.features
      return [.save] + (features.contains(.duplicate) ? [.duplicate] : []) + (features.contains(.forget) ? [.forget] : []) + [.back]
    case "add": return [.save, .cancel]
    case "forgetKnown": return [.confirmForget, .cancelForget]
    default: return nil
    }
  }
}
