import Determinism
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Synchronization
import Testing

@testable import Page
@testable import PageServer

@Suite struct PageHandlerTests {
  /// Answers at once.
  private final class Backend: PageBackend {
    let followed = Mutex<[String]>([])

    func hello(_ browser: PageBrowser, isFirst: Bool, _ deliver: @escaping @Sendable (ServerSentEvent) -> Void) {
      if isFirst { followed.withLock { $0.append(browser.key) } }
      deliver(ServerSentEvent(name: "hello", id: 1, data: Array(#"{"mayAct":\#(browser.mayAct)}"#.utf8)))
    }

    func left(_ browser: PageBrowser) { followed.withLock { $0.removeAll { $0 == browser.key } } }

    func answer(_ question: PageQuestion, _ deliver: @escaping @Sendable (PageResponse) -> Void) {
      switch question {
      case .action(let action, let browser): deliver(.json(Array("\(action) in \(browser.key)".utf8)))
      case .scan, .metrics: deliver(.json(Array("{}".utf8)))
      }
    }
  }

  /// A server without sockets, and one connection to it.
  private final class Connection {
    let connections: PageConnections
    let channel = EmbeddedChannel()
    var time: Duration = .zero

    init(limits: PageLimits = PageLimits()) throws {
      var elapsed: () -> Duration = { .zero }
      connections = PageConnections(
        limits: limits, backend: Backend(), gate: PageGate(port: 8480, isLoopbackOnly: true, token: PageGateTests.token)
      ) { elapsed() }
      elapsed = { [unowned self] in time }
      var decoding = NIOHTTPDecoderLimitConfiguration()
      decoding.maxHeaderFieldSize = limits.maximumHeaderBytes
      decoding.maxHeaderListSize = limits.maximumHeaderBytes
      try PageServer.prepare(channel, connections, decoding)
      channel.pipeline.fireChannelActive()
    }

    /// What is answered to some bytes.
    func send(_ bytes: some Sequence<UInt8>) -> String {
      _ = try? channel.writeInbound(ByteBuffer(bytes: bytes))
      channel.embeddedEventLoop.run()
      return read()
    }

    func send(_ text: String) -> String { send(Array(text.utf8)) }

    func read() -> String {
      var text = ""
      while let part = try? channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: part) }
      return text
    }
  }

  private static let token = "Authorization: Bearer 000102030405060708090a0b0c0d0e0f\r\n"

  private func request(_ line: String, _ headers: String = "", body: String = "") -> String {
    "\(line) HTTP/1.1\r\nHost: 127.0.0.1:8480\r\n\(headers)" + (body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n") + "\r\n"
      + body
  }

  @Test(arguments: [
    ("/", "text/html"), ("/page.css", "text/css"), ("/page.js", "text/javascript"), ("/icon.svg", "image/svg+xml"),
    ("/scan.json", "application/json"), ("http://127.0.0.1:8480/scan.json", "application/json"), ("http://localhost:8480", "text/html"),
  ])
  func `parts of the page have their types, and nothing is kept or framed`(path: String, type: String) throws {
    let answer = try Connection().send(request("GET \(path)"))
    #expect(answer.hasPrefix("HTTP/1.1 200 "))
    #expect(answer.contains("Content-Type: \(type)"))
    for header in ["Cache-Control: no-store", "X-Content-Type-Options: nosniff", "frame-ancestors 'none'", "default-src 'none'"] {
      #expect(answer.contains(header))
    }
    #expect(!answer.lowercased().contains("access-control"))
  }

  @Test(arguments: [
    ("GET /nothing", 404), ("GET /../etc/passwd", 404), ("POST /", 405), ("PUT /action", 405), ("POST /events", 405), ("GET /action", 405),
    ("DELETE /scan.json", 405), ("OPTIONS /", 405), ("GET //", 404), ("GET /%00", 404),
  ])
  func `what is not there is refused`(line: String, status: Int) throws {
    #expect(try Connection().send(request(line)).hasPrefix("HTTP/1.1 \(status) "))
  }

  @Test func `an action needs the token and JSON, and gets its answer`() throws {
    let body = #"{"do":"scan"}"#
    let json = "Content-Type: application/json\r\n"
    #expect(try Connection().send(request("POST /action", json, body: body)).hasPrefix("HTTP/1.1 401 "))
    #expect(try Connection().send(request("POST /action", Self.token, body: body)).hasPrefix("HTTP/1.1 415 "))
    #expect(
      try Connection().send(request("POST /action", Self.token + "Content-Type: text/plain\r\n", body: body)).hasPrefix("HTTP/1.1 415 "))
    let answer = try Connection().send(request("POST /action", Self.token + json, body: body))
    #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("scan in "))
    #expect(try Connection().send(request("POST /action", Self.token + json, body: "{}")).hasPrefix("HTTP/1.1 400 "))
  }

  @Test func `who has no token filters an own view, and changes nothing else`() throws {
    let head = "Content-Type: application/json\r\nPage: 0af1\r\n"
    let filter = try Connection().send(request("POST /action", head, body: #"{"do":"filter","value":"a"}"#))
    #expect(filter.hasPrefix("HTTP/1.1 200 ") && filter.hasSuffix("in -0af1"))
    #expect(try Connection().send(request("POST /action", head, body: #"{"do":"scan"}"#)).hasPrefix("HTTP/1.1 401 "))
    let other = try Connection().send(request("POST /action", head + Self.token, body: #"{"do":"filter","value":"a"}"#))
    #expect(other.hasSuffix("in +0af1"))
  }

  @Test func `a page is given what changes in its own view alone`() throws {
    let connection = try Connection()
    _ = connection.send(request("GET /events", "Page: 0af1\r\n" + Self.token))
    let backend = try #require(connection.connections.backend as? Backend)
    #expect(backend.followed.withLock { $0 } == ["+0af1"])
    let event = ServerSentEvent(name: "change", id: 2, data: Array("{}".utf8))
    for view in ["", "-0af1", "+0af2"] { connection.connections.publish(event.bytes, open: event.openBytes, in: view) }
    #expect(connection.read() == "")
    connection.connections.publish(event.bytes, open: event.openBytes, in: "+0af1")
    #expect(connection.read().contains("event: change"))
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
    #expect(backend.followed.withLock { $0 } == [])
  }

  @Test func `a body that is too long is refused before and while it comes`() throws {
    let head = Self.token + "Content-Type: application/json\r\n"
    let announced = try Connection()
    #expect(announced.send(request("POST /action", head + "Content-Length: 1000000\r\n")).hasPrefix("HTTP/1.1 413 "))
    let chunked = try Connection()
    #expect(chunked.send(request("POST /action", head + "Transfer-Encoding: chunked\r\n")) == "")
    let chunk = "4000\r\n" + String(repeating: "a", count: 0x4000) + "\r\n"
    #expect(chunked.send(chunk) == "")
    #expect(chunked.send(chunk).hasPrefix("HTTP/1.1 413 "))
    #expect(chunked.send(chunk) == "")
  }

  @Test(arguments: [1_000_000, 20_000])
  func `a header that is too long is refused`(count: Int) throws {
    let long = String(repeating: "a", count: count)
    #expect(try Connection().send(request("GET /", "X: \(long)\r\n")).hasPrefix("HTTP/1.1 431 "))
    #expect(try Connection().send(request("GET /\(long)")).hasPrefix("HTTP/1.1 4"))
    #expect(try Connection().send("GET / HTTP/1.1\r\nX: " + long).hasPrefix("HTTP/1.1 431 "))
  }

  @Test func `events follow the whole state until the connection ends`() throws {
    let connection = try Connection()
    let hello = connection.send(request("GET /events"))
    #expect(hello.contains("text/event-stream"))
    #expect(hello.contains(#"data: {"mayAct":false}"#))
    let event = ServerSentEvent(name: "change", id: 2, data: Array("{}".utf8))
    connection.connections.publish(event.bytes, open: event.openBytes, in: "")
    #expect(connection.read().contains("event: change\ndata: {}\n\n"))
    connection.time = .seconds(20)
    connection.connections.tick()
    #expect(connection.read().contains(":\n\n"))
    #expect(connection.connections.statistics.streamCount == 1)
    _ = try connection.channel.finish(acceptAlreadyClosed: true)
    #expect(connection.connections.statistics.streamCount == 0)
    #expect(connection.connections.statistics.connectionCount == 0)
  }

  @Test(arguments: [
    ("GET /scan.json", "", "", 0), ("GET /events", "", "", 0), ("GET /nothing", "", "", 1), ("POST /action", token, #"{"do":"scan"}"#, 0),
    ("POST /action", token, "{}", 1), ("POST /action", "", #"{"do":"scan"}"#, 1),
  ])
  func `a request counts once, also one for events, and as refused where it was`(
    line: String, token: String, body: String, refusals: Int
  ) throws {
    let connection = try Connection()
    _ = connection.send(request(line, body.isEmpty ? "" : "Content-Type: application/json\r\n" + token, body: body))
    #expect(connection.connections.statistics.requestCount == 1)
    #expect(connection.connections.statistics.refusalCount == refusals)
  }

  @Test func `a page that gave the token may act`() throws {
    #expect(try Connection().send(request("GET /events", Self.token)).contains(#"{"mayAct":true}"#))
  }

  @Test func `several requests of one connection are answered in order`() throws {
    let answers = try Connection().send(request("GET /icon.svg") + request("GET /scan.json") + request("GET /nothing"))
    let places = ["image/svg+xml", "application/json", "404 Not Found"].compactMap { answers.firstRange(of: $0)?.lowerBound }
    #expect(places.count == 3 && places == places.sorted())
  }

  @Test func `who sends half a request is cut off in time`() throws {
    let connection = try Connection()
    #expect(connection.send("GET / HTTP/1.1\r\nHost: 127") == "")
    connection.time = .seconds(11)
    connection.connections.tick()
    connection.channel.embeddedEventLoop.run()
    #expect(!connection.channel.isActive)
    #expect(connection.connections.statistics.connectionCount == 0)
    #expect(connection.connections.statistics.droppedCount == 1)
  }

  /// Requests that are changed at random places, cut, repeated, and in random pieces.
  @Test(arguments: 1...80 as ClosedRange<UInt64>)
  func `no bytes bring the server down, and nothing is changed without the token`(seed: UInt64) throws {
    var random = RandomStream(seed: seed, name: "requests")
    let json = "Content-Type: application/json\r\n"
    let seeds = [
      request("GET /"), request("GET /events"), request("GET /scan.json", "Range: bytes=0-\r\n"),
      request("POST /action", json, body: #"{"do":"scan"}"#),
      request("POST /action", json + "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n",
      request("GET / HTTP/1.0\r\nX:", "Connection: upgrade\r\nUpgrade: websocket\r\n"), request("HEAD /metrics"),
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ]
    for _ in 0..<12 {
      let connection = try Connection()
      var bytes: [UInt8] = []
      for _ in 0...random.next(below: 3) { bytes += Array(seeds[Int(random.next(below: UInt64(seeds.count)))].utf8) }
      for _ in 0..<random.next(below: 8) {
        let place = Int(random.next(below: UInt64(bytes.count)))
        switch random.next(below: 4) {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(contentsOf: [0x0D, 0x0A], at: place)
        default: bytes.insert(contentsOf: bytes[place...].prefix(Int(random.next(below: 40))), at: place)
        }
        if bytes.isEmpty { bytes = [0] }
      }
      var answers = ""
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int(random.next(below: UInt64(rest.count))) + 1
        answers += connection.send(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      // An action is named here where it is let through.
      #expect(!answers.contains("\r\n\r\nscan in"), "seed \(seed)")
      connection.connections.closeAll()
      connection.channel.embeddedEventLoop.run()
      _ = try? connection.channel.finish(acceptAlreadyClosed: true)
      #expect(connection.connections.statistics.connectionCount == 0, "seed \(seed)")
    }
  }
}
