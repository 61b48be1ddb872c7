import Models
public import WiFi

/// What happened last, in bounded length.
public struct PageEvents: Hashable, Sendable {
  /// One thing that happened to one network.
  public struct Event: Hashable, Sendable {
    /// `found`, `lost`, `changed`, `joined`, `left`, `disconnected` or `roamed`.
    public var kind: String
    /// When.
    public var timeMs: Int
    /// The network.
    public var network: PageKey
    /// Its name.
    public var name: String
    /// What changed, or what it was then.
    public var detail: String

    init(_ event: NetworkEvents.Event) {
      let network = event.network
      let facts = [
        network.security.summary, network.signalMBm.map { PageWords.signal($0) } ?? "",
        network.bands.isEmpty ? "" : "\(ShortWords.bands(network)) GHz",
      ].filter { !$0.isEmpty }.joined(separator: ", ")
      switch event.kind {
      case .found: (kind, detail) = ("found", facts)
      case .lost: (kind, detail) = ("lost", facts)
      case .changed(let difference): (kind, detail) = ("changed", difference)
      case .joined: (kind, detail) = ("joined", facts)
      case .left: (kind, detail) = ("left", facts)
      case .disconnected(let loss): (kind, detail) = ("disconnected", "\(loss)")
      case .roamed(let from, let to, let reason): (kind, detail) = ("roamed", NetworkEvents.roamingText(from: from, to: to, reason))
      }
      timeMs = event.time.wholeMilliseconds
      self.network = PageKey(network.id)
      name = ShortWords.name(network)
    }
  }

  /// The most events that a page keeps.
  public static let capacity = 200

  /// The number of events so far, kept or not.
  public var totalCount: Int
  /// The last of them, the latest last.
  public var last: [Event]

  init(_ events: NetworkEvents) {
    totalCount = events.totalCount
    last = events.suffix(Self.capacity).map { Event($0) }
  }
}

extension PageEvents.Event: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("kind", kind)
    fields.field("timeMs", timeMs)
    fields.field("network", network.text)
    fields.field("name", name)
    fields.field("detail", detail)
  }
}
