import Determinism
import Testing

@Suite struct LineDifferenceTests {
  @Test func `equal texts do not differ`() {
    #expect(LineDifference.text(expected: [], actual: []) == [])
    #expect(LineDifference.text(expected: ["a", "b"], actual: ["a", "b"]) == [])
  }

  @Test func `a line that came and one that went`() {
    #expect(LineDifference.text(expected: ["a", "b", "c"], actual: ["a", "c", "d"]) == ["  a", "- b", "  c", "+ d"])
  }

  @Test func `a line that changed stands below what it was`() {
    #expect(LineDifference.text(expected: ["a", "b", "c"], actual: ["a", "x", "c"]) == ["  a", "- b", "+ x", "  c"])
  }

  @Test func `everything or nothing`() {
    #expect(LineDifference.text(expected: ["a"], actual: []) == ["- a"])
    #expect(LineDifference.text(expected: [], actual: ["a"]) == ["+ a"])
  }

  @Test func `what is equal and far away is counted`() {
    let lines = (0..<20).map { "line \($0)" }
    var other = lines
    other[10] = "another"
    #expect(
      LineDifference.text(expected: lines, actual: other) == [
        "  … 8 lines as expected", "  line 8", "  line 9", "- line 10", "+ another", "  line 11", "  line 12",
        "  … 7 lines as expected",
      ])
    other = lines
    other.remove(at: 3)
    #expect(LineDifference.text(expected: lines, actual: other, context: 2).first == "  … 1 line as expected")
    #expect(
      LineDifference.text(expected: lines, actual: other, context: 0) == [
        "  … 3 lines as expected", "- line 3", "  … 16 lines as expected",
      ])
  }

  @Test func `repeated lines do not confuse it`() {
    #expect(LineDifference.text(expected: ["a", "a", "a"], actual: ["a", "a"]) == ["  a", "  a", "- a"])
  }

  @Test func `applying the difference gives the other text`() {
    var state: UInt64 = 1
    func draw(_ bound: UInt64) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return Int((state >> 33) % bound)
    }
    for _ in 0..<200 {
      let left = (0..<draw(12)).map { _ in "\(draw(4))" }
      let right = (0..<draw(12)).map { _ in "\(draw(4))" }
      let rows = LineDifference.text(expected: left, actual: right, context: 100)
      guard left != right else {
        #expect(rows == [])
        continue
      }
      #expect(rows.filter { !$0.hasPrefix("+") }.map { String($0.dropFirst(2)) } == left)
      #expect(rows.filter { !$0.hasPrefix("-") }.map { String($0.dropFirst(2)) } == right)
    }
  }

  @Test func `two long texts without anything in common end soon`() {
    let left = (0..<20_000).map { "l\($0)" }
    let right = (0..<20_000).map { "r\($0)" }
    #expect(LineDifference.text(expected: left, actual: right).count == 40_000)
  }
}
