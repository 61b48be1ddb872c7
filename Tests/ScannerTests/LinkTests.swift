import LinkContract
import Testing
import WiFi

@testable import Scanner

@Suite struct LinkTests {
  @Test(arguments: [1, 2, 3, Int.max])
  func `a recorded link keeps the contract however its replies are split`(messagesPerDatagram: Int) async throws {
    let kernel = try RecordedKernel.lab()
    try await LinkContract.check(familyName: NL80211.familyName) { kernel.link(messagesPerDatagram: messagesPerDatagram) }
  }

  #if os(Linux) && canImport(CNetlink)
    @Test func `the live link keeps the contract with the kernel's controller`() async throws {
      try await LinkContract.check { try LiveLink() }
    }
  #endif
}
