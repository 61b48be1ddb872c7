import ArgumentParser
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
    if let simulate { try Self.check(world: simulate, option: "--simulate") }
    if simulate != nil, seed == nil {
      throw ValidationError("--simulate needs a --seed, so that what you see can be seen again; any number will do, such as 7.")
    }
    if simulate == nil, seed != nil { throw ValidationError("--seed goes with --simulate.") }
  }

  /// Refuses a world that there is not.
  static func check(world: String, option: String) throws(ValidationError) {
    guard SimulatedWorlds.names.contains(world) else {
      throw ValidationError("\(option): unknown world “\(world)”; choose from \(SimulatedWorlds.names.joined(separator: ", ")).")
    }
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
    try Self.check(interface: interface)
    let given = [interface.map { _ in "--interface" }, replay.map { _ in "--replay" }, simulate.map { _ in "--simulate" }]
      .compactMap { $0 }
    if given.count > 1 {
      throw ValidationError("\(given.joined(separator: " and ")) exclude each other: there is one source.")
    }
  }

  /// Refuses an interface without a name.
  static func check(interface: String?) throws(ValidationError) {
    if interface?.isEmpty == true { throw ValidationError("--interface takes the name of an interface, such as wlan0.") }
  }

  /// The name of the simulated world.
  var simulate: String? { world.simulate }
  /// The simulated world that was named, as a scenario names it.
  var simulated: ScenarioSource.SimulatedSource? { world.simulated }

  /// Whether a source was named.
  var isGiven: Bool { interface != nil || replay != nil || simulate != nil }

  /// Refuses two inputs that are both standard input.
  static func check(inputs: [String?]) throws(ValidationError) {
    guard inputs.count(where: { $0 == "-" }) > 1 else { return }
    throw ValidationError("- stands for standard input, which can be read once: name a file for the other.")
  }

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
    do throws(RecordingInput.Failure) {
      let input = try RecordingInput(replay)
      input.isReported = Self.opened.withLock { !$0.insert(replay).inserted }
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
    /// The recording, where it is one, which may have been continued under later headers.
    var stream: RecordingStream?
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
          source: stream, began: stream.header.began, beganBootTime: try stream.beganBootTime(), utc: stream.utc(_:),
          stream: stream)
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
      return Scanner(link: try Failure.wrap(LiveLink()))
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

  /// Says what cannot be read of a capture, which its status says, too, when the command ends.
  fileprivate func complain(_ complaint: CaptureComplaint) {
    if !complaint.isOfForeignPackets { SourceOptions.damage.withLock { $0 = true } }
    warn("\(complaint)")
  }

  /// Says what is wrong with the file, once where it is given twice.
  private func warn(_ clause: String) {
    if !isReported { StandardStreams.say("\(Files.shownName(path)): \(clause).") }
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

/// A command with the options that name a source.
protocol ReadsSource: ScansAdapter {
  var source: SourceOptions { get }
}

extension ReadsSource {
  var scansAdapter: Bool { source.replay == nil && source.simulate == nil }
}
