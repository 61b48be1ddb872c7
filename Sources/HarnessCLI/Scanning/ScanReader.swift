import Determinism
import Harness
import ScanTools
import Scanner
import Simulator
import WiFi

/// One scan of whatever source was named.
struct ScanReader {
  var source: SourceOptions
  var request: RequestOptions
  /// Where it names bands or channels, an adapter visits those alone.
  var query: BSSQuery
  /// The number of the scan in a file, from 1; `nil` for the last, or for the whole of a capture.
  var number: Int?
  /// Whether the driver is asked how busy channels were.
  var countsChannels = false

  /// What was read.
  struct Heard {
    var scan: Scan
    /// When it ended, where that is known.
    var end: UTCTime?
    /// How busy channels were.
    var surveys: [Survey] = []
    /// What the link is like.
    var station: Station?
  }

  /// How busy channels were, where that is asked for and counted, and what the link is like, where an access point is
  /// joined.
  private static func counts(_ scanner: Scanner, _ scan: Scan, channels: Bool) async -> ([Survey], Station?) {
    let isJoined = scan.bss.contains { $0.status == 1 }
    guard channels || isJoined, let index = try? await scanner.interfaces().first(where: { $0.name == scan.interface })?.index
    else { return ([], nil) }
    return (
      channels ? (try? await scanner.survey(interfaceIndex: index)) ?? [] : [],
      isJoined ? try? await scanner.stations(interfaceIndex: index).first : nil
    )
  }

  /// Reads or makes the scan.
  func read() async throws -> Heard {
    if let input = try source.input() {
      do {
        let (scan, end) = try await scan(input)
        return Heard(scan: scan, end: end)
      } catch { throw Failure(error, path: source.replay) }
    }
    if let simulated = source.simulated {
      let (scan, surveys) = try await scan(simulated)
      return Heard(scan: scan, end: SimulatedWorlds.boot(seed: simulated.seed).advanced(by: scan.end), surveys: surveys)
    }
    let scanner = try SourceOptions.scanner()
    let configuration = try await request.configuration(interface: source.interface, scanner: scanner, query: query)
    let progress = Progress(request.cached ? nil : "scanning …")
    defer { progress.end() }
    let scan = try await scanner.scan(configuration)
    let (surveys, station) = await Self.counts(scanner, scan, channels: countsChannels)
    return Heard(scan: scan, end: StandardStreams.now(), surveys: surveys, station: station)
  }

  /// The scan of a file that was asked for, and when it ended: the last, or the whole of a capture.
  private func scan(_ input: RecordingInput) async throws -> (Scan, UTCTime?) {
    if number == nil, input.kind == .capture {
      let source = input.captureSource()
      let scan = try await source.wholeScan()
      if source.damagedFrameCount > 0 {
        let frames = source.damagedFrameCount == 1 ? "a frame" : "\(source.damagedFrameCount) frames"
        StandardStreams.say("\(frames) with a wrong check sequence, or not captured whole, left out.")
      }
      return (scan, CaptureSource.utc(scan.end))
    }
    let (found, count, utc): (Scan?, Int, (Duration) -> UTCTime?)
    switch input.kind {
    case .recording:
      let stream = try SourceOptions.stream(input)
      ((found, count), utc) = (try stream.scan(number: number), stream.utc(_:))
    case .capture:
      let source = input.captureSource()
      var (latest, number): (Scan?, Int) = (nil, 0)
      while number < self.number ?? .max, let scan = try await source.nextScan() { (latest, number) = (scan, number + 1) }
      (found, count, utc) = (number < self.number ?? 0 ? nil : latest, number, CaptureSource.utc)
    case .savedScans:
      let contents = try Recording.read(input.rest())
      let index = (number ?? contents.scans.count) - 1
      found = contents.scans.indices.contains(index) ? contents.scans[index] : nil
      (count, utc) = (contents.scans.count, { contents.utc(ofScan: index, $0) })
    }
    guard let scan = found else {
      if count == 0 { throw Failure(.dataError, "the recording holds no scan.") }
      throw Failure(.usage, "--at \(number ?? count): the recording holds scans 1 to \(count).")
    }
    return (scan, utc(scan.end))
  }

  /// One scan of a simulated world, on virtual time: it takes no longer than its work.
  private func scan(_ simulated: ScenarioSource.SimulatedSource) async throws -> (Scan, [Survey]) {
    let countsChannels = countsChannels
    let (request, interface, query) = (request, source.interface, query)
    return try await Determinism.simulate(seed: simulated.seed, order: .inOrder, limits: .endless) { simulation in
      let world = SimulatedWorlds.make(
        simulated, networks: SimulatedWorlds.networksAtFirst(in: simulated.world), clock: simulation.clock)
      if let kernel = (world as? KernelScenarioWorld)?.kernel {
        let scanner = Scanner(link: kernel.link())
        let scan = try await scanner.scan(request.configuration(interface: interface, scanner: scanner, query: query))
        return (scan, await Self.counts(scanner, scan, channels: countsChannels).0)
      }
      guard let scan = try await world.source.nextScan() else { throw Failure(.software, "the preview ended.") }
      return (scan, [])
    }
  }

  /// Says on standard error what a scan is short of.
  static func warn(of scan: Scan) {
    let reason: String
    switch scan.completion {
    case .complete, .cached: reason = ""
    case .partial(.aborted): reason = "the scan was ended early, by another program or because the interface went down"
    case .partial(.eventsLost): reason = "the kernel dropped events, so the end of the scan was not heard"
    case .partial(.deadline): reason = "the scan did not end in time and was given up"
    case .partial(.dumpInterrupted): reason = "the kernel changed its list each time it was read"
    }
    if !reason.isEmpty {
      StandardStreams.say("\(scan.interface): \(reason); networks may be missing.")
    }
    if scan.unreadable > 0 {
      StandardStreams.say("\(scan.interface): \(scan.unreadable.counted("message")) of the kernel could not be read.")
    }
  }
}

/// A word on standard error while something takes long, on a terminal only.
struct Progress {
  private let isShown: Bool

  init(_ text: String?) {
    isShown = text != nil && StandardStreams.isErrorInteractive
    if let text, isShown { StandardStreams.writeError(text) }
  }

  func end() {
    if isShown { StandardStreams.writeError("\r\u{1B}[K") }
  }
}
