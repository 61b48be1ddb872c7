public import DaemonControl
public import Models
public import WiFi

/// A joiner that knows more of a failure than a panel shows.
public protocol ExplainingJoiner: NetworkJoiner {
  /// Why the attempt that ended last failed, with its certainty and its evidence; `nil` where it did not.
  var lastFailure: JoinFailure? { get }
}

extension JoiningPause: ExplainingJoiner {
  /// What the joiner behind it says.
  public var lastFailure: JoinFailure? { (joiner as? any ExplainingJoiner)?.lastFailure }
}

extension DaemonNetworkJoiner: ExplainingJoiner {}

extension JoinFailure {
  /// The reason as a trace records it: stable names for programs, such as
  /// `refused while associating, status 17, certain`.
  var traceWords: String {
    var words = reason.name
    if let step = reason.step { words += " while \(step.rawValue)" }
    switch reason {
    case .refused(_, let status): words += ", status \(status)"
    case .dismissed(_, let code): words += ", reason code \(code)"
    default: break
    }
    return words + ", \(certainty.rawValue)"
  }
}
