public import WiFi

/// The switch of the radio as the daemon has it that owns the interface: `WirelessEnabled` of NetworkManager, `Powered`
/// of iwd.
///
/// wpa_supplicant has none; over it, and where no daemon runs, the kernel's is moved (rfkill).
public final class DaemonRadioSwitch: RadioSwitch {
  private let access: DaemonAccess
  private let kernel: any RadioSwitch
  /// Whether the daemon lets the radio send, as it said last; one without a switch does.
  ///
  /// `nil` where it was to move and did not say that it has.
  private var daemonIsOn: Bool? = true
  /// How often it was moved.
  private var moves = 0

  /// Switches over the daemon of an interface, or the switch of the kernel.
  public init(_ access: DaemonAccess, kernel: any RadioSwitch) {
    self.access = access
    self.kernel = kernel
  }

  public func setRadio(on isOn: Bool) async throws(RadioError) {
    guard let (joiner, owner, interface) = await owner() else { return try await kernel.setRadio(on: isOn) }
    switch await joiner.radio(.set(isOn), over: owner, interface: interface) {
    case .failure(let failure):
      (daemonIsOn, moves) = (nil, moves + 1)
      throw RadioError(failure)
    case .success(let state):
      (daemonIsOn, moves) = (state.isOn, moves + 1)
      if isOn, state.isBlockedByHardware == true { throw .blockedByHardware }
      if state.isOn != isOn { throw .refused("\(owner.name) did not.") }
    }
  }

  public func followRadio(_ take: (Bool) async -> Void) async {
    // The kernel may have no switch, and then reports nothing.
    if await read(), let daemonIsOn { await take(daemonIsOn) }
    await kernel.followRadio { isOn in
      // The daemon may keep off what the kernel lets send.
      if isOn, daemonIsOn != true { await read() }
      if !isOn { await take(false) } else if let daemonIsOn { await take(daemonIsOn) }
    }
  }

  /// Asks the daemon whether it lets the radio send, and returns whether it answered; an answer that a move overtook
  /// does not count.
  @discardableResult
  private func read() async -> Bool {
    let moves = moves
    guard let (joiner, owner, interface) = await owner(),
      case .success(let state) = await joiner.radio(.read, over: owner, interface: interface), self.moves == moves
    else { return false }
    daemonIsOn = state.isOn
    return true
  }

  /// The daemon that has a switch, and what is needed to ask it.
  private func owner() async -> DaemonAccess.Opened? {
    (try? await access.open().get()).flatMap { $0.daemon == .supplicant ? nil : $0 }
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
