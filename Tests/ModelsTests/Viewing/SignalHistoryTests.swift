import Models
import Testing
import WiFi

@Suite struct SignalHistoryTests {
  let address = MACAddress(0x0200_0000_0001)

  /// One scan every ten seconds; `nil` is a scan that does not hear the BSS.
  func history(_ signals: [Int32?], capacity: Int = 720) -> SignalHistory {
    var history = SignalHistory(capacity: capacity)
    for (index, signal) in signals.enumerated() {
      let end = Duration.seconds(100 + 10 * index)
      history.record(makeScan(signal.map { [makeBSS("A", 1, signalDBm: $0, heard: end)] } ?? [], end: end))
    }
    return history
  }

  @Test func `a series has one value for each part, and a gap where a scan did not hear the BSS`() {
    let history = history([-50, -60, nil, -70])
    #expect(
      history.series(of: [address], from: .seconds(90), to: .seconds(130), count: 4) == [-50, -60, nil, -70])
    #expect(
      history.series(of: [MACAddress(0x0200_0000_0002)], from: .seconds(90), to: .seconds(130), count: 4) == [nil, nil, nil, nil])
  }

  @Test func `between two scans the last value holds, for a while`() {
    let history = history([-50])
    #expect(
      history.series(of: [address], from: .seconds(90), to: .seconds(170), count: 8, hold: .seconds(30))
        == [-50, -50, -50, -50, nil, nil, nil, nil])
    // Before the first scan nobody knows.
    #expect(history.series(of: [address], from: .seconds(60), to: .seconds(100), count: 4) == [nil, nil, nil, -50])
  }

  @Test func `the strongest of several BSSs and of several scans counts`() {
    var history = SignalHistory()
    for (index, pair) in [(-50, -80), (-70, -60)].enumerated() as EnumeratedSequence<[(Int, Int)]> {
      let end = Duration.seconds(100 + 10 * index)
      history.record(
        makeScan(
          [
            makeBSS("A", 1, signalDBm: Int32(pair.0), heard: end), makeBSS("A", 2, signalDBm: Int32(pair.1), heard: end),
          ], end: end))
    }
    let both = [address, MACAddress(0x0200_0000_0002)]
    #expect(history.series(of: both, from: .seconds(90), to: .seconds(110), count: 2) == [-50, -60])
    #expect(history.series(of: both, from: .seconds(90), to: .seconds(110), count: 1) == [-50])
  }

  @Test func `what a scan only remembers is no signal`() {
    var history = SignalHistory()
    history.record(makeScan([makeBSS("A", 1, heard: .seconds(99))], end: .seconds(100)))
    history.record(makeScan([makeBSS("A", 1, heard: .seconds(99))], end: .seconds(110)))
    #expect(history.points(of: address).map(\.time) == [.seconds(100)])
    #expect(history.series(of: [address], from: .seconds(90), to: .seconds(110), count: 2) == [-50, nil])
  }

  @Test func `memory is bounded in scans and in BSSs`() {
    let long = history(Array(repeating: -50, count: 100), capacity: 10)
    #expect(long.points(of: address).count == 10)
    #expect(long.scanTimes.count < 20)
    var wide = SignalHistory(capacity: 10, maximumCount: 3)
    for number in 1...5 as ClosedRange<UInt64> {
      let end = Duration.seconds(100 + Int(number))
      wide.record(makeScan([makeBSS("A", number, heard: end)], end: end))
    }
    #expect(wide.addresses == [3, 4, 5].map { MACAddress(0x0200_0000_0000 | $0) })
  }

  @Test func `another boot begins a new history`() {
    var history = history([-50, -60])
    history.record(makeScan([makeBSS("A", 1, heard: .seconds(5))], end: .seconds(5)))
    #expect(history.scanTimes == [.seconds(5)])
    #expect(history.points(of: address).count == 1)
  }
}
