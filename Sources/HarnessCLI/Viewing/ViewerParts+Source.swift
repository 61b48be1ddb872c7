import DaemonControl
import Models
import ScanTools
import WiFi

extension ViewerParts {
  /// The models over the source that was named, in real time, of what the filter lets pass.
  @MainActor
  static func make(
    _ source: SourceOptions, _ request: RequestOptions, _ filter: FilterOptions, interval: Duration
  ) async throws -> ViewerParts {
    let query = try filter.query()
    if let recording = try source.recording() {
      guard !recording.scans.isEmpty else {
        throw Failure(.dataError, "\(PrintableText.escape(source.replay ?? "")) holds no scan.")
      }
      return .replay(recording.scans, query)
    }
    if let simulated = source.simulated {
      return .simulated(simulated, query, clock: PacedClock(), interval: interval)
    }
    #if os(Linux)
      try DaemonOptions.checkBus(nil)
    #endif
    return await live(source, request, query, interval: interval)
  }

  /// The models over an adapter; what keeps it from scanning is shown in the view.
  @MainActor
  private static func live(
    _ source: SourceOptions, _ request: RequestOptions, _ query: BSSQuery, interval: Duration
  ) async -> ViewerParts {
    let (now, style) = LiveTime.now()
    let base: any NetworkSource
    let interface = LiveInterface(source.interface)
    let facts = LiveFacts(scanner: try? SourceOptions.scanner(), interface: interface)
    var adapter: ViewedAdapterSource?
    do {
      let scanner = try SourceOptions.scanner()
      // Bands mean what the adapter has; without one they mean nothing yet.
      let configuration = try await request.configuration(interface: source.interface, scanner: scanner, query: query)
      let source = ViewedAdapterSource(scanner: scanner, configuration: configuration, request: request)
      adapter = source
      base = source
    } catch {
      base = FailingSource(error: Failure.ofScanning(error))
    }
    #if os(Linux)
      let access = DaemonAccess(over: nil, interface: { interface.name }) { () throws(LinkError) in
        try LiveControlLink(paths: DaemonOptions.paths)
      }
      let joiner = DaemonNetworkJoiner(access)
      let known: DaemonKnownNetworks? = DaemonKnownNetworks(access)
      let radio: DaemonRadioSwitch? = DaemonRadioSwitch(access, kernel: KernelRadioSwitch())
    #else
      let joiner = NoJoins()
      let known: (any KnownNetworkStore)? = nil
      let radio: (any RadioSwitch)? = nil
    #endif
    var parts = ViewerParts.live(
      base, joiner: joiner, knownNetworks: known, radio: radio, interval: interval, interface: source.interface, style: style, now: now)
    parts.source?.selected = { query.selected($0) }
    parts.adapter = adapter
    parts.viewer.slowFacts = SlowFactsModel(source: facts)
    parts.viewer.forgetHint = "The daemon keeps it: forget it among the known networks."
    adapter?.onCountry = { [weak viewer = parts.viewer] in viewer?.status.country = $0 }
    adapter?.onNote = { [weak viewer = parts.viewer] in viewer?.status.note = $0 }
    adapter?.onInterface = { [weak viewer = parts.viewer] name in
      interface.name = name
      if let viewer { viewer.timeStyle = viewer.timeStyle.following(LiveTime.now().style) }
    }
    #if os(Linux)
      joiner.onNote = { [weak viewer = parts.viewer] in viewer?.joinSays($0) }
      let observer = DaemonAssociationObserver(access) { try await ContinuousClock().sleep(for: $0) }
      observer.onProblem = { [weak viewer = parts.viewer] in viewer?.associationNote = $0.map { "The connection is not watched: \($0)" } }
      parts.associationObserver = observer
    #endif
    return parts
  }
}

/// A source that only reports why there is none.
private final class FailingSource: NetworkSource {
  private let error: Failure

  init(error: Failure) { self.error = error }

  func nextScan() async throws -> Scan? { throw error }
}
