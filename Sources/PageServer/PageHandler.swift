import NIOCore
import NIOHTTP1
import Page

/// One connection: reads requests, answers them, and follows events.
final class PageHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// Between requests.
    case idle
    /// The body of a request is on its way.
    case reading(PageRoute, HTTPRequestHead, [UInt8])
    /// A request is answered.
    case answering
    /// Events are followed.
    case streaming(StreamQueue)
    /// The last answer was given; what comes is dropped.
    case draining(Int)
  }

  private let number: Int
  private let connections: PageConnections
  private var state = State.idle
  private var browser = PageBrowser(mayAct: false)
  private var context: ChannelHandlerContext?

  /// What a client that is refused may still send before it is cut off.
  private static let maximumDrainedBytes = 4 << 20

  init(_ number: Int, _ connections: PageConnections) {
    self.number = number
    self.connections = connections
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }
  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  func channelInactive(context: ChannelHandlerContext) {
    if case .streaming = state { connections.backend.left(browser) }
    state = .draining(0)
    connections.closed(number)
    self.context = nil
    context.fireChannelInactive()
  }

  /// Closes the connection.
  func close() { context?.close(promise: nil) }

  // MARK: Requests

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (unwrapInboundIn(data), state) {
    case (.head(let head), .idle): begin(head, context)
    case (.body(let part), .reading(let route, let head, var body)):
      guard body.count + part.readableBytes <= connections.limits.maximumBodyBytes else { return refuseBody(head, context) }
      body += part.readableBytesView
      state = .reading(route, head, body)
    case (.end, .reading(let route, let head, let body)): ask(route, head, body, context)
    case (.body(let part), .draining(let count)):
      state = .draining(count + part.readableBytes)
      if count > Self.maximumDrainedBytes { close() }
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let gate = connections.gate else { return close() }
    let request = PageRequest(
      method: head.method.rawValue, target: head.uri, headers: head.headers.map { PageRequest.Header($0.name, $0.value) })
    browser = PageBrowser(request, mayAct: gate.hasToken(request))
    switch PageVerdict(request, gate) {
    case .answer(let response):
      connections.answers(number, isRefusal: response.status >= 400)
      state = .answering
      let hasBody = head.headers.contains(name: "transfer-encoding") || (head.headers.first(name: "content-length") ?? "0") != "0"
      send(response, to: head, closes: hasBody, context)
    case .ask(let route):
      if let length = head.headers.first(name: "content-length"), Int(length) ?? .max > connections.limits.maximumBodyBytes {
        return refuseBody(head, context)
      }
      state = .reading(route, head, [])
    }
  }

  private func refuseBody(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    connections.answers(number, isRefusal: true)
    let limit = connections.limits.maximumBodyBytes
    state = .answering
    send(.refusal(413, "A body has at most \(limit) bytes."), to: head, closes: true, context)
  }

  private func ask(_ route: PageRoute, _ head: HTTPRequestHead, _ body: [UInt8], _ context: ChannelHandlerContext) {
    state = .answering
    if route == .events { return stream(head, context) }
    connections.answers(number, isRefusal: false)
    let question: PageQuestion
    switch route {
    case .scan: question = .scan
    case .metrics: question = .metrics(connections.statistics)
    case .action, .asset, .events:
      guard let action = PageAction(json: body) else {
        let sentence = "This is no action: the page sends a JSON object such as {\"do\": \"scan\"}."
        connections.refused()
        return send(.refusal(400, sentence), to: head, closes: false, context)
      }
      if let refusal = connections.gate?.refusal(of: action, from: browser) {
        connections.refused()
        return send(refusal, to: head, closes: false, context)
      }
      question = .action(action, browser)
    }
    let loop = context.eventLoop
    let bound = NIOLoopBound(self, eventLoop: loop)
    connections.backend.answer(question) { response in
      loop.execute {
        let handler = bound.value
        if let context = handler.context { handler.send(response, to: head, closes: false, context) }
      }
    }
  }

  private func send(_ response: PageResponse, to head: HTTPRequestHead, closes: Bool, _ context: ChannelHandlerContext) {
    var fields = PageResponse.commonHeaders + response.headers
    fields += [.init("Content-Type", response.contentType), .init("Content-Length", "\(response.body.count)")]
    let closes = closes || !head.isKeepAlive
    if closes { fields.append(.init("Connection", "close")) }
    let answer = HTTPResponseHead(
      version: head.version, status: .init(statusCode: response.status), headers: HTTPHeaders(fields.map { ($0.name, $0.value) }))
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    if head.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: response.body)))), promise: nil)
    }
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    // The next request of a client that does not read this answer is not read either.
    state = closes ? .draining(0) : .idle
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { result in
      let handler = bound.value
      guard case .success = result, let context = handler.context else { return handler.close() }
      handler.connections.answered(handler.number)
      // What was sent arrives, though the client may still be sending: the other direction is closed by it, or in time.
      if closes { context.close(mode: .output, promise: nil) }
    }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    if !closes, !context.channel.isWritable {
      state = .draining(0)
      sent.futureResult.whenComplete { _ in bound.value.close() }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard let error = error as? HTTPParserError, case .idle = state else { return close() }
    connections.answers(number, isRefusal: true)
    let limit = connections.limits.maximumHeaderBytes
    let response: PageResponse =
      error == .headerOverflow
      ? .refusal(431, "A header has at most \(limit) bytes.") : .refusal(400, "This is no request of HTTP/1.1.")
    send(response, to: HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"), closes: true, context)
  }

  // MARK: Events

  private func stream(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard connections.streams(number, hasToken: browser.mayAct) else {
      connections.answers(number, isRefusal: true)
      return send(
        .refusal(503, "As many pages as this server serves are open already: close one.", headers: [.init("Retry-After", "10")]), to: head,
        closes: true, context)
    }
    let fields = PageResponse.commonHeaders + [.init("Content-Type", "text/event-stream; charset=utf-8")]
    let answer = HTTPResponseHead(version: head.version, status: .ok, headers: HTTPHeaders(fields.map { ($0.name, $0.value) }))
    context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
    var queue = StreamQueue(capacity: connections.limits.maximumWaitingBytes, patience: connections.limits.patience)
    let actions = queue.writabilityChanged(to: context.channel.isWritable, at: connections.now)
    state = .streaming(queue)
    perform(actions)
    askForHello(isFirst: true)
  }

  /// Something changed in the view of a key.
  func change(_ bytes: [UInt8], open: [UInt8], in view: String) {
    guard view == browser.key else { return }
    let bytes = browser.mayAct ? bytes : open
    update { $0.change(bytes) }
  }

  /// A sign of life is due.
  func heartbeat(at now: Duration) { update { $0.heartbeat(at: now) } }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isWritable = context.channel.isWritable
    let now = connections.now
    update { $0.writabilityChanged(to: isWritable, at: now) }
    context.fireChannelWritabilityChanged()
  }

  private func update(_ body: (inout StreamQueue) -> [StreamQueue.Action]) {
    guard case .streaming(var queue) = state else { return }
    let before = queue.resyncCount
    let actions = body(&queue)
    if queue.resyncCount > before { connections.resynced() }
    state = .streaming(queue)
    perform(actions)
  }

  private func perform(_ actions: [StreamQueue.Action]) {
    for action in actions {
      guard let context else { return }
      switch action {
      case .write(let bytes):
        let buffer = context.channel.allocator.buffer(bytes: bytes)
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
      case .askForHello: askForHello(isFirst: false)
      case .close:
        connections.droppedSlowReader()
        close()
      }
    }
  }

  private func askForHello(isFirst: Bool) {
    guard let context else { return }
    let loop = context.eventLoop
    let bound = NIOLoopBound(self, eventLoop: loop)
    connections.backend.hello(browser, isFirst: isFirst) { event in
      let bytes = event.bytes
      loop.execute { bound.value.update { $0.hello(bytes) } }
    }
  }
}

@available(*, unavailable)
extension PageHandler: Sendable {}
