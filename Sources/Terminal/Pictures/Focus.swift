public import Models
import WiFi

/// What the keys go to.
public enum Focus: String, Hashable, Sendable, CaseIterable {
  /// The list.
  case list
  /// The text of the filter.
  case filter
  /// The bands of the filter.
  case bands
  /// The least signal.
  case signal
  /// The pause between scans.
  case interval
  /// The pause switch.
  case pause
  /// The Wi-Fi switch.
  case wifi
  /// The password of a sheet.
  case password
  /// Whether the password is shown.
  case show
  /// The button that cancels.
  case cancel
  /// The button that joins.
  case join
  /// The name of a known network.
  case name
  /// How a known network is secured.
  case security
  /// The priority of a known network.
  case priority
  /// Whether a known network is joined by itself.
  case autoconnect
  /// Whether a known network hides its name.
  case hidden
  /// The button that saves or adds a known network.
  case save
  /// The button that copies a known network.
  case duplicate
  /// The button that forgets a known network.
  case forget

  /// The controls of the panel, in the order of the tabulator.
  static let panel: [Focus] = [.list, .filter, .bands, .signal, .interval, .pause, .wifi]
  /// The controls of the sheet, in the order of the tabulator.
  static let sheet: [Focus] = [.password, .show, .join, .cancel]

  /// The control of the form of a known network that keys go to when it appears.
  public static func first(of form: KnownNetworkForm) -> Focus { controls(of: form).first ?? .save }

  /// The controls of the form of a known network, in the order of the tabulator.
  static func controls(of form: KnownNetworkForm) -> [Focus] {
    var order: [Focus] = []
    for field in form.fields {
      switch field {
      case .name: order.append(.name)
      case .security: order.append(.security)
      case .password: order += [.password, .show]
      case .priority: order.append(.priority)
      case .autoconnect: order.append(.autoconnect)
      case .hidden: order.append(.hidden)
      }
    }
    switch form.subject {
    case .add: order += [.save, .cancel]
    case .edit(let page):
      order.append(.save)
      if page.features.contains(.duplicate) { order.append(.duplicate) }
      if page.features.contains(.forget) { order.append(.forget) }
    }
    return order
  }

  /// The buttons of the form of a known network, from left to right.
  static func buttons(of form: KnownNetworkForm) -> [Focus] {
    switch form.subject {
    case .add: [.cancel, .save]
    case .edit: controls(of: form).filter { [.save, .duplicate, .forget].contains($0) }
    }
  }
}
