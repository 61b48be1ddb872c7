import DaemonControl
import Scanner
import WiFi

/// What the kernel's radio switches say (`/sys/class/rfkill`).
enum RFKill {
  /// The switches of wireless LANs.
  static func switches() -> [RadioReport.Switch] {
    SystemFiles.list("/sys/class/rfkill").compactMap { entry in
      let folder = "/sys/class/rfkill/\(entry)"
      guard SystemFiles.line("\(folder)/type") == "wlan" else { return nil }
      return RadioReport.Switch(
        name: SystemFiles.line("\(folder)/name") ?? entry, isSoftBlocked: SystemFiles.line("\(folder)/soft") == "1",
        isHardBlocked: SystemFiles.line("\(folder)/hard") == "1")
    }
  }

  /// An interface that is down is switched off by rfkill where its adapter is: the kernel does not say.
  static func refined(_ error: any Error) -> any Error {
    guard var scanError = error as? ScanError, scanError.kind == .interfaceDown, let interface = scanError.interface,
      let adapter = SystemFiles.line("/sys/class/net/\(interface)/phy80211/name"),
      switches().contains(where: { $0.name == adapter && ($0.isSoftBlocked || $0.isHardBlocked) })
    else { return error }
    scanError.kind = .rfkill
    return scanError
  }
}

#if os(Linux)
  extension RFKill {
    /// Blocks or unblocks all wireless LANs.
    ///
    /// - Throws: ``Failure`` with status 77 where this user may not, 69 where the kernel has no switches.
    static func set(isBlocked: Bool) throws(Failure) {
      let descriptor = unsafe open("/dev/rfkill", O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw refusal(errno) }
      defer { close(descriptor) }
      let bytes = RFKillEvent(.changeAll, isSoftBlocked: isBlocked).encoded
      if unsafe write(descriptor, bytes, bytes.count) != bytes.count { throw refusal(errno) }
    }

    private static func refusal(_ number: Int32) -> Failure {
      switch number {
      case EACCES, EPERM: Failure(.noPermission, "/dev/rfkill: this user may not switch the radio; run it with sudo.")
      case ENOENT, ENXIO, ENODEV:
        Failure(.unavailable, "/dev/rfkill is not there: this kernel has no radio switches." + Failure.simulationAdvice)
      default: Failure(.inputOutput, "/dev/rfkill: \(LinkError(operation: "switch the radio", number: number)).")
      }
    }
  }
#endif
