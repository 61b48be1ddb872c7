import Determinism
import Simulator
import Testing
import ViewFixture
import WiFi

/// What a test gives is what a model gets, in order.
@Suite struct ScriptedTests {
  private let cafe = AccessPoint("Cafe", bssid: 1, security: .open)
  private let home = AccessPoint("Home", bssid: 2, band: .ghz5, channel: 36, security: .wpa3Personal)

  @Test func `an access point of a test is a BSS that reads like any other`() {
    let facts = BSSFacts(home.bss(signalDBm: -61.5, heardAt: .milliseconds(1500)))
    #expect(facts.ssid.description == "Home")
    #expect(facts.bss.bssid.description == "02:00:00:00:00:02")
    #expect(facts.bss.signalMBm == -6150)
    #expect(facts.channel.number == 36)
    #expect(facts.security.summary == "WPA3-Personal")
    #expect(facts.generation == .wifi6)
    #expect(facts.bss.lastSeenBootTimeNs == 1_500_000_000)
    #expect(facts.elements.complaints.isEmpty)
  }

  @Test func `scans come in order, kept until they are waited for, and time counts from the start`() async throws {
    let (cafe, home) = (cafe, home)
    try await simulate(seed: 1) { simulation in
      let source = ScriptedSource(clock: simulation.clock)
      source.hear([cafe.bss(signalDBm: -50)])
      let reader = Reader(source)
      let task = simulation.task("reads") { await reader.read() }
      await simulation.advance(by: .seconds(3))
      source.hear([home.bss(signalDBm: -60)], completion: .partial(.aborted))
      await simulation.settle()
      source.fail(Gone())
      source.end()
      await task.finished()
      #expect(reader.lines == ["0.0 seconds true 1", "3.0 seconds false 1", "gone", "over"])
      #expect(source.takenCount == 3)
    }
  }

  @Test func `an answer belongs to the attempt that waits, and a cancelled attempt takes none`() async throws {
    let networks = Network.networks(of: [BSSFacts(cafe.bss(signalDBm: -50))])
    let network = try #require(networks.first)
    try await simulate(seed: 1, order: .inOrder) { simulation in
      let joiner = ScriptedJoiner()
      let log = Log()
      let first = simulation.task("first") { await log.join(joiner, network, "first") }
      let second = simulation.task("second") { await log.join(joiner, network, "second") }
      await simulation.settle()
      #expect(joiner.waitingCount == 2)
      first.cancel()
      await simulation.settle()
      joiner.answer(.failure(.wrongPassword))
      await second.finished()
      joiner.answer(.success(()))
      await log.join(joiner, network, nil)
      #expect(log.lines == ["first: nobody waited for it any more", "second: the access point did not accept the password", "joined"])
      #expect(joiner.attempts.map(\.password) == ["first", "second", nil])
      #expect(joiner.waitingCount == 0)
    }
  }

  private struct Gone: Error {}

  private final class Log {
    var lines: [String] = []

    nonisolated(nonsending) func join(_ joiner: ScriptedJoiner, _ network: Network, _ password: String?) async {
      do {
        try await joiner.join(network, password: password)
        lines.append("joined")
      } catch {
        lines.append("\(password ?? ""): \(error)")
      }
    }
  }

  private final class Reader {
    private let source: ScriptedSource
    var lines: [String] = []

    init(_ source: ScriptedSource) { self.source = source }

    nonisolated(nonsending) func read() async {
      while true {
        do {
          guard let scan = try await source.nextScan() else { return lines.append("over") }
          lines.append("\(scan.end) \(scan.isComplete) \(scan.bss.count)")
        } catch {
          lines.append("gone")
        }
      }
    }
  }
}
