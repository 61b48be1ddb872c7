import Determinism
import Simulator
import WiFi

/// What holds for whatever a program sends to the server of the simulated kernel; beside `WireProperties`, which see.
enum ProgramProperties {
  /// Checks what is behind the first byte as packets of a program.
  ///
  /// - Returns: whether the first byte says so.
  static func check(_ input: [UInt8]) throws -> Bool {
    guard input.first == UInt8(ascii: "p") else { return false }
    try checkPackets(Array(input.dropFirst()))
    return true
  }

  /// Checks `bytes` as packets of a program, each behind two bytes: which connection it comes over, and how long it is.
  ///
  /// Whatever comes, the server answers each call at most once and with its number, closes what breaks the protocol, and what it
  /// reads it writes the same.
  static func checkPackets(_ bytes: [UInt8]) throws {
    let clock = ProgramClock()
    let kernel = SimulatedKernel(air: StillAir(), clock: clock)
    let server = ProgramServer(kernel: kernel, takesTurns: (bytes.first ?? 0) & 1 == 1)
    var rest = bytes.dropFirst()
    var open: Set<Int> = []
    var asked: [Int: [UInt32]] = [:]
    while let head = rest.popFirst() {
      let connection = Int(head & 3)
      let length = Int(rest.popFirst() ?? 0)
      let packet = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      if head & 0x40 != 0, open.remove(connection) != nil {
        server.disconnect(connection)
        asked[connection] = nil
      }
      if open.insert(connection).inserted { server.connect(connection, process: UInt32(connection)) }
      if let call = try? ProgramCall(parsing: packet) {
        guard try ProgramCall(parsing: call.encoded) == call else { throw ProgramViolation("\(call) is written as another call") }
        asked[connection, default: []].append(call.number)
      }
      server.receive(packet, from: connection)
      if head & 0x80 != 0 { clock.advance(to: clock.now.offset + .milliseconds(1 << Int64(head >> 2 & 15))) }
      server.advance()
      if head & 0x20 != 0 { server.takeTurn() }
      try check(server.takeActions(), &open, &asked)
    }
    while server.hasPendingCalls { server.takeTurn() }
    try check(server.takeActions(), &open, &asked)
  }

  private static func check(_ actions: [ProgramServer.Action], _ open: inout Set<Int>, _ asked: inout [Int: [UInt32]]) throws {
    for action in actions {
      switch action {
      case .answer(let packet, let connection):
        var cursor = ByteCursor(packet)
        let number = try cursor.readUInt32()
        guard open.contains(connection), let index = asked[connection]?.firstIndex(of: number) else {
          throw ProgramViolation("connection \(connection) is told of call \(number), which it did not make")
        }
        asked[connection]?.remove(at: index)
      case .deliver(let packet, let connection, _):
        guard open.contains(connection), packet.count >= 8 else { throw ProgramViolation("connection \(connection) gets \(packet)") }
      case .signal: break
      case .close(let connection, let reason):
        guard open.remove(connection) != nil, !reason.isEmpty else { throw ProgramViolation("connection \(connection) is closed") }
        asked[connection] = nil
      }
    }
  }
}

/// What packets broke.
struct ProgramViolation: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
