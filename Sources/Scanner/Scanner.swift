public import WiFi

/// Reads networks, adapters and what surrounds them from nl80211 over any ``/WiFi/Link``.
///
/// One scanner drives one link and does one thing at a time. It is not bound to any actor: its methods run where
/// their caller runs, and wait without blocking.
public final class Scanner {
  private let link: any Link
  private var earlier: ScanSession?
  /// An answer that comes late, to a question that was given up, is the answer to no other.
  private var requests = Requests()

  /// Talks over `link`.
  public init(link: any Link) { self.link = link }

  /// Scans, or reads what the kernel remembers, and waits for the results.
  ///
  /// - Throws: ``ScanError`` with what happened and what to do. Every wait has a deadline.
  public func scan(_ configuration: ScanSession.Configuration = .init()) async throws(ScanError) -> Scan {
    var session = earlier.map { ScanSession(configuration, continuing: $0) } ?? ScanSession(configuration)
    session.requests = requests
    defer { requests = session.requests }
    var actions = session.handle(.start, at: link.bootTime)
    while true {
      var deadline = link.bootTime
      for action in actions {
        switch action {
        case .send(let bytes): try onLink(configuration) { () throws(LinkError) in try link.send(bytes) }
        case .join(let group): try onLink(configuration) { () throws(LinkError) in try link.join(group: group) }
        case .wait(let until): deadline = until
        case .finish(let scan):
          earlier = session
          return scan
        case .fail(let error): throw error
        }
      }
      let input = try await receive(until: deadline, configuration)
      if Task.isCancelled {
        actions = session.handle(.cancelled, at: link.bootTime)
      } else {
        actions = session.handle(input.map(ScanSession.Input.received) ?? .timedOut, at: link.bootTime)
      }
    }
  }

  private func onLink(
    _ configuration: ScanSession.Configuration, _ body: () throws(LinkError) -> Void
  ) throws(ScanError) {
    do throws(LinkError) { try body() } catch {
      throw ScanError(.link(error), interface: configuration.interface)
    }
  }

  private func receive(until deadline: Duration, _ configuration: ScanSession.Configuration) async throws(ScanError) -> LinkInput? {
    do throws(LinkError) { return try await link.receive(until: deadline) } catch {
      throw ScanError(.link(error), interface: configuration.interface)
    }
  }

  // MARK: Questions

  /// The wireless interfaces, in the order of the kernel (`NL80211_CMD_GET_INTERFACE`).
  public func interfaces() async throws(ScanError) -> [Interface] {
    try await ask(NL80211.Command.getInterface, "the interfaces").compactMap(Interface.init)
  }

  /// The wireless adapters and what they can do (`NL80211_CMD_GET_WIPHY`, split dump).
  public func adapters() async throws(ScanError) -> [Adapter] {
    Adapter.adapters(
      of: try await ask(NL80211.Command.getWiphy, "the adapters") { $0.writeFlag(NL80211.Attribute.splitWiphyDump) })
  }

  /// The regulatory domains: that of all, and those that adapters keep for themselves (`NL80211_CMD_GET_REG`).
  public func regulatoryDomains() async throws(ScanError) -> [RegulatoryDomain] {
    try await ask(NL80211.Command.getRegulatory, "the regulatory domain").compactMap(RegulatoryDomain.init)
  }

  /// How busy the channels of an interface were (`NL80211_CMD_GET_SURVEY`).
  public func survey(interfaceIndex: UInt32) async throws(ScanError) -> [Survey] {
    try await ask(NL80211.Command.getSurvey, "the survey") {
      $0.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    }.compactMap(Survey.init)
  }

  /// The stations an interface talks with; for a client, its access point (`NL80211_CMD_GET_STATION`).
  public func stations(interfaceIndex: UInt32) async throws(ScanError) -> [Station] {
    try await ask(NL80211.Command.getStation, "the stations") {
      $0.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    }.compactMap(Station.init)
  }

  // MARK: Commands

  /// Lets the adapter scan by itself (`NL80211_CMD_START_SCHED_SCAN`); needs `CAP_NET_ADMIN`.
  ///
  /// What it finds is given by ``scan(_:)`` in ``ScanSession/Mode/others``. The scan ends with
  /// ``stopScheduledScan(interfaceIndex:)``.
  public func startScheduledScan(_ request: ScheduledScanRequest, interfaceIndex: UInt32) async throws(ScanError) {
    _ = try await converse(
      Query(request.message(interfaceIndex: interfaceIndex), isDump: false, subject: "a scheduled scan"))
  }

  /// Ends a scheduled scan (`NL80211_CMD_STOP_SCHED_SCAN`); needs `CAP_NET_ADMIN`.
  public func stopScheduledScan(interfaceIndex: UInt32) async throws(ScanError) {
    try await command(NL80211.Command.stopScheduledScan, interfaceIndex, "the end of a scheduled scan")
  }

  /// Ends whatever scan runs on an interface (`NL80211_CMD_ABORT_SCAN`); needs `CAP_NET_ADMIN`.
  public func abortScan(interfaceIndex: UInt32) async throws(ScanError) {
    try await command(NL80211.Command.abortScan, interfaceIndex, "the end of a scan")
  }

  private func command(_ number: UInt8, _ interfaceIndex: UInt32, _ subject: String) async throws(ScanError) {
    var writer = AttributeWriter()
    writer.write(NL80211.Attribute.interfaceIndex, interfaceIndex)
    let message = GenericNetlinkMessage(command: number, attributes: writer.bytes)
    _ = try await converse(Query(message, isDump: false, subject: subject))
  }

  // MARK: Conversation

  private func ask(
    _ command: UInt8, _ subject: String, _ attributes: (inout AttributeWriter) -> Void = { _ in }
  ) async throws(ScanError) -> [GenericNetlinkMessage] {
    var writer = AttributeWriter()
    attributes(&writer)
    return try await converse(
      Query(GenericNetlinkMessage(command: command, attributes: writer.bytes), subject: subject))
  }

  private func converse(_ query: Query) async throws(ScanError) -> [GenericNetlinkMessage] {
    var query = query
    query.requests = requests
    defer { requests = query.requests }
    var actions = query.start(at: link.bootTime)
    while true {
      var deadline = link.bootTime
      for action in actions {
        switch action {
        case .send(let bytes): try onLink(.init()) { () throws(LinkError) in try link.send(bytes) }
        case .wait(let until): deadline = until
        case .finish(let messages): return messages
        case .fail(let error): throw error
        }
      }
      let input = try await receive(until: deadline, .init())
      if Task.isCancelled { throw ScanError(.cancelled) }
      actions = query.received(input, at: link.bootTime)
    }
  }
}

/// An adapter as a source of scans, one after the other.
public final class AdapterSource: NetworkSource {
  private let scanner: Scanner
  private let configuration: ScanSession.Configuration
  private let interval: Duration
  private let sleep: (Duration) async throws -> Void
  private var isFirst = true

  /// Scans over `scanner`, with a pause of `interval` behind each scan.
  ///
  /// - Parameter sleep: waits; a clock's `sleep(for:)`.
  public init(
    scanner: Scanner, configuration: ScanSession.Configuration, interval: Duration,
    sleep: @escaping (Duration) async throws -> Void
  ) {
    self.scanner = scanner
    self.configuration = configuration
    self.interval = interval
    self.sleep = sleep
  }

  /// The next scan; the first begins at once.
  ///
  /// In ``ScanSession/Mode/others`` the first scan is what the kernel remembers.
  ///
  /// - Throws: ``ScanError``, or what the pause throws when the task is cancelled.
  public func nextScan() async throws -> Scan? {
    var configuration = configuration
    if isFirst {
      if configuration.mode == .others { configuration.mode = .cached }
    } else if configuration.mode != .others {
      try await sleep(interval)
    }
    isFirst = false
    return try await scanner.scan(configuration)
  }
}
