public import Models
public import WiFi

/// What a click in a picture means.
public enum Target: Hashable, Sendable {
  /// A row of the list.
  case row(NetworkID)
  /// A title of the list: what to sort by.
  case sort(NetworkSort.Criterion)
  /// A control.
  case focus(Focus)
  /// A choice of a segmented control, by its number.
  case segment(Focus, Int)
  /// A layer.
  case layer(Viewer.Layer)
  /// A button of a question, by its number.
  case answer(Int)
  /// The way back from a page.
  case back
  /// The button that forgets a network.
  case forget
}

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

  /// The controls of the panel, in the order of the tabulator.
  static let panel: [Focus] = [.list, .filter, .bands, .signal, .interval, .pause, .wifi]
  /// The controls of the sheet, in the order of the tabulator.
  static let sheet: [Focus] = [.password, .show, .join, .cancel]
}
