import DaemonControl
import DaemonProtocols
import Foundation
import Simulator
import Testing
import WiFi

/// Joins and changes of known networks over the three simulated daemons, with everything that can happen to them, drawn from a seed.
///
/// 2,000 seeds are run here, 400 in debug; `make check NAME=explore-joins` runs any number.
@Suite struct RandomDaemonRunTests {
  static let names = DaemonLab.stations.map(\.name) + ["Lab Nowhere"]
  /// The seeds, in blocks of one test case each.
  static let blocks: [Range<Int>] = {
    #if DEBUG
      let some = 400
    #else
      let some = 2000
    #endif
    let text = ProcessInfo.processInfo.environment["JOIN_SEEDS"] ?? "0..<\(some)"
    let bounds = text.split(separator: "..<").compactMap { Int($0) }
    let (first, end) = bounds.count == 2 ? (bounds[0], bounds[1]) : (0, some)
    return stride(from: first, to: end, by: 250).map { $0..<min($0 + 250, end) }
  }()

  @Test(arguments: blocks)
  func `whatever happens, requests end in time, leave nothing behind and keep their secrets`(block: Range<Int>) async throws {
    for seed in block { try await Run(seed: UInt64(seed)).run() }
  }

  /// The run of one seed.
  final class Run {
    private var draw: RandomJoinTests.Draw
    private let seed: UInt64
    private let lab: DaemonLab
    /// Whether the daemon was killed or restarted, so that what it had in memory is gone.
    private var isKilled = false
    /// Whether anything happened that may end an attempt for another reason than the access point's.
    private var isDisturbed = false
    private var passwords = [RecordedJoin.right, RecordedJoin.wrong, "fresh password"]

    init(seed: UInt64) throws {
      self.seed = seed
      draw = RandomJoinTests.Draw(seed: seed)
      lab = try DaemonLab(JoinDaemon.allCases[Int(seed % 3)])
    }

    func run() async throws {
      let refusals: [AccessPointPolicy.Refusal] = [
        .none, .none, .none, .none, .association(status: 17), .authentication(status: 1), .silence, .handshakeSilence,
      ]
      for station in DaemonLab.stations {
        let refusal = refusals[draw.below(refusals.count)]
        let status: UInt16? = [15, 1, nil][draw.below(3)]
        let duration = Duration.milliseconds(1 + draw.below(2000))
        lab.policy(station.name) { policy in
          policy.refusal = refusal
          policy.confirmStatus = status
          policy.duration = duration
        }
      }
      for _ in 0..<draw.below(3) {
        let name = Self.securedNames[draw.below(3)]
        if !lab.known.contains(name) { try lab.know(name, password: draw.oneIn(4) ? RecordedJoin.wrong : RecordedJoin.right) }
      }
      if draw.oneIn(2) { try await lab.pass(.seconds(draw.below(20))) }
      for _ in 0..<(1 + draw.below(3)) {
        disturb()
        if draw.oneIn(3) { try await change() } else { try await join() }
      }
    }

    private static let securedNames = ["Lab WPA2", "Lab SAE", "Lab Transition"]

    /// Perhaps something happens soon.
    private func disturb() {
      let time = lab.kernel.bootTime + .milliseconds(draw.below(draw.oneIn(2) ? 60 : 12_000))
      let lab = lab
      switch draw.below(12) {
      case 0:
        (isKilled, isDisturbed) = (true, true)
        lab.kernel.schedule(at: time) { _ in lab.kill() }
      case 1:
        (isKilled, isDisturbed) = (true, true)
        lab.kernel.schedule(at: time) { _ in lab.restart() }
      case 2:
        isDisturbed = true
        lab.kernel.schedule(at: time) { $0.setInterface(3, isUp: false) }
        let later = time + .milliseconds(draw.below(20_000))
        lab.kernel.schedule(at: later) { $0.setInterface(3, isUp: true) }
      case 3:
        isDisturbed = true
        lab.kernel.schedule(at: time) { _ in lab.machine.isPermitted = false }
      case 4:
        let place = draw.below(5)
        lab.kernel.schedule(at: time) { _ in if lab.air.stations.count > place { lab.air.stations.remove(at: place) } }
      case 5 where lab.daemon == .networkManager:
        isDisturbed = true
        let restarts = draw.oneIn(2)
        lab.kernel.schedule(at: time) { _ in lab.endSupplicant(restarts: restarts) }
      default: break
      }
    }

    private func note(_ what: String) -> Comment { "seed \(seed), \(lab.daemon): \(what)" }

    private func join() async throws {
      let usesKnown = draw.oneIn(2)
      let names = usesKnown && !lab.known.isEmpty ? lab.known : RandomDaemonRunTests.names
      let name = names[draw.below(names.count)]
      let isRight = draw.oneIn(2)
      let password = isRight ? RecordedJoin.right : RecordedJoin.wrong
      let isKept = !draw.oneIn(4)
      let (before, savedBefore) = (lab.known, lab.saved)
      let link = RecordingControlLink(lab.machine.link())
      var request = try lab.request(name, usesKnown ? nil : password)
      request.isKept = isKept
      let needsPassword = request.security.needsPassword
      // Perhaps nobody wants it any more in the middle.
      let isCancelled = draw.oneIn(usesKnown ? 2 : 8)
      func cancel() { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      var driven: any ControlLink = link
      if isCancelled {
        driven =
          draw.oneIn(usesKnown ? 5 : 2)
          ? InterruptedLink(link, after: 1 + draw.below(20), cancel) : MeddlingLink(link, after: .milliseconds(draw.below(3000)), cancel)
      }
      nonisolated(unsafe) let joiner = Joiner(link: driven)
      let daemon = lab.daemon
      let outcome = await Task { [request] in unsafe await joiner.join(request, over: daemon) }.value
      #expect(outcome.duration < .seconds(75), note("\(name) took \(outcome.duration)"))
      keepsSecrets(link.recording, "\(outcome)")
      let after = lab.known
      switch outcome.result {
      case .success(let joined):
        #expect(!needsPassword || isRight || usesKnown || joined.usedSavedPassword, note("joined \(name) with a wrong password"))
        if let bssid = joined.bssid, let station = DaemonLab.stations.first(where: { MACAddress($0.bssid) == bssid }) {
          #expect(station.name == name, note("joined \(station.name) for \(name)"))
        }
        if !isKilled {
          #expect(savedBefore.allSatisfy { after.contains($0) }, note("joining \(name) lost one of \(savedBefore): \(after)"))
          let count = lab.saved.count { $0 == name }
          let kept = joined.isKept || savedBefore.contains(name) ? 1 : 0
          #expect(count == kept || lab.daemon != .networkManager, note("\(name) is known \(count) times"))
        }
      case .failure(let failure):
        if !isKilled, !isDisturbed {
          #expect(lab.saved.sorted() == savedBefore.sorted(), note("\(name): \(failure.reason) changed \(savedBefore) to \(lab.saved)"))
          #expect(after.allSatisfy(before.contains), note("\(name): \(failure.reason) left one behind: \(before), \(after)"))
        }
        if failure.reason == .wrongPassword, failure.certainty == .certain, !usesKnown {
          #expect(!isRight && needsPassword, note("certain of a wrong password that was right: \(failure.evidence)"))
        }
        if !isDisturbed {
          let machine: [JoinFailure.Reason] = [
            .superseded, .interfaceDown, .daemonLost, .supplicantLost, .daemonSilent, .noDaemon, .noPermission, .notManaged,
          ]
          #expect(!machine.contains(failure.reason), note("\(name): \(failure.reason) \(failure.evidence.map(\.line))"))
        }
        if failure.reason == .cancelled { #expect(isCancelled, note("cancelled by nobody")) }
        let isTakenBack = failure.reason == .cancelled && failure.aftermath == .nothingBefore && usesKnown && needsPassword
        if isTakenBack, link.recording.hasAsked, !isDisturbed {
          try await lab.pass(.seconds(60))
          #expect(lab.joined != name, note("\(name) is joined, though that was cancelled"))
        }
      }
    }

    private func change() async throws {
      let link = RecordingControlLink(lab.machine.link())
      let joiner = Joiner(link: link)
      guard case .success(let listed) = await joiner.known(.list, over: lab.daemon, interface: "wlan0") else {
        #expect(isDisturbed, note("known networks cannot be listed"))
        return
      }
      keepsSecrets(link.recording, "\(listed)")
      let ssid = try #require(SSID(Array("Added \(draw.below(3))".utf8)))
      let secret = Secret("fresh password")
      var requests: [KnownNetworkRequest] = [.add(KnownNetworkDraft(ssid: ssid, security: .psk, password: secret, priority: draw.below(9)))]
      if !listed.networks.isEmpty {
        let id = listed.networks[draw.below(listed.networks.count)].id
        var edit = KnownNetworkEdit(joinsAutomatically: draw.oneIn(2))
        if lab.daemon != .iwd {
          if draw.oneIn(2) { edit.priority = draw.below(5) }
          if draw.oneIn(2) { edit.password = secret }
        }
        requests += [.edit(id, edit), .forget(id), .duplicate(id, KnownNetworkEdit(ssid: ssid, password: secret))]
      }
      let request = requests[draw.below(requests.count)]
      let outcome = await joiner.known(request, over: lab.daemon, interface: "wlan0")
      keepsSecrets(link.recording, "\(outcome)")
      guard case .success(let now) = await Joiner(link: lab.machine.link()).known(.list, over: lab.daemon, interface: "wlan0") else {
        #expect(isDisturbed, note("known networks cannot be listed again"))
        return
      }
      // Which is joined changes by itself; nothing else does.
      func profiles(_ networks: [KnownNetwork]) -> [String] {
        networks.map { network in
          var network = network
          (network.isJoined, network.isInRange) = (false, nil)
          return "\(network.id) \(network)"
        }
      }
      switch outcome {
      case .success(let answer): if !isKilled { #expect(profiles(now.networks) == profiles(answer.networks), note("\(request.name)")) }
      case .failure(let error):
        if !isKilled { #expect(profiles(now.networks) == profiles(listed.networks), note("\(request.name): \(error)")) }
        if !isDisturbed {
          let machine: [KnownNetworkError] = [.noDaemon, .daemonLost, .daemonSilent, .noPermission, .cancelled]
          #expect(!machine.contains(error), note("\(request.name): \(error)"))
        }
      }
    }

    /// No password stands in a recording or in a text.
    private func keepsSecrets(_ recording: ControlRecording, _ text: String) {
      let conversation = recording.text
      for password in passwords {
        #expect(!conversation.contains(Hex.string(password.utf8)), note("a password is in the recording"))
        #expect(!text.contains(password), note("a password is in the outcome"))
      }
    }
  }
}
