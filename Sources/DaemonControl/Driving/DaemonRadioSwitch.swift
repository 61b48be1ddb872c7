public import DaemonProtocols
public import WiFi

/// The switch of the radio as the daemon has it that owns the interface: `WirelessEnabled` of NetworkManager, `Powered`
/// of iwd.
///
/// wpa_supplicant has none; over it, and where no daemon runs, the kernel's is moved (rfkill).
public final class DaemonRadioSwitch: RadioSwitch {
  private let daemon: JoinDaemon?
  private let interface: () -> String?
  private let link: () throws(LinkError) -> any ControlLink
  private let kernel: any RadioSwitch

  /// Switches with an interface.
  ///
  /// - Parameters:
  ///   - daemon: the daemon that is asked; `nil` is the one that owns the interface then.
  ///   - interface: its name, as soon as it is known.
  ///   - link: opens a link to the daemons of the machine.
  ///   - kernel: the switch of the kernel.
  public init(
    over daemon: JoinDaemon?, interface: @escaping () -> String?, link: @escaping () throws(LinkError) -> any ControlLink,
    kernel: any RadioSwitch
  ) {
    self.daemon = daemon
    self.interface = interface
    self.link = link
    self.kernel = kernel
  }

  public func setRadio(on isOn: Bool) async throws(RadioError) {
    guard let (joiner, owner, interface) = await owner() else { return try await kernel.setRadio(on: isOn) }
    switch await joiner.radio(.set(isOn), over: owner, interface: interface) {
    case .failure(let failure): throw RadioError(failure)
    case .success(let state):
      if isOn, state.isBlockedByHardware == true { throw .blockedByHardware }
      if state.isOn != isOn { throw .refused("\(owner.name) did not.") }
    }
  }

  public func followRadio(_ take: (Bool) -> Void) async {
    if let (joiner, owner, interface) = await owner(),
      case .success(let state) = await joiner.radio(.read, over: owner, interface: interface)
    {
      take(state.isOn)
    }
    await kernel.followRadio(take)
  }

  /// The daemon that has a switch, and what is needed to ask it.
  private func owner() async -> (joiner: Joiner, daemon: JoinDaemon, interface: String)? {
    guard let interface = interface(), let link = try? link() else { return nil }
    let joiner = Joiner(link: link)
    guard let owner = try? await joiner.owner(of: interface, named: daemon).get(), owner != .supplicant else { return nil }
    return (joiner, owner, interface)
  }
}

extension RadioError {
  /// What a failure to join is to the switch.
  public init(_ failure: JoinFailure) {
    switch failure.reason {
    case .noPermission: self = .notPermitted
    case .noDaemon: self = .noSwitch
    default: self = .refused("\(failure)")
    }
  }
}
