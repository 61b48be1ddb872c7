public import Observing
import WiFi

extension NetworkDetailModel {
  /// The question that ``forgetAlertIsPresented`` stands for; writing `nil` takes it away.
  public var forgetQuestion: Question<ForgetAnswer>? {
    get {
      guard forgetAlertIsPresented else { return nil }
      return Question(forgetting: network.ssid.isHidden ? "this network" : "“\(network.ssid)”", id: "forget")
    }
    set { forgetAlertIsPresented = newValue != nil }
  }

  /// Does what the chosen button of ``forgetQuestion`` means.
  public func forgetQuestionAnswered(_ answer: ForgetAnswer) {
    switch answer {
    case .forget: confirmForgetButtonTapped()
    case .keep: cancelForgetButtonTapped()
    }
  }
}

extension ConnectToNetworkModel {
  /// What ``incorrectPasswordAlertIsPresented`` stands for, which can only be closed; writing `nil` takes it away.
  var incorrectPasswordQuestion: Question<Never>? {
    get {
      guard incorrectPasswordAlertIsPresented else { return nil }
      let name = network.ssid.isHidden ? "The network" : "“\(network.ssid)”"
      return Question(
        "Incorrect password", id: "incorrectPassword", message: "\(name) does not accept this password.",
        buttons: [.init("OK", role: .cancel)])
    }
    set { incorrectPasswordAlertIsPresented = newValue != nil }
  }
}
