public import Determinism
public import WiFi

/// A recording in a scenario, on virtual time.
public final class RecordedScenarioWorld: ScenarioWorld {
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner = NobodyJoins()

  /// The scans of a recording, as far apart as they were.
  public init(_ scans: [Scan], clock: VirtualClock) {
    source = RecordingSource(scans) { try await clock.sleep(for: $0) }
  }
}

/// Any source in a scenario, such as an adapter.
public final class SourceScenarioWorld: ScenarioWorld {
  public let source: any NetworkSource
  public let joiner: any NetworkJoiner = NobodyJoins()

  /// What `source` brings.
  public init(_ source: any NetworkSource) { self.source = source }
}
