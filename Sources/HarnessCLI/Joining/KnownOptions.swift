import ArgumentParser
import DaemonControl
import DaemonProtocols
import ScanTools
import Scanner
import WiFi

/// What every command about known networks takes, and how it runs.
struct KnownOptions: ParsableArguments {
  @OptionGroup(title: "Daemon") var daemonOptions: DaemonOptions

  /// Refuses what is not a network name.
  static func check(name: String) throws {
    if SSID(typed: name) == nil { throw ValidationError("“\(name)” is not a network name: at most 32 bytes; a backslash is \\\\.") }
  }

  /// The name that was typed.
  static func ssid(_ typed: String) throws(Failure) -> SSID {
    guard let ssid = SSID(typed: typed) else { throw Failure(.usage, "“\(typed)” is not a network name.") }
    return ssid
  }

  /// Asks the daemon and reports the result.
  ///
  /// - Parameter makeRequest: makes the request of the networks that are known; a change lists them first.
  func run(_ makeRequest: @escaping ([KnownNetwork]) throws(Failure) -> KnownNetworkRequest) async throws {
    #if os(Linux)
      try await daemonOptions.run { try await run($0, makeRequest) }
    #else
      throw Failure.withoutDaemons
    #endif
  }

  #if os(Linux)
    private func run(
      _ machine: DaemonMachine, _ makeRequest: ([KnownNetwork]) throws(Failure) -> KnownNetworkRequest
    ) async throws {
      let (interface, heard) = try await look(machine)
      let link = try daemonOptions.link(machine)
      let joiner = Joiner(link: link)
      var request = KnownNetworkRequest.list
      var daemon: JoinDaemon?
      var outcome: KnownNetworksOutcome
      switch await daemonOptions.owner(of: interface, joiner, machine) {
      case .success(let owner):
        daemon = owner
        outcome = await DaemonOptions.untilInterrupted(machine) { await joiner.known(.list, over: owner, interface: interface) }
        if case .success(let answer) = outcome {
          request = try makeRequest(Self.marked(answer, heard).networks)
          if request != .list {
            outcome = await DaemonOptions.untilInterrupted(machine) { [request] in
              await joiner.known(request, over: owner, interface: interface)
            }
          }
        }
      case .failure(let failure): outcome = .failure(KnownNetworkError(failure.reason))
      }
      let unwritten = daemonOptions.keep(link.recording)
      outcome = outcome.map { Self.marked($0, heard) }
      try report(KnownNetworksReport(request, interface: interface, over: daemon, outcome: outcome))
      if let unwritten { StandardStreams.exit(unwritten.status) }
    }

    /// The interface, and what it has heard; `nil` where the kernel could not be asked.
    private func look(_ machine: DaemonMachine) async throws -> (interface: String, heard: [Network]?) {
      let scanner = try machine.scanner()
      do throws(ScanError) {
        let scan = try await scanner.scan(.init(interface: daemonOptions.interface, mode: .cached))
        return (scan.interface, Network.networks(of: scan.bss.map { BSSFacts($0) }))
      } catch {
        // NetworkManager and iwd know networks without an interface, too.
        let needsInterface = daemonOptions.via == nil || daemonOptions.via == .supplicant
        if daemonOptions.interface != nil || !needsInterface { return (daemonOptions.interface ?? "", nil) }
        throw Failure.ofScanning(error)
      }
    }
  #endif

  /// The networks with whether they were heard, where the daemon did not say.
  private static func marked(_ answer: KnownNetworkAnswer, _ heard: [Network]?) -> KnownNetworkAnswer {
    guard let heard else { return answer }
    var answer = answer
    for index in answer.networks.indices where answer.networks[index].isInRange == nil {
      let network = answer.networks[index]
      answer.networks[index].isInRange = network.isJoined || heard.contains(where: network.suits)
    }
    return answer
  }

  private func report(_ report: KnownNetworksReport) throws {
    if daemonOptions.format == .json { try StandardStreams.write(report.json()) }
    switch report.outcome {
    case .success(let answer):
      if daemonOptions.format == .text { try StandardStreams.write(text(report, answer)) }
      if answer.changed != nil, !answer.isSaved {
        StandardStreams.say("the daemon keeps the change until it ends; wpa_supplicant needs update_config=1 to keep it longer.")
      }
    case .failure(let error):
      let next =
        switch error {
        case .unknownNetwork: " `wifi-harness known list` lists those that are."
        case .noDaemon: Failure.simulationAdvice
        default: ""
        }
      StandardStreams.say("\(error)\(next)")
      StandardStreams.exit(error.status)
    }
  }

  private func text(_ report: KnownNetworksReport, _ answer: KnownNetworkAnswer) -> String {
    guard let changed = answer.changed else {
      return answer.networks.isEmpty ? "No network is known.\n" : KnownNetworksTable(answer.networks).text
    }
    let network = answer.networks.first { $0.id == changed }
    switch report.request {
    case .list: return ""
    case .add: return "added \(network?.description ?? changed.description)\n"
    case .edit: return "changed \(network?.description ?? changed.description)\n"
    case .duplicate: return "copied to \(network?.description ?? changed.description)\n"
    case .forget: return "forgot \(changed.ssid)\n"
    }
  }
}

/// The network that a command is about.
struct KnownNameOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The name of the network; \\xHH stands for a byte.", valueName: "name"))
  var name: String

  @Option(help: ArgumentHelp("The daemon's own key, which `known list` prints, if several networks have that name.", valueName: "key"))
  var id: String?

  /// The one that is meant.
  func network(among networks: [KnownNetwork]) throws(Failure) -> KnownNetwork {
    let ssid = try KnownOptions.ssid(name)
    let named = networks.filter { $0.ssid == ssid }
    let chosen = named.filter { id == nil || $0.id.key == id }
    if chosen.count == 1, let network = chosen.first { return network }
    if chosen.isEmpty {
      let why = id.map { " with the key \(PrintableText.escape($0))" } ?? ""
      throw Failure(.checkFailed, "no network “\(ssid)”\(why) is known; `wifi-harness known list` lists those that are.")
    }
    let keys = chosen.map { PrintableText.escape($0.id.key) }.joined(separator: ", ")
    throw Failure(.usage, "\(chosen.count) networks “\(ssid)” are known; give --id with one of \(keys).")
  }
}

/// Fields of a known network, as options.
struct KnownFieldOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Join networks of higher priority first, from -999 to 999.", valueName: "number"))
  var priority: Int?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Let the daemon join the network by itself, or not.")
  var autoconnect: Bool?

  @Flag(inversion: .prefixedNo, exclusivity: .exclusive, help: "Treat the network as one that hides its name, or not.")
  var hidden: Bool?

  /// Whether none is given.
  var isEmpty: Bool { priority == nil && autoconnect == nil && hidden == nil }

  func validate() throws {
    if let priority, !KnownNetwork.priorities.contains(priority) {
      throw ValidationError("--priority takes a number from -999 to 999, not \(priority).")
    }
  }
}

/// What is to change of a known network, or to be another in its copy.
struct KnownEditOptions: ParsableArguments {
  @Option(help: "Give it this security, of the family that the network has: psk is WPA2, sae WPA3, personal either of them.")
  var security: KnownSecurityChoice?

  @Flag(help: "Give it another password, and ask for it on the terminal; --password-file does so without asking.")
  var password = false

  @OptionGroup var fields: KnownFieldOptions
  @OptionGroup var secret: PasswordOptions

  private var isPasswordGiven: Bool { password || secret.passwordFile != nil }

  /// Whether none is given.
  var isEmpty: Bool { security == nil && !isPasswordGiven && fields.isEmpty }

  /// The changes that are asked for.
  func edit(_ network: KnownNetwork, rename: String?) throws(Failure) -> KnownNetworkEdit {
    var edit = KnownNetworkEdit(
      security: security?.value, priority: fields.priority, joinsAutomatically: fields.autoconnect, isHidden: fields.hidden)
    if let rename { edit.ssid = try KnownOptions.ssid(rename) }
    if isPasswordGiven {
      edit.password = try secret.password(for: (edit.ssid ?? network.ssid).description)
      if edit.password == nil { throw Failure(.usage, "there is no terminal to ask for the password; give --password-file.") }
    }
    return edit
  }
}

/// The kinds of security that a profile can be made for.
enum KnownSecurityChoice: String, ExpressibleByArgument, CaseIterable {
  case open, owe, psk, sae, personal

  var value: JoinSecurity { JoinSecurity(rawValue: rawValue) ?? .pskOrSAE }
}

extension KnownNetworkError {
  /// What a command ends with.
  fileprivate var status: ExitStatus {
    switch self {
    case .noPermission: .noPermission
    case .noDaemon, .noInterface, .notManaged, .cannot, .notSupported: .unavailable
    case .busy: .temporaryFailure
    case .nameMissing, .passwordNotTaken, .priorityOutOfRange, .securityFamily: .usage
    default: .checkFailed
    }
  }
}
