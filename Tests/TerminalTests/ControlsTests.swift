import Models
import Observation
import Observing
import Terminal
import Testing

@Suite struct ControlsTests {
  @Observable final class Model {
    var text = ""
    var number: Int?
    var choice = "b"
    var pause: Duration = .seconds(10)
    var isOn = false
  }

  /// Types into a field that holds `text`, with the cursor at `cursor`.
  func typed(_ keys: [Key], into text: String, cursor: Int, isSelected: Bool = false) -> (text: String, cursor: Int) {
    let model = Model()
    model.text = text
    var field = TextField(model.bind(\.text), cursor: cursor, isSelected: isSelected)
    for key in keys { _ = field.handle(key) }
    return (model.text, field.cursor)
  }

  @Test(arguments: [
    ([Key.character("x")], "abxc", 3), ([.backspace], "ac", 1), ([.delete], "ab", 2), ([.left, .character("x")], "axbc", 2),
    ([.home, .delete], "bc", 0), ([.end, .character("x")], "abcx", 4), ([.control("u")], "c", 0), ([.control("k")], "ab", 2),
    ([.control("w")], "c", 0), ([.right, .right, .right], "abc", 3), ([.left, .left, .left, .backspace], "abc", 0),
    ([.up, .tab], "abc", 2),
  ])
  func `a field is edited at its cursor`(keys: [Key], text: String, cursor: Int) {
    let result = typed(keys, into: "abc", cursor: 2)
    #expect(result.text == text)
    #expect(result.cursor == cursor)
  }

  @Test(arguments: [
    ([Key.character("x")], "x"), ([.backspace], ""), ([.delete], ""), ([.right, .character("x")], "abcx"),
    ([.left, .character("x")], "xabc"),
  ])
  func `what is selected is replaced by what is typed, and kept when the cursor moves`(keys: [Key], text: String) {
    #expect(typed(keys, into: "abc", cursor: 3, isSelected: true).text == text)
  }

  @Test(arguments: [Key.backspace, .delete, .control("d"), .control("u"), .control("k"), .control("w")])
  func `what is selected is erased by each key that erases`(key: Key) {
    let result = typed([key], into: "abc d", cursor: 3, isSelected: true)
    #expect(result.text.isEmpty && result.cursor == 0)
  }

  @Test func `characters of many bytes are one step each, and may join`() {
    #expect(typed([.backspace], into: "a👩‍👩‍👧日", cursor: 2).text == "a日")
    let joined = typed([.character("\u{301}"), .character("x")], into: "e", cursor: 1)
    #expect(joined.text == "e\u{301}x")
    #expect(joined.cursor == 2)
  }

  @Test func `a slider goes through its range, and below it there is no limit`() {
    let model = Model()
    let slider = Slider(model.bind(\.number), in: -100 ... -30, step: 5)
    slider.move(1)
    #expect(model.number == -95)
    slider.move(-1)
    #expect(model.number == nil)
    slider.move(100)
    #expect(model.number == -30)
  }

  @Test func `segments, stepper and switch write through their bindings`() {
    let model = Model()
    let segments = Segments(model.bind(\.choice), ["a", "b", "c"])
    segments.step(1)
    segments.step(1)
    #expect(model.choice == "c")
    segments.step(1, wraps: true)
    #expect(model.choice == "a")
    segments.choose(7)
    segments.choose(1)
    #expect(model.choice == "b")
    let stepper = Stepper(model.bind(\.pause), [.seconds(5), .seconds(10), .seconds(30)])
    stepper.step(1)
    #expect(model.pause == .seconds(30))
    stepper.step(1)
    #expect(model.pause == .seconds(30))
    stepper.step(-1)
    #expect(model.pause == .seconds(10))
    Switch(model.bind(\.isOn)).toggle()
    #expect(model.isOn)
  }
}
