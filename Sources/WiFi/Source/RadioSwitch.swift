/// Switches the radio of an adapter on and off: a daemon, the kernel, or a simulation of one.
public protocol RadioSwitch: AnyObject {
  /// Switches it on or off, and returns once that is done.
  ///
  /// - Throws: ``RadioError``; the radio stands as it stood then.
  func setRadio(on isOn: Bool) async throws(RadioError)

  /// Reports whether the radio is on, again and again, until the task is cancelled: another program or a hardware
  /// switch may move it.
  func followRadio(_ take: (Bool) async -> Void) async
}

extension RadioSwitch {
  /// Nothing else switches it.
  public func followRadio(_ take: (Bool) async -> Void) async {}
}

/// Why a radio was not switched.
public enum RadioError: Error, Hashable, Sendable {
  /// This user may not.
  case notPermitted
  /// A switch of the machine is off, which no program can move.
  case blockedByHardware
  /// Nothing here can switch it.
  case noSwitch
  /// The one who was asked refused, with these words.
  case refused(String)
}

extension RadioError {
  /// A name for programs, the same in every version.
  public var name: String {
    switch self {
    case .notPermitted: "notPermitted"
    case .blockedByHardware: "blockedByHardware"
    case .noSwitch: "noSwitch"
    case .refused: "refused"
    }
  }
}

extension RadioError: CustomStringConvertible {
  /// One sentence, and what to do next where that is known.
  public var description: String {
    switch self {
    case .notPermitted: "This user may not switch the radio; run the program with sudo, or join the group that may."
    case .blockedByHardware: "A switch of the machine keeps the radio silent; no program can move it."
    case .noSwitch: "No daemon that switches Wi-Fi runs, and the kernel has no switch of a wireless LAN."
    case .refused(let words): "The radio was not switched. \(words)"
    }
  }
}
