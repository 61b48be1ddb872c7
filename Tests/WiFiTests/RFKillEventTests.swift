import Testing
import WiFi

@Suite struct RFKillEventTests {
  /// What `rfkill block wifi` writes, as `strace` shows it.
  static let block: [UInt8] = [0, 0, 0, 0, 1, 3, 1, 0]

  @Test func `all wireless LANs are blocked with the bytes that rfkill writes`() {
    #expect(RFKillEvent(.changeAll, isSoftBlocked: true).encoded == Self.block)
  }

  @Test(arguments: [[0, 0, 0, 0, 1, 3, 1, 0], [0x12, 0x34, 0x56, 0x78, 2, 2, 0, 1], [7, 0, 0, 0, 1, 0, 1, 1]] as [[UInt8]])
  func `an event that is read is written again as it was`(bytes: [UInt8]) throws {
    #expect(try RFKillEvent(bytes).encoded == bytes)
  }

  @Test func `what newer kernels append is not read`() throws {
    #expect(try RFKillEvent(Self.block + [0xFF]).encoded == Self.block)
  }

  @Test func `what is cut off or not known is refused`() {
    for count in 0..<RFKillEvent.size { #expect(throws: WireError.self) { try RFKillEvent(Array(Self.block.prefix(count))) } }
    #expect(throws: WireError.self) { try RFKillEvent([0, 0, 0, 0, 1, 4, 1, 0]) }
  }
}
