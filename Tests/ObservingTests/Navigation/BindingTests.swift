import Observation
import Observing
import Synchronization
import Testing

@Observable private final class Child {
  var text = ""
  init(_ text: String = "") { self.text = text }
}

private enum Screen: Equatable {
  case text(String)
  case number(Int)

  var text: String? {
    get { if case .text(let text) = self { text } else { nil } }
    set { if let newValue, text != nil { self = .text(newValue) } }
  }

  var number: Int? {
    get { if case .number(let number) = self { number } else { nil } }
    set { if let newValue, number != nil { self = .number(newValue) } }
  }
}

private struct Point: Equatable {
  var x = 0
  var y = 0
  var negatedX: Int {
    get { -x }
    set { x = -newValue }
  }
  subscript(offset offset: Int) -> Int {
    get { x + offset }
    set { x = newValue - offset }
  }
}

@Observable private final class Root {
  var point = Point()
  var name: String?
  var screen: Screen?
  var child = Child()
  var point2: Point?
  init() {}
}

@MainActor @Observable private final class MainModel {
  var count = 0
  init() {}
}

private final class Shared: Observable, Sendable {
  private let number = Mutex(0)
  var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
  init() {}
}

@Suite struct BindingTests {
  @Test func `reads and writes both ways, members too`() {
    let root = Root()
    let point = Binding(root, \.point)
    point.x.wrappedValue = 3
    #expect(root.point == Point(x: 3, y: 0))
    root.point.y = 4
    #expect(point.y.wrappedValue == 4)
    Binding(root, \.child).text.wrappedValue = "typed"
    #expect(root.child.text == "typed")
  }

  @Test func `is transformed by a computed property or a subscript`() {
    let root = Root()
    Binding(root, \.point).negatedX.wrappedValue = 5
    #expect(root.point.x == -5)
    let offset = Binding(root, \.point).member(\.[offset: 100])
    #expect(offset.wrappedValue == 95)
    offset.wrappedValue = 101
    #expect(root.point.x == 1)
  }

  @Test func `is identified by its object and its way from there`() {
    let root = Root()
    let other = Root()
    #expect(Binding(root, \.point).x == Binding(root, \.point.x))
    #expect(Set([Binding(root, \.point).x, Binding(root, \.point.x)]).count == 1)
    #expect(Binding(root, \.point.x) != Binding(root, \.point.y))
    #expect(Binding(root, \.point.x) != Binding(other, \.point.x))
    #expect(Binding(root, \.point).member(\.[offset: 1]) != Binding(root, \.point).member(\.[offset: 2]))
    root.screen = .text("a")
    #expect(Binding(root, \.screen).text == Binding(root, \.screen).text)
  }

  @Test func `an optional is bound while something is in it, and never revived`() {
    let root = Root()
    #expect(Binding(Binding(root, \.name)) == nil)
    root.name = "a"
    guard let name = Binding(Binding(root, \.name)) else { return #expect(Bool(false)) }
    name.wrappedValue = "b"
    #expect(root.name == "b")
    root.name = nil
    #expect(name.wrappedValue == "b")
    name.wrappedValue = "c"
    #expect(root.name == nil)
    root.name = "d"
    #expect(name.wrappedValue == "d")
    #expect(Binding(Binding(root, \.name)) == name)
  }

  @Test func `an optional that is gone keeps the last value that was read or written, not the first`() throws {
    let root = Root()
    root.name = "a"
    let name = try #require(Binding(root.bind(\.name)))
    root.name = "b"
    #expect(name.wrappedValue == "b")
    root.name = nil
    #expect(name.wrappedValue == "b")
    root.name = "c"
    name.wrappedValue = "d"
    root.name = nil
    #expect(name.wrappedValue == "d")
    // A member of it, too.
    root.point2 = Point(x: 1)
    let x = try #require(Binding(root.bind(\.point2))).x
    x.wrappedValue = 5
    root.point2 = nil
    #expect(x.wrappedValue == 5)
  }

  @Test func `a model binds its fields itself`() {
    let root = Root()
    #expect(root.bind(\.point) == Binding(root, \.point))
    root.bind(\.point).x.wrappedValue = 3
    #expect(root.point.x == 3)
    root.screen = .text("a")
    root.bind(\.screen).text.wrappedValue = "b"
    #expect(root.screen == .text("b"))
  }

  @Test func `a constant is what it is`() {
    let constant = Binding.constant(Point(x: 3))
    constant.wrappedValue = Point()
    constant.x.wrappedValue = 4
    #expect(constant.wrappedValue == Point(x: 3))
    #expect(constant.x.wrappedValue == 3)
    #expect(constant == constant)
    #expect(constant.x == constant.x)
    #expect(Binding.constant(1) != Binding.constant(1))
  }

  @Test func `a binding of a Sendable model can be sent`() async {
    let shared = Shared()
    let value = Binding(shared, \.value)
    let same = shared.bind(\.value)
    await Task.detached { value.wrappedValue += 1 }.value
    await Task.detached { same.wrappedValue += 1 }.value
    #expect(shared.value == 2)
  }

  @Test @MainActor func `a binding of a main-actor model stays on the main actor`() async {
    let model = MainModel()
    let count = model.bind(\.count)
    await Task { count.wrappedValue = 1 }.value
    let name = Binding(model, \.count)
    #expect(name == count)
    #expect(model.count == 1)
  }

  @Test func `whether there is something can be written to false only`() {
    let root = Root()
    let isPresent = Binding(root, \.name).isPresent()
    isPresent.wrappedValue = true
    #expect(root.name == nil)
    root.name = "a"
    #expect(isPresent.wrappedValue)
    isPresent.wrappedValue = false
    #expect(root.name == nil)
  }

  @Test func `a case is read, written and ended while it is that case`() {
    let root = Root()
    let text = Binding(root, \.screen).text
    root.screen = .text("a")
    #expect(text.wrappedValue == "a")
    text.wrappedValue = "b"
    #expect(root.screen == .text("b"))
    text.wrappedValue = nil
    #expect(root.screen == nil)
  }

  @Test func `a case is never revived and never overwrites another`() {
    let root = Root()
    let text = Binding(root, \.screen).text
    text.wrappedValue = "late"
    #expect(root.screen == nil)
    root.screen = .number(1)
    text.wrappedValue = "late"
    text.wrappedValue = nil
    #expect(root.screen == .number(1))
    #expect(text.wrappedValue == nil)
  }

  @Test func `an equal value written again is no change`() {
    let root = Root()
    root.screen = .text("a")
    let turn = ObservationTurn()
    var runs = 0
    let token = observe(in: turn) {
      _ = (root.screen, root.point, root.name)
      runs += 1
    }
    turn {
      Binding(root, \.screen).text.wrappedValue = "a"
      Binding(root, \.screen).number.wrappedValue = 1
      Binding(root, \.point).x.wrappedValue = 0
      Binding(root, \.point).x.wrappedValue += 0
      Binding(root, \.name).isPresent().wrappedValue = false
    }
    #expect(runs == 1)
    turn { Binding(root, \.point).x.wrappedValue += 1 }
    #expect(runs == 2)
    token.cancel()
  }
}
