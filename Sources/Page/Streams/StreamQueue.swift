/// What is queued for one client of a stream, in bounded memory.
///
/// A pure value: events and what the connection says go in, and what to do comes out. Where a client reads more slowly
/// than events come, the events that wait are dropped and the client is given the whole state as soon as it reads
/// again; where it reads nothing for too long, it is closed.
package struct StreamQueue: Hashable, Sendable {
  /// What to do.
  package enum Action: Hashable, Sendable {
    /// Write these bytes.
    case write([UInt8])
    /// Ask for the whole state and give it to ``StreamQueue/hello(_:)``.
    case askForHello
    /// Close the connection.
    case close
  }

  /// The most bytes that wait.
  package let capacity: Int
  /// How long a client may read nothing.
  package let patience: Duration

  private var waiting: [[UInt8]] = []
  private var waitingBytes = 0
  private var isWritable = true
  /// Whether the whole state is asked for and has not come: changes until then are part of it.
  private var isAsking = true
  private var isBehind = false
  private var blockedSince: Duration?
  /// How often events were dropped.
  package private(set) var resyncCount = 0

  /// Begins with a client that has asked for the whole state.
  package init(capacity: Int = 1 << 20, patience: Duration = .seconds(60)) {
    self.capacity = capacity
    self.patience = patience
  }

  /// The whole state came.
  package mutating func hello(_ bytes: [UInt8]) -> [Action] {
    isAsking = false
    return write(bytes)
  }

  /// Something changed.
  package mutating func change(_ bytes: [UInt8]) -> [Action] {
    if isAsking || isBehind { return [] }
    if !isWritable, waitingBytes + bytes.count > capacity {
      waiting = []
      waitingBytes = 0
      isBehind = true
      resyncCount += 1
      return []
    }
    return write(bytes)
  }

  /// A sign of life is due.
  package mutating func heartbeat(at now: Duration) -> [Action] {
    if let blockedSince, now - blockedSince >= patience { return [.close] }
    return isWritable ? [.write(ServerSentEvent.heartbeat)] : []
  }

  /// The connection can take more, or cannot.
  package mutating func writabilityChanged(to isWritable: Bool, at now: Duration) -> [Action] {
    guard isWritable != self.isWritable else { return [] }
    self.isWritable = isWritable
    guard isWritable else {
      blockedSince = now
      return []
    }
    blockedSince = nil
    if isBehind {
      isBehind = false
      isAsking = true
      return [.askForHello]
    }
    let actions = waiting.map { Action.write($0) }
    waiting = []
    waitingBytes = 0
    return actions
  }

  private mutating func write(_ bytes: [UInt8]) -> [Action] {
    if isWritable { return [.write(bytes)] }
    waiting.append(bytes)
    waitingBytes += bytes.count
    return []
  }
}
