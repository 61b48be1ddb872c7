public import Determinism
import Models
import ScanTools
public import WiFi

/// A recording in a scenario, on virtual time.
public final class RecordedScenarioWorld: ScenarioWorld {
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner = NoJoiner()

  /// The scans of a recording, as far apart as they were.
  public init(_ scans: [Scan], clock: VirtualClock) {
    source = RecordingSource(scans) { try await clock.sleep(for: $0) }
  }
}

/// An adapter of the machine in a scenario, and the daemon that joins with it where there is to be one.
public final class SourceScenarioWorld: ScenarioWorld {
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner
  public let knownNetworks: (any KnownNetworkStore)?
  public let associationObserver: (any AssociationObserver)?
  private let onWorldEvent: ((ScenarioAction.WorldEvent) throws(WorldCannot) -> Void)?

  /// What an adapter brings.
  public init(_ adapter: ScenarioAdapter) {
    source = adapter.source
    joiner = adapter.joiner ?? NoJoiner()
    knownNetworks = adapter.knownNetworks
    associationObserver = adapter.associationObserver
    onWorldEvent = adapter.onWorldEvent
  }

  public func perform(_ event: ScenarioAction.WorldEvent, on network: Network?) throws(WorldCannot) {
    guard let onWorldEvent else {
      throw WorldCannot(sentence: "nothing can be done to networks that are not simulated; --world-command names a program that can.")
    }
    try onWorldEvent(event)
  }
}
