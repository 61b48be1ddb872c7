import DaemonControl
import DaemonProtocols
import Determinism
import Simulator
import Testing
import WiFi
import WireProperties

/// Joins over the simulated daemon with everything that can happen to them, drawn from a seed.
@Suite struct RandomJoinTests {
  /// Draws what happens in a join.
  struct Draw {
    private var random: SplitMix64
    init(seed: UInt64) { random = SplitMix64(state: seed) }
    mutating func below(_ limit: Int) -> Int { random.below(limit) }
    mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }
  }

  static let networks: [(name: String, security: JoinRequest.Security)] = [
    ("Lab WPA2", .psk), ("Lab SAE", .sae), ("Lab Transition", .pskOrSAE), ("Lab OWE", .owe), ("Lab Open", .open),
    ("Lab Nowhere", .psk),
  ]

  @Test(arguments: 0..<12)
  func `whatever happens, joins end in time, leave nothing behind and keep their secrets`(block: Int) async throws {
    for seed in block * 50..<(block + 1) * 50 { try await run(UInt64(seed)) }
  }

  private func run(_ seed: UInt64) async throws {
    var draw = Draw(seed: seed)
    let lab = try SimulatedSupplicantTests.Lab()
    let refusals: [AccessPointPolicy.Refusal] = [
      .none, .none, .none, .association(status: 17), .authentication(status: 1), .silence, .handshakeSilence,
    ]
    for station in lab.air.stations {
      lab.air.policies[station.accessPoint.bssid]?.refusal = refusals[draw.below(refusals.count)]
      lab.air.policies[station.accessPoint.bssid]?.confirmStatus = [15, 1, nil][draw.below(3)]
      lab.air.policies[station.accessPoint.bssid]?.duration = .milliseconds(1 + draw.below(2000))
    }
    lab.supplicant.savesConfiguration = !draw.oneIn(4)
    for _ in 0..<draw.below(3) { lab.known(Self.networks[draw.below(3)].name) }
    var isKilled = false
    var isDisturbed = false
    for _ in 0..<(1 + draw.below(4)) {
      let time = lab.kernel.bootTime + .milliseconds(draw.below(draw.oneIn(2) ? 50 : 12_000))
      switch draw.below(9) {
      case 0:
        isKilled = true
        lab.kernel.schedule(at: time) { _ in lab.machine.killSupplicant(interface: "wlan0") }
      case 1:
        isDisturbed = true
        lab.kernel.schedule(at: time) { $0.setInterface(3, isUp: false) }
      case 2:
        isDisturbed = true
        let other = lab.machine.link()
        let number = draw.below(4)
        lab.kernel.schedule(at: time) { _ in
          guard (try? other.open(.supplicant(interface: "wlan0"))) != nil else { return }
          try? other.send(ControlPayload(ControlCommand.selectNetwork(number).encoded), on: .supplicant(interface: "wlan0"))
        }
      case 3:
        let place = draw.below(5)
        lab.kernel.schedule(at: time) { _ in if lab.air.stations.count > place { lab.air.stations.remove(at: place) } }
      default: break
      }
      let before = lab.supplicant.networks.map(\.id)
      let (name, security) = Self.networks[draw.below(Self.networks.count)]
      let isRight = draw.oneIn(2)
      let password = isRight ? RecordedJoin.right : RecordedJoin.wrong
      let isKept = draw.oneIn(2)
      let (outcome, recording) = try await lab.join(name, security, security.needsPassword ? password : nil) {
        $0.isKept = isKept
        $0.needsAddress = false
      }
      #expect(outcome.duration < .seconds(60), "seed \(seed): \(outcome)")
      #expect(!recording.text.contains(Hex.string(password.utf8)) && !"\(outcome)".contains(password), "seed \(seed)")
      switch outcome.result {
      case .success(let joined):
        // Nobody joins with a wrong password, and what is joined is what was asked for.
        #expect(!security.needsPassword || isRight, "seed \(seed): joined \(name) with a wrong password")
        let station = lab.air.stations.first { $0.accessPoint.bssid == joined.bssid }
        if let station { #expect(station.accessPoint.ssid.description == name, "seed \(seed)") }
        #expect(joined.isKept == (isKept && lab.supplicant.savesConfiguration), "seed \(seed)")
      case .failure(let failure):
        if !isKilled {
          #expect(lab.supplicant.networks.allSatisfy { before.contains($0.id) }, "seed \(seed): \(failure.reason) left a profile behind")
          #expect(
            before.allSatisfy { id in lab.supplicant.networks.contains { $0.id == id } }, "seed \(seed): \(failure.reason) lost a profile")
        }
        if case .wrongPassword = failure.reason, failure.certainty == .certain {
          #expect(!isRight, "seed \(seed): certain of a wrong password that was right: \(failure.evidence)")
        }
        if !isDisturbed, !isKilled {
          #expect(![.superseded, .interfaceDown, .daemonLost, .daemonSilent].contains(failure.reason), "seed \(seed): \(failure)")
        }
      }
      if isKilled, outcome.failure?.reason == .noDaemon { return }
    }
  }
}
