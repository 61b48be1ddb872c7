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
  /// A row of the known networks.
  case knownRow(KnownNetwork.ID)
  /// The button that adds a known network.
  case addKnown
}
