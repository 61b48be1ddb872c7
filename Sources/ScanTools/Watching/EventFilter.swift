import WiFi

/// Which changes of networks are of interest.
public struct EventFilter: OptionSet, Hashable, Sendable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A network was found.
  public static let found = EventFilter(rawValue: 1)
  /// A network was lost.
  public static let lost = EventFilter(rawValue: 2)
  /// A network changed in a way that a line of changes shows.
  public static let changed = EventFilter(rawValue: 4)
  /// A network changed its security, or one was found under a name that was heard with other security.
  public static let security = EventFilter(rawValue: 8)

  /// The names that options have for them.
  public static let names: [(name: String, filter: EventFilter)] = [
    ("found", .found), ("lost", .lost), ("changed", .changed), ("security", .security),
  ]

  /// Whether a change is of interest.
  public func accepts(_ report: ChangeReport) -> Bool {
    if contains(.security), report.changes.contains(where: { $0.field == .security }) { return true }
    switch report.change {
    case .found: return contains(.found)
    case .lost: return contains(.lost)
    case .changed: return contains(.changed) && report.line != nil
    }
  }
}
