/// What a tap began and a view has to run: once, in a task that ends with the sheet or page that it began on.
public struct ViewerAttempt {
  /// What it does, such as `joins`: a name for its task.
  public let name: String
  private let body: () async -> Void

  /// An attempt to join.
  public init(_ attempt: JoinAttempt) { self.init("joins") { await attempt.run() } }

  /// A request about known networks.
  public init(_ attempt: KnownNetworkAttempt, _ name: String) { self.init(name) { await attempt.run() } }

  /// To list the known networks, as when their page appears.
  public init(listing known: KnownNetworksModel) { self.init("lists the known networks") { await known.load() } }

  /// Anything else that takes time.
  init(_ name: String, _ body: @escaping () async -> Void) {
    self.name = name
    self.body = body
  }

  /// Runs it, in the caller's isolation, and returns when it has ended.
  public func run() async { await body() }
}
