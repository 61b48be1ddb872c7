public import Observation

/// What only this terminal knows of the panel: the focus, cursors within fields, how far pages are scrolled.
@Observable
public final class PanelState {
  /// The control that keys go to.
  public var focus = Focus.list
  /// The cursor of the focused text field, in characters from its start.
  var fieldCursor = 0
  /// Whether the field is selected as a whole: what is typed replaces it.
  public var fieldIsSelected = false
  /// Whether the password is shown.
  package var showsPassword = false
  /// The highlighted button of a question.
  public var button = 0
  /// The first shown line of a page.
  package var pageScroll = 0
  /// What is searched for on the page about a network; empty for nothing.
  public var pageSearch = ""
  /// Whether keys go to ``pageSearch``.
  var isSearching = false
  /// The line that was found last.
  var found = 0
  /// Whether the page about a network shows the names of elements without their fields.
  var isFolded = false
  /// A sentence for the user, until the next key.
  public var message: String?
  /// Whether the key for the switch was just pressed, and asks to be pressed again.
  var asksToSwitchOff = false

  /// Keys go to the list.
  public init() {}
}
