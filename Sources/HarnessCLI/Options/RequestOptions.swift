import ArgumentParser
import ScanTools
import Scanner
import WiFi

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

  /// Refuses what has nothing to apply to where the source is a recording, or for a view a simulated world.
  ///
  /// - Parameter isView: whether the command is a view, in which a simulated world is scanned as it is by default.
  func validate(with source: SourceOptions, isView: Bool = false) throws {
    guard let option = (cached ? "--cached" : given.first) else { return }
    if source.replay != nil || source.simulate == "preview" {
      let name = source.replay != nil ? "--replay" : "--simulate preview"
      throw ValidationError("\(name) starts no scan, so \(option) has nothing to apply to.")
    }
    if isView, source.simulate != nil {
      throw ValidationError("--simulate makes the scans of a view itself, so \(option) has nothing to apply to; scan and watch take it.")
    }
  }

  /// The options that say how a scan is to be made and were given.
  private var given: [String] {
    let options: [(isGiven: Bool, name: String)] = [
      (passive, "--passive"), (!ssid.isEmpty, "--ssid"), (!frequency.isEmpty, "--frequency"), (flush, "--flush"),
      (lowPriority, "--low-priority"), (randomMAC, "--random-mac"), (colocated6GHz, "--colocated-6ghz"),
      (dwell != nil, "--dwell"), (elements != nil, "--element"), (timeout.isGiven, "--timeout"),
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
      if let channel = ChannelSelection(part), !channel.isFrequency {
        guard let adapter else { return [] }
        return try usable(of: adapter, "channel \(part)", where: channel.contains(frequencyKHz:))
      }
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
