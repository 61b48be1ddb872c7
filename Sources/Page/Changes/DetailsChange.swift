public import WiFi

/// The difference between the details of two states.
public enum DetailsChange: Hashable, Sendable {
  /// Other details, or none.
  case whole(PageDetails?)
  /// Parts of the details of the same network.
  case parts(summary: PageDetails.Summary?, curves: Curves?, elements: [PageDetails.ElementGroup]?)

  /// The difference between two sets of curves.
  public enum Curves: Hashable, Sendable {
    /// Other curves.
    case whole([PageDetails.Curve])
    /// Points that came and went at the ends of each curve, in the same order of curves.
    case grown([Growth])
  }

  /// Points that came and went at the ends of a curve.
  public struct Growth: Hashable, Sendable {
    /// The number of points that went from its beginning.
    public var dropped: Int
    /// The points that came at its end.
    public var added: [PageDetails.Point]
  }

  /// What turns `old` into `new`; `nil` where nothing does.
  init?(from old: PageDetails?, to new: PageDetails?) {
    if old == new { return nil }
    guard let old, let new, old.summary.key == new.summary.key else {
      self = .whole(new)
      return
    }
    self = .parts(
      summary: old.summary == new.summary ? nil : new.summary, curves: Self.curves(from: old.curves, to: new.curves),
      elements: old.elements == new.elements ? nil : new.elements)
  }

  private static func curves(from old: [PageDetails.Curve], to new: [PageDetails.Curve]) -> Curves? {
    if old == new { return nil }
    guard old.map(\.bssid) == new.map(\.bssid) else { return .whole(new) }
    var growths: [Growth] = []
    for (before, after) in zip(old, new) {
      // The rest of the old points is the beginning of the new ones.
      let first = after.points.first?.timeMs ?? .max
      let dropped = before.points.firstIndex { $0.timeMs >= first } ?? before.points.count
      let kept = before.points.count - dropped
      guard kept <= after.points.count, before.points[dropped...].elementsEqual(after.points[..<kept]) else { return .whole(new) }
      growths.append(Growth(dropped: dropped, added: Array(after.points[kept...])))
    }
    return .grown(growths)
  }

  func apply(to details: inout PageDetails?) {
    switch self {
    case .whole(let new): details = new
    case .parts(let summary, let curves, let elements):
      if let summary { details?.summary = summary }
      if let elements { details?.elements = elements }
      switch curves {
      case nil: break
      case .whole(let curves): details?.curves = curves
      case .grown(let growths):
        for (index, growth) in growths.enumerated() {
          details?.curves[index].points.removeFirst(growth.dropped)
          details?.curves[index].points += growth.added
        }
      }
    }
  }
}

extension DetailsChange: Describable {
  public func describe(into fields: inout FieldWriter) {
    switch self {
    case .whole(nil): fields.fieldNull("whole")
    case .whole(let details?): fields.object("whole") { details.describe(into: &$0) }
    case .parts(let summary, let curves, let elements):
      if let summary { fields.object("summary") { summary.describe(into: &$0) } }
      switch curves {
      case nil: break
      case .whole(let curves): fields.objects("curves", curves) { $1.describe(into: &$0) }
      case .grown(let growths):
        fields.objects("grown", growths) { fields, growth in
          fields.field("dropped", growth.dropped)
          fields.field("added", PageDetails.flat(growth.added))
        }
      }
      if let elements { fields.objects("elements", elements) { $1.describe(into: &$0) } }
    }
  }
}
