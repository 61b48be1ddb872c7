public import WiFi

/// The switch of the radio as the daemon has it that owns the interface: `WirelessEnabled` of NetworkManager, `Powered`
/// of iwd.
///
/// wpa_supplicant has none; over it, and where no daemon runs, the kernel's is moved (rfkill).
public final class DaemonRadioSwitch: RadioSwitch {
  private let access: DaemonAccess
  private let kernel: any RadioSwitch
  /// Whether the daemon lets the radio send, as it said last; where none has a switch, it does.
  ///
  /// `nil` where it has not said so yet, or was to move and did not say that it has.
  private var daemonIsOn: Bool?
  /// How often it was moved.
  private var moves = 0

  /// Switches over the daemon of an interface, or the switch of the kernel.
  public init(_ access: DaemonAccess, kernel: any RadioSwitch) {
    self.access = access
    self.kernel = kernel
  }

  public func setRadio(on isOn: Bool) async throws(RadioError) {
    guard let (joiner, owner, interface) = try? await owner().get() else { return try await kernel.setRadio(on: isOn) }
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
    if await read() == .said, let daemonIsOn { await take(daemonIsOn) }
    await kernel.followRadio { isOn in
      // The daemon may keep off what the kernel lets send.
      let answer = isOn && daemonIsOn != true ? await read() : .nothing
      let letsSend = daemonIsOn ?? (answer == .refused ? true : nil)
      if !isOn { await take(false) } else if let letsSend { await take(letsSend) }
    }
  }

  /// What came of asking the daemon whether it lets the radio send.
  private enum Answer {
    case said
    /// It does not say so to this user, so that only the kernel can be asked.
    case refused
    /// It may say so later, or a move overtook what it said, or none has a switch.
    case nothing
  }

  /// Asks the daemon whether it lets the radio send; an answer that a move overtook does not count.
  private func read() async -> Answer {
    let moves = moves
    let state: Result<RadioState, JoinFailure>
    switch await owner() {
    case .success(let (joiner, owner, interface)): state = await joiner.radio(.read, over: owner, interface: interface)
    case .failure(let failure): state = .failure(failure)
    }
    guard self.moves == moves else { return .nothing }
    switch state {
    case .success(let state):
      daemonIsOn = state.isOn
      return .said
    case .failure(let failure):
      if failure.reason == .noDaemon { daemonIsOn = daemonIsOn ?? true }
      return failure.reason == .noPermission ? .refused : .nothing
    }
  }

  /// The daemon that has a switch, and what is needed to ask it.
  ///
  /// Where none has a switch it fails with ``JoinFailure/Reason/noDaemon``.
  private func owner() async -> Result<DaemonAccess.Opened, JoinFailure> {
    await access.open().flatMap { $0.daemon == .supplicant ? .failure(JoinFailure(.noDaemon)) : .success($0) }
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
