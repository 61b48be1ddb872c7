import ArgumentParser
import Determinism
import Harness
import ScanTools
import Scanner
import Synchronization
import WiFi

/// A simulated world in place of this machine.
struct WorldOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Use a simulated world: \(SimulatedWorlds.names.joined(separator: ", ")). Needs --seed.", valueName: "world"),
    completion: .list(SimulatedWorlds.names))
  var simulate: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Seed all randomness of the simulated world with this number.", valueName: "seed"))
  var seed: UInt64?

  func validate() throws {
    if let simulate, !SimulatedWorlds.names.contains(simulate) {
      throw ValidationError("--simulate: unknown world “\(simulate)”; choose from \(SimulatedWorlds.names.joined(separator: ", ")).")
    }
    if simulate != nil, seed == nil {
      throw ValidationError("--simulate needs a --seed, so that what you see can be seen again; any number will do, such as 7.")
    }
    if simulate == nil, seed != nil { throw ValidationError("--seed goes with --simulate.") }
  }

  /// The simulated world that was named, as a scenario names it.
  var simulated: ScenarioSource.SimulatedSource? {
    guard let simulate, let seed else { return nil }
    return ScenarioSource.SimulatedSource(world: simulate, seed: seed)
  }
}

extension CompletionKind {
  /// The wireless interfaces of this machine.
  static var wirelessInterfaces: CompletionKind {
    .custom { _, _, _ in
      SystemFiles.list("/sys/class/net").filter { !SystemFiles.list("/sys/class/net/\($0)/phy80211").isEmpty }
    }
  }
}

/// Where networks come from.
struct SourceOptions: ParsableArguments {
  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp("Read from this wireless interface; the default is the first that can scan.", valueName: "name"),
    completion: .wirelessInterfaces)
  var interface: String?

  @Option(
    help: ArgumentHelp(
      "Read from a recording, or from a capture of frames (pcap, pcapng), of which each second is a scan; - is standard input.",
      valueName: "file"), completion: .file())
  var replay: String?

  @OptionGroup var world: WorldOptions

  func validate() throws {
    if interface?.isEmpty == true { throw ValidationError("--interface takes the name of an interface, such as wlan0.") }
    let given = [interface.map { _ in "--interface" }, replay.map { _ in "--replay" }, simulate.map { _ in "--simulate" }]
      .compactMap { $0 }
    if given.count > 1 {
      throw ValidationError("\(given.joined(separator: " and ")) exclude each other: there is one source.")
    }
  }

  /// The name of the simulated world.
  var simulate: String? { world.simulate }
  /// The simulated world that was named, as a scenario names it.
  var simulated: ScenarioSource.SimulatedSource? { world.simulated }

  /// Whether a source was named.
  var isGiven: Bool { interface != nil || replay != nil || simulate != nil }

  /// The source as a scenario names it; `nil` where none was named.
  func scenarioSource() throws(Failure) -> ScenarioSource? {
    if let replay { return .replay(path: replay, place: .init(line: 1, column: 1)) }
    if let simulated { return .simulate(simulated) }
    return interface.map { .interface($0) }
  }

  /// The words for the source in the header of a recording.
  var summary: String {
    if let replay { return "recording \(replay)" }
    if let simulated { return "simulation \(simulated.world), seed \(simulated.seed)" }
    return interface.map { "interface \($0)" } ?? "first interface"
  }

  /// Whether a capture was damaged, or cut off, or none of IEEE 802.11.
  fileprivate static let damage = Mutex(false)
  /// Ends the process where a capture was, which has been said.
  static func exitWhereDamaged() { if damage.withLock({ $0 }) { StandardStreams.exit(.dataError) } }

  /// Opens the recording, the capture or the saved scans that were named; `nil` where none were.
  func input() throws(Failure) -> RecordingInput? {
    guard let replay else { return nil }
    return try SourceOptions.open(replay)
  }

  /// Opens a recording, a capture or saved scans.
  static func open(_ path: String) throws(Failure) -> RecordingInput {
    do throws(RecordingInput.Failure) {
      let input = try RecordingInput(path)
      input.isReported = opened.withLock { !$0.insert(path).inserted }
      return input
    } catch {
      throw Failure(error)
    }
  }

  /// The files that were opened.
  private static let opened = Mutex<Set<String>>([])

  /// The scans of the recording or capture that was named, and when they began.
  struct Replayed {
    var source: any NetworkSource
    var began: UTCTime?
    var beganBootTime: Duration?
    /// The date of a time since boot in the last scan that was given; `nil` where it is unknown.
    var utc: (_ bootTime: Duration) -> UTCTime?
  }

  /// The scans that were named; `nil` where they come from elsewhere.
  ///
  /// - Parameter pause: waits for the time between two scans; what is still being written comes at its own pace.
  func replayed(pause: @escaping (Duration) async throws -> Void) throws(Failure) -> Replayed? {
    guard let input = try input() else { return nil }
    do {
      switch input.kind {
      case .capture:
        // Its times count from 1970.
        return Replayed(
          source: input.captureSource(pause: replay == "-" ? { _ in } : pause), began: UTCTime(seconds: 0), beganBootTime: .zero,
          utc: CaptureSource.utc)
      case .savedScans:
        let contents = try Recording.read(input.rest())
        return Replayed(
          source: RecordingSource(contents.scans, pause: pause), beganBootTime: contents.scans.first?.start
        ) { _ in nil }
      case .recording:
        let stream = try SourceOptions.stream(input, pause: pause)
        return Replayed(
          source: stream, began: stream.header.began, beganBootTime: try stream.beganBootTime(), utc: stream.utc(_:))
      }
    } catch {
      throw Failure(error, path: replay)
    }
  }

  /// The scans of a recording; says at the end what was cut off of it.
  static func stream(_ input: RecordingInput, pause: @escaping (Duration) async throws -> Void = { _ in }) throws -> RecordingStream {
    let stream = try RecordingStream(input, pause: pause)
    stream.onEnd = { [unowned stream] in
      input.warn(ofCutLines: $0)
      if stream.stepsBack { input.warnOfClock() }
    }
    return stream
  }

  /// Reads the recording that was named as a whole.
  func recording() throws(Failure) -> Recording.Contents? {
    guard let input = try input() else { return nil }
    do {
      var contents = try Recording.read(input.rest())
      if input.isCut, contents.cutLines == 0 { contents.cutLines = 1 }
      input.warn(ofCutLines: contents.cutLines)
      for complaint in contents.complaints { input.complain(complaint) }
      if contents.scans.isEmpty, contents.complaints.contains(where: \.isOfForeignPackets) { SourceOptions.damage.withLock { $0 = true } }
      input.warn(of: contents.leftOut)
      if contents.stepsBack { input.warnOfClock() }
      return contents
    } catch {
      throw Failure(error, path: input.path)
    }
  }

  /// A scanner over the kernel.
  static func scanner() throws(Failure) -> Scanner {
    #if os(Linux) && canImport(CNetlink)
      do throws(LinkError) { return Scanner(link: try LiveLink()) } catch { throw Failure(error) }
    #else
      throw Failure(
        .unavailable,
        "this program was built without libnl and reads no adapter. Read a recording with --replay, or build it on Linux with libnl-3.")
    #endif
  }
}

extension RecordingInput {
  /// The scans of a capture; says what cannot be read of it, and at the end what was left out.
  func captureSource(pause: @escaping (Duration) async throws -> Void = { _ in }) -> CaptureSource {
    var hasForeignPackets = false
    let source = CaptureSource(name: "capture", read: { try self.next() }, pause: pause) { complaint in
      if complaint.isOfForeignPackets { hasForeignPackets = true }
      self.complain(complaint)
    }
    source.onEnd = { [unowned source] leftOut in
      self.warn(of: leftOut)
      if source.stepsBack { self.warnOfClock() }
      if hasForeignPackets, source.frameCount == 0 { SourceOptions.damage.withLock { $0 = true } }
    }
    return source
  }

  private var shownName: String { path == "-" ? "standard input" : PrintableText.escape(Array(path.utf8)) }

  /// Says what cannot be read of a capture, which its status says, too, when the command ends.
  fileprivate func complain(_ complaint: CaptureComplaint) {
    if !complaint.isOfForeignPackets { SourceOptions.damage.withLock { $0 = true } }
    warn("\(complaint)")
  }

  /// Says what is wrong with the file, once where it is given twice.
  private func warn(_ clause: String) {
    if !isReported { StandardStreams.writeError("wifi-harness: \(shownName): \(clause).\n") }
  }

  /// Says how many lines of a recording were cut off.
  fileprivate func warn(ofCutLines count: Int) {
    if count > 0 { warn("skipped \(count == 1 ? "one incomplete line" : "\(count) incomplete lines")") }
  }

  /// Says that times are not in order.
  fileprivate func warnOfClock() {
    warn("its clock steps back, so that later scans have earlier times; what was heard before such a step is found anew")
  }

  /// Says which frames of a capture were left out.
  fileprivate func warn(of leftOut: LeftOutFrames) {
    let reasons = [
      (leftOut.unplaced, "neither the receiver nor the frame says on which channel it was"),
      (leftOut.groupAddressed, "the BSSID is the address of a group, and an access point has one of its own"),
      (leftOut.otherBands, "networks of 60 GHz (DMG) and below 1 GHz (S1G) are not listed; decode shows their beacons"),
    ]
    for (count, reason) in reasons where count > 0 {
      let frames = count == 1 ? "a beacon or probe response was" : "\(count) beacons and probe responses were"
      warn("\(frames) left out: \(reason)")
    }
  }
}

/// How a scan is to be made.
struct RequestOptions: ParsableArguments, Sendable {
  @Flag(help: "Start no scan: show what the kernel hears of other programs' scans. Needs no privilege.")
  var cached = false

  @Flag(help: "Only listen; send no probe request.")
  var passive = false

  @Option(
    help: ArgumentHelp(
      "Also probe for this network by name, which makes a hidden one answer; \\\\ stands for a backslash, \\xHH for a byte. Repeatable.",
      valueName: "name"))
  var ssid: [String] = []

  @Option(
    name: [.long, .customLong("freq")],
    help: ArgumentHelp(
      "Visit only these frequencies in MHz (2412), channels (36), or bands (2.4GHz, 5GHz, 6GHz, 60GHz, S1G); separated by commas, repeatable.",
      valueName: "list"))
  var frequency: [String] = []

  @Flag(help: "Flush the results of earlier scans first.")
  var flush = false

  @Flag(help: "Give other traffic priority.")
  var lowPriority = false

  @Flag(name: .customLong("random-mac"), help: "Send probe requests from a random address.")
  var randomMAC = false

  @Flag(name: .customLong("colocated-6ghz"), help: "Visit 6 GHz channels that access points on other bands report.")
  var colocated6GHz = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Stay this long on each channel: a number of TU (1024 µs), or a time such as 100ms.", valueName: "tu"))
  var dwell: DwellOption?

  @Option(name: .customLong("element"), help: ArgumentHelp("Add these elements, in hexadecimal, to probe requests.", valueName: "hex"))
  var elements: String?

  @Option(parsing: .unconditional, help: ArgumentHelp("Give up a scan after this long, from 1s to 10m.", valueName: "time"))
  var timeout = TimeOption(seconds: 20)

  func validate() throws {
    if cached, let other = given.first {
      throw ValidationError("--cached starts no scan, so \(other) has nothing to apply to.")
    }
    if passive, !ssid.isEmpty { throw ValidationError("--passive sends nothing, so it cannot ask for an --ssid.") }
    if passive, randomMAC { throw ValidationError("--passive sends nothing, so --random-mac has nothing to apply to.") }
    guard (.seconds(1) ... .seconds(600)).contains(timeout.duration) else {
      throw ValidationError("--timeout \(timeout): from a second to ten minutes.")
    }
    _ = try request()
  }

  /// Refuses what has nothing to apply to where the source is a recording.
  func validate(with source: SourceOptions) throws {
    guard source.replay != nil || source.simulate == "preview" else { return }
    if let option = (cached ? "--cached" : given.first) {
      let name = source.replay != nil ? "--replay" : "--simulate preview"
      throw ValidationError("\(name) starts no scan, so \(option) has nothing to apply to.")
    }
  }

  /// The options that say how a scan is to be made and were given.
  private var given: [String] {
    let options: [(isGiven: Bool, name: String)] = [
      (passive, "--passive"), (!ssid.isEmpty, "--ssid"), (!frequency.isEmpty, "--frequency"), (flush, "--flush"),
      (lowPriority, "--low-priority"), (randomMAC, "--random-mac"), (colocated6GHz, "--colocated-6ghz"),
      (dwell != nil, "--dwell"), (elements != nil, "--element"),
    ]
    return options.filter(\.isGiven).map(\.name)
  }

  /// The request that the options describe.
  ///
  /// - Parameter adapter: what a band means on; without it a band is every channel that it can have.
  func request(adapter: Adapter? = nil) throws -> ScanRequest {
    var request = ScanRequest()
    request.ssids = try ssid.map { text in
      guard let bytes = PrintableText.bytes(unescaping: text) else {
        throw ValidationError("--ssid \(text): a backslash starts \\\\ or \\xHH with two hexadecimal digits.")
      }
      guard let ssid = SSID(bytes) else {
        throw ValidationError("--ssid \(text): \(bytes.count) bytes, and an SSID has at most \(SSID.maximumLength).")
      }
      return ssid
    }
    // The kernel refuses a frequency that is named twice, as with `5GHz,5180`.
    var named: Set<UInt32> = []
    request.frequenciesKHz = try frequency.flatMap { try Self.frequencies($0, adapter) }.filter { named.insert($0).inserted }
    request.isPassive = passive
    request.flushes = flush
    request.hasLowPriority = lowPriority
    request.randomizesMAC = randomMAC
    request.includesColocated6GHz = colocated6GHz
    request.dwellTU = dwell?.units
    if let elements {
      guard let bytes = Hex.bytes(elements), !bytes.isEmpty else { throw ValidationError("--element \(elements): not hexadecimal.") }
      request.extraElements = bytes
    }
    return request
  }

  /// The frequencies in kHz of a list such as `2412,5180,6GHz`.
  private static func frequencies(_ text: String, _ adapter: Adapter?) throws -> [UInt32] {
    try text.split(separator: ",", omittingEmptySubsequences: false).flatMap { part -> [UInt32] in
      if let band = Band(typed: part) {
        guard let adapter else { return [] }
        return try usable(of: adapter, "channel in the \(band.rawValue) band") { Band(frequencyKHz: $0) == band }
      }
      if let channel = ChannelSelection(part), let adapter, !channel.isFrequency {
        return try usable(of: adapter, "channel \(part)", where: channel.contains(frequencyKHz:))
      }
      if let channel = ChannelSelection(part), !channel.isFrequency { return [] }
      let pieces = part.split(separator: ".", omittingEmptySubsequences: false)
      guard pieces.count <= 2, pieces.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let whole = UInt32(pieces[0]),
        (700...71_000).contains(whole),
        let fraction = pieces.count == 1 ? 0 : UInt32((pieces[1] + "000").prefix(3))
      else {
        throw ValidationError(
          "--frequency \(text): “\(part)” is not a frequency in MHz such as 2412, nor a channel such as 36, nor a band (2.4GHz, 5GHz, 6GHz)."
        )
      }
      return [whole * 1000 + fraction]
    }
  }

  /// The frequencies in kHz that an adapter may use here and that are wanted; fails where there are none, which `what`
  /// names.
  private static func usable(of adapter: Adapter, _ what: String, where isWanted: (Int) -> Bool) throws(Failure) -> [UInt32] {
    let usable = adapter.frequencies.filter { !$0.isDisabled && isWanted(Int($0.frequencyKHz)) }
    guard !usable.isEmpty else { throw Failure(.unavailable, "\(adapter.name) has no \(what) that may be used here.") }
    return usable.map(\.frequencyKHz)
  }

  /// Whether what is asked for depends on what the adapter has.
  private var namesBandOrChannel: Bool {
    frequency.contains { $0.split(separator: ",").contains { Band(typed: $0) != nil || ChannelSelection($0)?.isFrequency == false } }
  }

  /// What a scan session is to do; asks the kernel for the adapter where a band or a dwell time was named.
  ///
  /// Where only some channels are to be shown, only those are visited, unless frequencies were named.
  func configuration(interface: String?, scanner: Scanner, query: BSSQuery = BSSQuery()) async throws -> ScanSession.Configuration {
    var adapter: Adapter?
    let narrows = query.namesChannels && frequency.isEmpty && !cached
    if namesBandOrChannel || dwell != nil || narrows {
      let interfaces = try await scanner.interfaces()
      let chosen = interfaces.first { interface == nil ? $0.type == .station : $0.name == interface }
      guard let chosen else {
        throw ScanError(interface == nil ? .noAdapter : .noSuchInterface, interface: interface)
      }
      adapter = try await scanner.adapters().first { $0.wiphy == chosen.wiphy }
      // The kernel takes the time and says nothing where the driver does not.
      if dwell != nil, let adapter, !adapter.canSetDwell {
        throw Failure(.unavailable, "\(adapter.name) cannot set how long it stays on a channel: leave out --dwell.")
      }
    }
    var request = try request(adapter: adapter)
    if narrows, let adapter {
      request.frequenciesKHz = try Self.usable(
        of: adapter, "channel that --band, --not-band and --channel leave and", where: query.accepts(frequencyKHz:))
    }
    var configuration = ScanSession.Configuration(interface: interface, mode: cached ? .cached : .trigger(request))
    configuration.scanLimit = timeout.duration
    return configuration
  }
}

/// A command with the options that name a source.
protocol ReadsSource: ScansAdapter {
  var source: SourceOptions { get }
}

extension ReadsSource {
  var scansAdapter: Bool { source.replay == nil && source.simulate == nil }
}
