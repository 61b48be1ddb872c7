import Simulator
import WiFi

/// A source that hears the same networks in every scan, one scan a second: nothing of a world but what a test says.
final class SameNetworks: NetworkSource {
  private let clock: any Clock<Duration>
  private let bss: [BSS]
  private var seconds = 0

  init(_ names: [String], clock: any Clock<Duration>) {
    self.clock = clock
    bss = names.enumerated().map { index, name in
      guard let ssid = SSID(Array(name.utf8)), let channel = Channel(band: .ghz2_4, number: 6, megahertz: 20) else {
        preconditionFailure("SameNetworks: \(name) is longer than 32 bytes")
      }
      let accessPoint = AccessPoint(
        bssid: MACAddress(0x0200_0000_0000 + UInt64(index)), ssid: ssid, channel: channel, generation: .wifi6,
        security: .wpa3Personal)
      return BSS(
        bssid: accessPoint.bssid, frequencyMHz: UInt32(channel.primaryMHz), capability: accessPoint.capability,
        informationElements: accessPoint.encodedElements(of: .probeResponse))
    }
  }

  nonisolated(nonsending) func nextScan() async throws -> Scan? {
    try await clock.sleep(for: .seconds(1))
    seconds += 1
    return Scan(
      interface: "test", start: .seconds(seconds - 1), end: .seconds(seconds), completion: .complete, bss: bss)
  }
}

/// An access point that does not answer the first joins.
final class SlowToAnswer: NetworkJoiner {
  private let clock: any Clock<Duration>
  private let duration: Duration
  private var failures: Int

  init(failures: Int, after duration: Duration = .seconds(1), clock: any Clock<Duration>) {
    self.failures = failures
    self.duration = duration
    self.clock = clock
  }

  nonisolated(nonsending) func join(_ network: Network, password: String?) async throws(JoinError) {
    do { try await clock.sleep(for: duration) } catch { throw .cancelled }
    failures -= 1
    if failures >= 0 { throw .timedOut }
  }
}
