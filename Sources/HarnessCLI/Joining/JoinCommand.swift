import ArgumentParser
import DaemonControl
import DaemonProtocols
import Harness
import Scanner
import WiFi

/// The command `wifi-harness join`.
struct JoinCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Join a network, and report why it could not be joined.",
    discussion: """
      Joins through the daemon that owns the interface: NetworkManager, iwd or wpa_supplicant. A failed attempt leaves no \
      profile behind, and the daemon is asked to return to the network that was joined before.

      With --simulate a simulated machine joins on virtual time; the password of its networks is \
      “\(ScenarioKnownNetwork.defaultPassword)”.

      The password is read from the terminal without echo, from a file or from standard input; never from an argument, which every \
      user of the machine can read. Without any of these the daemon joins with the password it knows.

      Exit status: 0 the network is joined; 1 it is not; 69 no daemon runs, or there is no such interface; 75 the daemon is busy, try \
      again; 77 this user may not control the daemon.
      """)

  @Argument(help: ArgumentHelp("The name of the network; \\xHH stands for a byte.", valueName: "name"))
  var name: String

  @OptionGroup(title: "Daemon") var daemonOptions: DaemonOptions

  @Option(help: "Join with this security: psk is WPA2, sae WPA3, personal either of them; auto takes what the network announces.")
  var security = SecurityChoice.auto

  @OptionGroup var secret: PasswordOptions

  @Flag(help: "Join with the password that the daemon knows; do not ask.")
  var known = false

  @Option(
    help: ArgumentHelp(
      "Join this BSS of the network and no other; iwd cannot.",
      valueName: "address"))
  var bssid: String?

  @Flag(help: "The network hides its name.")
  var hidden = false

  @Flag(help: "Do not let the daemon remember the network.")
  var once = false

  @Flag(help: "Wait for an IPv4 address with wpa_supplicant, too; NetworkManager always waits for one.")
  var address = false

  enum SecurityChoice: String, ExpressibleByArgument, CaseIterable { case auto, open, owe, psk, sae, personal }

  mutating func validate() throws {
    if name.isEmpty { throw ValidationError("the name of the network is empty.") }
    try KnownOptions.check(name: name)
    if let bssid, MACAddress(bssid) == nil { throw ValidationError("--bssid takes an address such as 02:00:00:00:00:01.") }
    if known, secret.passwordFile != nil { throw ValidationError("--known and --password-file exclude each other.") }
    try secret.validate(with: JoinSecurity(rawValue: security.rawValue))
  }

  func run() async throws {
    #if os(Linux)
      try await daemonOptions.run(join)
    #else
      throw Failure.withoutDaemons
    #endif
  }

  #if os(Linux)
    private func join(_ machine: DaemonMachine) async throws {
      var (request, heard) = try await self.request(machine)
      let link = try daemonOptions.link(machine)
      let joiner = Joiner(link: link)
      let start = link.bootTime
      let daemon: JoinDaemon?
      var outcome: JoinOutcome
      switch await daemonOptions.owner(of: request.interface, joiner, machine) {
      case .success(let found):
        daemon = found
        if heard == nil, security == .auto, let network = await Self.scan(for: request, machine) {
          request.security = JoinRequest.Security(network.security)
          heard = network
        }
        if known, heard == nil, security == .auto, let kept = await Self.securityWithoutPassword(of: request, joiner, over: found) {
          request.security = kept
        }
        if request.problem == nil, request.security.needsPassword, !known {
          request.password = try secret.password(for: request.ssid.description)
        }
        link.secret = request.password
        // With either kind of password only what is heard says that it must be one of WPA2.
        var checked = request
        if security == .personal, let heard, JoinRequest.Security(heard.security) == .psk { checked.security = .psk }
        if checked.security != request.security, let problem = checked.problem {
          outcome = JoinOutcome(.failure(JoinFailure(problem)), after: .zero)
        } else {
          outcome = await DaemonOptions.untilInterrupted(machine) { [request] in
            await joiner.join(request, over: found, onProgress: Self.show)
          }
          await Self.explain(&outcome, of: request, machine)
        }
      case .failure(let failure):
        daemon = nil
        outcome = JoinOutcome(.failure(failure), after: link.bootTime - start)
      }
      if heard == nil, case .failure(var failure) = outcome.result, failure.reason == .outOfRange {
        failure.evidence.insert(JoinEvidence(.clock, at: start, "not among what the kernel had heard before"), at: 0)
        outcome.result = .failure(failure)
      }
      let unwritten = daemonOptions.keep(link.recording)
      try report(JoinReport(request, over: daemon, outcome: outcome, start: start))
      if let unwritten { StandardStreams.exit(unwritten.status) }
    }

    /// Says what was asked for and is not there, where a daemon could not know that.
    private static func explain(_ outcome: inout JoinOutcome, of request: JoinRequest, _ machine: DaemonMachine) async {
      guard case .failure(var failure) = outcome.result else { return }
      switch failure.reason {
      case .outOfRange, .wrongPassword, .lost, .refused, .dismissed, .timedOut, .daemonRefused: break
      default: return
      }
      guard let scan = try? await machine.scanner().scan(.init(interface: request.interface, mode: .cached)),
        let reason = request.mismatch(heard: scan.bss.map { BSSFacts($0) })
      else { return }
      (failure.reason, failure.certainty) = (reason, .certain)
      outcome.result = .failure(failure)
    }

    /// What is to be joined, and the network as the kernel has heard it.
    private func request(_ machine: DaemonMachine) async throws -> (JoinRequest, Network?) {
      let ssid = try KnownOptions.ssid(name)
      let scanner = try machine.scanner()
      let interface = daemonOptions.interface
      var heard: Network?
      var chosen = interface
      do throws(ScanError) {
        let scan = try await scanner.scan(.init(interface: interface, mode: .cached))
        chosen = scan.interface
        heard = Self.network(ssid, in: scan)
      } catch {
        // Without nl80211 a daemon may still be asked, where the interface is named.
        guard interface != nil, error.kind != .noSuchInterface else { throw Failure.ofScanning(error) }
      }
      var request = JoinRequest(interface: chosen ?? "", ssid: ssid, security: security(of: heard))
      request.bssid = bssid.flatMap { MACAddress($0) }
      request.isHidden = hidden
      request.isKept = !once
      request.needsAddress = address
      return (request, heard)
    }

    /// The network as a new scan hears it: the kernel forgets what it has not heard for 30 s, and its security decides
    /// how it is joined.
    ///
    /// - Returns: `nil` where it is not heard, or this user may not scan.
    private static func scan(for request: JoinRequest, _ machine: DaemonMachine) async -> Network? {
      show(JoinProgress(.searching))
      var scan = ScanRequest()
      scan.ssids = [request.ssid]
      guard let scanner = try? machine.scanner(),
        let result = try? await scanner.scan(.init(interface: request.interface, mode: .trigger(scan)))
      else { return nil }
      return network(request.ssid, in: result)
    }

    /// The security of a network that the daemon knows and that has no password; `nil` for others.
    private static func securityWithoutPassword(
      of request: JoinRequest, _ joiner: Joiner, over daemon: JoinDaemon
    ) async -> JoinRequest.Security? {
      guard case .success(let answer) = await joiner.known(.list, over: daemon, interface: request.interface) else { return nil }
      // Of namesakes with and without a password either may be meant.
      let securities = Set(answer.networks.filter { $0.ssid == request.ssid }.map(\.security))
      return securities.count == 1 ? securities.first { !$0.needsPassword } : nil
    }

    private static func network(_ ssid: SSID, in scan: Scan) -> Network? {
      Network.networks(of: scan.bss.map { BSSFacts($0) }).filter { $0.ssid == ssid }.max { $0.connectivity < $1.connectivity }
    }

    private func security(of heard: Network?) -> JoinRequest.Security {
      // A network that was not heard needs a password more often than not.
      if security == .auto { return heard.map { JoinRequest.Security($0.security) } ?? .pskOrSAE }
      return JoinRequest.Security(rawValue: security.rawValue) ?? .pskOrSAE
    }
  #endif

  /// Shows a step, on a terminal only.
  private static func show(_ progress: JoinProgress) {
    guard StandardStreams.isErrorInteractive else { return }
    StandardStreams.writeError("\(progress.step.rawValue)\(progress.bssid.map { " \($0)" } ?? "") …\n")
  }

  private func report(_ report: JoinReport) throws {
    if daemonOptions.format == .json { try StandardStreams.write(report.json()) }
    switch report.outcome.result {
    case .success(let joined):
      if daemonOptions.format == .text {
        let bssid = joined.bssid.map { ", \($0)" } ?? ""
        let address = joined.address.map { ", \($0)" } ?? ""
        try StandardStreams.write("joined \(report.request.ssid) with \(report.request.interface)\(bssid)\(address)\n")
      }
      if joined.usedSavedPassword {
        StandardStreams.say("the daemon used the password that it had saved; the one that was given was not tried.")
      }
      switch joined.savingFailure {
      case .daemonSilent?: StandardStreams.say("the daemon did not answer whether it saved the network.")
      case let reason?: StandardStreams.say("the daemon did not save the network: \(reason)")
      case nil: break
      }
    case .failure(let failure):
      var text = "wifi-harness: \(report.request.ssid): \(failure)\n"
      var rest = failure.evidence[...]
      while let item = rest.first {
        let same = rest.prefix { $0.observer == item.observer && $0.line == item.line }.count
        text += "  \(item.observer.rawValue): \(item.line)\(same > 1 ? " (\(same) times)" : "")\n"
        rest = rest.dropFirst(same)
      }
      if failure.reason == .noDaemon { text += " \(Failure.simulationAdvice)\n" }
      if failure.aftermath == .returning { text += "  The daemon returns to the network that was joined before.\n" }
      if failure.aftermath == .notReturning { text += "  The daemon does not return to the network that was joined before.\n" }
      StandardStreams.writeError(text)
      StandardStreams.exit(failure.reason.status)
    }
  }
}

extension JoinFailure.Reason {
  /// What the command ends with.
  fileprivate var status: ExitStatus {
    switch self {
    case .noPermission: .noPermission
    case .noDaemon, .noInterface, .notManaged, .interfaceDown, .notSupported: .unavailable
    case .busy: .temporaryFailure
    case .wrongPassword, .impossiblePassword, .savedPasswordWrong, .passwordMissing, .outOfRange, .accessPointNotHeard,
      .otherSecurity, .lost, .refused, .dismissed, .timedOut, .noAddress, .linkLost, .superseded, .daemonLost, .supplicantLost,
      .daemonSilent, .daemonRefused, .malformed, .cancelled:
      .checkFailed
    }
  }
}

extension JoinCommand: WritesFiles {
  func namedFiles() -> NamedFiles { daemonOptions.namedFiles(with: secret) }
}
