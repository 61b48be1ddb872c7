public import Observing
import WiFi

/// How the question whether to forget a network can be answered.
public enum ForgetAnswer: Hashable, Sendable {
  /// Forget it.
  case forget
  /// Keep it after all.
  case keep
}

extension KnownNetworkEditModel {
  /// The question that ``forgetAlertIsPresented`` stands for; writing `nil` takes it away.
  public var forgetQuestion: Question<ForgetAnswer>? {
    get {
      guard forgetAlertIsPresented else { return nil }
      return Question(
        "Forget “\(network.ssid)”?", id: "forgetKnown", message: "Its password is asked for the next time.",
        buttons: [.init("Forget", role: .destructive, answer: .forget), .init("Cancel", role: .cancel, answer: .keep)])
    }
    set { forgetAlertIsPresented = newValue != nil }
  }

  /// Does what the chosen button of ``forgetQuestion`` means.
  ///
  /// - Returns: the attempt to forget, which the view runs in a task; `nil` where the network is kept.
  public func forgetQuestionAnswered(_ answer: ForgetAnswer) -> KnownNetworkAttempt? {
    switch answer {
    case .forget: return confirmForgetButtonTapped()
    case .keep:
      cancelForgetButtonTapped()
      return nil
    }
  }
}
