/// Joins networks: an adapter, or a simulation of one.
public protocol NetworkJoiner: AnyObject {
  /// Joins a network and returns once it is usable.
  ///
  /// - Parameters:
  ///   - network: as it was seen last.
  ///   - password: what the user typed; `nil` for a network that needs none.
  /// - Throws: ``JoinError``; ``JoinError/cancelled`` where the task was cancelled first.
  func join(_ network: Network, password: String?) async throws(JoinError)
}

/// Why a network could not be joined.
public enum JoinError: Error, Hashable, Sendable {
  /// The access point did not accept the password.
  case wrongPassword
  /// The access point did not answer in time.
  case timedOut
  /// The network was not there any more.
  case outOfRange
  /// The access point refused, with a status code (IEEE 802.11-2020 9.4.1.9).
  case rejected(status: UInt16)
  /// The caller cancelled the attempt.
  case cancelled
}

extension JoinError: CustomStringConvertible {
  /// Such as `the access point did not accept the password`.
  public var description: String {
    switch self {
    case .wrongPassword: "the access point did not accept the password"
    case .timedOut: "the access point did not answer in time"
    case .outOfRange: "the network is out of range"
    case .rejected(let status): "the access point refused with status \(status)"
    case .cancelled: "nobody waited for it any more"
    }
  }
}
