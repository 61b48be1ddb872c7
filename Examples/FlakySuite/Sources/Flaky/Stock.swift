/// A stock that looks before it takes, with a wait between: two may take the last piece.
public actor Stock {
  public private(set) var count: Int
  private var sold: [String] = []

  public init(_ count: Int) { self.count = count }

  /// Sells a piece, if there is one.
  public func take(for name: String) async {
    guard count > 0 else { return }
    await Task.yield()
    count -= 1
    sold.append(name)
  }

  public var buyers: [String] { sold }
}

/// Saves to a place that all share.
public actor Cache {
  public static let shared = Cache()
  private var entries: [String: Int] = [:]
  public init() {}
  public func add(_ key: String) -> Int {
    entries[key, default: 0] += 1
    return entries[key, default: 0]
  }
}
