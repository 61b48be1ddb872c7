import Determinism
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

@Observable private final class Host {
  var sheet: Asking?
  init() {}
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
    #expect(shown.contains { $0 === presentation })
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

  @Test func `a question that was closed keeps its words when the next has the same identity`() throws {
    let navigation = Navigation(recorder, in: turn) { [model] scope in
      scope.alert("forget", model.bind(\.question)) { _ in model.ask("Work", id: "forget") }
    }
    turn { model.ask("Home", id: "forget") }
    let first = try #require(recorder.shown.first)
    turn {
      first.answered(0)
      #expect(first.question?.title == "Forget Home?")
    }
    #expect(first.question?.title == "Forget Home?")
    #expect(recorder.shown.last?.question?.title == "Forget Work?")
    // A second tap on what is closed.
    turn { first.answered(0) }
    #expect(recorder.log == ["present alert forget", "present alert forget"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `a button that becomes another one in the turn of the tap gives no answer, and the question is asked anew`() throws {
    let navigation = navigation()
    turn { model.ask("Home") }
    let first = try #require(recorder.shown.first)
    turn {
      model.question?.buttons.swapAt(0, 1)
      // The user sees “Forget” there; the model means “Keep” by now. A view may look once more before it answers.
      #expect(first.question?.buttons.first?.title == "Keep")
      first.answered(0)
    }
    #expect(model.answers.isEmpty)
    #expect(recorder.log == ["present alert forget", "present alert forget"])
    let second = try #require(recorder.shown.last)
    turn { model.question?.buttons.removeSubrange(2...) }
    turn {
      model.question?.buttons.swapAt(0, 1)
      second.answered(2)
      #expect(recorder.log.count == 2)
    }
    // After the turn the user sees the buttons as they are.
    turn { second.answered(0) }
    #expect(model.answers == [.forget])
    #expect(recorder.log.count == 2)
    withExtendedLifetime(navigation) {}
  }

  @Test func `a question over a sheet that the model withdraws in the turn of the tap gives no answer`() throws {
    let host = Host()
    let navigation = Navigation(recorder, in: turn) { scope in
      scope.sheet("details", host.bind(\.sheet)) { sheet, scope in
        scope.alert("forget", sheet.bind(\.question)) { sheet.answered($0) }
      }
    }
    model.ask("Home")
    turn { host.sheet = model }
    let alert = try #require(recorder.shown.last)
    turn {
      host.sheet = Asking()
      alert.answered(0)
    }
    #expect(model.answers.isEmpty)
    #expect(
      recorder.log == ["present sheet details", "present alert forget", "dismiss sheet details", "present sheet details"])
    withExtendedLifetime(navigation) {}
  }

  @Test func `two views of one question give one answer, and neither dismisses what its user closed`() throws {
    let (other, navigation) = (Recorder(), navigation())
    let second = Navigation(other, in: turn) { [model] scope in
      scope.alert("forget", model.bind(\.question)) { model.answered($0) }
    }
    turn { model.ask("Home") }
    let (mine, theirs) = (try #require(recorder.shown.first), try #require(other.shown.first))
    turn {
      mine.answered(1)
      theirs.answered(0)
    }
    #expect(model.answers == [.keep])
    #expect(recorder.log == ["present alert forget"] && other.log == ["present alert forget"])
    withExtendedLifetime((navigation, second)) {}
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever is asked, withdrawn and tapped, what is shown is what the state says`(seed: UInt64) {
    let host = Host()
    let navigation = Navigation(recorder, in: turn) { [model] scope in
      scope.alert("forget", model.bind(\.question)) { model.answered($0) }
      scope.sheet("details", host.bind(\.sheet)) { sheet, scope in
        scope.alert("over", sheet.bind(\.question)) { sheet.answered($0) }
      }
    }
    var stream = RandomStream(seed: seed, name: "steps")
    for step in 0..<200 {
      turn {
        for _ in 0...stream.next(below: 3) {
          switch stream.next(below: 8) {
          case 0: model.question = nil
          case 1: model.ask(stream.bool(1, in: 2) ? "Home" : "Work")
          case 2: model.ask(stream.bool(1, in: 2) ? "Home" : "Work", id: "forget")
          case 3: model.question?.buttons.swapAt(0, 2)
          case 4: host.sheet = stream.bool(1, in: 2) ? Asking() : nil
          case 5: host.sheet?.ask("Home")
          default:
            if recorder.shown.isEmpty { continue }
            let chosen = recorder.shown.remove(at: stream.next(in: 0..<recorder.shown.count))
            if chosen.kind == .alert { chosen.answered(stream.next(in: 0..<3)) } else { chosen.dismissed() }
          }
        }
      }
      let wanted = [model.question.map { _ in "forget" }, host.sheet.map { _ in "details" }, host.sheet?.question.map { _ in "over" }]
      #expect(recorder.shown.map(\.name).sorted() == wanted.compactMap(\.self).sorted(), "step \(step)")
      for shown in recorder.shown where shown.name == "forget" {
        #expect(shown.question?.title == model.question?.title, "step \(step)")
      }
    }
    withExtendedLifetime(navigation) {}
  }
}
