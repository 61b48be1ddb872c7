/// Where the parts of the panel stand in a picture of a size.
///
/// 100 × 30 has them all; a smaller one leaves out channels and events, then details. What is left out has a key.
public struct PanelLayout: Hashable, Sendable {
  /// The least size that is drawn in; below it there is a sentence.
  public static let minimum = Size(columns: 40, rows: 15)

  /// Two lines: what is scanned and how, and the controls.
  public let header: Area
  /// Everything between header and keys.
  public let main: Area
  /// The list with its titles.
  public let list: Area
  /// The details of the subject; `nil` where there is no room beside the list.
  public let details: Area?
  /// The channels; `nil` where there is no room below the list.
  public let channels: Area?
  /// The events; `nil` where there is no room below the channels.
  public let events: Area?
  /// The line with keys.
  public let keys: Area

  /// The number of rows of networks.
  public var listHeight: Int { max(list.rows - 1, 0) }

  /// The layout of a size, or `nil` where it is below ``minimum``.
  ///
  /// - Parameter hasTimeBar: whether a line above the keys is left for the place in a recording.
  public init?(_ size: Size, hasTimeBar: Bool = false) {
    guard size.columns >= Self.minimum.columns, size.rows >= Self.minimum.rows else { return nil }
    let columns = size.columns
    let foot = hasTimeBar ? 2 : 1
    header = Area(column: 0, row: 0, columns: columns, rows: 2)
    keys = Area(column: 0, row: size.rows - foot, columns: columns, rows: foot)
    main = Area(column: 0, row: 2, columns: columns, rows: size.rows - 2 - foot)
    let isTall = size.rows >= 30 && columns >= 90
    let channelRows = isTall ? min(max(size.rows / 4, 7), 16) : 0
    let eventRows = isTall ? min(max(size.rows / 8, 4), 10) : 0
    let upper = Area(column: 0, row: 2, columns: columns, rows: main.rows - channelRows - eventRows)
    channels = isTall ? Area(column: 0, row: upper.endRow, columns: columns, rows: channelRows) : nil
    events = isTall ? Area(column: 0, row: upper.endRow + channelRows, columns: columns, rows: eventRows) : nil
    guard columns >= 72 else {
      list = upper
      details = nil
      return
    }
    let width = min(max(columns * 2 / 5, 33), 76)
    list = Area(column: 0, row: upper.row, columns: columns - width, rows: upper.rows)
    details = Area(column: columns - width, row: upper.row, columns: width, rows: upper.rows)
  }
}
