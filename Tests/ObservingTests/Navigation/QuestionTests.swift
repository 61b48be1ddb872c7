import Observation
import Observing
import Testing

private enum Answer: Hashable, Sendable {
  case forget
  case keep
}

@Observable private final class Asking {
  var question: Question<Answer>?
  var answers: [Answer] = []
  var wasAskedWhenAnswered: [Bool] = []
  init() {}

  func answered(_ answer: Answer) {
    answers.append(answer)
    wasAskedWhenAnswered.append(question != nil)
  }

  func ask(_ name: String, id: String? = nil) {
    question = Question(
      "Forget \(name)?", id: id, message: "For good.",
      buttons: [
        .init("Forget", role: .destructive, answer: .forget), .init("Keep", role: .cancel, answer: .keep), .init("Later"),
      ])
  }
}

private final class Recorder: Presenter {
  var log: [String] = []
  var shown: [Presentation] = []

  func present(_ presentation: Presentation, _ transaction: Transaction) {
    log.append("present \(presentation)")
    shown.append(presentation)
  }

  func dismiss(_ presentation: Presentation, _ transaction: Transaction) {
    log.append("dismiss \(presentation)")
    shown.removeAll { $0 === presentation }
  }
}

@Suite struct QuestionTests {
  private let model = Asking()
  private let recorder = Recorder()
  private let turn = ObservationTurn()

  private func navigation(isConfirmation: Bool = false) -> Navigation {
    Navigation(recorder, in: turn) { [model] scope in
      if isConfirmation {
        scope.confirmation("forget", model.bind(\.question)) { model.answered($0) }
      } else {
        scope.alert("forget", model.bind(\.question)) { model.answered($0) }
      }
    }
  }

  @Test func `a presenter sees title, message and buttons, by number`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let question = try #require(recorder.shown.first?.question)
    #expect(question.title == "Forget Home?")
    #expect(question.message == "For good.")
    #expect(question.buttons.map(\.title) == ["Forget", "Keep", "Later"])
    #expect(question.buttons.map(\.role) == [.destructive, .cancel, nil])
    #expect(question.buttons.map(\.answer) == [0, 1, 2])
    withExtendedLifetime(navigation) {}
  }

  @Test(arguments: [(0, [Answer.forget]), (1, [.keep]), (2, []), (3, nil), (-1, nil)] as [(Int, [Answer]?)])
  fileprivate func `a chosen button takes the question away and then gives its answer`(button: Int, answers: [Answer]?) throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let alert = try #require(recorder.shown.first)
    turn { alert.answered(button) }
    #expect(model.answers == answers ?? [])
    #expect((model.question == nil) == (answers != nil))
    #expect(!model.wasAskedWhenAnswered.contains(true))
    // The user's choice has dismissed it already.
    #expect(recorder.log == ["present alert forget"])
    turn { alert.answered(button) }
    #expect(model.answers == answers ?? [])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a dismissed question has no answer`() throws {
    let navigation = navigation(isConfirmation: true)
    turn { model.ask("Home") }
    #expect(recorder.shown.first?.kind == .confirmation)
    turn { recorder.shown.first?.dismissed() }
    #expect(model.question == nil)
    #expect(model.answers.isEmpty)
    withExtendedLifetime(navigation) {}
  }

  @Test func `another question replaces, other words of the same one are read`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    turn { model.ask("Work") }
    #expect(recorder.log == ["present alert forget", "dismiss alert forget", "present alert forget"])
    let work = try #require(recorder.shown.first)
    turn { model.ask("Home", id: "Forget Work?") }
    #expect(recorder.log.count == 3)
    #expect(work.question?.title == "Forget Home?")
    var titles: [String?] = []
    let token = observe(in: turn) { titles.append(work.question?.title) }
    turn { model.ask("Office", id: "Forget Work?") }
    #expect(titles == ["Forget Home?", "Forget Office?"])
    token.cancel()
    withExtendedLifetime(navigation) {}
  }

  @Test func `a button tapped in the turn in which the model withdraws its question closes it, without an answer`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let alert = try #require(recorder.shown.first)
    turn {
      model.question = nil
      alert.answered(0)
    }
    #expect(model.answers.isEmpty)
    #expect(recorder.log == ["present alert forget"])
    turn { model.ask("Home") }
    #expect(recorder.log == ["present alert forget", "present alert forget"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a question that is being replaced keeps its own words and buttons`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let first = try #require(recorder.shown.first)
    turn {
      model.ask("House", id: "Forget Home?")
      #expect(first.question?.title == "Forget House?")
      model.question = Question("Offline.", buttons: [])
      #expect(first.question?.title == "Forget House?")
      // The third of its own buttons; the next question has none.
      first.answered(2)
    }
    #expect(recorder.log == ["present alert forget", "present alert forget"])
    #expect(recorder.shown.last?.question?.title == "Offline.")
    #expect(model.answers.isEmpty)
    withExtendedLifetime(navigation) {}
  }

  @Test func `a late answer to a question that was replaced does nothing`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let first = try #require(recorder.shown.first)
    turn {
      model.ask("Work")
      first.answered(0)
    }
    turn { first.answered(0) }
    #expect(model.answers.isEmpty)
    #expect(model.question?.title == "Forget Work?")
    withExtendedLifetime(navigation) {}
  }
}
