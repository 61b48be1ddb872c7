import WiFi

/// A fault by its name, with its numbers.
public struct FaultSpecification: Hashable, Sendable {
  /// The name.
  public var name: String
  /// How many of a thousand it hits; `nil` is what the fault has by default.
  public var permille: Int?
  /// When it begins, as time from the start of the scenario.
  public var at: Duration?
  /// How long it lasts.
  public var duration: Duration?

  /// A fault with the numbers that it has by default.
  public init(name: String) { self.name = name }
}

/// The faults of a simulated kernel by name, with the numbers that each takes.
public enum FaultCatalog {
  /// A number that a fault takes.
  package enum Parameter: String, Hashable, Sendable {
    /// How many of a thousand requests, scans, events or access points it hits.
    case permille
    /// When it begins, as time from the start.
    case at
    /// How long it lasts.
    case lasts = "for"
  }

  /// A fault by name.
  package struct Entry: Sendable {
    package let name: String
    package let parameters: [Parameter]
    /// Whether it hits joins, which programs and the lists of `simulate` do not make.
    var isAboutJoins = false
    let make: @Sendable (FaultSpecification, _ start: Duration) -> FaultRule

    /// A fault that hits some of a thousand.
    fileprivate static func share(
      _ name: String, _ permille: Int = 100, isAboutJoins: Bool = false, make: @escaping @Sendable (Int) -> FaultRule
    ) -> Entry {
      Entry(name: name, parameters: [.permille], isAboutJoins: isAboutJoins) { fault, _ in make(fault.permille ?? permille) }
    }

    /// A fault that begins at a time and lasts for another.
    fileprivate static func timed(_ name: String, make: @escaping @Sendable (Duration, Duration) -> FaultRule) -> Entry {
      Entry(name: name, parameters: [.at, .lasts]) { fault, start in
        make(start + (fault.at ?? .seconds(10)), fault.duration ?? .seconds(20))
      }
    }
  }

  static let entries: [Entry] = [
    .share("busy") { .busy(permille: $0) },
    .share("aborted") { .aborted(permille: $0) },
    .share("interruptedDump") { .interruptedDump(permille: $0) },
    .share("lostEvents") { .lostEvents(permille: $0) },
    .share("lostReplies") { .lostReplies(permille: $0) },
    .share("truncatedElements", 50) { .truncatedElements(permille: $0) },
    .share("corruptElements", 50) { .corruptElements(permille: $0) },
    .share("duplicateBSSID", 50) { .duplicateBSSID(permille: $0) },
    .share("lateAnswer") { .lateAnswer(permille: $0) },
    .share("wrongPassword", isAboutJoins: true) { .wrongPassword(permille: $0) },
    .share("connectTimeout", isAboutJoins: true) { .connectTimeout(permille: $0) },
    Entry(name: "ssidChange", parameters: [.at, .permille]) { fault, start in
      .ssidChange(
        at: start + (fault.at ?? .seconds(10)), permille: fault.permille ?? 200, to: SSID(Array("renamed".utf8)) ?? .wildcard)
    },
    Entry(name: "reboot", parameters: [.at, .lasts, .permille]) { fault, start in
      .reboot(at: start + (fault.at ?? .seconds(10)), for: fault.duration ?? .seconds(60), permille: fault.permille ?? 200)
    },
    .timed("adapterRemoved") { .adapterRemoved(at: $0, for: $1) },
    .timed("rfkill") { .rfkill(at: $0, for: $1) },
    .timed("interfaceDown") { .interfaceDown(at: $0, for: $1) },
  ]

  /// The names of the faults.
  public static let names = entries.map(\.name)

  /// The faults that hit joins.
  package static let namesAboutJoins = entries.filter(\.isAboutJoins).map(\.name)

  package static func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

  /// The rules of specifications, in their order.
  package static func rules(_ faults: [FaultSpecification], start: Duration) -> [FaultRule] {
    faults.compactMap { fault in entry(fault.name)?.make(fault, start) }
  }
}
