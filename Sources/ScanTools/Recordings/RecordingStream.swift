public import WiFi

/// The scans of a recording, one after the other, in the memory of a few.
public final class RecordingStream: NetworkSource {
  /// The header.
  public let header: Recording.Header

  private let input: RecordingInput
  private let pause: (Duration) async throws -> Void
  private var reader: RecordingReader
  private var isAtEnd = false
  /// The scan that was found but not taken.
  private var found: (start: Duration, end: Duration)?
  private var previousEnd: Duration?
  private var part: Recording.Header
  /// The part that the scan that was given last is in: 0 under the first header, one more under each later one.
  public private(set) var partNumber = 0
  /// A header behind which no scan was found yet.
  private var nextPart: Recording.Header?
  /// When the first scan under the latest header began.
  private var partStart: Duration?
  /// When the latest scan under it ended.
  private var partEnd: Duration?
  /// Whether a scan ends before one that stands in front of it under the same header.
  public private(set) var stepsBack = false

  /// Hears once, at the end, how many lines were cut off.
  public var onEnd: ((_ cutLines: Int) -> Void)?

  /// Begins a recording.
  ///
  /// - Parameter pause: waits for the time that passed between the ends of two scans; returns at once to go as fast as
  ///   possible.
  /// - Throws: ``Recording/Failure`` where it is none, ``RecordingInput/Failure`` where it cannot be read.
  public init(_ input: RecordingInput, pause: @escaping (Duration) async throws -> Void = { _ in }) throws {
    self.input = input
    self.pause = pause
    var reader = RecordingReader()
    guard case .header(let header)? = try Self.item(&reader, input) else { throw Recording.noHeader }
    self.reader = reader
    self.header = header
    part = header
  }

  private static func item(_ reader: inout RecordingReader, _ input: RecordingInput) throws -> RecordingReader.Item? {
    while true {
      if let item = try reader.next() { return item }
      if reader.isAtEnd { return nil }
      switch try input.next() {
      case .bytes(let bytes): reader.append(bytes)
      case .idle: continue
      case .end: reader.finish()
      }
    }
  }

  /// The number of lines that were cut off while they were written, as far as was read.
  public var cutLines: Int { reader.cutLines }

  /// The time since boot when the recording began; that of the first scan's start where the header does not say it.
  public func beganBootTime() throws -> Duration? { try header.beganBootTime ?? find()?.start }

  /// When a time since boot was that stands in the scan that was given last; `nil` where the recording does not say
  /// when it began, or is one of a capture without times.
  public func utc(_ bootTime: Duration) -> UTCTime? {
    guard let began = part.began, let start = part.beganBootTime ?? partStart else { return nil }
    return began.advanced(by: bootTime - start).known
  }

  /// The header that the scan that was given last stands under, with the time since boot that its dates count from.
  public var partHeader: Recording.Header {
    var header = part
    header.beganBootTime = part.beganBootTime ?? partStart
    return header
  }

  private func find() throws -> (start: Duration, end: Duration)? {
    if let found { return found }
    while true {
      switch try Self.item(&reader, input) {
      case nil:
        guard !isAtEnd else { return nil }
        isAtEnd = true
        if input.isCut { reader.countCutEnd() }
        onEnd?(reader.cutLines)
        return nil
      case .header(let header): nextPart = header
      case .scan(let start, let end):
        if let header = nextPart {
          (part, partStart, partEnd, nextPart) = (header, nil, nil, nil)
          partNumber += 1
        }
        partStart = partStart ?? start
        if let partEnd, end < partEnd { stepsBack = true }
        partEnd = end
        found = (start, end)
        return found
      }
    }
  }

  /// Passes over scans, without decoding them, up to the first that is wanted.
  public func skip(while isUnwanted: (_ start: Duration, _ end: Duration) throws -> Bool) throws {
    while let (start, end) = try find(), try isUnwanted(start, end) { found = nil }
  }

  public func nextScan() async throws -> Scan? {
    guard let (_, end) = try find() else { return nil }
    found = nil
    let scan = try reader.scan()
    if let previousEnd, end > previousEnd { try await pause(end - previousEnd) }
    previousEnd = end
    return scan
  }

  /// The scan with a number, counted from 1, or the last.
  ///
  /// No other is decoded but those it is written upon.
  ///
  /// - Returns: `nil` where there are fewer, and the number of scans up to it, or of all.
  public func scan(number: Int?) throws -> (scan: Scan?, count: Int) {
    var count = 0
    while try find() != nil {
      found = nil
      count += 1
      if count == number { break }
    }
    guard count > 0, number == nil || count == number else { return (nil, count) }
    return (try reader.scan(), count)
  }
}

/// Scans that are there as a source.
public final class RecordingSource: NetworkSource {
  private var scans: ArraySlice<Scan>
  private let pause: (Duration) async throws -> Void
  private var previousEnd: Duration?

  /// Gives the scans of a recording one after the other.
  ///
  /// - Parameter pause: waits for the time that passed between the ends of two scans; returns at once to go as fast as
  ///   possible.
  public init(_ scans: [Scan], pause: @escaping (Duration) async throws -> Void = { _ in }) {
    self.scans = scans[...]
    self.pause = pause
  }

  public func nextScan() async throws -> Scan? {
    guard let scan = scans.popFirst() else { return nil }
    if let previousEnd, scan.end > previousEnd { try await pause(scan.end - previousEnd) }
    previousEnd = scan.end
    return scan
  }
}
