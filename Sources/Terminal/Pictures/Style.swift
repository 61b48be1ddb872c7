/// How a cell looks: what its text means, not which colour it has.
///
/// A ``Palette`` turns it into colours, or into none. What a colour says is said by a word or a mark, too.
public struct Style: Hashable, Sendable {
  /// What text means.
  public enum Ink: UInt8, Hashable, Sendable, CaseIterable {
    /// Ordinary text.
    case normal
    /// What matters less: borders, units, lost networks.
    case muted
    /// Headings and keys.
    case accent
    /// A strong signal, or success.
    case good
    /// A middling signal.
    case fair
    /// A weak signal.
    case poor
    /// What deserves attention, such as a network without protection.
    case warning
    /// A failure.
    case alarm
  }

  /// What the text means.
  public var ink: Ink
  /// Whether it is bold.
  var isBold: Bool
  /// Whether foreground and background change places: the highlighted row, the focused control.
  public var isReversed: Bool
  /// Whether it is underlined: what can be typed into.
  var isUnderlined: Bool

  /// Makes a style from its parts.
  public init(_ ink: Ink = .normal, bold: Bool = false, reversed: Bool = false, underlined: Bool = false) {
    self.ink = ink
    isBold = bold
    isReversed = reversed
    isUnderlined = underlined
  }

  /// Ordinary text.
  public static let normal = Style()
  /// What matters less.
  public static let muted = Style(.muted)
  /// A heading.
  public static let heading = Style(.accent, bold: true)

  /// The same style, with foreground and background exchanged or not.
  public func reversed(_ isReversed: Bool = true) -> Style {
    var style = self
    style.isReversed = isReversed
    return style
  }
}
