/// An input that a terminal reports.
public enum InputEvent: Hashable, Sendable {
  /// A key.
  case key(Key)
  /// Text that was pasted as a whole.
  case paste(String)
  /// The mouse.
  case mouse(MouseAction, column: Int, row: Int)
}

/// A key of a keyboard, as far as terminals can distinguish them.
public enum Key: Hashable, Sendable {
  /// A character.
  case character(Character)
  /// A letter together with Control, in lower case.
  case control(Character)
  case enter, escape, tab, backTab, backspace, delete, insert
  case up, down, left, right, home, end, pageUp, pageDown
}

/// What is done with a mouse.
public enum MouseAction: String, Hashable, Sendable {
  /// The first button was pressed.
  case press
  /// The first button was pressed twice.
  case doublePress
  /// The wheel was turned away from the user.
  case wheelUp
  /// The wheel was turned towards the user.
  case wheelDown
}
