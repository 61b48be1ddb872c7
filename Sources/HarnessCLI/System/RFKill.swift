import Harness
import Scanner

/// What the kernel's radio switches say (`/sys/class/rfkill`).
enum RFKill {
  /// One switch.
  struct Switch {
    var name: String
    var isSoftBlocked: Bool
    var isHardBlocked: Bool
  }

  /// The switches of wireless LANs.
  static func switches() -> [Switch] {
    SystemFiles.list("/sys/class/rfkill").compactMap { entry in
      let folder = "/sys/class/rfkill/\(entry)"
      guard SystemFiles.line("\(folder)/type") == "wlan" else { return nil }
      return Switch(
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
