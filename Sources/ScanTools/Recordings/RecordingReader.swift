import WiFi

/// Reads a recording piece by piece, line by line; only the scans that are asked for are decoded.
///
/// A line is given once the one behind it is there, or the end: a line that cannot be read in front of another header,
/// or at the end, was cut off when its writer was killed.
struct RecordingReader: Sendable {
  /// A line of a recording.
  enum Item: Hashable, Sendable {
    case header(Recording.Header)
    /// A scan, by its times since boot in ns; ``scan()`` decodes it.
    case scan(start: Duration, end: Duration)
  }

  /// The most bytes that a line may have.
  static let maximumLineLength = 64 << 20

  /// The number of lines that were cut off while they were written.
  private(set) var cutLines = 0
  /// Whether everything was given.
  private(set) var isAtEnd = false

  private var isLastLineCut = false
  private var buffer: [UInt8] = []
  private var position = 0
  /// How far the buffer was searched for the end of a line.
  private var searched = 0
  private var isFinished = false
  private var lineNumber = 0
  private var hasHeader = false
  /// The line whose successor is not there yet.
  private var waiting: Line?
  /// The scan that was given last, and those that it is written upon.
  private var undecoded: [Line] = []
  private var decoded: Scan?
  /// What the lines so far said, where they only say what changed.
  private var changes: CompactScanReader?

  private struct Line: Sendable {
    var number: Int
    var bytes: ArraySlice<UInt8>
    /// Whether it has its end.
    var isEnded: Bool
  }

  /// The line of the scan that was given last, counted from 1.
  private(set) var scanLine = 0

  /// Processes the next bytes.
  mutating func append(_ bytes: some Collection<UInt8>) {
    if position > 0 {
      buffer.removeFirst(position)
      searched -= position
      position = 0
    }
    buffer += bytes
  }

  /// Says that there is no more.
  mutating func finish() { isFinished = true }

  /// Counts a line as cut off at the end, where the compressed content was, unless one was counted there already.
  mutating func countCutEnd() { if !isLastLineCut { cutLines += 1 } }

  /// The next line; `nil` where more bytes are needed, and at the end.
  ///
  /// - Throws: ``Recording/Failure`` where it is no line of a recording. The scan itself may still prove to be none in
  ///   ``scan()``.
  mutating func next() throws(Recording.Failure) -> Item? {
    while true {
      let line = try nextLine()
      if line == nil, !isFinished { return nil }
      let previous = waiting
      waiting = line
      guard let previous else {
        if line == nil {
          isAtEnd = true
          if !hasHeader { throw Recording.Failure.empty }
          return nil
        }
        continue
      }
      if let item = try item(previous, before: line) { return item }
    }
  }

  private mutating func nextLine() throws(Recording.Failure) -> Line? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let bytes = buffer[position..<end]
        (position, searched) = (end + 1, end + 1)
        lineNumber += 1
        if bytes.isEmpty, lineNumber > 1 { continue }
        return Line(number: lineNumber, bytes: ArraySlice(Array(bytes)), isEnded: true)
      }
      searched = buffer.count
      if buffer.count - position > (lineNumber > 0 ? Self.maximumLineLength : Recording.maximumHeaderLength) {
        if lineNumber == 0 { throw Recording.noHeader }
        throw Recording.Failure(line: lineNumber + 1, reason: "it is longer than \(Self.maximumLineLength >> 20) MiB, which is not read")
      }
      guard isFinished, position < buffer.count else { return nil }
      lineNumber += 1
      let bytes = ArraySlice(Array(buffer[position...]))
      position = buffer.count
      return Line(number: lineNumber, bytes: bytes, isEnded: false)
    }
  }

  private mutating func item(_ line: Line, before next: Line?) throws(Recording.Failure) -> Item? {
    if let (header, isCompact) = try Recording.header(line.bytes, line: line.number) {
      hasHeader = true
      (changes, undecoded, decoded) = (isCompact ? CompactScanReader() : nil, [], nil)
      return .header(header)
    }
    guard hasHeader else { throw Recording.noHeader }
    let times = ScanTimes(line.bytes)
    // One that may have been cut off shows that when it is decoded.
    let isLast = next == nil && !line.isEnded
    let isBeforeHeader = if let next { (try? Recording.header(next.bytes, line: next.number)) != nil } else { false }
    if let times, !isLast, !isBeforeHeader {
      begin(line, isFull: times.isFull)
      return .scan(start: times.start, end: times.end)
    }
    let before = (undecoded, decoded, changes)
    do throws(Recording.Failure) {
      begin(line, isFull: times?.isFull == true)
      let scan = try scan()
      return .scan(start: scan.start, end: scan.end)
    } catch {
      guard isLast || isBeforeHeader else { throw error }
      // The scan that was given last still is.
      (undecoded, decoded, changes) = before
      cutLines += 1
      isLastLineCut = isLast
      return nil
    }
  }

  /// Makes a line the one that ``scan()`` decodes.
  private mutating func begin(_ line: Line, isFull: Bool) {
    decoded = nil
    scanLine = line.number
    if changes == nil || isFull { undecoded = [] }
    undecoded.append(line)
  }

  /// The scan whose line ``next()`` gave last.
  ///
  /// Costs the decoding of a line; in a compressed recording, of those since the last that was written in full.
  mutating func scan() throws(Recording.Failure) -> Scan {
    if let decoded { return decoded }
    precondition(!undecoded.isEmpty, "RecordingReader.scan(): next() gave no scan")
    let lines = undecoded
    undecoded = []
    for line in lines.dropLast() { _ = try Recording.scan(line.bytes, number: line.number, changes: &changes) }
    let last = lines[lines.count - 1]
    let scan = try Recording.scan(last.bytes, number: last.number, changes: &changes)
    decoded = scan
    return scan
  }
}

/// The times of a scan, read from the beginning of its line.
private struct ScanTimes {
  var start: Duration
  var end: Duration
  var isFull: Bool

  /// Reads the members that are texts and numbers, up to the first of another kind; `nil` where the times are not among
  /// them.
  init?(_ line: ArraySlice<UInt8>) {
    var rest = line
    func isNext(_ byte: UInt8, in rest: inout ArraySlice<UInt8>) -> Bool {
      guard rest.first == byte else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard isNext(0x7B, in: &rest), line.last == 0x7D else { return nil }
    var (start, end): (Int64?, Int64?)
    isFull = false
    while start == nil || end == nil || rest.starts(with: #""full""#.utf8) {
      guard isNext(0x22, in: &rest) else { return nil }
      let name = rest.prefix { $0 != 0x22 && $0 != 0x5C }
      rest = rest.dropFirst(name.count)
      guard isNext(0x22, in: &rest), isNext(0x3A, in: &rest) else { return nil }
      if isNext(0x22, in: &rest) {
        let value = rest.prefix { $0 != 0x22 && $0 != 0x5C }
        rest = rest.dropFirst(value.count)
        guard isNext(0x22, in: &rest) else { return nil }
      } else {
        let value = rest.prefix { $0 != 0x2C && $0 != 0x7D && $0 != 0x5B && $0 != 0x7B }
        rest = rest.dropFirst(value.count)
        let text = String(decoding: value, as: UTF8.self)
        switch String(decoding: name, as: UTF8.self) {
        case "startNs": start = Int64(text)
        case "endNs": end = Int64(text)
        case "full": isFull = text == "true"
        default: break
        }
      }
      guard isNext(0x2C, in: &rest) else { return nil }
    }
    guard let start, let end else { return nil }
    (self.start, self.end) = (.nanoseconds(start), .nanoseconds(end))
  }
}
