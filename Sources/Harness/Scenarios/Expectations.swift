/// Expectations, all of which must be met; what is not mentioned may be anything.
public struct Expectations: Hashable, Sendable {
  /// Where a user must be.
  public enum Destination: Hashable, Sendable {
    case none
    case connect(NetworkReference?)
    case detail(NetworkReference?)
    case known
  }

  /// Which alert must be there.
  public enum Alert: String, Hashable, Sendable, CaseIterable {
    case none, incorrectPassword, forget, forgetKnown
  }

  /// Whether Wi-Fi is on.
  public var isOn: Bool?
  /// Where a user is.
  public var destination: Destination?
  /// Whether an attempt to join runs.
  public var isConnecting: Bool?
  /// Which alert is there.
  public var alert: Alert?
  /// Why the last attempt failed; `.some(nil)` where it must not have.
  public var failure: ExpectedFailure??
  /// What the password field holds.
  public var password: String?
  /// The selected network; `.some(nil)` where there must be none.
  public var selected: NetworkReference??
  /// Whether the selected network is out of range.
  public var isOutOfRange: Bool?
  /// Whether the network of the sheet or page is lost.
  public var isLost: Bool?
  /// Whether Forget is offered.
  public var canForget: Bool?
  /// The names of all rows below the top, in order.
  public var rows: [String]?
  /// Names that must be among them.
  public var contains: [NetworkReference] = []
  /// Names that must not be among them.
  public var missing: [NetworkReference] = []
  /// The number of rows below the top.
  public var count: Int?
  /// Facts of rows.
  public var row: [RowExpectation] = []
  /// The number of things that should not have happened and were ignored, since the start.
  package var issueCount: Int?
  /// What must have happened last to the association, in the words of a trace, such as `lost Home: dismissed, reason
  /// code 4`; `none` where nothing.
  public var link: String?
  /// Why the radio must not have been switched, by name, such as `notPermitted`; `none` where it must have been.
  public var radio: String?
  /// The expectations of the known networks.
  public var known: KnownExpectations?

  /// The expectations of one row.
  public struct RowExpectation: Hashable, Sendable {
    /// The row.
    public var network: NetworkReference
    /// Whether joining it needs a secret.
    public var isSecured: Bool?
    /// Its strength in bars.
    public var bars: Int?
  }

  /// Nothing in particular.
  public init() {}
}
