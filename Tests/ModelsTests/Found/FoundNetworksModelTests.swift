import Determinism
import Models
import Observation
import Simulator
import Synchronization
import Testing
import WiFi

@Suite struct FoundNetworksModelTests {
  /// Whether `read` is told of a change while `change` runs.
  func isTold(_ read: () -> Void, of change: () -> Void) -> Bool {
    let told = Mutex(false)
    withObservationTracking(read) { told.withLock { $0 = true } }
    change()
    return told.withLock { $0 }
  }

  @Test func `rows are ordered by secret, bars and name, and keep their identity`() {
    let model = FoundNetworksModel()
    let (_, rows) = model.apply(
      makeScan(
        [
          makeBSS("Open", 1, secured: false, signalDBm: -40, heard: .seconds(99)),
          makeBSS("Far", 2, signalDBm: -90, heard: .seconds(99)), makeBSS("Near B", 3, heard: .seconds(99)),
          makeBSS("Near A", 4, heard: .seconds(99)),
        ], end: .seconds(100)))
    #expect(model.all.map(\.ssid.description) == ["Near A", "Near B", "Far", "Open"])
    #expect(rows.count == 4)
    #expect(rows.first == .insert(model.ids[3], before: nil))
  }

  @Test func `the order found keeps rows where they are, whatever their strength`() {
    let model = FoundNetworksModel(order: .found)
    model.apply(makeScan([makeBSS("B", 1, heard: .seconds(99)), makeBSS("A", 2, heard: .seconds(99))], end: .seconds(100)))
    let (_, rows) = model.apply(makeScan([makeBSS("A", 2, signalDBm: -30, heard: .seconds(104))], end: .seconds(105)))
    #expect(rows == [.update(model.ids[1])])
    #expect(model.all.map(\.ssid.description) == ["B", "A"])
  }

  @Test func `a change of strength within a bar updates the row and tells nobody who looks at the list`() throws {
    let model = FoundNetworksModel()
    model.apply(makeScan([makeBSS("A", 1, heard: .seconds(99)), makeBSS("B", 2, heard: .seconds(99))], end: .seconds(100)))
    let first = try #require(model[model.ids[0]])
    let second = try #require(model[model.ids[1]])
    let scan = { (signal: Int32, time: Int) in
      makeScan([makeBSS("A", 1, signalDBm: signal, heard: .seconds(time - 1))], end: .seconds(time))
    }
    #expect(!isTold({ _ = model.ids }, of: { model.apply(scan(-51, 105)) }))
    #expect(isTold({ _ = first.network }, of: { model.apply(scan(-50, 110)) }))
    #expect(!isTold({ _ = second.network }, of: { model.apply(scan(-49, 115)) }))
    #expect(!isTold({ _ = first.network }, of: { model.apply(scan(-49, 120)) }))
    #expect(model[first.id] === first)
  }

  @Test func `a row that moves is moved, not removed and inserted`() {
    let model = FoundNetworksModel()
    model.apply(makeScan([makeBSS("A", 1, heard: .seconds(99)), makeBSS("B", 2, heard: .seconds(99))], end: .seconds(100)))
    let ids = model.ids
    let (_, rows) = model.apply(makeScan([makeBSS("A", 1, signalDBm: -95, heard: .seconds(104))], end: .seconds(105)))
    #expect(rows == [.move(ids[0], before: nil)])
    #expect(model.ids == ids.reversed())
  }

  @Test func `networks that hide their names stand by their addresses, whether with zeros or with nothing`() {
    let model = FoundNetworksModel(grouping: .network, order: .strength)
    let hidden = [makeBSS("", 2, heard: .seconds(99)), makeBSS("\0\0\0", 1, heard: .seconds(99))]
    model.apply(makeScan(hidden, end: .seconds(100)))
    #expect(model.ids == hidden.map { .bss($0.bssid) }.reversed())
  }

  @Test func `a network that is only too weak for a filter leaves the list and is not lost, until it is`() {
    let model = FoundNetworksModel()
    var time: Duration = .seconds(100)
    var said: [String] = []
    // A and B leave the filter; B is gone soon after, C without having left it.
    for number in 0..<12 {
      time += .seconds(10)
      let heard = { makeBSS($0, $1, signalDBm: $2, heard: time) }
      var scan = makeScan(number == 0 ? [heard("A", 1, -69), heard("B", 2, -69), heard("C", 3, -69)] : [], end: time)
      if number > 0 { scan.tooWeak = [heard("A", 1, -71)] + (number < 3 ? [heard("B", 2, -90)] : []) }
      if number == 11 { scan.bss = [heard("A", 1, -60)] }
      let (changes, rows) = model.apply(scan)
      said += words(changes)
      if number == 4 { #expect(rows.count == 3 && model.count == 0) }
    }
    #expect(said == ["found A", "found B", "found C", "lost C", "found A"])
  }

  @Test func `where one of its access points is too weak and then all are gone, a network is lost`() {
    let model = FoundNetworksModel()
    var said: [String] = []
    for number in 0..<8 {
      let time: Duration = .seconds(100 + 10 * number)
      var scan = makeScan(number < 3 ? [makeBSS("Mesh", 1, heard: time)] : [], end: time)
      if number < 3 { scan.tooWeak = [makeBSS("Mesh", 2, signalDBm: -80, heard: time)] }
      said += words(model.apply(scan).networks)
    }
    #expect(said == ["found Mesh", "lost Mesh"])
  }

  /// The row changes alone are enough to keep a copy of the list, over a long random history.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a copy that follows the row changes is always the list`(seed: UInt64) {
    var stream = RandomStream(seed: seed, name: "rows")
    let model = FoundNetworksModel()
    var copy: [NetworkID] = []
    for step in 0..<300 {
      let time = 100 + 40 * step
      var bss: [BSS] = []
      var lost: [MACAddress] = []
      for number in 0..<40 as Range<UInt64> {
        switch stream.next(below: 4) {
        case 0:
          let signal = -100 + Int32(stream.next(below: 70))
          bss.append(makeBSS("N\(number % 13)", number, secured: number % 3 > 0, signalDBm: signal, heard: .seconds(time)))
        case 1: lost.append(MACAddress(0x0200_0000_0000 | number))
        default: break
        }
      }
      var scan = makeScan(bss, end: .seconds(time), completion: .partial(.aborted))
      scan.lost = lost
      for change in model.apply(scan).rows {
        switch change {
        case .insert(let id, let before):
          copy.insert(id, at: before.flatMap(copy.firstIndex) ?? copy.count)
        case .remove(let id): copy.removeAll { $0 == id }
        case .move(let id, let before):
          copy.removeAll { $0 == id }
          copy.insert(id, at: before.flatMap(copy.firstIndex) ?? copy.count)
        case .update: break
        }
      }
      #expect(copy == model.ids)
      #expect(model.count == copy.count)
      let sorted = model.all.sorted {
        ($0.isSecured ? 0 : 1, -$0.bars, $0.ssid, $0.id) < ($1.isSecured ? 0 : 1, -$1.bars, $1.ssid, $1.id)
      }
      #expect(model.all == sorted)
    }
  }
}
