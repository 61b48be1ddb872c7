import Observation
import Observing
import Testing

@Observable private final class Card {
  let name: String
  var warning = false
  init(_ name: String) { self.name = name }
}

@Observable private final class List {
  var card: Card?
  var tip: String?
  var help = false
}

/// Keeps what is shown, and records what comes and goes.
private final class Headless: StackPresenter {
  private(set) var shown: [Presentation] = []
  var onPresent: (Presentation) -> Void = { _ in }
  var onDismiss: (Presentation) -> Void = { _ in }
  private(set) var log: [String] = []

  func present(_ presentation: Presentation, _ transaction: Transaction) {
    shown.append(presentation)
    log.append("present \(presentation)")
  }

  func take(_ presentation: Presentation) {
    shown.removeAll { $0 === presentation }
    log.append("dismiss \(presentation)")
  }

  func takeLog() -> [String] {
    defer { log = [] }
    return log
  }
}

/// A popover is presented as a sheet is.
@Suite struct PopoverTests {
  private let list = List()
  private let presenter = Headless()
  private let turn = ObservationTurn()

  private func navigation(_ gone: @escaping (String) -> Void = { _ in }) -> Navigation {
    Navigation(presenter, in: turn) { [list] scope in
      scope.popover("card", Binding(list, \.card)) { card, scope in
        scope.alert("warning", Binding(card, \.warning))
      } onDismiss: {
        gone($0.name)
      }
      scope.popover("tip", Binding(list, \.tip), id: { $0 }, onDismiss: gone)
      scope.popover("help", isPresented: Binding(list, \.help), onDismiss: { gone("help") })
    }
  }

  private func change(_ body: () -> Void) -> [String] {
    body()
    turn.end()
    return presenter.takeLog()
  }

  @Test func `it comes with a model, another model is another one, and what lies over it goes first`() {
    let navigation = navigation()
    #expect(change { list.card = Card("a") } == ["present popover card"])
    #expect(presenter.shown.map(\.kind) == [.popover])
    #expect(change { list.card?.warning = true } == ["present alert warning"])
    #expect(change { list.card = Card("b") } == ["dismiss alert warning", "dismiss popover card", "present popover card"])
    #expect(change { list.card = nil } == ["dismiss popover card"])
    navigation.end()
  }

  @Test func `it comes with an item of an identity, and with a flag`() {
    let navigation = navigation()
    #expect(change { list.tip = "swipe" } == ["present popover tip"])
    #expect(presenter.shown.last?.item as? String == "swipe")
    #expect(change { list.tip = "tap" } == ["dismiss popover tip", "present popover tip"])
    #expect(change { list.tip = nil } == ["dismiss popover tip"])
    #expect(change { list.help = true } == ["present popover help"])
    #expect(change { list.help = false } == ["dismiss popover help"])
    navigation.end()
  }

  @Test func `what the user dismisses is written to the state, and reported`() {
    var gone: [String] = []
    let navigation = navigation { gone.append($0) }
    _ = change {
      list.card = Card("a")
      list.tip = "swipe"
      list.help = true
    }
    for _ in 0..<3 { _ = change { presenter.dismissTop() } }
    #expect(list.card == nil && list.tip == nil && !list.help)
    #expect(gone == ["help", "swipe", "a"])
    navigation.end()
  }
}
