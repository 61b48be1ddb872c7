import Simulator
import WiFi

/// The faults of a simulated kernel by name, with the numbers that each takes.
public enum FaultCatalog {
  /// A number that a fault takes.
  enum Parameter: String, Hashable, Sendable, CaseIterable {
    /// How many of a thousand requests, scans, events or access points it hits.
    case permille
    /// When it begins, as time from the start.
    case at
    /// How long it lasts.
    case lasts = "for"
  }

  /// A fault by name.
  struct Entry: Sendable {
    var name: String
    var parameters: [Parameter]
    /// Whether it hits joins, which programs and the lists of `simulate` do not make.
    var isAboutJoins: Bool
    var defaults: ScenarioSource.FaultSpecification
    var make: @Sendable (ScenarioSource.FaultSpecification, _ start: Duration) -> any FaultRule

    init(
      _ name: String, _ parameters: [Parameter], isAboutJoins: Bool = false,
      make: @escaping @Sendable (ScenarioSource.FaultSpecification, _ start: Duration) -> any FaultRule
    ) {
      self.name = name
      self.parameters = parameters
      self.isAboutJoins = isAboutJoins
      defaults = .init(name: name)
      self.make = make
    }
  }

  static let entries: [Entry] = [
    Entry("busy", [.permille]) { fault, _ in BusyFault(permille: fault.permille ?? 100) },
    Entry("aborted", [.permille]) { fault, _ in AbortedFault(permille: fault.permille ?? 100) },
    Entry("interruptedDump", [.permille]) { fault, _ in InterruptedDumpFault(permille: fault.permille ?? 100) },
    Entry("lostEvents", [.permille]) { fault, _ in LostEventsFault(permille: fault.permille ?? 100) },
    Entry("truncatedElements", [.permille]) { fault, _ in TruncatedElementsFault(permille: fault.permille ?? 50) },
    Entry("corruptElements", [.permille]) { fault, _ in CorruptElementsFault(permille: fault.permille ?? 50) },
    Entry("duplicateBSSID", [.permille]) { fault, _ in DuplicateBSSIDFault(permille: fault.permille ?? 50) },
    Entry("lateAnswer", [.permille]) { fault, _ in LateAnswerFault(permille: fault.permille ?? 100) },
    Entry("wrongPassword", [.permille], isAboutJoins: true) { fault, _ in WrongPasswordFault(permille: fault.permille ?? 100) },
    Entry("connectTimeout", [.permille], isAboutJoins: true) { fault, _ in ConnectTimeoutFault(permille: fault.permille ?? 100) },
    Entry("ssidChange", [.at, .permille]) { fault, start in
      SSIDChangeFault(
        at: start + (fault.at ?? .seconds(10)), permille: fault.permille ?? 200, to: SSID(Array("renamed".utf8)) ?? .wildcard)
    },
    Entry("reboot", [.at, .lasts, .permille]) { fault, start in
      RebootFault(
        at: start + (fault.at ?? .seconds(10)), for: fault.duration ?? .seconds(60), permille: fault.permille ?? 200)
    },
    Entry("adapterRemoved", [.at, .lasts]) { fault, start in
      AdapterRemovedFault(at: start + (fault.at ?? .seconds(10)), for: fault.duration ?? .seconds(20))
    },
    Entry("rfkill", [.at, .lasts]) { fault, start in
      RFKillFault(at: start + (fault.at ?? .seconds(10)), for: fault.duration ?? .seconds(20))
    },
    Entry("interfaceDown", [.at, .lasts]) { fault, start in
      InterfaceDownFault(at: start + (fault.at ?? .seconds(10)), for: fault.duration ?? .seconds(20))
    },
  ]

  /// The names of the faults.
  public static let names = entries.map(\.name)

  /// The faults that hit joins.
  package static let namesAboutJoins = entries.filter(\.isAboutJoins).map(\.name)

  /// The names of the numbers that a fault takes: of `permille`, `at` and `for`.
  package static func numbers(of name: String) -> [String] { entry(name)?.parameters.map(\.rawValue) ?? [] }

  static func entry(_ name: String) -> Entry? { entries.first { $0.name == name } }

  /// The rules of specifications, in their order.
  static func rules(_ faults: [ScenarioSource.FaultSpecification], start: Duration) -> [any FaultRule] {
    faults.compactMap { fault in entry(fault.name)?.make(fault, start) }
  }
}
