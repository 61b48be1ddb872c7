import ArgumentParser
import ScanTools
import WiFi

/// The command `wifi-harness decode`.
struct DecodeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decode", abstract: "Decode bytes: elements, 802.11 frames, captures or nl80211 messages.",
    discussion: """
      Reads elements, 802.11 frames with or without a radiotap, PPI, Prism or AVS header, pcap and pcapng files, and nl80211 messages \
      as the kernel sends them: as bytes, as hexadecimal text (plain, with separators, as an array of C, or as xxd, hexdump, od, tcpdump \
      and Wireshark print it, also among other text), or as base64; up to 1 GiB, also compressed by gzip or Zstandard. The type is detected, \
      or given with --as. Every value has its offset. What cannot be read is listed as a complaint; nothing else is lost with it.

      With --format ndjson each frame or message of a capture is an object on a line. With a filter, only frames and messages that announce \
      a matching access point are shown.

      Exit status: 0 everything was decoded, malformed elements included; 65 the file is empty, the type is unknown, or a capture or \
      message cannot be read whole, and what could be read is shown.
      """)

  @Argument(help: ArgumentHelp("The file, or - for standard input.", valueName: "file"), completion: .file())
  var file: String

  @Option(
    name: .customLong("as"), help: ArgumentHelp("Decode the bytes as this kind; detected by default.", valueName: "kind"))
  var kind: DecodedInput.Kind?

  @OptionGroup(title: "Filters") var filter: FilterOptions

  @Option(help: "Print the decoded values in this format.")
  var format = DecodeFormat.text

  @Flag(help: "The same as --format json.")
  var json = false

  @Flag(help: "Write JSON with one field a line.")
  var pretty = false

  enum DecodeFormat: String, ExpressibleByArgument, CaseIterable { case text, json, ndjson }

  mutating func validate() throws {
    if json, format == .ndjson { throw ValidationError("--json and --format ndjson exclude each other.") }
    if json { format = .json }
    if pretty, format != .json { throw ValidationError("--pretty goes with --format json.") }
  }

  /// What is read, for a sentence.
  private var name: String { Files.shownName(file) }

  func run() async throws {
    var inputs: [DecodedInput]
    var isCut = false
    if file == "-", StandardStreams.isInputInteractive {
      StandardStreams.say("reading from the terminal; end with Ctrl-D.")
    }
    do {
      var bytes = try Files.read(file, limit: 1 << 30)
      if Zstandard.isCompressed(bytes) { (bytes, isCut) = try Zstandard.expanded(bytes) }
      if Gzip.isCompressed(bytes) {
        let (content, isInnerCut) = try Gzip.expanded(bytes)
        (bytes, isCut) = (content, isCut || isInnerCut)
      }
      guard !bytes.isEmpty else {
        throw Failure(.dataError, "\(name): \(isCut ? "it was cut off before anything that could be read" : "the file is empty").")
      }
      inputs = try DecodedInput.list(bytes, as: kind)
    } catch let error as Zstandard.Failure {
      throw Failure(Zstandard.isAvailable ? .dataError : .unavailable, "\(name): \(error).")
    } catch let error where error is Gzip.Failure || error is DecodedInput.Failure {
      throw Failure(.dataError, "\(name): \(error).")
    } catch {
      throw Failure(error, path: file)
    }
    let query = try filter.query()
    var writer = FieldWriter(style: format == .text ? .text : pretty ? .prettyJSON : .json)
    var shown = 0
    func pass(_ fields: inout FieldWriter) {
      if fields.count >= 1 << 16 { fields.passBytes { StandardStreams.writeOrExit($0) } }
    }
    for index in inputs.indices {
      guard query.isEmpty || inputs[index].hasAccessPoints else {
        throw Failure(.usage, "\(name) is no capture; filters choose among the frames of a capture.")
      }
      inputs[index].query = query
      if format == .ndjson {
        shown += inputs[index].describeLines(into: &writer, pass: pass)
      } else {
        writer.object { shown += inputs[index].describe(into: &$0, pass: pass) }
        if format == .json { writer.newline() }
      }
    }
    try writer.passBytes { (rest) throws(Failure) in try StandardStreams.write(rest) }
    if shown == 0, !query.isEmpty { filter.warnThatNothingPasses(", or none was heard in \(name)") }
    if let truncation = inputs.compactMap(\.truncation).first {
      throw Failure(.dataError, "\(name): not all could be read: \(truncation).")
    }
    if isCut { throw Failure(.dataError, "\(name): not all could be read: its compressed content was cut off.") }
  }
}
