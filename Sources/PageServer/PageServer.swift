import NIOCore
import NIOHTTP1
import NIOPosix
public import Page

/// Serves a page over HTTP/1.1 on a thread of its own.
public final class PageServer: Sendable {
  /// Why the server cannot listen.
  public enum Failure: Error, Hashable, Sendable {
    /// Another program listens on the port.
    case portInUse(Int)
    /// Only an administrator may listen on the port.
    case notPermitted(Int)
    /// The address is none of this machine.
    case noSuchAddress(String)
    /// Something else, in the words of the system.
    case other(String)
  }

  private let group: MultiThreadedEventLoopGroup
  private let loop: any EventLoop
  private let connections: NIOLoopBoundBox<PageConnections>
  private let limits: PageLimits

  /// Makes a server that does not listen yet.
  public init(limits: PageLimits = PageLimits(), backend: any PageBackend) {
    self.limits = limits
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    loop = group.next()
    let start = NIODeadline.now()
    connections = NIOLoopBoundBox.makeBoxSendingValue(
      PageConnections(limits: limits, backend: backend) { .nanoseconds((NIODeadline.now() - start).nanoseconds) }, eventLoop: loop)
  }

  /// Listens on an address, and answers what its gate lets through.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - gate: makes the gate for the port.
  /// - Returns: the port.
  /// - Throws: ``Failure``.
  public func listen(on address: String, port: Int, gate: @Sendable @escaping (Int) -> PageGate) async throws -> Int {
    let connections = connections
    var decoding = NIOHTTPDecoderLimitConfiguration()
    decoding.maxHeaderFieldSize = limits.maximumHeaderBytes
    decoding.maxHeaderListSize = limits.maximumHeaderBytes
    decoding.maxHeaderFieldCount = 64
    let limits = decoding
    let bootstrap = ServerBootstrap(group: loop)
      // More than come at once: the system repeats what it dropped only after a second.
      .serverChannelOption(.backlog, value: 4096)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      // A connection that goes for a newcomer is closed before the next one is accepted: never more than the limit have
      // a descriptor.
      .serverChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.writeBufferWaterMark, value: .init(low: 32 << 10, high: 256 << 10))
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try Self.prepare(channel, connections.value, limits) }
      }
    let channel: any Channel
    do {
      channel = try await bootstrap.bind(host: address, port: port).get()
    } catch {
      throw Self.failure(error, address, port)
    }
    let bound = channel.localAddress?.port ?? port
    try await loop.submit { connections.value.gate = gate(bound) }.get()
    loop.scheduleRepeatedTask(initialDelay: .seconds(1), delay: .seconds(1)) { _ in connections.value.tick() }
    return bound
  }

  /// Sets up a new connection.
  static func prepare(_ channel: any Channel, _ connections: PageConnections, _ limits: NIOHTTPDecoderLimitConfiguration) throws {
    guard let handler = connections.open() else { throw ChannelError.ioOnClosedChannel }
    let pipeline = channel.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: true, withErrorHandling: false, withEncoderConfiguration: .init(), withDecoderLimitConfiguration: limits)
    try pipeline.addHandler(handler)
  }

  /// Gives an event to every page that follows the view of a key; see ``PageBrowser``.
  public func publish(_ event: ServerSentEvent, in view: String) {
    let bytes = event.bytes
    let openBytes = event.openBytes
    let connections = connections
    loop.execute { connections.value.publish(bytes, open: openBytes, in: view) }
  }

  /// Closes every connection and ends.
  public func stop() async {
    let connections = connections
    try? await loop.submit { connections.value.closeAll() }.get()
    try? await group.shutdownGracefully()
  }

  private static func failure(_ error: any Error, _ address: String, _ port: Int) -> Failure {
    guard let error = error as? IOError else { return error is SocketAddressError ? .noSuchAddress(address) : .other("\(error)") }
    switch error.errnoCode {
    case EADDRINUSE: return .portInUse(port)
    case EACCES: return .notPermitted(port)
    case EADDRNOTAVAIL: return .noSuchAddress(address)
    default: return .other("\(error)")
    }
  }
}
