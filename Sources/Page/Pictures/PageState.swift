/// All that a page shows, as a value.
///
/// It is made of a ``Models/Viewer`` and what lies over its list, and holds nothing of its own: two pages of equal
/// states look the same. Times are milliseconds since boot, and ``header`` says how to show them.
public struct PageState: Hashable, Sendable {
  /// What is scanned and how that goes.
  public var header: PageHeader
  /// What the controls of the view are set to.
  public var controls: PageControls
  /// The rows of the list, in order.
  public var rows: [PageRow]
  /// The rows that the filter hides, which a page keeps for when they come back.
  public var hiddenRows: [PageRow]
  /// What is known of the network whose details are shown.
  public var details: PageDetails?
  /// What access points occupy of the bands.
  public var bars: [PageBar]
  /// How busy channels are, by frequency; `nil` where it was not requested or is not available.
  public var loads: PageLoads?
  /// What happened last.
  public var events: PageEvents
  /// What lies over the list, the topmost last.
  public var layers: [PageLayer]
}
