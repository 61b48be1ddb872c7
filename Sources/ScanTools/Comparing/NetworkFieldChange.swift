import WiFi

/// A field of a network that differs from what it was.
public struct NetworkFieldChange: Hashable, Sendable {
  /// What differs.
  public enum Field: String, Hashable, Sendable, CaseIterable {
    /// How it is secured; in detail where the words for it are the same.
    case security
    /// The strength in dBm.
    case signalDBm
    /// The bars.
    case bars
    /// The bands.
    case bands
    /// The numbers of the primary channels.
    case channels
    /// The addresses of its access points.
    case bssids
    /// The newest generation.
    case generation
  }

  /// What a field can be.
  public enum Value: Hashable, Sendable {
    /// Nothing is known.
    case none
    /// A number, in hundredths.
    case hundredths(Int)
    /// Text.
    case text(String)
    /// A list of texts.
    case list([String])
    /// A list of numbers.
    case numbers([Int])
  }

  /// What differs.
  public var field: Field
  /// What it was.
  public var before: Value
  /// What it is.
  public var after: Value

  /// Makes it from its parts.
  public init(field: Field, before: Value, after: Value) {
    self.field = field
    self.before = before
    self.after = after
  }

  /// What differs between two states of a network.
  static func changes(from old: Network, to new: Network) -> [NetworkFieldChange] {
    let (before, after) = (values(old), values(new))
    var changes: [NetworkFieldChange] = []
    if old.security != new.security { changes.append(security(from: old.security, to: new.security)) }
    for (before, after) in zip(before, after) where before.value != after.value {
      changes.append(NetworkFieldChange(field: before.field, before: before.value, after: after.value))
    }
    return changes
  }

  /// A change of the security alone.
  static func security(from old: Security, to new: Security) -> NetworkFieldChange {
    let isSame = old.summary == new.summary
    return NetworkFieldChange(
      field: .security, before: .text(isSame ? old.details : old.summary), after: .text(isSame ? new.details : new.summary))
  }

  private static func values(_ network: Network) -> [(field: Field, value: Value)] {
    [
      (.signalDBm, network.signalMBm.map { .hundredths(Int($0)) } ?? .none),
      (.bars, .hundredths(network.bars * 100)),
      (.bands, .list(network.bands.map(\.rawValue))),
      (.channels, .numbers(Set(network.members.compactMap(\.channel.number)).sorted())),
      // Which is the strongest changes all the time.
      (.bssids, .list(network.members.map(\.bssid).sorted().map(\.description))),
      (.generation, network.generation.map { .text($0.summary) } ?? .none),
    ]
  }

  func describe(into fields: inout FieldWriter) {
    fields.field("field", field.rawValue)
    Self.write(before, "before", into: &fields)
    Self.write(after, "after", into: &fields)
  }

  private static func write(_ value: Value, _ name: StaticString, into fields: inout FieldWriter) {
    switch value {
    case .none: fields.fieldNull(name)
    case .hundredths(let value): fields.field(name, hundredths: value)
    case .text(let text): fields.field(name, text)
    case .list(let list): fields.field(name, list)
    case .numbers(let numbers): fields.field(name, numbers)
    }
  }
}
