import Observation
import Observing

/// The pages of a wizard that sets a device up, each known by what it asks for.
public enum WizardPage: Hashable, Codable, Sendable {
  case name
  case network
  case summary(String)
}

/// A wizard as an app has it: pages on a path, a sheet for a password, a question before all is thrown away.
@MainActor @Observable
public final class SetupWizardModel {
  /// How the question whether to start over can be answered.
  public enum StartOver: Hashable, Sendable {
    case startOver
  }

  public var path: [WizardPage]
  public var deviceName = ""
  public var passwordSheet: PasswordSheetModel?
  public var startOverQuestion: Question<StartOver>?
  public private(set) var joinedNetwork: String?

  public init(path: [WizardPage] = []) { self.path = path }

  public func beginButtonTapped() { path.append(.name) }

  public func nameEntered() {
    guard !deviceName.isEmpty else { return }
    path.append(.network)
  }

  public func networkTapped(_ name: String) {
    passwordSheet = PasswordSheetModel(network: name) { [weak self] in self?.joined(name) }
  }

  private func joined(_ name: String) {
    passwordSheet = nil
    joinedNetwork = name
    path.append(.summary("\(deviceName) on \(name)"))
  }

  public func startOverButtonTapped() {
    startOverQuestion = Question(
      "Start over?", message: "The name and the network are forgotten.",
      buttons: [.init("Start over", role: .destructive, answer: .startOver), .init("Go on", role: .cancel)])
  }

  public func answered(_ answer: StartOver) {
    withAnimation {
      path = []
      deviceName = ""
      joinedNetwork = nil
    }
  }

  /// What is presented, and how the user's answers come back.
  public func declareNavigation(in scope: NavigationScope) {
    scope.stack("page", path: bind(\.path), id: { $0 })
    scope.sheet("password", bind(\.passwordSheet)) { sheet, scope in
      scope.alert("wrong", sheet.bind(\.wrongPasswordIsShown))
    }
    scope.confirmation("startOver", bind(\.startOverQuestion)) { self.answered($0) }
  }
}

/// The sheet that asks for a password.
@MainActor @Observable
public final class PasswordSheetModel {
  public let network: String
  public var password = ""
  public var wrongPasswordIsShown = false
  private let onJoined: () -> Void

  public init(network: String, onJoined: @escaping () -> Void) {
    self.network = network
    self.onJoined = onJoined
  }

  public func joinButtonTapped() {
    if password == "blob" { onJoined() } else { wrongPasswordIsShown = true }
  }
}
