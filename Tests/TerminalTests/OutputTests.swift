import Terminal
import Testing

@Suite struct OutputTests {
  func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self).replacing("\u{1B}", with: "␛") }

  @Test func `only cells that differ are sent`() {
    var encoder = PictureEncoder(Palette(.none))
    var picture = Picture(Size(columns: 10, rows: 2))
    picture.put("abc", column: 2, row: 1)
    #expect(text(encoder.encode(picture)) == "␛[0m␛[2J␛[2;3H␛[0mabc␛[0m␛[?25l")
    #expect(encoder.encode(picture).isEmpty)
    picture.put("X", column: 3, row: 1)
    #expect(text(encoder.encode(picture)) == "␛[2;4H␛[0mX")
    encoder.reset()
    #expect(text(encoder.encode(picture)).hasPrefix("␛[0m␛[2J"))
  }

  @Test func `behind a wide character the cursor is placed anew`() {
    var encoder = PictureEncoder(Palette(.none))
    var picture = Picture(Size(columns: 10, rows: 1))
    picture.put("語x", column: 0, row: 0)
    #expect(text(encoder.encode(picture)).contains("語␛[1;3Hx"))
  }

  @Test func `both cells of an emoji that terminals may think narrow are cleared before it`() {
    var encoder = PictureEncoder(Palette(.none))
    var picture = Picture(Size(columns: 10, rows: 1))
    picture.put("🏳️x", column: 0, row: 0)
    #expect(text(encoder.encode(picture)).contains("␛[1;1H␛[0m  ␛[1;1H🏳️␛[1;3Hx"))
  }

  @Test func `a picture of another size is drawn in full`() {
    var encoder = PictureEncoder(Palette(.none))
    _ = encoder.encode(Picture(Size(columns: 10, rows: 1)))
    #expect(text(encoder.encode(Picture(Size(columns: 11, rows: 1)))).hasPrefix("␛[0m␛[2J"))
  }

  @Test(arguments: Palette.Depth.allCases, [false, true])
  func `every style has parameters in every palette, and none has colours where none are wanted`(depth: Palette.Depth, isLight: Bool) {
    let palette = Palette(depth, isLight: isLight)
    for ink in Style.Ink.allCases {
      let parameters = palette.parameters(Style(ink, bold: true, reversed: true)).split(separator: ";").map { Int($0) }
      #expect(parameters.starts(with: [0, 1, 7]))
      #expect(parameters.allSatisfy { $0 != nil })
      #expect((parameters.count > 3) == (depth != .none && ink != .normal))
    }
  }
}
