import Isolations
import Observation
import Observing
import Testing

@Observable private final class Sheet {
  let name: String
  var alert = false
  var failure: String?
  init(_ name: String, alert: Bool = false) {
    self.name = name
    self.alert = alert
  }
}

private enum Destination: Equatable {
  case sheet(Sheet)
  case page(Sheet)

  static func == (left: Self, right: Self) -> Bool { left.sheet === right.sheet && left.page === right.page }

  var sheet: Sheet? {
    get { if case .sheet(let sheet) = self { sheet } else { nil } }
    set { if let newValue, sheet != nil { self = .sheet(newValue) } }
  }

  var page: Sheet? {
    get { if case .page(let page) = self { page } else { nil } }
    set { if let newValue, page != nil { self = .page(newValue) } }
  }
}

@Observable private final class Root {
  var destination: Destination?
  var path: [Int] = []
  var warning = false
  init(destination: Destination? = nil, path: [Int] = []) {
    self.destination = destination
    self.path = path
  }
}

/// The end of one alert is the beginning of the next.
@Observable private final class Chained {
  var second = false
  private var isFirst = false
  var first: Bool {
    get { isFirst }
    set {
      if isFirst, !newValue { second = true }
      isFirst = newValue
    }
  }
  init() {}
}

private final class Comparisons {
  var count = 0
}

/// An identity that counts how often it is compared.
private struct Counted: Hashable {
  let number: Int
  let counter: Comparisons

  static func == (left: Self, right: Self) -> Bool {
    left.counter.count += 1
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// Writes down what it is told, and is the user who dismisses.
private final class Recorder: Presenter {
  var log: [String] = []
  var shown: [Presentation] = []
  var onPresent: (Presentation) -> Void = { _ in }

  func present(_ presentation: Presentation, _ transaction: Transaction) {
    shown.append(presentation)
    log.append("present \(name(presentation))\(transaction.cause.map { " by \($0)" } ?? "")")
    onPresent(presentation)
  }

  func dismiss(_ presentation: Presentation, _ transaction: Transaction) {
    log.append("dismiss \(name(presentation))")
    #expect(shown.contains { $0 === presentation })
    shown.removeAll { $0 === presentation }
  }

  func name(_ presentation: Presentation) -> String {
    let item = presentation.item.map { " \(($0 as? Sheet)?.name ?? "\($0)")" } ?? ""
    return "\(presentation)\(item)"
  }

  /// A user swipes one away, and all that lies over it.
  func swipe(_ name: String) {
    guard let index = shown.lastIndex(where: { $0.name == name }) else { return #expect(Bool(false), "no \(name)") }
    shown[index].dismissed()
    shown.removeAll { $0.name == name }
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}

@Suite struct NavigationTests {
  private func navigation(_ root: Root, _ recorder: Recorder, in turn: ObservationTurn) -> Navigation {
    Navigation(recorder, in: turn) { scope in
      scope.sheet("connect", Binding(root, \.destination).sheet) { sheet, scope in
        scope.alert("wrong", Binding(sheet, \.alert))
        scope.alert("failure", Binding(sheet, \.failure))
      }
      scope.push("detail", Binding(root, \.destination).page) { page, scope in
        scope.alert("forget", Binding(page, \.alert))
      }
      scope.alert("warning", Binding(root, \.warning))
      scope.stack("page", path: Binding(root, \.path), id: { $0 })
    }
  }

  @Test func `state drives sheet, page and alert, and back`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    #expect(recorder.takeLog().isEmpty)
    turn { root.destination = .sheet(Sheet("A")) }
    #expect(recorder.takeLog() == ["present sheet connect A"])
    turn { root.destination = nil }
    #expect(recorder.takeLog() == ["dismiss sheet connect A"])
    turn { root.destination = .page(Sheet("B")) }
    #expect(recorder.takeLog() == ["present push detail B"])
    turn { root.warning = true }
    #expect(recorder.takeLog() == ["present alert warning"])
    navigation.end()
    #expect(recorder.takeLog() == ["dismiss alert warning", "dismiss push detail B"])
  }

  @Test func `another identity replaces, the same does nothing`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    let sheet = Sheet("A")
    turn { root.destination = .sheet(sheet) }
    turn { root.destination = .sheet(sheet) }
    turn {
      root.destination = nil
      root.destination = .sheet(sheet)
    }
    #expect(recorder.takeLog() == ["present sheet connect A"])
    turn { root.destination = .sheet(Sheet("A")) }
    #expect(recorder.takeLog() == ["dismiss sheet connect A", "present sheet connect A"])
    // The later declared case goes before the earlier declared one comes, and the other way round.
    turn { root.destination = .page(sheet) }
    #expect(recorder.takeLog() == ["dismiss sheet connect A", "present push detail A"])
    turn { root.destination = .sheet(sheet) }
    #expect(recorder.takeLog() == ["dismiss push detail A", "present sheet connect A"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `an alert comes over its sheet, and goes before it`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    let sheet = Sheet("A", alert: true)
    turn { root.destination = .sheet(sheet) }
    #expect(recorder.takeLog() == ["present sheet connect A", "present alert wrong"])
    turn {
      sheet.alert = false
      root.destination = nil
    }
    #expect(recorder.takeLog() == ["dismiss alert wrong", "dismiss sheet connect A"])
    turn { root.destination = .sheet(sheet) }
    turn { sheet.failure = "timed out" }
    turn { sheet.failure = "refused" }
    turn { root.destination = .page(Sheet("B")) }
    #expect(
      recorder.takeLog() == [
        "present sheet connect A", "present alert failure timed out", "dismiss alert failure timed out",
        "present alert failure refused", "dismiss alert failure refused", "dismiss sheet connect A",
        "present push detail B",
      ])
    turn { sheet.failure = "nobody looks any more" }
    #expect(recorder.takeLog().isEmpty)
    withExtendedLifetime(navigation) {}
  }

  @Test func `a user who dismisses writes the state back, and is not told to dismiss`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    let sheet = Sheet("A", alert: true)
    turn { root.destination = .sheet(sheet) }
    _ = recorder.takeLog()
    turn { recorder.swipe("wrong") }
    #expect(!sheet.alert)
    #expect(recorder.takeLog().isEmpty)
    turn { sheet.alert = true }
    turn { recorder.swipe("connect") }
    #expect(root.destination == nil)
    #expect(recorder.takeLog() == ["present alert wrong", "dismiss alert wrong"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a late dismissal neither ends nor overwrites what came after`() throws {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    turn { root.destination = .sheet(Sheet("A")) }
    let first = try #require(recorder.shown.first)
    let next = Destination.sheet(Sheet("B"))
    // Before the end of the turn, while A is still shown, and after.
    turn {
      root.destination = next
      first.dismissed()
    }
    #expect(root.destination == next)
    #expect(recorder.takeLog() == ["present sheet connect A", "present sheet connect B"])
    turn { first.dismissed() }
    #expect(root.destination == next)
    withExtendedLifetime(navigation) {}
  }

  @Test func `what was dismissed and asked for again in one turn is shown again`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    turn { root.warning = true }
    turn {
      recorder.swipe("warning")
      root.warning = true
    }
    #expect(recorder.takeLog() == ["present alert warning", "present alert warning"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a deep link is presented at once, from the bottom`() {
    let (recorder, turn) = (Recorder(), ObservationTurn())
    let root = Root(destination: .sheet(Sheet("A", alert: true)), path: [1, 2])
    let navigation = navigation(root, recorder, in: turn)
    #expect(
      recorder.takeLog() == ["present sheet connect A", "present alert wrong", "present push page 1", "present push page 2"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a path is a stack whose common beginning stays`() {
    let (root, recorder, turn) = (Root(path: [1, 2, 3]), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    _ = recorder.takeLog()
    turn { root.path = [1, 4] }
    #expect(recorder.takeLog() == ["dismiss push page 3", "dismiss push page 2", "present push page 4"])
    turn { root.path.append(5) }
    #expect(recorder.takeLog() == ["present push page 5"])
    turn { recorder.shown[1].dismissed() }
    #expect(root.path == [1])
    #expect(recorder.takeLog() == ["dismiss push page 5"])
    turn { root.path = [] }
    #expect(recorder.takeLog() == ["dismiss push page 1"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a push presents one page and compares each page below it once`() {
    let (root, recorder, turn, counter) = (Root(), Recorder(), ObservationTurn(), Comparisons())
    let navigation = Navigation(recorder, in: turn) { scope in
      scope.stack("page", path: root.bind(\.path), id: { Counted(number: $0, counter: counter) })
    }
    for depth in 0..<400 {
      counter.count = 0
      turn { root.path.append(depth) }
      #expect(counter.count <= depth + 2)
      #expect(recorder.takeLog() == ["present push page \(depth)"])
    }
    counter.count = 0
    turn { root.path.removeLast(399) }
    #expect(counter.count <= 402)
    #expect(recorder.takeLog().count == 399)
    withExtendedLifetime(navigation) {}
  }

  @Test func `what a presenter dismisses at once is not presented again, nor what lay above it`() {
    let (root, recorder, turn) = (Root(path: [1, 2, 3]), Recorder(), ObservationTurn())
    recorder.onPresent = { if $0.item as? Int == 2 { $0.dismissed() } }
    let navigation = Navigation(recorder, in: turn) { scope in
      scope.stack("page", path: root.bind(\.path), id: { $0 })
    }
    turn.end()
    #expect(root.path == [1])
    #expect(recorder.takeLog() == ["present push page 1", "present push page 2"])
    turn { root.path = [1, 4] }
    #expect(recorder.takeLog() == ["present push page 4"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `whoever dismisses a sheet or a page, it is told once that it is gone`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = Navigation(recorder, in: turn) { scope in
      scope.sheet("connect", root.bind(\.destination).sheet) { sheet, scope in
        scope.alert("wrong", sheet.bind(\.alert))
      } onDismiss: {
        recorder.log.append("gone \($0.name), destination \(root.destination == nil ? "none" : "some")")
      }
      scope.stack("page", path: root.bind(\.path), id: { $0 }, onDismiss: { recorder.log.append("gone \($0)") })
      scope.sheet("warning", isPresented: root.bind(\.warning), onDismiss: { recorder.log.append("gone warning") })
    }
    turn { root.destination = .sheet(Sheet("A", alert: true)) }
    turn { root.destination = .sheet(Sheet("B")) }
    turn { recorder.swipe("connect") }
    turn { root.path = [1, 2] }
    turn { recorder.shown[0].dismissed() }
    turn { root.warning = true }
    #expect(
      recorder.takeLog() == [
        "present sheet connect A", "present alert wrong", "dismiss alert wrong", "dismiss sheet connect A",
        "gone A, destination some", "present sheet connect B", "gone B, destination none", "present push page 1",
        "present push page 2", "dismiss push page 2", "gone 2", "gone 1", "present sheet warning",
      ])
    navigation.end()
    #expect(recorder.takeLog() == ["dismiss sheet warning", "gone warning"])
  }

  @Test func `what the user dismisses does not property the transaction of the turn`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    turn { root.warning = true }
    turn {
      recorder.swipe("warning")
      withTransaction(\.cause, "answer") { root.path = [1] }
    }
    #expect(recorder.takeLog() == ["present alert warning", "present push page 1 by answer"])
    // A change that waits already keeps its own.
    turn { root.warning = true }
    turn {
      withTransaction(\.cause, "first") { root.path = [1, 2] }
      recorder.swipe("warning")
      withTransaction(\.cause, "second") { root.path = [1, 2, 3] }
    }
    #expect(
      recorder.takeLog() == ["present alert warning", "present push page 2 by first", "present push page 3 by first"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `what else a dismissal changes is brought about`() {
    let (root, recorder, turn) = (Chained(), Recorder(), ObservationTurn())
    let navigation = Navigation(recorder, in: turn) { scope in
      scope.alert("first", root.bind(\.first))
      scope.alert("second", root.bind(\.second))
    }
    turn { root.first = true }
    turn { recorder.swipe("first") }
    #expect(recorder.takeLog() == ["present alert first", "present alert second"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `the transaction of the change comes with the presentation`() {
    let (root, recorder, turn) = (Root(), Recorder(), ObservationTurn())
    let navigation = navigation(root, recorder, in: turn)
    turn { withTransaction(\.cause, "tap") { root.destination = .sheet(Sheet("A", alert: true)) } }
    #expect(recorder.takeLog() == ["present sheet connect A by tap", "present alert wrong by tap"])
    withExtendedLifetime(navigation) {}
  }

  @Test(arguments: Ground.allCases)
  func `runs on any actor`(ground: Ground) async {
    await ground.run { _ in
      let (root, recorder) = (Root(), Recorder())
      let navigation = Navigation(recorder) { scope in
        scope.sheet("connect", Binding(root, \.destination).sheet) { sheet, scope in
          scope.alert("wrong", Binding(sheet, \.alert))
        }
      }
      let sheet = Sheet("A")
      root.destination = .sheet(sheet)
      sheet.alert = true
      await endTurn()
      root.destination = nil
      await endTurn()
      #expect(
        recorder.log == ["present sheet connect A", "present alert wrong", "dismiss alert wrong", "dismiss sheet connect A"])
      navigation.end()
    }
  }
}
