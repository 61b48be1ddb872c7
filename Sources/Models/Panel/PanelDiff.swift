/// One difference between a panel and the next: to be applied in order, one by one.
public enum PanelDiff: Hashable, Sendable {
  /// A row came.
  case insert(PanelRow, at: Place)
  /// A row went.
  case remove(PanelRow.ID)
  /// A row changed its place.
  case move(PanelRow.ID, to: Place)
  /// A row shows something else, and stays where it is.
  case update(PanelRow)

  /// Where a row stands: in front of another of its section, or at the end.
  public struct Place: Hashable, Sendable {
    /// The section.
    public var section: Panel.Section
    /// The row behind it, or `nil` at the end of the section.
    public var before: PanelRow.ID?

    /// Makes a place from its parts.
    public init(_ section: Panel.Section, before: PanelRow.ID? = nil) {
      self.section = section
      self.before = before
    }
  }
}

extension PanelDiff: CustomStringConvertible {
  /// One line, such as `insert Home: 4 bars, 97 %, secured before Office personal`.
  public var description: String {
    switch self {
    case .insert(let row, let place): "insert \(row) \(place)"
    case .remove(let id): "remove \(id)"
    case .move(let id, let place): "move \(id) \(place)"
    case .update(let row): "update \(row)"
    }
  }
}

extension PanelDiff.Place: CustomStringConvertible {
  /// Such as `before Home personal` or `at the end of networks`.
  public var description: String { before.map { "before \($0)" } ?? "at the end of \(section.rawValue)" }
}
