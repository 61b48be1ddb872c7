import ArgumentParser
import DaemonControl
import DaemonProtocols
import Determinism
import Harness
import ScanTools
import Scanner
import Simulator
import WiFi

#if os(Linux)
  import Dispatch
#endif

/// Which daemon is asked, for which interface, and where the conversation with it is written.
struct DaemonOptions: ParsableArguments {
  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp("Use this wireless interface; the default is the first that can scan.", valueName: "name"),
    completion: .wirelessInterfaces)
  var interface: String?

  @OptionGroup var world: WorldOptions

  @Option(
    help: ArgumentHelp(
      "Ask this daemon; the default is the one that owns the interface, and NetworkManager in a simulated world.", valueName: "daemon"))
  var via: JoinDaemon?

  @Option(
    help: ArgumentHelp("Write the conversation with the daemon to this file; of a password only the length is written.", valueName: "file"),
    completion: .file())
  var record: String?

  @Option(help: "Print the outcome in this format.")
  var format = OutcomeFormat.text

  @Flag(help: "The same as --format json.")
  var json = false

  mutating func validate() throws {
    if json { format = .json }
    try SourceOptions.check(interface: interface)
    if world.simulate == "preview" {
      throw ValidationError("--simulate preview has no daemon, which another world has, such as home.")
    }
  }

  /// The files that are named by these options and those of a password.
  func namedFiles(with secret: PasswordOptions) -> NamedFiles {
    NamedFiles(written: [("--record", record)], read: [("the file of the password", secret.passwordFile)])
  }

  #if os(Linux)
    /// Asks the daemons of this machine, or those of a simulated one on virtual time.
    func run(_ body: @escaping (DaemonMachine) async throws -> Void) async throws {
      guard var source = world.simulated else { return try await body(DaemonMachine(world: nil, daemon: nil)) }
      let daemon = via ?? .networkManager
      source.daemon = daemon
      nonisolated(unsafe) let body = body
      do {
        try await Determinism.simulate(seed: source.seed, order: .inOrder, limits: .endless) { [source] simulation in
          let world = SimulatedWorlds.make(
            source, networks: SimulatedWorlds.networksAtFirst(in: source.world), known: SimulatedWorlds.knownAtFirst,
            clock: simulation.clock)
          // The machine has scanned before, as any has that runs a daemon.
          _ = try await world.source.nextScan()
          try await unsafe body(DaemonMachine(world: world as? KernelScenarioWorld, daemon: daemon))
        }
      } catch {
        throw Failure(error)
      }
    }

    /// A link to the daemons that records what goes over it.
    func link(_ machine: DaemonMachine) throws(Failure) -> RecordingControlLink {
      let simulated = machine.world?.machine
      if simulated == nil { try Self.checkBus(via) }
      // Before anything is asked of a daemon.
      try OutputFile.refuseUnwritable(record, option: "--record")
      if let simulated { return RecordingControlLink(simulated.link()) }
      return RecordingControlLink(try Failure.wrap(LiveControlLink(paths: Self.paths)))
    }

    private static let busVariable = "DBUS_SYSTEM_BUS_ADDRESS"

    /// The bus that the environment names instead of the usual one; an empty name is none.
    private static var busAddress: String? { StandardStreams.environment(busVariable) }

    /// Refuses a bus that cannot be reached from here, which would look like a daemon that does not run.
    ///
    /// - Parameter daemon: the only one that is asked; wpa_supplicant needs no bus.
    static func checkBus(_ daemon: JoinDaemon?) throws(Failure) {
      guard daemon != .supplicant, let problem = busAddress.flatMap({ DBusAddress.problem(in: $0) }) else { return }
      throw Failure(
        .usage,
        """
        the environment variable \(busVariable) \(problem); set it to a Unix socket, such as unix:path=/run/dbus/system_bus_socket, or unset it.
        """)
    }

    /// Where the daemons listen; `DBUS_SYSTEM_BUS_ADDRESS` names another bus, as for every client of it.
    static var paths: LiveControlLink.Paths {
      var paths = LiveControlLink.Paths()
      if let text = busAddress { paths.bus = DBusAddress.list(text) }
      if let folder = StandardStreams.environment("WPA_CTRL_DIR") { paths.supplicant = folder }
      return paths
    }

    /// The daemon that is to be asked, or why there is none.
    func owner(of interface: String, _ joiner: Joiner, _ machine: DaemonMachine) async -> Result<JoinDaemon, JoinFailure> {
      await joiner.owner(of: interface, named: via ?? machine.daemon)
    }

    /// Writes what went over a link, where that is asked for.
    ///
    /// - Returns: why it could not be written, which is printed at once; the result of the request is still to be
    ///   printed.
    func keep(_ recording: ControlRecording) -> Failure? {
      guard let record else { return nil }
      do throws(FileFailure) {
        try Files.replace(record, with: Array(recording.text.utf8), isPrivate: true)
        return nil
      } catch {
        let failure = Failure(error)
        StandardStreams.say(failure.sentence)
        return failure
      }
    }

    /// Runs what an interruption cancels, so that it cleans up: what a terminal sends for Ctrl-C, Ctrl-\ and where it
    /// goes, and SIGTERM.
    ///
    /// A signal that the process ignored from its start, as SIGHUP under nohup(1), stays without effect. Afterwards all
    /// are as before.
    static func untilInterrupted<Outcome: Sendable>(
      _ machine: DaemonMachine, _ body: @escaping () async -> Outcome
    ) async -> Outcome {
      // A simulated machine takes no time.
      if machine.world != nil { return await body() }
      nonisolated(unsafe) let body = body
      let task = Task { unsafe await body() }
      let watch = SignalWatch(
        [SIGINT, SIGTERM, SIGHUP, SIGQUIT], evenIgnored: [SIGINT, SIGTERM, SIGQUIT], on: .global()
      ) { _ in task.cancel() }
      defer { watch.end() }
      return await task.value
    }
  #endif
}

#if os(Linux)
  /// The machine whose daemons are asked: this one, or a simulated one.
  struct DaemonMachine {
    /// The simulated world, where there is one.
    let world: KernelScenarioWorld?
    /// The daemon that owns every interface of it.
    let daemon: JoinDaemon?

    /// A scanner over the kernel.
    func scanner() throws(Failure) -> Scanner {
      if let world { return Scanner(link: world.kernel.link()) }
      return try SourceOptions.scanner()
    }
  }
#endif
