public import WiFi

/// Which daemon joins, where that is another one than the file's.
public enum ScenarioDaemon: Hashable, Sendable {
  /// The one that owns the interface of the machine.
  case owner
  /// This one.
  case named(JoinDaemon)
}

/// What an interface of the machine brings to a scenario.
public struct ScenarioAdapter {
  /// Where scans come from.
  public var source: any NetworkSource
  /// What joins networks; `nil` where nothing does.
  public var joiner: (any NetworkJoiner)?
  /// The store of known networks; `nil` where there is none.
  public var knownNetworks: (any KnownNetworkStore)?
  /// The observer of the link; `nil` where there is none.
  public var associationObserver: (any AssociationObserver)?
  /// Lets something happen to the access points around the machine; `nil` where nothing can.
  public var onWorldEvent: ((ScenarioAction.WorldEvent) throws(WorldCannot) -> Void)?

  /// An adapter that only listens.
  public init(source: any NetworkSource) { self.source = source }
}
