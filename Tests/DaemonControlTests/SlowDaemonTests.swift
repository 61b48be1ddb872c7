import DaemonControl
import DaemonProtocols
import LinkContract
import Simulator
import Testing
import WiFi

/// A daemon each of whose messages takes five milliseconds: what is asked is given up between any two of them.
@Suite struct SlowDaemonTests {
  static let latency = Duration.milliseconds(5)

  private func lab(_ daemon: JoinDaemon) throws -> DaemonLab {
    let lab = try DaemonLab(daemon)
    lab.machine.latency = Self.latency
    return lab
  }

  @Test(arguments: JoinDaemon.allCases)
  func `a join that is given up between two messages leaves nothing behind`(daemon: JoinDaemon) async throws {
    var outcomes: Set<String> = []
    for count in 0..<80 {
      let lab = try lab(daemon)
      let delay = Self.latency * count + .milliseconds(1)
      let (outcome, _) = try await lab.joinCancelled("Lab WPA2", RecordedJoin.right, after: delay)
      try await lab.pass(.seconds(20))
      if outcome.joined == nil {
        #expect(outcome.failure?.reason == .cancelled, "after \(delay)")
        #expect(lab.known.isEmpty && lab.joined == nil, "after \(delay)")
        outcomes.insert("cancelled")
      } else {
        #expect(lab.known == ["Lab WPA2"] && lab.joined == "Lab WPA2", "after \(delay)")
        outcomes.insert("joined")
      }
    }
    #expect(outcomes == ["cancelled", "joined"])
  }

  @Test(arguments: JoinDaemon.allCases)
  func `an edit that is given up between two messages changes nothing`(daemon: JoinDaemon) async throws {
    var outcomes: Set<String> = []
    for count in 0..<40 {
      let lab = try lab(daemon)
      try lab.know("Lab WPA2")
      let (store, _) = lab.store()
      let id = try #require(try await store.knownNetworks().first).id
      let edit = KnownNetworkEdit(joinsAutomatically: false)
      let delay = Self.latency * count + .milliseconds(1)
      let result = await lab.knownCancelled(.edit(id, edit), after: delay)
      try await lab.pass(.seconds(1))
      let isChanged = try await store.knownNetworks().first?.joinsAutomatically == false
      if case .success = result { outcomes.insert("changed") } else { outcomes.insert("cancelled") }
      #expect(isChanged == ((try? result.get()) != nil), "after \(delay): \(result)")
    }
    #expect(outcomes == ["cancelled", "changed"])
  }
}
