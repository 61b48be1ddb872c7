/// Reads a capture, pcap or pcapng, that comes piece by piece, as from a program that still writes it.
///
/// Gives each frame as soon as its record is whole. Keeps what is not whole yet, and so costs the memory of one record
/// and of the piece it was given, whatever the size of the capture.
public struct CaptureStream: Sendable {
  /// What was read.
  public enum Item: Hashable, Sendable {
    /// A frame; its offset is from the start of the capture.
    case frame(CapturedFrame)
    /// Something that could not be read.
    case complaint(CaptureComplaint)
  }

  /// The most bytes of a record or a block: what libpcap takes for possible, and more.
  package static let maximumRecordLength = 16 << 20

  private var pending: [UInt8] = []
  /// The offset of ``pending`` in the capture.
  private var offset = 0
  private var queue = CaptureQueue()
  private var pcap: PCAPWalk?
  private var pcapng: PCAPNGWalk?
  /// Whether what follows cannot be found.
  private var isLost = false

  /// Starts before the first byte.
  public init() {}

  /// Processes the next bytes, any number.
  ///
  /// - Throws: ``CaptureError`` where the capture is none; what comes later is skipped.
  public mutating func append(_ bytes: some Collection<UInt8>) throws(CaptureError) -> [Item] {
    if isLost { return [] }
    pending += bytes
    var items: [Item] = []
    if pcap == nil, pcapng == nil {
      do throws(CaptureError) { try begin(&items) } catch {
        isLost = true
        throw error
      }
    }
    // A section header is read alone: what follows is in its byte order.
    while !isLost {
      let length = wholeLength(&items)
      if length == 0 { break }
      read(Array(pending[..<length]), &items)
      pending.removeFirst(length)
      offset += length
    }
    return items
  }

  /// What is to be said at the end: that a record is cut off, or that there was no capture.
  ///
  /// - Throws: ``CaptureError`` where the capture ended within its own header.
  public mutating func finish() throws(CaptureError) -> [Item] {
    defer { isLost = true }
    if isLost { return [] }
    if pcap == nil, pcapng == nil {
      let needed = pending.first == 0x0A ? PCAPNGWalk.headerSize : PCAPWalk.headerSize
      throw pending.isEmpty ? .empty : .header(needed: needed, available: pending.count)
    }
    if pending.isEmpty { return [] }
    let needed = declaredLength(at: 0) ?? minimumLength
    return [.complaint(CaptureComplaint(offset: offset, reason: .truncated(needed: needed, available: pending.count)))]
  }

  /// Reads the header where it is whole.
  private mutating func begin(_ items: inout [Item]) throws(CaptureError) {
    guard pending.count >= 4 else { return }
    guard let format = Capture.format(pending) else { throw CaptureError.foreign(Array(pending.prefix(4))) }
    switch format {
    case .pcap:
      guard pending.count >= PCAPWalk.headerSize else { return }
      pcap = try PCAPWalk(pending, into: &queue)
      // What is to be said of the header is said now: the offsets that come later are those of records.
      while let item = queue.next() { if case .complaint(let complaint) = item { items.append(.complaint(complaint)) } }
      pending.removeFirst(PCAPWalk.headerSize)
      offset = PCAPWalk.headerSize
    case .pcapng:
      guard pending.count >= PCAPNGWalk.headerSize else { return }
      pcapng = try PCAPNGWalk(pending)
    }
  }

  /// The bytes of a record or a block before its own length is known.
  private var minimumLength: Int { pcap?.recordSize ?? 12 }

  /// The length of the record or block at a place; `nil` where its head is not whole.
  private func declaredLength(at place: Int) -> Int? {
    guard pending.count - place >= minimumLength else { return nil }
    if let pcap { return pcap.recordSize + pcap.capturedLength(pending, at: place) }
    // A section says its own byte order, behind its length.
    var isBigEndian = pcapng?.isBigEndian ?? false
    if pending[place..<place + 4].elementsEqual([0x0A, 0x0D, 0x0D, 0x0A]) {
      isBigEndian = pending[place + 8..<place + 12].elementsEqual([0x1A, 0x2B, 0x3C, 0x4D])
    }
    var block = CaptureCursor(pending, in: place + 4..<place + 8, isBigEndian: isBigEndian)
    return block.readCount()
  }

  /// The bytes of all records or blocks that are whole and in one byte order.
  private mutating func wholeLength(_ items: inout [Item]) -> Int {
    guard pcap != nil || pcapng != nil else { return 0 }
    var length = 0
    while let declared = declaredLength(at: length) {
      if declared < minimumLength || declared > Self.maximumRecordLength || pcapng != nil && declared % 4 != 0 {
        // What is whole before it is read first.
        if length > 0 { break }
        items.append(.complaint(CaptureComplaint(offset: offset, reason: .blockLength(declared))))
        isLost = true
        break
      }
      guard pending.count - length >= declared else { break }
      length += declared
      // What follows a section header is in its byte order, which is known once it was read.
      let isSection = pcapng != nil && pending[length - declared..<length - declared + 4].elementsEqual([0x0A, 0x0D, 0x0D, 0x0A])
      if isSection { break }
    }
    return length
  }

  private mutating func read(_ chunk: [UInt8], _ items: inout [Item]) {
    pcap?.goOn(with: chunk)
    pcapng?.goOn(with: chunk, at: offset)
    var goesOn = true
    while goesOn {
      goesOn = pcap?.step(into: &queue) ?? pcapng?.step(into: &queue) ?? false
      while let item = queue.next() {
        switch item {
        case .complaint(let complaint):
          items.append(.complaint(CaptureComplaint(offset: offset + complaint.offset, reason: complaint.reason)))
          switch complaint.reason {
          case .sectionByteOrder, .sectionVersion: isLost = true
          default: break
          }
        case .packet(let packet):
          do throws(WireError) {
            var frame = try packet.frame(of: chunk)
            frame.offset += offset
            items.append(.frame(frame))
          } catch {
            items.append(.complaint(CaptureComplaint(offset: offset + error.offset, reason: .header(error.reason))))
          }
        }
      }
    }
  }
}
