package import Determinism
import Models
import Simulator
import WiFi

/// The goals that come with the harness.
enum SettingsGoals {
  static var all: [Property<SettingsSubject>] { [joinsEnd, listConverges, noTaskWaits, scansGoOn] + DaemonGoals.all + WrittenGoals.all }

  /// Every attempt to join has ended.
  static var joinsEnd: Property<SettingsSubject> {
    Property<SettingsSubject>("a join ends") { settings -> String? in
      let (fixture, world) = (settings.fixture, settings.world)
      if fixture.model.destination?.connect?.isConnecting == true, !world.log.attempts.isEmpty {
        return "the sheet still connects"
      }
      return world.log.runningCount > 0 ? "\(world.log.runningCount) attempts to join still run" : nil
    }
  }

  /// What is listed is what is there.
  static var listConverges: Property<SettingsSubject> {
    Property<SettingsSubject>("the list converges to the world") { settings -> String? in
      let (fixture, world) = (settings.fixture, settings.world)
      guard fixture.model.isOn, !isLeftDown(settings), let present = world.presentBSSIDs else { return nil }
      let found = fixture.model.foundNetworks
      var listed: Set<MACAddress> = []
      for id in found.ids { for member in found[id]?.network.members ?? [] { listed.insert(member.bssid) } }
      if let missing = present.subtracting(listed).min() { return "\(missing) is on the air and not listed" }
      if let extra = listed.subtracting(present).min() { return "\(extra) is listed and not on the air" }
      return nil
    }
  }

  /// Where nothing goes wrong, scanning does not fail.
  static var scansGoOn: Property<SettingsSubject> {
    Property<SettingsSubject>("scans go on") { settings -> String? in
      guard settings.world.log.isUndisturbed, settings.fixture.model.isOn, !isLeftDown(settings) else { return nil }
      return settings.fixture.sourceError.map { "nothing went wrong, and a scan failed: \($0)" }
    }
  }

  /// Whether the interface is down, and the daemon that could bring it up does not run or refuses to be asked.
  ///
  /// The switch is the kernel's then.
  private static func isLeftDown(_ settings: SettingsSubject) -> Bool {
    guard let daemon = settings.world.daemon, !daemon.isRunning || !daemon.machine.isPermitted else { return false }
    return daemon.machine.kernel.interface(named: daemon.interface)?.isUp == false
  }

  /// No task but the one that follows the networks runs.
  static var noTaskWaits: Property<SettingsSubject> {
    Property<SettingsSubject>("no task still waits") { settings -> String? in
      let fixture = settings.fixture
      let waiting = fixture.simulation.unfinishedTasks.map(\.name).filter {
        !["follows the networks", "follows the link", "follows the radio", SimulatedTask.bodyName].contains($0)
      }
      if let first = waiting.first { return "“\(first)” still waits" }
      let following = fixture.simulation.unfinishedTasks.count { $0.name == "follows the networks" }
      if following != (fixture.model.isOn ? 1 : 0) {
        return "\(following) tasks follow the networks while Wi-Fi is \(fixture.model.isOn.onOrOff)"
      }
      return nil
    }
  }
}

extension SettingsProperties {
  /// The names of what must have come about, in the end or a while after each attempt to join.
  package static let goalNames = (SettingsGoals.all + DaemonGoals.always).map(\.name)
  /// The names of all that is asked of a run.
  static let names = safety.map { $0.name } + goalNames
}

extension SettingsProperty {
  /// The property as one of the settings in a run.
  package var ofSettings: Property<SettingsSubject> { Property<SettingsSubject>(name) { $0.moment.flatMap(lack) } }
}
