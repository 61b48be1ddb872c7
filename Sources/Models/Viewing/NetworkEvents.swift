public import WiFi

/// What happened to networks, the latest last, in bounded memory.
public struct NetworkEvents: Hashable, Sendable {
  /// One thing that happened to one network.
  public struct Event: Hashable, Sendable {
    /// What happened.
    public enum Kind: Hashable, Sendable {
      /// It was heard for the first time, or again after it was lost.
      case found
      /// It is gone by the rule.
      case lost
      /// Something other than its signal is different, such as `WPA2-Personal → WPA3-Personal`.
      case changed(String)
      /// It was joined.
      case joined
      /// It is not joined any more.
      case left
      /// The link to it was lost, for this reason.
      case disconnected(AssociationLoss)
      /// The daemon moved to another of its access points, for this reason.
      case roamed(from: MACAddress?, to: MACAddress?, RoamingReason)
    }

    /// What happened.
    public var kind: Kind
    /// When, as time since boot.
    public var time: Duration
    /// The network, as it was then.
    public var network: Network

    /// Makes an event from its parts.
    public init(_ kind: Kind, _ network: Network, at time: Duration) {
      self.kind = kind
      self.network = network
      self.time = time
    }
  }

  /// The most events that are kept.
  public let capacity: Int
  /// The number of events so far, kept or not.
  public private(set) var totalCount = 0
  private var events: [Event] = []

  /// Starts with nothing.
  ///
  /// - Precondition: the capacity is positive.
  public init(capacity: Int = 1000) {
    precondition(capacity > 0, "NetworkEvents: capacity \(capacity)")
    self.capacity = capacity
  }

  /// The events that are kept, the latest last.
  public var all: ArraySlice<Event> { events.suffix(capacity) }

  /// The last events, the latest last.
  public func suffix(_ count: Int) -> ArraySlice<Event> { events.suffix(min(count, capacity)) }

  /// The events behind the first `count`, as far as they are kept.
  public func since(_ count: Int) -> ArraySlice<Event> { events.suffix(min(max(totalCount - count, 0), capacity)) }

  /// Adds an event.
  public mutating func append(_ event: Event) {
    totalCount += 1
    events.append(event)
    if events.count >= 2 * capacity { events.removeFirst(events.count - capacity) }
  }

  /// Where a daemon moved and why, such as `from 02:00:00:00:05:00 to 02:00:00:00:05:99: the signal had become weak`.
  public static func roamingText(from: MACAddress?, to: MACAddress?, _ reason: RoamingReason) -> String {
    let ends = [from.map { "from \($0)" }, to.map { "to \($0)" }].compactMap(\.self)
    let place = ends.isEmpty ? "to another access point" : ends.joined(separator: " ")
    return switch reason {
    case .weakSignal: "\(place): the signal had become weak"
    case .accessPointAsked: "\(place): the access point asked for it"
    case .unknown: place
    }
  }

  /// What differs between two looks at one network apart from its signal; `nil` where nothing does.
  static func difference(from old: Network, to new: Network) -> String? {
    var parts: [String] = []
    if old.security != new.security {
      let (before, after) = (old.security.summary, new.security.summary)
      parts.append(before == after ? "security settings changed" : "\(before) → \(after)")
    }
    if old.members.count != new.members.count {
      parts.append("\(old.members.count) → \(new.members.count) access points")
    } else if let before = old.members.first, let after = new.members.first, old.members.count == 1, before.channel != after.channel {
      parts.append(difference(from: before.channel, to: after.channel))
    }
    if old.generation != new.generation, let generation = new.generation { parts.append(generation.summary) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private static func difference(from old: Channel, to new: Channel) -> String {
    let (before, after) = (old.number.map(String.init) ?? "?", new.number.map(String.init) ?? "?")
    guard old.primaryKHz == new.primaryKHz else { return "channel \(before) → \(after)" }
    let (oldWidth, newWidth) = (old.width.megahertz, new.width.megahertz)
    guard oldWidth == newWidth else { return "channel \(before), \(oldWidth) → \(newWidth) MHz" }
    return "channel \(before), another part of the band beside it"
  }
}
