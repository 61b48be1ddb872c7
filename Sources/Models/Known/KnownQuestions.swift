public import Observing
import WiFi

/// How the question whether to forget a network can be answered.
public enum ForgetAnswer: Hashable, Sendable {
  /// Forget it.
  case forget
  /// Keep it after all.
  case keep
}

extension Question where Answer == ForgetAnswer {
  /// The question whether to forget what is called so.
  init(forgetting name: String, id: String) {
    self.init(
      "Forget \(name)?", id: id, message: "Its password is asked for the next time.",
      buttons: [.init("Forget", role: .destructive, answer: .forget), .init("Cancel", role: .cancel, answer: .keep)])
  }
}

extension KnownNetworkEditModel {
  /// The question that ``forgetAlertIsPresented`` stands for; writing `nil` takes it away.
  public var forgetQuestion: Question<ForgetAnswer>? {
    get { forgetAlertIsPresented ? Question(forgetting: "“\(network.ssid)”", id: "forgetKnown") : nil }
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
