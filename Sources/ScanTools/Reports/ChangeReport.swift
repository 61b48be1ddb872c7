import Terminal
public import WiFi

/// What happened to one network, as a line for a user or for a program.
public struct ChangeReport: Sendable {
  /// The version of the JSON that ``json`` writes; its schema is `schemas/change-1.json`.
  public static let schema = "wifi-harness/change/1"

  /// What happened.
  public let change: NetworkChange
  /// When, counted from the start of the first scan.
  public let time: Duration
  /// When, in UTC, where that is known.
  public var utc: UTCTime?
  /// The security of another network of the same name, under which this one was found (``SecurityHistory``).
  public var earlierSecurity: Security?
  /// The bars that a line had for the network before and has now, where they hold still (``SteadyBars``).
  var steadyBars: (old: Int, new: Int)?

  /// The time that a line begins with, in place of that since the first scan.
  public var clockTime: String?
  /// Whether a line has the address of an access point behind the name.
  public var showsAddress = false

  /// Makes a report of what happened `time` after the first scan began.
  public init(_ change: NetworkChange, at time: Duration) {
    self.change = change
    self.time = time
  }

  /// What happened, by a name that is the same in every version.
  public var event: String { change.kind.rawValue }

  /// What is not as it was: of a network that changed, and of one that was found under the name of another.
  public var changes: [NetworkFieldChange] {
    if case .changed(let network, let from) = change { return NetworkFieldChange.changes(from: from, to: network) }
    return earlierSecurity.map { [.security(from: $0, to: change.network.security)] } ?? []
  }

  /// One line, such as `+12.300s  found    Home  WPA2-Personal  ▂▄▆·  -61 dBm  2.4GHz`; `nil` for a change that a user
  /// would not see.
  public var line: String? {
    let padded = clockTime ?? Self.stamp(time)
    switch change {
    case .found(let network): return "\(padded)  found    \(summary(network))"
    case .lost(let network): return "\(padded)  lost     \(summary(network))"
    case .changed(let network, let from):
      let differences = Self.differences(network, from, steadyBars ?? (from.bars, network.bars))
      if differences.isEmpty { return nil }
      return "\(padded)  changed  \(name(network))  \(differences.joined(separator: ", "))"
    }
  }

  /// A time as lines begin with it, such as ` +12.300s`.
  public static func stamp(_ time: Duration) -> String {
    let stamp = "+\(FixedPlaces.text(units: Int64(max(time.wholeMilliseconds, 0)), places: 3, showsAll: true))s"
    return String(repeating: " ", count: max(10 - stamp.count, 0)) + stamp
  }

  /// One JSON object without a line end.
  public var json: [UInt8] {
    FieldWriter.bytes(isLine: false) { fields in
      fields.field("schema", Self.schema)
      fields.field("timeMs", time.wholeMilliseconds)
      if let utc { fields.field("time", utc.iso8601) }
      fields.field("event", event)
      let changes = changes
      if !changes.isEmpty {
        fields.objects("changes", changes) { $1.describe(into: &$0) }
      }
      fields.object("network") { change.network.describe(into: &$0) }
    }
  }

  private func name(_ network: Network) -> String {
    let address = network.members.first?.bssid.description ?? ""
    if network.ssid.isHidden { return "(\(network.isHidden ? "hidden" : "unknown") \(address))" }
    return DisplayName.of(network.ssid) + (showsAddress ? "  \(address)" : "")
  }

  private func summary(_ network: Network) -> String {
    [
      name(network), network.securityText, SignalMarks.bars(network.bars),
      network.signalMBm.map { "\($0.wholeDBm) dBm" } ?? "-", network.bands.map(\.rawValue).joined(separator: "/"),
    ].joined(separator: "  ")
  }

  private static func differences(_ new: Network, _ old: Network, _ bars: (old: Int, new: Int)) -> [String] {
    var result: [String] = []
    if bars.new != bars.old { result.append("\(SignalMarks.bars(bars.old)) → \(SignalMarks.bars(bars.new))") }
    if new.security != old.security {
      result.append(
        new.security.summary == old.security.summary
          ? "security details" : "\(old.security.summary) → \(new.security.summary)")
    }
    if new.bands != old.bands {
      result.append(
        "\(old.bands.map(\.rawValue).joined(separator: "/")) → \(new.bands.map(\.rawValue).joined(separator: "/"))")
    }
    if new.members.count != old.members.count {
      result.append("\(old.members.count) → \(new.members.count) access points")
    } else if Set(new.members.map(\.bssid)) != Set(old.members.map(\.bssid)) {
      result.append("another access point")
    }
    if new.generation != old.generation {
      result.append("\(old.generation?.summary ?? "-") → \(new.generation?.summary ?? "-")")
    }
    return result
  }
}
