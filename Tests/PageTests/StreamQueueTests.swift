import Testing

@testable import Page

@Suite struct StreamQueueTests {
  private let small = [UInt8](repeating: 0x61, count: 10)

  @Test func `changes before the whole state are part of it`() {
    var queue = StreamQueue()
    #expect(queue.change(small) == [])
    #expect(queue.hello([1]) == [.write([1])])
    #expect(queue.change(small) == [.write(small)])
  }

  @Test func `what waits is written in order when the client reads again`() {
    var queue = StreamQueue(capacity: 100)
    _ = queue.hello([1])
    #expect(queue.writabilityChanged(to: false, at: .seconds(1)) == [])
    #expect(queue.change([2]) == [])
    #expect(queue.change([3]) == [])
    #expect(queue.writabilityChanged(to: true, at: .seconds(2)) == [.write([2]), .write([3])])
    #expect(queue.resyncCount == 0)
  }

  @Test func `a client that reads too slowly holds a bounded amount, and gets the whole state when it reads again`() {
    var queue = StreamQueue(capacity: 25)
    _ = queue.hello([1])
    _ = queue.writabilityChanged(to: false, at: .seconds(1))
    for _ in 0..<1000 { #expect(queue.change(small) == []) }
    #expect(queue.resyncCount == 1)
    #expect(queue.writabilityChanged(to: true, at: .seconds(5)) == [.askForHello])
    #expect(queue.change(small) == [])
    #expect(queue.hello([9]) == [.write([9])])
    #expect(queue.change(small) == [.write(small)])
  }

  @Test func `a client that reads nothing is let go in time, and one that reads is shown that the server is there`() {
    var queue = StreamQueue(patience: .seconds(60))
    _ = queue.hello([1])
    #expect(queue.heartbeat(at: .seconds(15)) == [.write(ServerSentEvent.heartbeat)])
    _ = queue.writabilityChanged(to: false, at: .seconds(20))
    #expect(queue.heartbeat(at: .seconds(79)) == [])
    #expect(queue.heartbeat(at: .seconds(80)) == [.close])
  }

  @Test func `an event is three lines and an empty one`() {
    let event = ServerSentEvent(name: "change", id: 7, data: Array("{}".utf8))
    #expect(String(decoding: event.bytes, as: UTF8.self) == "id: 7\nevent: change\ndata: {}\n\n")
  }
}
