import Foundation
import Observing
import SetupWizard
import Testing

/// A screen that only writes down what is on it.
@MainActor private final class Screen: @MainActor Presenter {
  var shown: [Presentation] = []
  var animations: [String] = []
  var titles: [String] { shown.map(\.name) }

  func present(_ presentation: Presentation, _ transaction: Transaction) { shown.append(presentation) }

  func dismiss(_ presentation: Presentation, _ transaction: Transaction) {
    shown.removeAll { $0 === presentation }
    if let animation = transaction.animation { animations.append(animation.name) }
  }

  /// The user presses a button of the question on top.
  func press(_ title: String) throws {
    let top = try #require(shown.last)
    let number = try #require(top.question?.buttons.firstIndex { $0.title == title })
    shown.removeLast()
    top.answered(number)
  }
}

@MainActor @Suite struct SetupWizardTests {
  private let screen = Screen()
  private let turn = ObservationTurn()

  @Test func `a device is set up`() throws {
    let model = SetupWizardModel()
    let navigation = Navigation(screen, in: turn, model.declareNavigation)
    turn { model.beginButtonTapped() }
    turn {
      model.bind(\.deviceName).wrappedValue = "Lamp"
      model.nameEntered()
    }
    turn { model.networkTapped("Home") }
    #expect(screen.titles == ["page", "page", "password"])
    let sheet = try #require(model.passwordSheet)
    turn { sheet.joinButtonTapped() }
    #expect(screen.titles == ["page", "page", "password", "wrong"])
    turn { sheet.wrongPasswordIsShown = false }
    sheet.password = "blob"
    let before = StateSnapshot(of: model)
    turn { sheet.joinButtonTapped() }
    #expect(
      StateSnapshot(of: model).changes(since: before) == [
        #"path[2]: – → summary("Lamp on Home")"#, "passwordSheet: – → nil", #"joinedNetwork: nil → "Home""#,
        #"passwordSheet.network: "Home" → –"#, #"passwordSheet.password: "blob" → –"#,
        "passwordSheet.wrongPasswordIsShown: false → –",
      ])
    #expect(screen.titles == ["page", "page", "page"])
    navigation.end()
  }

  @Test func `starting over is asked first`() throws {
    let model = SetupWizardModel(path: [.name, .network])
    let navigation = Navigation(screen, in: turn, model.declareNavigation)
    turn { model.startOverButtonTapped() }
    #expect(screen.shown.last?.question?.title == "Start over?")
    try turn { try screen.press("Go on") }
    #expect(model.path.count == 2)
    turn { model.startOverButtonTapped() }
    try turn { try screen.press("Start over") }
    #expect(screen.titles.isEmpty)
    #expect(screen.animations == ["default", "default"])
    navigation.end()
  }

  @Test func `the wizard goes on where it was left`() throws {
    let model = SetupWizardModel(path: [.name, .network])
    let data = try JSONEncoder().encode(SavedPath(model.path))
    let saved = try JSONDecoder().decode(SavedPath<WizardPage>.self, from: data)
    #expect(saved.pages == model.path)

    let newer = Data(#"[{"name":{}},{"timeZone":{}},{"network":{}}]"#.utf8)
    let older = try JSONDecoder().decode(SavedPath<WizardPage>.self, from: newer)
    #expect(older.pages == [.name])
    #expect(older.cut?.description.hasPrefix("Pages 2 to 3 of the saved path are left out: ") == true)
  }
}
