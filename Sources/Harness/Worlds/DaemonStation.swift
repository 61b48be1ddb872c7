import DaemonControl
import Simulator
import WiFi

/// A simulated daemon in a scenario: it joins, it keeps the known networks, and other programs use it, too.
final class DaemonStation {
  let daemon: SimulatedDaemon
  let joiner: DaemonNetworkJoiner
  let knownNetworks: DaemonKnownNetworks
  let associationObserver: DaemonAssociationObserver
  let radio: any RadioSwitch
  /// Whether the link is not watched, as no daemon is said to run.
  private(set) var isSaidToBeMissing = false

  /// Starts the daemon with the networks that it has saved; a radio that is off, it switched off.
  init(
    _ daemon: JoinDaemon, kernel: SimulatedKernel, air: any JoinableAir, known: [ScenarioKnownNetwork], radioIsOn: Bool,
    sleep: @escaping (Duration) async throws -> Void
  ) {
    let simulated = SimulatedDaemon(daemon, kernel: kernel, air: air)
    self.daemon = simulated
    let machine = simulated.machine
    let access = DaemonAccess(over: daemon, interface: { simulated.interface }) { machine.link() }
    joiner = DaemonNetworkJoiner(access)
    knownNetworks = DaemonKnownNetworks(access)
    associationObserver = DaemonAssociationObserver(access, sleep: sleep)
    let daemonRadio = DaemonRadioSwitch(
      access, kernel: SimulatedRadioSwitch(kernel: kernel, interface: simulated.interface) { machine.isPermitted })
    radio = DelayedRadio(daemonRadio) { try await sleep(.milliseconds(100)) }
    associationObserver.onProblem = { [weak self] in self?.isSaidToBeMissing = $0?.reason == .noDaemon }
    if !radioIsOn { simulated.setRadio(on: false) }
    for network in known { simulated.add(network.draft) }
    if radioIsOn, let joined = known.first(where: \.isJoined) { simulated.begin(joined: joined.draft.ssid) }
  }

  /// Lets another program do something to the known networks, or the daemon be out of order.
  func perform(_ event: KnownNetworkEvent) throws(WorldCannot) {
    switch event {
    case .forget(let name): daemon.forget(try ssid(name))
    case .joined(nil): daemon.join(nil)
    case .joined(let name?): daemon.join(try ssid(name))
    case .answer(let rule):
      daemon.machine.latency = rule.duration ?? .zero
      daemon.machine.isPermitted = rule.failure != .noPermission
      switch rule.failure {
      case nil: if !daemon.isRunning { daemon.restart() }
      case .noPermission: break
      case .noDaemon, .daemonLost: daemon.kill()
      case .daemonSilent, .busy:
        throw WorldCannot(
          sentence: "\(daemon.daemon.name) answers; of a daemon a scenario can ask for noPermission, noDaemon and daemonLost.")
      }
    }
  }

  func perform(_ change: ScenarioAction.AssociationChange) throws(WorldCannot) {
    guard daemon.joined != nil else { throw WorldCannot(sentence: "no network is joined, so there is no link.") }
    switch change {
    case .dismissed(let reason): daemon.dismiss(reason: reason)
    case .roams: daemon.roam()
    }
  }

  private func ssid(_ name: String) throws(WorldCannot) -> SSID {
    guard let ssid = daemon.networks.first(where: { $0.description == name }) else {
      throw WorldCannot(sentence: "no network “\(name)” is known.")
    }
    return ssid
  }
}

/// A switch that takes its time, as a daemon that checks permissions does.
private final class DelayedRadio: RadioSwitch {
  private let radio: any RadioSwitch
  private let wait: () async throws -> Void

  init(_ radio: any RadioSwitch, wait: @escaping () async throws -> Void) {
    self.radio = radio
    self.wait = wait
  }

  func setRadio(on isOn: Bool) async throws(RadioError) {
    try? await wait()
    try await radio.setRadio(on: isOn)
  }

  func followRadio(_ take: (Bool) async -> Void) async { await radio.followRadio(take) }
}

extension AccessPointPolicy {
  /// What an access point does when a scenario sets the results of joins.
  ///
  /// - Throws: ``WorldCannot`` where no access point can do that.
  mutating func apply(_ answer: ScenarioAction.JoinAnswer) throws(WorldCannot) {
    duration = answer.duration
    switch answer.failure {
    case nil: refusal = .none
    case .rejected: refusal = .association(status: 17)
    case .outOfRange: refusal = .silence
    case .timedOut:
      throw WorldCannot(
        sentence: "over a daemon no join times out by itself: an access point refuses (rejected) or is silent (outOfRange).")
    }
  }
}

extension JoinSecurity {
  /// The access point that has it.
  var accessPoint: AccessPointSecurity {
    switch self {
    case .open: .open
    case .owe: .owe
    case .psk: .wpa2Personal
    case .sae: .wpa3Personal
    case .pskOrSAE: .wpa2WPA3Personal
    case .enterprise: .wpa2Enterprise
    case .wep: .wep
    }
  }
}
