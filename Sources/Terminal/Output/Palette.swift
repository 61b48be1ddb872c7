/// The colours of a terminal.
///
/// Without colours there are still bold, reverse and underline.
public struct Palette: Hashable, Sendable {
  /// How many colours there are.
  public enum Depth: String, Hashable, Sendable, CaseIterable {
    /// None, as `NO_COLOR` asks for.
    case none
    /// The 16 colours of the terminal's own theme.
    case ansi16 = "16"
    /// 256 colours.
    case ansi256 = "256"
    /// 24 bits for each.
    case trueColor = "true"
  }

  /// How many colours there are.
  public var depth: Depth
  /// Whether the background is light.
  public var isLight: Bool

  /// Makes a palette from its parts.
  public init(_ depth: Depth, isLight: Bool = false) {
    self.depth = depth
    self.isLight = isLight
  }

  /// The parameters of Select Graphic Rendition (ECMA-48 8.3.117) for a style, reset included.
  public func parameters(_ style: Style) -> String {
    var text = "0"
    if style.isBold { text += ";1" }
    if style.isUnderlined { text += ";4" }
    if style.isReversed { text += ";7" }
    if depth == .none {
      if style.ink == .muted, !style.isReversed { text += ";2" }
    } else if style.ink != .normal {
      text += ";" + color(style.ink)
    }
    return text
  }

  private func color(_ ink: Style.Ink) -> String {
    let (index16, index256, red, green, blue) = numbers(ink)
    return switch depth {
    case .none: "39"
    case .ansi16: "\(index16)"
    case .ansi256: "38;5;\(index256)"
    case .trueColor: "38;2;\(red);\(green);\(blue)"
    }
  }

  /// Contrast of at least 4.5 : 1 on black, or on white; of the 16 colours green, yellow and cyan have too little there
  /// in every common theme.
  private func numbers(_ ink: Style.Ink) -> (Int, Int, Int, Int, Int) {
    switch ink {
    case .normal: isLight ? (39, 235, 0x26, 0x26, 0x26) : (39, 252, 0xD0, 0xD0, 0xD0)
    case .muted: isLight ? (90, 242, 0x6C, 0x6C, 0x6C) : (37, 246, 0x94, 0x94, 0x94)
    case .accent: isLight ? (34, 25, 0x00, 0x5F, 0xAF) : (96, 117, 0x87, 0xD7, 0xFF)
    case .good: isLight ? (34, 22, 0x00, 0x5F, 0x00) : (92, 114, 0x87, 0xD7, 0x87)
    case .fair: isLight ? (35, 94, 0x87, 0x5F, 0x00) : (93, 221, 0xFF, 0xD7, 0x5F)
    case .poor: isLight ? (31, 124, 0xAF, 0x00, 0x00) : (91, 210, 0xFF, 0x87, 0x87)
    case .warning: isLight ? (35, 130, 0xAF, 0x5F, 0x00) : (93, 215, 0xFF, 0xAF, 0x5F)
    case .alarm: isLight ? (31, 160, 0xD7, 0x00, 0x00) : (91, 203, 0xFF, 0x5F, 0x5F)
    }
  }
}
