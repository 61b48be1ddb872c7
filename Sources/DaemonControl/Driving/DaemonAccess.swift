public import DaemonProtocols
public import WiFi

/// Which daemon is asked, for which interface, and how.
///
/// The joiner, the list of known networks, the switch and the observer of one station share it.
public struct DaemonAccess {
  let daemon: JoinDaemon?
  let interface: () -> String?
  private let link: () throws(LinkError) -> any ControlLink

  /// Asks over links that `link` opens.
  ///
  /// - Parameters:
  ///   - daemon: the daemon that is asked; `nil` is the one that owns the interface then.
  ///   - interface: its name, as soon as it is known.
  ///   - link: opens a link to the daemons of the machine, which no other code uses.
  public init(
    over daemon: JoinDaemon?, interface: @escaping () -> String?, link: @escaping () throws(LinkError) -> any ControlLink
  ) {
    self.daemon = daemon
    self.interface = interface
    self.link = link
  }

  /// A daemon that can be asked.
  typealias Opened = (joiner: Joiner, daemon: JoinDaemon, interface: String)

  /// Opens a link and finds out who owns the interface where no daemon is named.
  func open() async -> Result<Opened, JoinFailure> {
    guard let interface = interface() else { return .failure(JoinFailure(.noInterface)) }
    let joiner: Joiner
    do throws(LinkError) { joiner = Joiner(link: try link()) } catch { return .failure(JoinFailure(error.joinReason)) }
    return await joiner.owner(of: interface, named: daemon).map { (joiner, $0, interface) }
  }
}
