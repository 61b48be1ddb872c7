public import DaemonControl
public import DaemonProtocols
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

/// Joins networks over a daemon, simulated or real, with the sessions of ``/DaemonControl``.
///
/// Each attempt has a link of its own, so that a cancelled one does not disturb the next.
public final class DaemonNetworkJoiner: ExplainingJoiner {
  public private(set) var lastFailure: JoinFailure?

  private let daemon: JoinDaemon?
  private let interface: String
  private let link: () throws(LinkError) -> any ControlLink

  /// Joins with an interface.
  ///
  /// - Parameters:
  ///   - daemon: the daemon that is asked; `nil` is the one that owns the interface then.
  ///   - link: opens a link to the daemons of the machine.
  public init(over daemon: JoinDaemon?, interface: String, link: @escaping () throws(LinkError) -> any ControlLink) {
    self.daemon = daemon
    self.interface = interface
    self.link = link
  }

  /// Joins a network; what the daemon says in detail is in ``lastFailure`` then.
  public func join(_ network: Network, password: String?) async throws(JoinError) {
    lastFailure = nil
    let failure = await failure(of: JoinRequest(interface: interface, network: network, password: password.map { Secret($0) }))
    guard let failure else { return }
    lastFailure = failure
    throw JoinError(failure)
  }

  private func failure(of request: JoinRequest) async -> JoinFailure? {
    let joiner: Joiner
    do throws(LinkError) { joiner = Joiner(link: try link()) } catch { return JoinFailure(.daemonRefused("\(error)")) }
    switch await joiner.owner(of: interface, named: daemon) {
    case .success(let owner): return await joiner.join(request, over: owner).failure
    case .failure(let failure): return failure
    }
  }
}

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
