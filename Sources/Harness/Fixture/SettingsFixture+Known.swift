import Models
import Observing
import WiFi

extension SettingsFixture {
  /// Does what a button of the known networks means, with the models.
  func tapKnownDirectly(_ button: KnownButton, in known: KnownNetworksModel) {
    switch button {
    case .list: start(ViewerAttempt(listing: known), on: "known")
    case .add: known.addButtonTapped()
    case .save:
      if presenter.shown.last?.name == "add" {
        start(known.addSheet.flatMap { KnownNetworkForm($0).save() }, on: "add")
      } else {
        start(known.path.last.flatMap { KnownNetworkForm($0).save() }, on: "edit")
      }
    case .duplicate: known.path.last?.duplicateButtonTapped()
    case .forget: known.path.last?.forgetButtonTapped()
    case .cancel:
      known.addSheet?.cancelButtonTapped()
      if let top = presenter.shown.last { cancelTasks(of: top) }
    }
  }

  /// Runs an attempt in a task that ends with the topmost screen of a name.
  func start(_ attempt: ViewerAttempt?, on screen: String) {
    guard let attempt, let presentation = presenter.shown.last(where: { $0.name == screen }) else { return }
    start(attempt, on: presentation)
  }

  /// Runs an attempt in a task that ends with what is shown.
  func start(_ attempt: ViewerAttempt, on presentation: Presentation) {
    start(attempt.name, on: presentation) { await attempt.run() }
  }
}

extension KnownNetworkForm {
  /// Fills in fields with the models.
  func fill(_ fields: KnownNetworkFields) {
    if let text = fields.name { name?.wrappedValue = text }
    if let text = fields.password { password.wrappedValue = text }
    if let chosen = fields.security { security.wrappedValue = chosen }
    if let number = fields.priority { priority.wrappedValue = number }
    if let isOn = fields.joinsAutomatically { autoconnect.wrappedValue = isOn }
    if let isOn = fields.isHidden { hidden.wrappedValue = isOn }
  }

  /// The part of `fields` that a view cannot fill in, as it offers no such field or value; the rest is left to the
  /// view.
  func leftover(of fields: KnownNetworkFields) -> KnownNetworkFields {
    var rest = fields
    let offered = self.fields
    if let chosen = fields.security, offered.contains(.security), securityChoices.contains(chosen) { rest.security = nil }
    if offered.contains(.name) { rest.name = nil }
    if offered.contains(.password) { rest.password = nil }
    if let number = fields.priority, offered.contains(.priority), KnownNetwork.priorities.contains(number) { rest.priority = nil }
    if offered.contains(.autoconnect) { rest.joinsAutomatically = nil }
    if offered.contains(.hidden) { rest.isHidden = nil }
    return rest
  }
}
