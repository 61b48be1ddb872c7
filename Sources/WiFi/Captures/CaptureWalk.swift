/// Goes through the packets of a capture file, pcap or pcapng, without keeping any.
///
/// Costs the same memory for any file.
public struct CaptureWalk: Sequence, IteratorProtocol, Sendable {
  /// What comes next in a file.
  public enum Item: Hashable, Sendable {
    /// A packet of a link type that carries IEEE 802.11 frames.
    case packet(CapturedPacket)
    /// Something that could not be read.
    case complaint(CaptureComplaint)
  }

  /// What the file is.
  public let format: Capture.Format

  // One of the two; an enum would copy the list of interfaces at each step.
  private var pcap: PCAPWalk?
  private var pcapng: PCAPNGWalk?
  private var queue = CaptureQueue()
  private var isAtEnd = false

  /// Reads the header of a file.
  ///
  /// - Parameter withMessages: whether packets of ``LinkType/netlink`` are given, too, and not reported.
  /// - Throws: ``CaptureError`` for a file that is no capture at all.
  public init(_ bytes: [UInt8], withMessages: Bool = false) throws(CaptureError) {
    guard let format = Capture.format(bytes) else {
      if bytes.isEmpty { throw CaptureError.empty }
      throw CaptureError.foreign(Array(bytes.prefix(4)))
    }
    self.format = format
    queue.keepsMessages = withMessages
    switch format {
    case .pcap: pcap = try PCAPWalk(bytes, into: &queue)
    case .pcapng: pcapng = try PCAPNGWalk(bytes)
    }
  }

  /// The next packet or complaint, or `nil` at the end of what can be read.
  public mutating func next() -> Item? {
    while queue.isEmpty, !isAtEnd {
      isAtEnd = !(pcap?.step(into: &queue) ?? pcapng?.step(into: &queue) ?? false)
    }
    return queue.next()
  }
}
