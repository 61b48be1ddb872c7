public import WiFi

/// A capture as a source of scans: what was heard in each second is a scan of the channels on which anything was heard.
///
/// Times since boot are those of the capture, counted from 1970 (UTC); a scan of frames without any is at zero. Costs
/// the memory of one second of frames.
public final class CaptureSource: NetworkSource {
  /// What reading a capture gives.
  public enum Piece: Sendable {
    /// The next bytes.
    case bytes([UInt8])
    /// Nothing came for a while, though more may.
    case idle
    /// There is no more.
    case end
  }

  /// How long a scan is.
  public static let window = Duration.seconds(1)

  /// The moment of a time in a scan of a capture, or `nil` where its frames have no times.
  public static func utc(_ bootTime: Duration) -> UTCTime? { UTCTime(seconds: 0).advanced(by: bootTime).known }

  private let read: () async throws -> Piece
  private let pause: (Duration) async throws -> Void
  private let complain: (CaptureComplaint) -> Void
  private var stream = CaptureStream()
  private var items: ArraySlice<CaptureStream.Item> = []
  private var isAtEnd = false
  private var scans: CaptureScans
  private var previousEnd: Duration?

  /// Makes a source of a capture.
  ///
  /// - Parameters:
  ///   - name: what stands for the interface.
  ///   - read: waits for the next bytes.
  ///   - pause: waits for the time between two scans; returns at once to go as fast as possible.
  ///   - complain: called with what could not be read.
  public init(
    name: String, read: @escaping () async throws -> Piece, pause: @escaping (Duration) async throws -> Void = { _ in },
    complain: @escaping (CaptureComplaint) -> Void = { _ in }
  ) {
    scans = CaptureScans(name: name)
    self.read = read
    self.pause = pause
    self.complain = complain
  }

  /// The next frame; `nil` when nothing came for a while, and at the end.
  private func nextFrame() async throws -> CapturedFrame? {
    while true {
      while let item = items.popFirst() {
        switch item {
        case .frame(let frame):
          frameCount += 1
          return frame
        case .complaint(let complaint): complain(complaint)
        }
      }
      if isAtEnd { return nil }
      switch try await read() {
      case .idle: return nil
      case .bytes(let bytes): items = try stream.append(bytes)[...]
      case .end:
        isAtEnd = true
        items = try stream.finish()[...]
      }
    }
  }

  public func nextScan() async throws -> Scan? {
    while true {
      let frame = try await nextFrame()
      let scan = frame.map { scans.hear($0) } ?? scans.finish()
      if let scan {
        if let previousEnd, scan.end > previousEnd { try await pause(scan.end - previousEnd) }
        previousEnd = scan.end
        return scan
      }
      if frame == nil, isAtEnd {
        stepsBack = scans.stepsBack
        onEnd?(scans.leftOut)
        onEnd = nil
        return nil
      }
    }
  }

  /// Whether a frame has a time long before that of one in front of it.
  public private(set) var stepsBack = false

  /// The frames of IEEE 802.11 that were read so far, of whatever kind.
  public private(set) var frameCount = 0

  /// The frames that were left out so far, because their check sequence is wrong or they were not captured whole.
  public private(set) var damagedFrameCount = 0

  /// Called once, at the end, with the beacons and probe responses that were left out.
  public var onEnd: ((LeftOutFrames) -> Void)?

  /// One scan of the whole capture: every BSS as it was heard last.
  public func wholeScan() async throws -> Scan {
    var whole = CaptureScans(name: scans.name, window: nil)
    while !isAtEnd || !items.isEmpty {
      while let frame = try await nextFrame() { _ = whole.hear(frame) }
    }
    (damagedFrameCount, stepsBack) = (whole.damagedFrameCount, whole.stepsBack)
    onEnd?(whole.leftOut)
    onEnd = nil
    return whole.finish(.cached) ?? Scan(interface: scans.name, start: .zero, end: .zero, completion: .cached, bss: [])
  }
}

/// Divides the frames of a capture into scans.
struct CaptureScans {
  let name: String
  /// How long a scan is; `nil` for one of the whole capture.
  var window: Duration? = CaptureSource.window
  private var table = CaptureTable()
  var damagedFrameCount: Int { table.damagedFrameCount }
  /// The beacons and probe responses that were left out so far.
  var leftOut: LeftOutFrames { earlierLeftOut + table.leftOut }
  private var earlierLeftOut = LeftOutFrames()
  /// When the scan that is being made began, as far as its frames have times.
  private var start: UTCTime?
  /// Whether a frame has a time long before that of one in front of it.
  private(set) var stepsBack = false

  init(name: String, window: Duration? = CaptureSource.window) {
    self.name = name
    self.window = window
  }

  /// Processes a frame; returns the scan that ended before it.
  mutating func hear(_ frame: CapturedFrame) -> Scan? {
    var ended: Scan?
    if let start, let time = frame.utc {
      // A time far before is that of another capture that was put behind the first, or of a clock that was set.
      let isBefore = time < (window == nil ? table.end ?? start : start).advanced(by: .zero - CaptureSource.window)
      if isBefore { stepsBack = true }
      if let window, isBefore || time >= start.advanced(by: window) { ended = finish() }
    }
    if table.hear(frame), start == nil { start = table.end }
    return ended
  }

  /// The scan of what was heard since the last; `nil` where nothing was.
  mutating func finish(_ completion: Scan.Completion = .complete) -> Scan? {
    if table.isEmpty { return nil }
    let begin = start ?? UTCTime(seconds: 0)
    let end = max(table.end ?? begin, begin)
    defer {
      earlierLeftOut = leftOut
      (table, start) = (CaptureTable(), nil)
    }
    return table.scan(
      interface: name, start: .nanoseconds(begin.nanoseconds), end: .nanoseconds(end.nanoseconds), completion: completion)
  }
}

extension Recording {
  /// The scans of a capture that is there as a whole.
  ///
  /// - Throws: ``Failure`` where it is no capture; what cannot be read of it is skipped, and stands in
  ///   ``Contents/complaints``.
  static func read(capture bytes: [UInt8]) throws(Failure) -> Contents {
    var stream = CaptureStream()
    var scans = CaptureScans(name: "capture")
    var list: [Scan] = []
    var complaints: [CaptureComplaint] = []
    func take(_ items: [CaptureStream.Item]) {
      for item in items {
        switch item {
        case .frame(let frame): if let scan = scans.hear(frame) { list.append(scan) }
        case .complaint(let complaint): complaints.append(complaint)
        }
      }
    }
    do throws(CaptureError) {
      // In pieces, so that not every frame is there at once.
      var rest = bytes[...]
      while !rest.isEmpty {
        take(try stream.append(rest.prefix(1 << 16)))
        rest = rest.dropFirst(1 << 16)
      }
      take(try stream.finish())
    } catch {
      throw Failure(line: 1, reason: "\(error)")
    }
    if let scan = scans.finish() { list.append(scan) }
    let start = list.first?.start
    var contents = Contents(
      header: Header(source: "capture", began: start.flatMap(CaptureSource.utc), beganBootTime: start), scans: list)
    contents.stepsBack = scans.stepsBack
    contents.complaints = complaints
    contents.leftOut = scans.leftOut
    return contents
  }
}
