import Terminal
import Testing
import WiFi

@Suite struct PictureTests {
  @Test(arguments: [
    "plain", "\u{1B}[31mred", "a\r\nb", "\u{7}bell", "\u{202E}reversed", "日本語", "🌈 rainbow", "👩‍👩‍👧 family", "e\u{301}", "\u{301}mark",
    "tab\tstop", "\u{9B}31m", "\u{2028}line", "\u{FFFF}", "🏳️\u{200D}🌈",
  ])
  func `no character that could act on a terminal reaches a cell`(text: String) {
    var picture = Picture(Size(columns: 40, rows: 1))
    picture.put(text, column: 0, row: 0)
    var encoder = PictureEncoder(Palette(.none))
    for column in 0..<40 {
      #expect(!picture[column, 0].character.unicodeScalars.contains(where: PrintableText.mustEscape))
    }
    // Behind the sequences of the encoder itself there is no control byte.
    var bytes = encoder.encode(picture)[...]
    while let escape = bytes.firstIndex(of: 0x1B) {
      #expect(bytes[escape + 1] == UInt8(ascii: "["))
      let end = bytes[(escape + 2)...].firstIndex { (0x40...0x7E).contains($0) }
      bytes = bytes[..<escape] + bytes[((end ?? escape) + 1)...]
    }
    #expect(!bytes.contains { $0 < 0x20 || $0 == 0x7F })
  }

  @Test func `text is cut within its columns, and a wide character is never halved`() {
    var picture = Picture(Size(columns: 10, rows: 1))
    #expect(picture.put("日本語日本語", column: 0, row: 0, width: 6) == 5)
    #expect(picture.lines == ["日本…"])
    picture.put("x", column: 1, row: 0)
    #expect(picture.lines == [" x本…"])
    picture.put("語", column: 8, row: 0)
    #expect(picture.lines == [" x本…   語"])
    #expect(picture.put("語", column: 9, row: 0) == 1)
    #expect(picture.lines == [" x本…    …"])
  }

  @Test func `text stands left, right or in the middle of its columns`() {
    var picture = Picture(Size(columns: 9, rows: 3))
    picture.put("abc", column: 0, row: 0, width: 9, align: .right)
    picture.put("abc", column: 0, row: 1, width: 9, align: .center)
    picture.put("abc", column: -1, row: 2)
    picture.put("abc", column: 7, row: 2)
    #expect(picture.lines == ["      abc", "   abc", "       a…"])
  }
}
