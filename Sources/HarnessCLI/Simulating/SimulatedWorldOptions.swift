import ArgumentParser
import Harness

/// The world that a command is about, and what goes wrong in it.
struct SimulatedWorldOptions: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("Seed all randomness with this number.", valueName: "seed"))
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("The world: \(SimulatedWorlds.names.joined(separator: ", ")).", valueName: "world"),
    completion: .list(SimulatedWorlds.names))
  var world: String?

  @Flag(
    help: ArgumentHelp(
      "Let people's devices and access points come and go by the hour, from midnight (UTC) on, in the worlds \(SimulatedWorlds.namesWithDayAndNight.joined(separator: ", "))."
    ))
  var dayAndNight = false

  @Option(
    name: .customLong("fault"),
    help: ArgumentHelp(
      "Inject this fault into the simulated kernel, with numbers after a colon where it takes them, such as rfkill:at=5s,for=10s; "
        + "repeatable: \(FaultOption.names.joined(separator: ", ")).", valueName: "fault"),
    completion: .list(FaultOption.names))
  var faults: [String] = []

  func validate() throws {
    guard seed != nil else {
      throw ValidationError("--seed is missing: a run is its seed, so that it can be seen again; any number will do, such as 7.")
    }
    if let world { try WorldOptions.check(world: world, option: "--world") }
    for fault in faults { _ = try FaultOption.specification(fault) }
  }

  /// The world, as a scenario names it.
  ///
  /// - Parameter world: the one that is meant where none was named.
  func source(otherwise world: String) throws(ValidationError) -> ScenarioSource.SimulatedSource {
    var source = ScenarioSource.SimulatedSource(world: self.world ?? world, seed: seed ?? 0)
    source.hasDayAndNight = dayAndNight
    source.faults = try faults.map(FaultOption.specification)
    if source.world == "preview", !faults.isEmpty {
      throw ValidationError("--fault is for worlds with a kernel; the preview has none. Give another --world.")
    }
    if dayAndNight, !SimulatedWorlds.namesWithDayAndNight.contains(source.world) {
      throw ValidationError("--day-and-night is for the worlds \(SimulatedWorlds.namesWithDayAndNight.joined(separator: ", ")).")
    }
    return source
  }
}
