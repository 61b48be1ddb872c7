public import WiFi

/// What turns one state of a page into the next; a part that is as it was is `nil` or empty.
public struct PageChange: Hashable, Sendable {
  /// The header.
  public var header: PageHeader?
  /// The controls.
  public var controls: PageControls?
  /// Differences of the rows, to be applied in order.
  public var rows: [RowChange]
  /// Differences of the details.
  public var details: DetailsChange?
  /// Differences of the bars.
  public var bars: [BarChange]
  /// The events that were added, as far as they are kept, and the number of all.
  public var events: PageEvents?
  /// How busy channels are; the inner `nil` is that this is not known any more.
  public var loads: PageLoads??
  /// What lies over the list.
  public var layers: [PageLayer]?

  /// What turns `old` into `new`.
  public init(from old: PageState, to new: PageState) {
    header = old.header == new.header ? nil : new.header
    controls = old.controls == new.controls ? nil : new.controls
    rows = RowChange.changes(
      from: PageRows(listed: old.rows, hidden: old.hiddenRows), to: PageRows(listed: new.rows, hidden: new.hiddenRows))
    details = DetailsChange(from: old.details, to: new.details)
    bars = BarChange.changes(from: old.bars, to: new.bars)
    if old.events != new.events {
      // Fewer than before: another history began.
      let isContinued = new.events.totalCount >= old.events.totalCount
      var added = new.events
      if isContinued { added.last = Array(added.last.suffix(new.events.totalCount - old.events.totalCount)) }
      events = added
      eventsBeginAnew = !isContinued || added.last.count == new.events.last.count
    }
    loads = old.loads == new.loads ? nil : .some(new.loads)
    layers = old.layers == new.layers ? nil : new.layers
  }

  /// Whether ``events`` replace those of before.
  package private(set) var eventsBeginAnew = false

  /// Whether nothing is different.
  public var isEmpty: Bool {
    header == nil && controls == nil && rows.isEmpty && details == nil && bars.isEmpty && events == nil && layers == nil
      && loads == nil
  }

  /// Makes of a state the next one, as the page does.
  package func apply(to state: inout PageState) {
    if let header { state.header = header }
    if let controls { state.controls = controls }
    if !rows.isEmpty {
      var lists = PageRows(listed: state.rows, hidden: state.hiddenRows)
      (state.rows, state.hiddenRows) = ([], [])
      lists.apply(rows)
      (state.rows, state.hiddenRows) = (lists.listed, lists.hidden)
    }
    details?.apply(to: &state.details)
    if !bars.isEmpty {
      var kept = state.bars.byKey
      for change in bars {
        switch change {
        case .set(let bar): kept[bar.key] = bar
        case .remove(let key): kept[key] = nil
        }
      }
      state.bars = Array(kept.values)
    }
    if let events {
      let kept = eventsBeginAnew ? [] : state.events.last
      state.events.totalCount = events.totalCount
      state.events.last = (kept + events.last).suffix(PageEvents.capacity)
    }
    if let loads { state.loads = loads }
    if let layers { state.layers = layers }
  }
}

extension PageState {
  /// Whether a page of one looks like one of the other: the order of bars and of hidden rows means nothing.
  package func shows(theSameAs other: PageState) -> Bool {
    // No two rows or bars are the same.
    let known = other.bars.byKey
    guard hiddenRows.count == other.hiddenRows.count, bars.count == other.bars.count,
      hiddenRows.allSatisfy(other.hiddenRows.contains), bars.allSatisfy({ known[$0.key] == $0 })
    else { return false }
    var left = self
    (left.hiddenRows, left.bars) = (other.hiddenRows, other.bars)
    return left == other
  }
}

extension PageChange: Describable {
  public func describe(into fields: inout FieldWriter) {
    if let header { fields.object("header") { header.describe(into: &$0) } }
    if let controls { fields.object("controls") { controls.describe(into: &$0) } }
    if !rows.isEmpty { fields.objects("rows", rows) { $1.describe(into: &$0) } }
    if let details { fields.object("details") { details.describe(into: &$0) } }
    if !bars.isEmpty { fields.objects("bars", bars) { $1.describe(into: &$0) } }
    if let events {
      fields.object("events") { fields in
        events.describe(into: &fields)
        if eventsBeginAnew { fields.field("beginAnew", true) }
      }
    }
    if let loads {
      if let loads { fields.object("loads") { loads.describe(into: &$0) } } else { fields.fieldNull("loads") }
    }
    if let layers { fields.objects("layers", layers) { $1.describe(into: &$0) } }
  }
}

extension PageEvents: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("totalCount", totalCount)
    fields.objects("last", last) { $1.describe(into: &$0) }
  }
}

extension PageState: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.object("header") { header.describe(into: &$0) }
    fields.object("controls") { controls.describe(into: &$0) }
    fields.objects("rows", rows) { $1.describe(into: &$0) }
    if !hiddenRows.isEmpty { fields.objects("hiddenRows", hiddenRows) { $1.describe(into: &$0) } }
    if let details { fields.object("details") { details.describe(into: &$0) } }
    fields.objects("bars", bars) { $1.describe(into: &$0) }
    if let loads { fields.object("loads") { loads.describe(into: &$0) } }
    fields.object("events") { events.describe(into: &$0) }
    fields.objects("layers", layers) { $1.describe(into: &$0) }
  }
}
