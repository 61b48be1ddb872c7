import Foundation
import Testing

@testable import Page

/// The contrast of the page's colours, as WCAG 2.1 computes it (1.4.3: at least 4.5 : 1 for text, 1.4.11: 3 : 1 for controls).
@Suite struct PageContrastTests {
  /// The variables of the style sheet, light and dark.
  private static func variables() throws -> [(scheme: String, colors: [String: Int])] {
    let css = String(decoding: PackageResources.page_css, as: UTF8.self)
    let blocks = css.split(separator: ":root {", omittingEmptySubsequences: false).dropFirst().map { $0.prefix { $0 != "}" } }
    try #require(blocks.count == 2)
    var schemes: [(scheme: String, colors: [String: Int])] = []
    var colors: [String: Int] = [:]
    for (scheme, block) in zip(["light", "dark"], blocks) {
      for declaration in block.split(separator: ";") {
        let parts = declaration.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
        guard parts.count == 2, parts[0].hasPrefix("--"), parts[1].hasPrefix("#"), parts[1].count == 7,
          let value = Int(parts[1].dropFirst(), radix: 16)
        else { continue }
        // What dark does not name is as in light.
        colors[String(parts[0].dropFirst(2))] = value
      }
      schemes.append((scheme, colors))
    }
    return schemes
  }

  private func luminance(_ color: Int) -> Double {
    func linear(_ part: Int) -> Double {
      let value = Double(part & 255) / 255
      return value <= 0.03928 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color >> 16) + 0.7152 * linear(color >> 8) + 0.0722 * linear(color)
  }

  private func contrast(_ left: Int, _ right: Int) -> Double {
    let pair = [luminance(left), luminance(right)].sorted()
    return (pair[1] + 0.05) / (pair[0] + 0.05)
  }

  @Test func `text can be read on everything it stands on, light and dark`() throws {
    let pairs: [(String, [String])] = [
      ("ink", ["ground", "card", "raised", "tint"]), ("soft", ["ground", "card", "raised", "tint"]),
      ("accent", ["ground", "card", "raised", "tint"]), ("accent-ink", ["accent"]), ("good", ["card", "raised", "tint"]),
      ("fair", ["card", "raised", "tint"]), ("poor", ["card", "raised", "bad-ground"]), ("card", ["ink"]),
    ]
    var count = 0
    for (scheme, colors) in try Self.variables() {
      for (text, grounds) in pairs {
        for ground in grounds {
          let ratio = contrast(try #require(colors[text]), try #require(colors[ground]))
          #expect(ratio >= 4.5, "\(scheme): --\(text) on --\(ground): \(ratio)")
          count += 1
        }
      }
    }
    #expect(count == 46)
  }

  @Test func `curves can be told from the card, light and dark`() throws {
    for (scheme, colors) in try Self.variables() {
      for number in 0...5 {
        let ratio = contrast(try #require(colors["c\(number)"]), try #require(colors["card"]))
        #expect(ratio >= 3, "\(scheme): --c\(number): \(ratio)")
      }
    }
  }
}
