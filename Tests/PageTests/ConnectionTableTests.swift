import Testing

@testable import Page

@Suite struct ConnectionTableTests {
  private func limits(_ connections: Int = 3, streams: Int = 1) -> PageLimits {
    var limits = PageLimits()
    limits.maximumConnections = connections
    limits.maximumStreams = streams
    return limits
  }

  @Test func `the oldest that sends nothing goes first where there is no room`() {
    var table = ConnectionTable(limits: limits())
    for expected in 1...3 { #expect(table.open(at: .seconds(expected)).number == expected) }
    table.answers(1, at: .seconds(4))
    let next = table.open(at: .seconds(4))
    #expect(next.number == 4 && next.closes == 2)
    #expect(table.count == 3)
  }

  @Test func `who is answered or follows does not go for a newcomer`() {
    var table = ConnectionTable(limits: limits(2))
    _ = table.open(at: .zero)
    _ = table.open(at: .zero)
    #expect(table.streams(1, hasToken: false).isAccepted)
    table.answers(2, at: .seconds(1))
    #expect(table.open(at: .milliseconds(1400)).number == nil)
    // A client that does not read its answer does, in time.
    #expect(table.open(at: .milliseconds(1500)).closes == 2)
  }

  @Test func `ten thousand that send nothing never hold more than their share`() {
    var table = ConnectionTable(limits: limits(256))
    for index in 0..<10_000 {
      #expect(table.open(at: .milliseconds(index)).number == index + 1)
      #expect(table.count <= 256)
    }
  }

  @Test func `a request has to be there in time, the first sooner than the next`() {
    var table = ConnectionTable(limits: limits())
    _ = table.open(at: .zero)
    _ = table.open(at: .zero)
    table.answers(2, at: .seconds(1))
    table.answered(2, at: .seconds(2))
    #expect(table.expired(at: .seconds(9)) == [])
    #expect(table.expired(at: .seconds(10)) == [1])
    #expect(table.expired(at: .seconds(61)) == [])
    #expect(table.expired(at: .seconds(62)) == [2])
    #expect(table.count == 0)
  }

  @Test func `a page with the token takes the place of one without`() {
    var table = ConnectionTable(limits: limits())
    for _ in 1...3 { _ = table.open(at: .zero) }
    #expect(table.streams(1, hasToken: false).isAccepted)
    #expect(!table.streams(2, hasToken: false).isAccepted)
    let third = table.streams(3, hasToken: true)
    #expect(third.isAccepted && third.closes == 1)
    #expect(table.streamCount == 1)
    table.close(3)
    #expect(table.streamCount == 0)
  }

  @Test(arguments: [(0, nil), (8, nil), (9, 1), (24, 16), (264, 256), (100_000, 256)] as [(Int, Int?)])
  func `connections leave descriptors for everything else`(free: Int, connections: Int?) {
    let limits = PageLimits().within(freeDescriptors: free)
    #expect(limits?.maximumConnections == connections)
    #expect(limits.map { $0.maximumStreams <= max($0.maximumConnections - 1, 1) } ?? true)
  }
}
