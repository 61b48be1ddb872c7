/// How much a server takes.
public struct PageLimits: Hashable, Sendable {
  /// The most connections at once.
  public var maximumConnections = 256
  /// The most connections that follow events.
  package var maximumStreams = 64
  /// The most bytes of a header.
  public var maximumHeaderBytes = 16 << 10
  /// The most bytes of a body.
  public var maximumBodyBytes = 16 << 10
  /// The time within which a whole request has to be there after a connection was made.
  var headerTime: Duration = .seconds(10)
  /// The time within which the next whole request has to be there.
  var idleTime: Duration = .seconds(60)
  /// How long an answer is left alone where there is no room for a newcomer.
  var answerTime: Duration = .milliseconds(500)
  /// The time between two signs of life of a stream.
  public var heartbeatTime: Duration = .seconds(15)
  /// How long a page that follows may read nothing.
  public var patience: Duration = .seconds(60)
  /// The most bytes that wait for a page that reads slowly.
  public var maximumWaitingBytes = 1 << 20

  /// The limits of the command.
  public init() {}

  /// Descriptors that stay free: for connections that are being refused, and for files and sockets that a source opens
  /// while it runs.
  package static let spareDescriptors = 8

  /// The limits where so many descriptors are free; `nil` where no connection could be served.
  ///
  /// A server without descriptors cannot even refuse: a connection that waits makes its socket ready forever.
  public func within(freeDescriptors: Int) -> PageLimits? {
    let room = freeDescriptors - Self.spareDescriptors
    guard room > 0 else { return nil }
    var limits = self
    limits.maximumConnections = min(maximumConnections, room)
    // One connection at least stays for requests.
    limits.maximumStreams = min(maximumStreams, max(room - 1, 1))
    return limits
  }
}
