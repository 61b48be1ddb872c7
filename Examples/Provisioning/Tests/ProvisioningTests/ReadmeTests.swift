import DaemonControl
import Determinism
import Harness
import Models
import Scanner
import Simulator
import Testing
import WiFi

/// The code of README.md.
@Suite struct ReadmeTests {
  #if os(Linux)
    /// Needs an adapter, so it is compiled and not run.
    func scanAnAdapter() async throws {
      let scanner = Scanner(link: try LiveLink())
      let scan = try await scanner.scan(.init(interface: "wlan0"))
      for bss in scan.bss {
        let facts = BSSFacts(bss)
        print(facts.ssid, facts.security.summary, facts.channel, facts.generation?.summary ?? "")
      }

      let model = FoundNetworksModel()  // @Observable; rows keep their identity
      let changes = model.apply(scan)  // found, changed, lost; insert, move, update, remove
      print(changes.networks.count)
    }

    /// Needs a daemon, so it is compiled and not run.
    func joinANetwork(_ network: Network, password: String) async throws {
      let joiner = Joiner(link: try LiveControlLink())
      let daemon = try await joiner.owner(of: "wlan0").get()
      let request = JoinRequest(interface: "wlan0", network: network, password: Secret(password))
      let outcome = await joiner.join(request, over: daemon)
      if case .failure(let failure) = outcome.result { print(failure) }  // the reason, how sure, and the evidence
    }
  #endif

  @Test func `a scan that is cut short proves nothing`() async throws {
    try await simulate(seed: 7) { simulation in
      let kernel = SimulatedKernel(air: RadioWorld(seed: 7, profile: .home), clock: simulation.clock)
      kernel.setFaults([.aborted(permille: 1000)], seed: 7)
      let scan = try await Scanner(link: kernel.link()).scan()
      #expect(scan.completion == .partial(.aborted))
    }
  }
}
