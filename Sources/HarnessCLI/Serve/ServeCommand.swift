import ArgumentParser
import CSecrets
import Dispatch
import Page
import PageServer
import ScanTools
import WiFi

/// The command `wifi-harness serve`.
struct ServeCommand: AsyncParsableCommand, ReadsSource {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve networks as a page for browsers, live, with joining.",
    discussion: """
      Reads an adapter, a recording or a simulated world, and prints the address of a page. It ends on Ctrl-C. Open the address as it is \
      printed; without the token behind # the page is read-only. Each browser has its own filter, order, selection and dialogs.

      The server listens on this machine alone. With --listen other machines can reach it, and then reading needs the token, too. HTTP \
      is not encrypted: on a shared network, use an ssh tunnel.

      Programs read /scan.json (as scan --format json), /metrics (Prometheus) and /events (server-sent events), and give the token in \
      the header Authorization: Bearer TOKEN where it is needed.

      Exit status: 0 it was interrupted; 69 the machine has no such address; 75 another program listens on the port; 77 this user may not \
      listen on the port.
      """)

  @OptionGroup(title: "Source") var source: SourceOptions
  @OptionGroup(title: "Scan request") var request: RequestOptions
  @OptionGroup(title: "Filters") var filter: FilterOptions

  @Option(help: ArgumentHelp("Listen on this port; 0 takes any free one.", valueName: "n"))
  var port: Int = 8480

  @Option(
    help: ArgumentHelp(
      "Listen on this address of the machine, such as 0.0.0.0 for all; the default is 127.0.0.1. If others can reach it, reading needs the token, too.",
      valueName: "address"))
  var listen: String?

  @Option(
    name: .customLong("host-name"),
    help: ArgumentHelp(
      "Answer to this name of the machine, such as pi.local; others are refused, but for localhost. Repeatable.", valueName: "name"))
  var names: [String] = []

  @Option(parsing: .unconditional, help: TimeOption.intervalHelp)
  var interval = TimeOption(seconds: 10)

  @Option(
    help: ArgumentHelp("Open this place: detail/NAME, connect/NAME, known, known/add or known/NAME/edit.", valueName: "place"),
    completion: .list(["known", "known/add"]))
  var open: String?

  @Option(
    help: ArgumentHelp(
      "Read the token, 32 to 256 hexadecimal digits, from the first line of this file, or of standard input for -, instead of drawing one.",
      valueName: "file"), completion: .file())
  var tokenFile: String?

  func validate() throws {
    guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
    try interval.checkInterval(with: source, isView: true)
    if let open {
      guard let link = PlaceArgument(open), !link.isLayer else {
        throw ValidationError("--open \(open): there are detail/NAME, connect/NAME, known, known/add and known/NAME/edit.")
      }
    }
    try SourceOptions.check(inputs: [tokenFile, source.replay])
    if listen?.isEmpty == true { throw ValidationError("--listen takes an address of this machine, such as 0.0.0.0.") }
    for name in names where !Self.isHostName(name) {
      throw ValidationError("--host-name \(name): give the name of a host, without a port.")
    }
    try request.validate(with: source, isView: true)
  }

  func run() async throws {
    // Passwords are typed into the page, and its token lets any program use it.
    secrets_protect()
    try await ServeCommand.serve(self)
    SourceOptions.exitWhereDamaged()
  }

  @MainActor
  private static func serve(_ command: ServeCommand) async throws {
    let token = try command.token()
    let parts = try await ViewerParts.make(command.source, command.request, command.filter, interval: command.interval.duration)
    let link = try PlaceArgument.wanted(command.open, in: parts.viewer)
    let session = ServeSession(parts, link: link)
    let server = PageServer(limits: try limits(), backend: session)
    let address = command.address
    let isLoopbackOnly = Self.isLoopback(address)
    let names = command.names
    // Before the address is printed: a reader of it may end the server at once.
    let (signals, continuation) = AsyncStream.makeStream(of: CInt.self)
    let watch = SignalWatch([SIGINT, SIGTERM, SIGHUP], evenIgnored: [SIGINT, SIGTERM], on: .global()) { continuation.yield($0) }
    let port: Int
    do {
      port = try await server.listen(on: address, port: command.port) { port in
        PageGate(port: port, isLoopbackOnly: isLoopbackOnly, names: names, token: token)
      }
    } catch {
      await server.stop()
      throw (error as? PageServer.Failure).map { Failure($0) } ?? Failure(error)
    }
    session.start(publishingTo: server)
    let host = Self.printable(address, names)
    try StandardStreams.write("Serving on http://\(host):\(port)/#token=\(token.text)\nPress Control-C to end.\n")
    for await _ in signals { break }
    session.end()
    await server.stop()
    // What comes while it ends changes nothing.
    withExtendedLifetime(watch) {}
  }

  /// The limits of the server within what the process may open.
  private static func limits() throws(Failure) -> PageLimits {
    let most = Descriptors.raiseLimit(to: 1024)
    // Those of the server itself: its loop, its timer, its socket.
    let free = most - Descriptors.open - 8
    if let limits = PageLimits().within(freeDescriptors: free) { return limits }
    throw Failure(
      .systemError, "this process may open only \(most) files, too few to serve a page: raise the limit, such as with `ulimit -n 256`.")
  }

  private func token() throws(Failure) -> PageToken {
    guard let tokenFile else {
      var generator = SystemRandomNumberGenerator()
      return PageToken(random: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
    SecretFile.warnIfReadable(tokenFile, option: "--token-file")
    let bytes = try Failure.wrap(Files.read(tokenFile, limit: 4096))
    let digits = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
    guard digits.count >= 32, digits.count <= 256, digits.count % 2 == 0, let random = Hex.bytes(String(decoding: digits, as: UTF8.self))
    else {
      throw Failure(.dataError, "the token has to be 32 hexadecimal digits or more: make one with openssl rand -hex 16.")
    }
    return PageToken(random: random)
  }

  /// The address to listen on; one of IPv6 may stand in brackets, as in a link.
  private var address: String {
    guard let listen else { return "127.0.0.1" }
    return listen.hasPrefix("[") && listen.hasSuffix("]") ? String(listen.dropFirst().dropLast()) : listen
  }

  /// Whether only this machine can reach an address; a name that begins like one is none.
  private static func isLoopback(_ address: String) -> Bool {
    let parts = address.split(separator: ".", omittingEmptySubsequences: false)
    return address == "localhost" || address == "::1" || (parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil })
  }

  /// The first address of an interface that other machines can reach, of the family where there is one.
  private static func reachableAddress(isIPv6: Bool) -> String {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard unsafe getifaddrs(&list) == 0 else { return "127.0.0.1" }
    defer { unsafe freeifaddrs(list) }
    var found: [String] = []
    var next = unsafe list
    while let entry = unsafe next?.pointee {
      unsafe next = entry.ifa_next
      let isUsable = unsafe entry.ifa_flags & UInt32(IFF_UP | IFF_RUNNING) == UInt32(IFF_UP | IFF_RUNNING)
      guard isUsable, let address = unsafe entry.ifa_addr else { continue }
      let family = unsafe Int32(address.pointee.sa_family)
      guard [AF_INET, AF_INET6].contains(family) else { continue }
      let size = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [CChar](repeating: 0, count: 64)
      guard unsafe getnameinfo(address, socklen_t(size), &text, 64, nil, 0, NI_NUMERICHOST) == 0 else { continue }
      let name = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      // Of its own link an address needs the name of an interface, which differs on each machine.
      if isLoopback(name) || name.contains("%") || name.hasPrefix("169.254.") { continue }
      if (family == AF_INET6) == isIPv6 { return name }
      found.append(name)
    }
    // A socket of IPv6 takes IPv4, too, and not the other way round.
    return isIPv6 ? found.first ?? "127.0.0.1" : "127.0.0.1"
  }

  private static func isHostName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x2E
      }
  }

  /// What stands in the link for an address that is listened on.
  private static func printable(_ address: String, _ names: [String]) -> String {
    if let name = names.first { return name }
    // All addresses are none that another machine can use.
    let address = ["0.0.0.0", "::"].contains(address) ? Self.reachableAddress(isIPv6: address == "::") : address
    return address.contains(":") ? "[\(address)]" : address
  }
}

extension Failure {
  /// What keeps a server from listening.
  fileprivate init(_ failure: PageServer.Failure) {
    switch failure {
    case .portInUse(let port):
      self.init(.temporaryFailure, "another program listens on port \(port): end it, or take another one with --port (0 takes any).")
    case .notPermitted(let port):
      self.init(.noPermission, "this user may not listen on port \(port): take one from 1024 on with --port.")
    case .noSuchAddress(let address):
      self.init(
        .unavailable,
        "--listen \(PrintableText.escape(address)): this machine has no such address; `ip address` lists those that it has.")
    case .other(let words): self.init(.unavailable, "cannot listen: \(words)")
    }
  }
}
