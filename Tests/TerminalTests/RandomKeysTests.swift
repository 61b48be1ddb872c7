import Determinism
import Models
import Observing
import Terminal
import Testing
import ViewFixture
import WiFi

/// Any keys in any order on any air: nothing traps, no control character appears, the cursor stays in the picture.
@Suite struct RandomKeysTests {
  /// Fewer in debug, where each takes long.
  #if DEBUG
    private static let seeds: ClosedRange<UInt64> = 1...10
  #else
    private static let seeds: ClosedRange<UInt64> = 1...40
  #endif

  private static let keys: [Key] =
    [
      .enter, .escape, .tab, .backTab, .backspace, .delete, .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .insert,
      .control("a"), .control("e"), .control("k"), .control("u"), .control("w"), .control("l"),
    ] + "qxi/sSb[]pg-+fce?wr aé日kkd90".map { .character($0) }

  @Test(arguments: seeds)
  func `nothing that a user does breaks the picture`(seed: UInt64) async {
    var random = RandomStream(seed: seed, name: "keys")
    let fixture = PanelFixture(known: SampleKnown.drafts)
    let airs = [SampleAir.home, SampleAir.hostile, SampleAir.many(60), []]
    let sizes = [(80, 24), (100, 30), (200, 60), (40, 15), (41, 16), (20, 5), (1, 1), (72, 15)]
    for _ in 0..<150 {
      switch random.next(below: 10) {
      case 0:
        let air = airs[Int(random.next(below: UInt64(airs.count)))]
        fixture.hear(air.map { ($0.0, $0.1 - Double(random.next(below: 20))) })
      case 1:
        let size = sizes[Int(random.next(below: UInt64(sizes.count)))]
        fixture.size = Size(columns: size.0, rows: size.1)
      case 2:
        fixture.send(
          .mouse(
            random.next(below: 2) == 0 ? .press : .doublePress, column: Int(random.next(below: 210)), row: Int(random.next(below: 62))))
      case 3: fixture.send(.paste("\u{1B}[2J\u{202E}p"))
      case 4:
        // What a key began comes to its end now or never.
        if random.next(below: 2) == 0 { await fixture.runAttempt() }
        await fixture.viewer.settings.destination?.known?.load()
        fixture.turn.end()
      default: fixture.press(Self.keys[Int(random.next(below: UInt64(Self.keys.count)))])
      }
      let picture = fixture.picture
      for row in 0..<picture.size.rows {
        for column in 0..<picture.size.columns
        where picture[column, row].character.unicodeScalars.contains(where: PrintableText.mustEscape) {
          Issue.record("seed \(seed): a control character in column \(column), row \(row)")
        }
      }
      if let cursor = picture.cursor { #expect(picture.area.contains(column: cursor.column, row: cursor.row)) }
    }
  }
}
