import LinkContract
import Scanner
import Testing
import WiFi

@testable import Simulator

/// What Linux 6.1 was seen to do with the same frames (make check NAME=kernel-compare).
@Suite struct BSSTableTests {
  private let bssid = MACAddress(0x0200_0000_1001)

  private func name(_ text: String) -> [UInt8] { [0, UInt8(text.utf8.count)] + Array(text.utf8) }

  private func frame(
    _ second: Int, isProbeResponse: Bool = false, _ elements: [UInt8], frequencyKHz: UInt32 = 2_437_000, number: UInt64 = 0,
    signalMBm: Int32 = -5000
  ) -> HeardFrame {
    HeardFrame(
      time: .seconds(second), bssid: MACAddress(bssid.value + number), isProbeResponse: isProbeResponse, frequencyKHz: frequencyKHz,
      tsfUs: UInt64(second), beaconIntervalTU: 100, capability: 1, elements: elements, signalMBm: signalMBm)
  }

  private func table(_ frames: HeardFrame...) -> BSSTable {
    var table = BSSTable(SimulatedChannel.germany)
    for frame in frames { table.hear(frame) }
    return table
  }

  @Test func `later beacons of a hidden network stand beside its probe response, too`() {
    let table = table(
      frame(1, name("")), frame(2, isProbeResponse: true, name("A")), frame(3, name("") + [221, 1, 7]))
    #expect(table.entries.map(\.ssid) == [[], [0x41]])
    #expect(table.entries.map(\.beaconElements) == [name("") + [221, 1, 7], name("") + [221, 1, 7]])
    #expect(table.entries.map(\.beaconTSFUs) == [3, 3])
  }

  @Test func `a beacon that comes after the probe response is found to be of it`() {
    let table = table(frame(1, isProbeResponse: true, name("AB")), frame(2, name("\0\0")))
    #expect(table.entries.map(\.ssid) == [[0x41, 0x42], [0, 0]])
    #expect(table.entries.map(\.beaconElements) == [name("\0\0"), name("\0\0")])
  }

  @Test func `zeros of another length keep another name to themselves`() {
    let table = table(frame(1, name("\0\0\0")), frame(2, isProbeResponse: true, name("AB")))
    #expect(table.entries.map(\.beaconElements) == [name("\0\0\0"), nil])
  }

  @Test func `a hidden network stays as long as its name, and goes the next time`() {
    var table = table(frame(1, name("")), frame(20, isProbeResponse: true, name("A")))
    table.expire(at: 32_000_000_000)
    #expect(table.count == 2)
    table.expire(at: 51_000_000_000)
    #expect(table.entries.map(\.ssid) == [[]])
    table.expire(at: 51_000_000_000)
    #expect(table.count == 0)
  }

  @Test func `a beacon that gives the name that it kept to itself is passed over`() {
    var table = table(frame(1, name("")), frame(2, isProbeResponse: true, name("A")))
    let before = table.generation
    table.hear(frame(3, name("A"), signalMBm: -9000))
    #expect(table.generation == before)
    #expect(table.entries.map(\.signalMBm) == [-5000, -5000])
    #expect(table.entries.map(\.beaconElements) == [name(""), name("")])
  }

  @Test func `no name and an empty name are two networks`() {
    #expect(table(frame(1, name("")), frame(2, [1, 1, 0x82])).entries.map(\.name) == [[], nil])
  }

  @Test(
    arguments: [
      // Channel 5 in DSSS Parameter Set, in HT Operation; 14, which the adapter has not; one of two bytes, which counts for nothing.
      ([3, 1, 5], 2_437_000, 2_432_000), ([61, 22, 5] + [UInt8](repeating: 0, count: 21), 2_437_000, 2_432_000),
      ([3, 1, 14], 2_437_000, nil), ([3, 2, 5, 5], 2_437_000, 2_437_000),
      // Of the 5 GHz band: 40, 37, and in the 6 GHz band nothing.
      ([3, 1, 40], 5_180_000, 5_200_000), ([3, 1, 37], 5_180_000, 5_180_000), ([3, 1, 1], 6_135_000, 6_135_000),
    ] as [([UInt8], UInt32, UInt32?)])
  func `a frame belongs to the channel that it tells of`(elements: [UInt8], heard: UInt32, channel: UInt32?) {
    let table = table(frame(1, name("A") + elements, frequencyKHz: heard))
    #expect(table.entries.map(\.frequencyKHz) == [channel].compactMap(\.self))
  }

  @Test func `the strength is not that of a frame heard on another channel`() {
    let elements = name("A") + [3, 1, 6]
    let table = table(frame(1, elements), frame(2, elements, frequencyKHz: 2_442_000, signalMBm: -8000))
    #expect(table.entries.map(\.signalMBm) == [-5000])
    #expect(table.entries.map(\.lastHeardNs) == [2_000_000_000])
  }

  @Test func `every frame is a change, and forgetting one more`() {
    var table = table(frame(1, name("A")), frame(2, name("A")), frame(3, name("B")))
    #expect(table.generation == 3)
    table.expire(at: 20_000_000_000)
    #expect(table.generation == 3)
    table.expire(at: 40_000_000_000)
    #expect(table.generation == 4)
    #expect(table.count == 0)
  }

  @Test func `the 1,001st makes room by the one heard longest ago, of several by the last`() {
    var table = BSSTable(SimulatedChannel.germany)
    for number in 0..<1000 { table.hear(frame(number < 3 ? 1 : 2, name("A"), number: UInt64(number))) }
    table.hear(frame(3, name("A"), number: 1000))
    #expect(table.count == 1000)
    #expect(table.generation == 1001)
    let known = Set(table.entries.map { $0.bssid.value - bssid.value })
    #expect(Set(0...1000).subtracting(known) == [2])
  }

  @Test func `an interface that goes down remembers what was heard`() async throws {
    let clock = JumpingClock()
    let kernel = SimulatedKernel(air: StillAir([.init(try .test(1), signalMBm: -5000)]), clock: clock)
    var frames: [HeardFrame] = []
    kernel.onFrame = { frame, adapter in
      #expect(adapter.name == "phy0")
      frames.append(frame)
    }
    let scanner = Scanner(link: kernel.link())
    #expect(try await scanner.scan().bss.count == 1)
    #expect(frames.map(\.isProbeResponse) == [false, true])
    kernel.setInterface(3, isUp: false)
    #expect(try await scanner.scan(.init(mode: .cached)).bss.count == 1)
  }

  /// Error numbers: EINVAL 22, ERANGE 34, ENODEV 19, EOPNOTSUPP 95.
  @Test(
    arguments: [
      ("no interface", 33, [], 22, nil),
      ("an interface in 2 bytes", 33, [6, 0, 3, 0, 3, 0, 0, 0], 34, "Attribute failed policy validation"),
      ("a frequency twice", 33, [8, 0, 3, 0, 3, 0, 0, 0, 20, 0, 44, 0, 8, 0, 1, 0, 0x6C, 9, 0, 0, 8, 0, 2, 0, 0x6C, 9, 0, 0], 22, nil),
      ("frequencies in 2 bytes", 33, [8, 0, 3, 0, 3, 0, 0, 0, 6, 0, 44, 0, 1, 2, 0, 0], 34, "Attribute failed policy validation"),
      ("elements cut off", 33, [8, 0, 3, 0, 3, 0, 0, 0, 7, 0, 42, 0, 221, 5, 0, 0], 22, "malformed information elements"),
      ("a list that is not asked for as one", 32, [8, 0, 3, 0, 3, 0, 0, 0], 95, nil),
    ] as [(String, UInt8, [UInt8], Int32, String?)])
  func `a request that is wrong is refused as by Linux`(
    what: String, command: UInt8, attributes: [UInt8], number: Int32, text: String?
  ) async throws {
    let kernel = SimulatedKernel(air: StillAir(), clock: JumpingClock())
    let link = kernel.link()
    let header: [UInt8] = [UInt8(20 + attributes.count), 0, 0, 0, 20, 0, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, command, 1, 0, 0]
    try link.send(header + attributes)
    guard case .reply(let bytes)? = try await link.receive(until: .zero) else {
      Issue.record("no answer")
      return
    }
    let answer = try #require(NetlinkMessage.messages(in: bytes).messages.first)
    let refusal = try #require(KernelError(answer))
    #expect(refusal.number == number)
    #expect(refusal.message == text)
  }

  @Test func `a number that is longer than it has to be counts by its beginning`() async throws {
    let kernel = SimulatedKernel(air: StillAir(), clock: JumpingClock())
    let link = kernel.link()
    let attributes: [UInt8] = [12, 0, 3, 0, 3, 0, 0, 0, 9, 9, 9, 9]
    try link.send([UInt8(20 + attributes.count), 0, 0, 0, 20, 0, 5, 0, 1, 0, 0, 0, 0, 0, 0, 0, 33, 1, 0, 0] + attributes)
    guard case .reply(let bytes)? = try await link.receive(until: .zero) else {
      Issue.record("no answer")
      return
    }
    // An acknowledgement, not an error.
    let answer = try #require(NetlinkMessage.messages(in: bytes).messages.first)
    #expect(answer.type == NetlinkMessage.ControlType.error)
    #expect(KernelError(answer) == nil)
  }
}
