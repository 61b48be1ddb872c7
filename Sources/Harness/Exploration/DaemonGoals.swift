import Determinism
import Models
import Simulator
import WiFi

/// What must have come about with a daemon that joins.
enum DaemonGoals {
  /// In the end.
  static var all: [Property<SettingsSubject>] {
    [
      nothingIsLeftBehind, knownNetworksStay, otherJoinStands, joinsEndAsTheyShould, preferredIsJoined, switchStandsRight,
      linkStandsRight, noneIsMissing,
    ]
  }

  /// A while after each attempt to join.
  static var always: [Property<SettingsSubject>] { [linkComesBack, replacedEnds] }

  /// A daemon knows the networks that it knew, that were joined, and that a user added.
  private static var nothingIsLeftBehind: Property<SettingsSubject> {
    Property<SettingsSubject>("a join that fails leaves no network behind") { settings -> String? in
      let log = settings.world.log
      guard let daemon = settings.world.daemon, !log.isHindered else { return nil }
      let asked = Set(log.changes.flatMap(\.names))
      let names = settings.plan.start.known.map(\.draft.ssid) + log.attempts.compactMap(\.joinedName)
      let left = daemon.networks.first { name in
        !asked.contains(name) && daemon.networks.count { $0 == name } > names.count { $0 == name }
      }
      return left.map { "the daemon knows \($0) more often than it was joined or added" }
    }
  }

  /// What was known when a run began is known in the end, with the same priority, and joined automatically where it
  /// was, unless something was asked about networks of its name.
  private static var knownNetworksStay: Property<SettingsSubject> {
    Property<SettingsSubject>("joining changes no other known network") { settings -> String? in
      let log = settings.world.log
      guard let daemon = settings.world.daemon, log.interference == nil else { return nil }
      let asked = Set(log.changes.flatMap(\.names))
      let known = settings.plan.start.known.map(\.draft).filter { !asked.contains($0.ssid) }
      for draft in known {
        // A network that was joined takes the place of the one of its name and kind.
        // For iwd an open network and one that only encrypts are one file.
        let isIWD = settings.plan.source.daemon == .iwd
        let isSupplicant = settings.plan.source.daemon == .supplicant
        let families = known.filter { $0.ssid == draft.ssid }.map(\.security.family)
        let kinds = Set(families.map { isIWD && $0 == .owe ? .open : $0 })
        let count = daemon.networks.count { $0 == draft.ssid }
        if count < kinds.count {
          return "of \(draft.ssid) there were \(kinds.count) known networks of different kinds; the daemon knows \(count)"
        }
        let disabled = known.count { $0.ssid == draft.ssid && !$0.joinsAutomatically }
        if daemon.disabledNetworks.count(where: { $0 == draft.ssid }) > disabled {
          return "\(draft.ssid) was joined automatically, and is not any more"
        }
        // What is joined by name is enabled by that.
        let isJoined =
          settings.plan.start.known.contains { $0.isJoined && $0.draft.ssid == draft.ssid }
          || log.attempts.contains { if case .network(draft.ssid, _) = $0.network { true } else { false } }
        if !isJoined, families.count == 1, daemon.disabledNetworks.count(where: { $0 == draft.ssid }) < disabled, isSupplicant {
          return "\(draft.ssid) was joined by hand alone, and is joined automatically now"
        }
        let priorities = daemon.priorities(of: draft.ssid)
        if families.count == 1, !priorities.isEmpty, !priorities.contains(draft.priority) {
          return "\(draft.ssid) had priority \(draft.priority), and has \(priorities[0]) now"
        }
      }
      return nil
    }
  }

  /// Five seconds after an attempt that failed, or that a user gave up, the daemon is where it was.
  private static var linkComesBack: Property<SettingsSubject> {
    var count = 0
    return Property<SettingsSubject>("a join that fails gives the link back") { settings -> String? in
      let log = settings.world.log
      guard log.attempts.count > count, let last = log.attempts.last, let end = last.end, let now = settings.moment?.time,
        now - end >= .seconds(5)
      else { return nil }
      count = log.attempts.count
      guard let daemon = settings.world.daemon, settings.world.canChangeNetworks, log.isUndisturbed, log.interference == nil,
        last.error != nil, last.movesBefore == log.moveCount, settings.fixture.model.isOn
      else { return nil }
      let asked = Set(log.changes.flatMap(\.names))
      if let before = last.linkBefore {
        guard !settings.isChanged(before), !asked.contains(before), daemon.joined == nil else { return nil }
        return "\(before) was joined when the last attempt to join another began, which failed, and nothing is joined now"
      }
      // What is known may be joined by the daemon itself, and goes on where it took too long.
      let isLate = last.error == .timedOut
      guard case .network(let name, _) = last.network, daemon.joined == name, !asked.contains(name),
        !log.attempts.contains(where: { $0.joinedName == name }),
        !settings.plan.start.known.contains(where: { $0.draft.ssid == name && ($0.draft.joinsAutomatically || $0.isJoined || isLate) })
      else { return nil }
      return "nothing was joined when the last attempt began, which failed, and \(name), which it was to join, is joined now"
    }
  }

  /// Ten seconds after an attempt began, those before it, of which it took the place, have ended.
  private static var replacedEnds: Property<SettingsSubject> {
    Property<SettingsSubject>("an attempt ends soon after another has taken its place") { settings -> String? in
      let log = settings.world.log
      guard let last = log.attempts.last, last.end == nil, let now = settings.moment?.time, now - last.start >= .seconds(10),
        log.runningCount > 1, settings.world.daemon != nil, !log.isHindered
      else { return nil }
      return "an attempt began \(now - last.start) before, and one of which it took the place runs still"
    }
  }

  /// An attempt of which another program's join takes the place does not go back to the network before.
  private static var otherJoinStands: Property<SettingsSubject> {
    Property<SettingsSubject>("what another program joins stays joined") { settings -> String? in
      guard settings.world.log.isUndisturbed else { return nil }
      for attempt in settings.world.log.attempts {
        guard let other = attempt.supersededBy, let before = attempt.linkBefore, attempt.linkAtFailure == before,
          !before.bytes.elementsEqual(other.utf8)
        else { continue }
        return "another program joined \(other) in the place of an attempt, which ended with \(before) joined, as before it"
      }
      return nil
    }
  }

  /// Of several known networks of one name, secured alike, a join is that of the one with the highest priority.
  private static var preferredIsJoined: Property<SettingsSubject> {
    Property<SettingsSubject>("a join is that of the known network with the highest priority") { settings -> String? in
      settings.world.log.outrankedNetwork.map { "\($0) was joined, and there is one with a higher priority" }
    }
  }

  /// The switch is where the radio is, even where another program moved it last.
  private static var switchStandsRight: Property<SettingsSubject> {
    Property<SettingsSubject>("the switch stands where the radio does") { settings -> String? in
      // Without permission a daemon does not say where it stands.
      guard let daemon = settings.world.daemon, daemon.machine.isPermitted, let isOn = daemon.radioIsOn, isOn != settings.fixture.model.isOn
      else { return nil }
      return "the radio is \(isOn.onOrOff), and the switch is not"
    }
  }

  /// The link to what the daemon has joined does not count as lost.
  private static var linkStandsRight: Property<SettingsSubject> {
    Property<SettingsSubject>("a link that is back does not count as lost") { settings -> String? in
      let model = settings.fixture.model
      // NetworkManager counts a network as joined for a while after its link was lost.
      guard let daemon = settings.world.daemon, daemon.machine.isPermitted, let joined = daemon.joined, daemon.joinedAccessPoint != nil,
        model.selectedNetwork?.ssid == joined
      else { return nil }
      return model.associationLoss.map { "\(joined) is joined, and its link counts as lost: \($0)" }
    }
  }

  /// That no daemon runs is not said of one that does.
  private static var noneIsMissing: Property<SettingsSubject> {
    Property<SettingsSubject>("a daemon that runs is not said to be missing") { settings -> String? in
      guard let daemon = settings.world.daemon, daemon.isRunning, daemon.machine.isPermitted,
        (settings.world.world as? KernelScenarioWorld)?.daemonIsSaidToBeMissing == true
      else { return nil }
      return "\(daemon.daemon.name) runs, and is said not to"
    }
  }

  /// An attempt with the right password succeeds, and one with another says that the password is wrong.
  private static var joinsEndAsTheyShould: Property<SettingsSubject> {
    Property<SettingsSubject>("a join ends as its password says") { settings -> String? in
      let log = settings.world.log
      guard settings.world.daemon != nil, log.isUndisturbed else { return nil }
      let asked = Set(log.changes.flatMap(\.names))
      // A daemon may try the password that it has saved.
      var saved = Set(settings.plan.start.known.map(\.draft.ssid))
      for attempt in log.attempts where attempt.error != .cancelled && attempt.movesAfter == attempt.movesBefore {
        guard let end = attempt.end else { continue }
        guard case .network(let name, .personal) = attempt.network, !asked.contains(name), !log.hasComeOrGone(name),
          settings.plan.start.networks.contains(where: { name.bytes.elementsEqual($0.name.utf8) && $0.takesPassword }),
          !saved.contains(name), !settings.plan.start.assumes(name)
        else { continue }
        if attempt.error == nil { saved.insert(name) }
        let isRight = attempt.password == ScenarioKnownNetwork.defaultPassword
        // An access point may refuse, or answer nothing, and Wi-Fi may have been off; the right password is not wrong
        // for that.
        let answers = log.answerChanges(name)
        if answers.contains(where: { $0 >= attempt.start && $0 <= end }) { continue }
        if !answers.isEmpty || attempt.movesAfter > 0, !isRight || attempt.error != .wrongPassword { continue }
        // Whatever another program did then, the right password is not wrong.
        if let other = log.interference, end >= other, attempt.error != .wrongPassword || !isRight { continue }
        if isRight == (attempt.error == nil), isRight == (attempt.error != .wrongPassword) { continue }
        let outcome = attempt.error.map { "\($0)" } ?? "success"
        return "an attempt to join \(name) with \(isRight ? "the right" : "a wrong") password ended with \(outcome)"
      }
      return nil
    }
  }
}

extension SettingsSubject {
  /// Whether a network of this name came, went, or answers in another way; of a hidden one the log has no name.
  fileprivate func isChanged(_ name: SSID) -> Bool {
    let isHidden = plan.start.networks.contains { $0.isHidden && name.bytes.elementsEqual($0.name.utf8) }
    return world.log.isChanged(name) || isHidden && world.log.isChanged(.wildcard)
  }
}

extension WorldLog.Attempt {
  /// The name of the network that it joined.
  fileprivate var joinedName: SSID? {
    guard end != nil, error == nil, case .network(let name, _) = network else { return nil }
    return name
  }
}

extension ScenarioStart {
  /// Whether a sheet is given for a network of this name that was not heard, and is not of WPA2, as is assumed of it.
  fileprivate func assumes(_ name: SSID) -> Bool {
    guard case .connect(let network, _, _, _, _, isLost: true) = destination, name.bytes.elementsEqual(network.name.utf8) else {
      return false
    }
    return !networks.filter { $0.name == network.name }.allSatisfy { [.psk, .pskOrSAE].contains($0.joinSecurity) }
  }
}

extension ScenarioNetwork {
  /// Whether one password joins it.
  fileprivate var takesPassword: Bool { isSecured && !isHidden && ![.enterprise, .wep].contains(security) }
}

extension KnownNetworkRequest {
  /// The names of the networks that it is about.
  fileprivate var names: [SSID] {
    switch self {
    case .list: []
    case .add(let draft): [draft.ssid]
    case .edit(let id, let edit), .duplicate(let id, let edit): [id.ssid] + (edit.ssid.map { [$0] } ?? [])
    case .forget(let id): [id.ssid]
    }
  }
}
