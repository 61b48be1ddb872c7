import NIOCore
import Page

/// The connections of a server and what they share; belongs to its event loop.
final class PageConnections {
  let limits: PageLimits
  let backend: any PageBackend
  /// Decides which requests are answered; `nil` until the server knows its port.
  var gate: PageGate?
  private let elapsed: () -> Duration
  private var table: ConnectionTable
  private var handlers: [Int: PageHandler] = [:]
  private var counts = PageStatistics()
  private var lastHeartbeat: Duration = .zero

  /// - Parameter elapsed: the time since the start.
  init(limits: PageLimits, backend: any PageBackend, gate: PageGate? = nil, elapsed: @escaping () -> Duration) {
    self.limits = limits
    self.backend = backend
    self.gate = gate
    self.elapsed = elapsed
    table = ConnectionTable(limits: limits)
  }

  var now: Duration { elapsed() }

  /// What was done so far.
  var statistics: PageStatistics {
    var counts = counts
    counts.connectionCount = table.count
    counts.streamCount = table.streamCount
    return counts
  }

  /// A handler for a new connection; `nil` where there is no room.
  func open() -> PageHandler? {
    let (number, closes) = table.open(at: now)
    drop(closes)
    guard let number else {
      counts.droppedCount += 1
      return nil
    }
    let handler = PageHandler(number, self)
    handlers[number] = handler
    return handler
  }

  func closed(_ number: Int) {
    table.close(number)
    handlers[number] = nil
  }

  func answers(_ number: Int, isRefusal: Bool) {
    table.answers(number, at: now)
    counts.requestCount += 1
    if isRefusal { counts.refusalCount += 1 }
  }

  /// A request that is answered already turned out to be one that is refused.
  func refused() { counts.refusalCount += 1 }

  func answered(_ number: Int) { table.answered(number, at: now) }

  func streams(_ number: Int, hasToken: Bool) -> Bool {
    let (isAccepted, closes) = table.streams(number, hasToken: hasToken)
    drop(closes)
    if isAccepted { counts.requestCount += 1 }
    return isAccepted
  }

  func resynced() { counts.resyncCount += 1 }
  func droppedSlowReader() { counts.droppedCount += 1 }

  /// Gives an event to every page that follows the view of a key.
  ///
  /// - Parameter open: the same for those that gave no token.
  func publish(_ bytes: [UInt8], open: [UInt8], in view: String) {
    for number in handlers.keys.sorted() { handlers[number]?.change(bytes, open: open, in: view) }
  }

  /// Closes connections that were silent for too long, and sends the others a sign of life.
  func tick() {
    let now = now
    for number in table.expired(at: now) { drop(number) }
    guard now - lastHeartbeat >= limits.heartbeatTime else { return }
    lastHeartbeat = now
    for number in handlers.keys.sorted() { handlers[number]?.heartbeat(at: now) }
  }

  /// Closes every connection.
  func closeAll() { for number in handlers.keys.sorted() { handlers[number]?.close() } }

  private func drop(_ number: Int?) {
    guard let number, let handler = handlers.removeValue(forKey: number) else { return }
    counts.droppedCount += 1
    handler.close()
  }
}
