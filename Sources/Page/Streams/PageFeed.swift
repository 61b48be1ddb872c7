public import Models
public import Observing
import WiFi

/// The events of a page: the whole state for a new client, then what changed.
///
/// Each event has a number, counted from one; the page that has seen number n of this run needs only what follows.
/// It shares the isolation of the viewer.
public final class PageFeed {
  /// The version of the events.
  public static let schema = "wifi-harness/page/1"

  private let viewer: Viewer
  private let presenter: PagePresenter
  private let painter: PagePainter
  private var last: PageState?
  /// The number of the last event.
  public private(set) var revision = 0

  /// The events of a viewer and of what lies over its list.
  public init(_ viewer: Viewer, _ presenter: PagePresenter) {
    self.viewer = viewer
    self.presenter = presenter
    painter = PagePainter(viewer)
  }

  /// The state now, to be observed.
  public func look() -> PageState { painter.state(over: presenter.entries) }

  /// The event that describes a new state, or `nil` if it equals the last.
  public func event(of state: PageState, _ transaction: Transaction) -> ServerSentEvent? {
    guard let last else {
      begin(with: state)
      return nil
    }
    let change = PageChange(from: last, to: state)
    guard !change.isEmpty else { return nil }
    self.last = state
    revision += 1
    var open: [UInt8]?
    if let layers = change.layers, layers.contains(where: { !$0.isOpen }) {
      var less = change
      less.layers = layers.filter(\.isOpen)
      open = data(of: less, transaction)
    }
    return ServerSentEvent(name: "change", id: revision, data: data(of: change, transaction), openData: open)
  }

  private func begin(with state: PageState) { (last, revision) = (state, 1) }

  private func data(of change: PageChange, _ transaction: Transaction) -> [UInt8] {
    var fields = FieldWriter()
    fields.object { fields in
      fields.field("revision", revision)
      fields.field("nowMs", viewer.now.wholeMilliseconds)
      if let animation = transaction.animation {
        fields.object("animation") { fields in
          fields.field("name", animation.name)
          fields.field("durationMs", animation.duration.wholeMilliseconds)
        }
      }
      if let cause = transaction.cause { fields.field("cause", cause) }
      change.describe(into: &fields)
    }
    return fields.takeBytes()
  }

  /// The event with the whole state that the last event led to.
  ///
  /// - Parameter mayAct: whether the page that asks may change anything.
  public func hello(mayAct: Bool) -> ServerSentEvent {
    var state = last ?? look()
    if last == nil { begin(with: state) }
    if !mayAct { state.layers.removeAll { !$0.isOpen } }
    var fields = FieldWriter()
    fields.object { fields in
      fields.field("schema", Self.schema)
      fields.field("revision", revision)
      fields.field("nowMs", viewer.now.wholeMilliseconds)
      fields.field("mayAct", mayAct)
      fields.field("viewActions", PageAction.OfView.allCases.map(\.rawValue))
      state.describe(into: &fields)
      describeTrends(of: state, into: &fields)
    }
    return ServerSentEvent(name: "hello", id: revision, data: fields.takeBytes())
  }

  /// How long a row shows signals, and in how many parts.
  private static let trendSpan: Duration = .seconds(60)
  private static let trendCount = 20

  /// The signal of each row over the last minute: an open page appends what changes report.
  private func describeTrends(of state: PageState, into fields: inout FieldWriter) {
    fields.object("trends") { fields in
      fields.field("endMs", viewer.now.wholeMilliseconds)
      fields.field("spanMs", Self.trendSpan.wholeMilliseconds)
      fields.objects("rows", state.rows) { fields, row in
        // A gap is 0, which no receiver reports as a signal.
        fields.field("dBm", viewer.signals(of: row.key.id, last: Self.trendSpan, count: Self.trendCount).map { $0 ?? 0 })
      }
    }
  }
}
