import DaemonProtocols
import WiFi

extension LinkError {
  /// Whether it means that no daemon is there.
  var isMissingDaemon: Bool { number == KernelError.Number.noEntry || number == ControlNumber.connectionRefused }

  /// Whether it means that the user may not.
  var isPermission: Bool { number == KernelError.Number.accessDenied || number == KernelError.Number.notPermitted }

  private static let nameTooLong: Int32 = 36

  /// The reason that a channel which cannot be opened or used gives.
  var joinReason: JoinFailure.Reason {
    // No interface has a name that is too long for the address of a socket.
    if number == Self.nameTooLong { return .noInterface }
    return isMissingDaemon ? .noDaemon : isPermission ? .noPermission : .daemonRefused("\(self)")
  }
}
