import WiFi

/// Detects the type of bytes, by the evidence for each reading.
///
/// A reading has to be argued: lengths that add up, checks that hold, a known type (``Evidence``). Where several hold,
/// the one with the most evidence wins; where none does, ``failures`` says what was tried and why it failed.
struct InputDetection {
  /// The reading that won, or `nil` where none holds.
  private(set) var kind: DecodedInput.Kind?
  /// What spoke for it.
  private(set) var evidence = ""
  /// Why each of the others did not hold, in the order that they were tried.
  private(set) var failures: [(kind: DecodedInput.Kind, reason: String)] = []
  /// The name of another format that the bytes start like, such as gzip.
  private(set) var foreignFormat: String?

  /// The bits that a reading needs.
  ///
  /// Of short input there cannot be much, but an array of a few bytes is mostly one that was cut out of a frame.
  /// Random input of 64 bytes and more passes once in a million times. Hexadecimal text is rarely random.
  private static func needed(count: Int, isText: Bool) -> Int { count < 64 ? 8 : isText ? 12 : 20 }

  /// Tries every reading.
  ///
  /// Costs a walk through all messages at most; elements and frames are tried up to ``DecodedInput/maximumLength``
  /// bytes.
  init(_ bytes: [UInt8], isText: Bool) {
    foreignFormat = Self.foreignFormat(bytes)
    // A file of another format would have to be something else by more than coincidence.
    // So would what is a whole header of a receiver with nothing behind it, and bytes that only count.
    let isUnlikely = foreignFormat != nil || Self.isHeaderAlone(bytes) || Self.isCounting(bytes)
    let needed = isUnlikely ? 40 : Self.needed(count: bytes.count, isText: isText)
    var best: Evidence?
    for kind in [DecodedInput.Kind.capture, .nl80211, .radiotap, .ppi, .prism, .frame, .elements] {
      switch Self.weigh(bytes, as: kind) {
      case .impossible(let reason): failures.append((kind, reason))
      case .possible(let evidence) where evidence.bits < needed:
        failures.append((kind, "\(evidence.description): no more than random bytes may show"))
      case .possible(let evidence):
        if best.map({ evidence.bits > $0.bits }) ?? true {
          best = evidence
          self.kind = kind
        }
      }
    }
    evidence = best?.description ?? ""
  }

  private static func weigh(_ bytes: [UInt8], as kind: DecodedInput.Kind) -> ReadingVerdict {
    switch kind {
    case .capture: return weighCapture(bytes)
    case .nl80211: return weighMessages(bytes)
    case _ where bytes.count > DecodedInput.maximumLength:
      return .impossible("\(bytes.count) bytes, and the most that is decoded is \(DecodedInput.maximumLength)")
    case .radiotap: return weighRadiotap(bytes)
    case .ppi: return weighPPI(bytes)
    case .prism: return weighPrism(bytes)
    case .frame: return FrameEvidence.weigh(bytes)
    case .elements:
      let list = ElementList(parsing: bytes)
      guard !list.elements.isEmpty else {
        let declared = bytes.count > 1 ? Int(bytes[1]) : 0
        return .impossible("the first element declares \(declared) bytes, and \(max(0, bytes.count - 2)) are there")
      }
      return .possible(ElementEvidence.of(list, in: bytes))
    }
  }

  // MARK: Captures

  private static func weighCapture(_ bytes: [UInt8]) -> ReadingVerdict {
    guard let format = Capture.format(bytes) else {
      return .impossible("it starts with \(Hex.string(bytes.prefix(4))), which is no magic of pcap or pcapng")
    }
    return .possible(Evidence(100, "the magic of \(format.rawValue)"))
  }

  // MARK: Messages

  /// The most messages that are weighed; any more say nothing new.
  private static let maximumMessages = 16

  private static func weighMessages(_ bytes: [UInt8]) -> ReadingVerdict {
    var walk = NetlinkWalk(bytes)
    var evidence = Evidence()
    var count = 0
    while count < maximumMessages, let header = walk.next() {
      guard isLikely(header.type, header.flags) else {
        return .impossible("message \(count + 1) has type \(header.type) and flags 0x\(String(header.flags, radix: 16))")
      }
      count += 1
      evidence.add(32 - Evidence.bits(of: bytes.count) + 4)
      evidence.add(weighPayload(header, in: bytes))
    }
    if count > 0 {
      evidence.reasons.append((count == maximumMessages ? "at least " : "") + count.counted("netlink message"))
      return .possible(evidence)
    }
    return weighCutMessage(bytes, walk.error)
  }

  private static func isLikely(_ type: UInt16, _ flags: UInt16) -> Bool { type > 0 && !(5..<16).contains(type) && flags < 0x1000 }

  /// What the payload of a whole message is worth: the header of generic netlink, and attributes that add up.
  private static func weighPayload(_ header: NetlinkHeader, in bytes: [UInt8]) -> Int {
    guard header.type >= 16 else {
      // An error has a status of four bytes, and that is zero or a small negative number.
      guard header.payload.count >= 4, header.type <= 3 else { return header.payload.isEmpty ? 8 : -8 }
      let high = bytes[header.payload.lowerBound + 2..<header.payload.lowerBound + 4]
      return high.allSatisfy { $0 == 0 } || high.allSatisfy { $0 == 0xFF } ? 14 : 0
    }
    guard header.payload.count >= GenericNetlinkMessage.headerSize else { return -12 }
    var bits = weighGenericHeader(bytes[header.payload.lowerBound..<header.payload.lowerBound + 4])
    var walk = AttributeWalk(bytes, in: header.attributes)
    var attributes = 0
    while attributes < 64, walk.next() != nil { attributes += 1 }
    bits += walk.error == nil ? min(8 * attributes, 24) : -8
    return bits
  }

  /// Command, version and two reserved bytes, which are zero.
  private static func weighGenericHeader(_ content: ArraySlice<UInt8>) -> Int {
    (content.suffix(2).allSatisfy { $0 == 0 } ? 14 : -4) + (content[content.startIndex + 1] <= 3 ? 5 : -4)
  }

  /// Messages that end within the first.
  private static func weighCutMessage(_ bytes: [UInt8], _ error: WireError?) -> ReadingVerdict {
    var cursor = ByteCursor(bytes)
    guard let length = try? cursor.readUInt32(), let type = try? cursor.readUInt16(), let flags = try? cursor.readUInt16(),
      bytes.count >= NetlinkMessage.headerSize
    else { return .impossible("\(bytes.count) bytes, less than the 16 of the header of a message") }
    // A datagram of the kernel has 32 KiB at most.
    guard (16..<1 << 16).contains(length) else {
      return .impossible("the first message declares \(length) bytes, and \(bytes.count) are there")
    }
    guard isLikely(type, flags), type >= 16 else {
      return .impossible("the first message has type \(type) and flags 0x\(String(flags, radix: 16))")
    }
    var evidence = Evidence(16 + 4 + (type < 256 ? 8 : 0), "a netlink message that is cut off")
    let generic = bytes.dropFirst(NetlinkMessage.headerSize).prefix(4)
    if generic.count == 4 { evidence.add(weighGenericHeader(generic)) }
    let first = bytes.dropFirst(20).prefix(4)
    if first.count == 4 {
      let (size, number) = (Int(first[20]) | Int(first[21]) << 8, Int(first[22]) | Int(first[23] & 0x3F) << 8)
      evidence.add((4...Int(length)).contains(size) && number < 512 ? 7 : -8)
    }
    return .possible(evidence)
  }

  // MARK: Radiotap

  private static func weighRadiotap(_ bytes: [UInt8]) -> ReadingVerdict {
    let sizes: (declared: Int, fields: Int?)
    do throws(WireError) { sizes = try Radiotap.sizes(in: bytes) } catch { return .impossible("\(error)") }
    var evidence = Evidence(8, "radiotap header of \(sizes.declared) bytes")
    evidence.add(bytes[1] == 0 ? 7 : -8)
    if let fields = sizes.fields {
      // Some drivers pad it.
      guard sizes.declared - fields < 16 else {
        return .impossible("the radiotap header declares \(sizes.declared) bytes, and its fields take \(fields)")
      }
      evidence.add(sizes.declared == fields ? 14 : 10, "its fields add up")
    }
    return weighFrame(Array(bytes[sizes.declared...]), behind: "radiotap", evidence)
  }

  /// Adds the evidence for a frame behind a header.
  private static func weighFrame(_ content: [UInt8], behind header: String, _ evidence: Evidence) -> ReadingVerdict {
    var evidence = evidence
    guard content.count >= 10 else {
      return .impossible("\(content.count) bytes behind the \(header) header, and the shortest frame has 10")
    }
    guard content[0] & 3 == 0 else { return .impossible("the frame behind the \(header) header has protocol version \(content[0] & 3)") }
    evidence.add(2)
    if case .possible(let frame) = FrameEvidence.weigh(content), frame.bits > 0 { evidence.add(frame) }
    return .possible(evidence)
  }

  /// Whether the bytes are a header of a receiver whose fields take all of it, and no frame.
  private static func isHeaderAlone(_ bytes: [UInt8]) -> Bool {
    guard bytes.count > 8, bytes.count <= 1 << 10 else { return false }
    if bytes[1] == 0, let sizes = try? Radiotap.sizes(in: bytes), sizes.declared == bytes.count, sizes.fields == bytes.count { return true }
    // What these headers say is too much for coincidence.
    return [LinkType.ppi, LinkType.prism].contains {
      let captured = try? CapturedPacket(count: bytes.count, linkType: $0).frame(of: bytes)
      return captured?.offset == bytes.count && captured?.radiotap != nil
    }
  }

  /// Whether each byte is as much more than the one before it: an example or a test pattern.
  private static func isCounting(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 8, bytes[0] != bytes[1] else { return false }
    return zip(bytes, bytes.dropFirst()).allSatisfy { $1 &- $0 == bytes[1] &- bytes[0] }
  }

  // MARK: PPI, Prism and AVS

  private static func weighPPI(_ bytes: [UInt8]) -> ReadingVerdict {
    var cursor = ByteCursor(bytes)
    guard let version = try? cursor.readUInt8(), let flags = try? cursor.readUInt8(), let length = try? cursor.readUInt16(),
      let linkType = try? cursor.readUInt32(), version == 0, flags <= 1,
      [LinkType.ieee80211, LinkType.radiotap].contains(Int(linkType))
    else { return .impossible("no version, flags and link type of PPI") }
    guard (8...bytes.count).contains(Int(length)) else {
      return .impossible("the PPI header declares \(length) bytes, and \(bytes.count) are there")
    }
    var evidence = Evidence(38, "PPI header of \(length) bytes")
    let captured: CapturedFrame
    do throws(WireError) { captured = try CapturedPacket(count: bytes.count, linkType: LinkType.ppi).frame(of: bytes) } catch {
      return .impossible("\(error)")
    }
    if captured.radiotap != nil { evidence.add(14, "with the fields of IEEE 802.11") }
    return weighFrame(Array(bytes[captured.offset...]), behind: "PPI", evidence)
  }

  /// The code of a sniffed frame and the fields, or the magic number of AVS.
  private static func weighPrism(_ bytes: [UInt8]) -> ReadingVerdict {
    var cursor = ByteCursor(bytes)
    guard let code = try? cursor.readUInt32(),
      Radiotap.isPrismCode(code) || Radiotap.isPrismCode(code.byteSwapped) || Radiotap.isAVS(code.byteSwapped)
    else { return .impossible("no code of a Prism or an AVS header") }
    let captured: CapturedFrame
    do throws(WireError) { captured = try CapturedPacket(count: bytes.count, linkType: LinkType.prism).frame(of: bytes) } catch {
      return .impossible("\(error)")
    }
    guard captured.offset >= 24 else { return .impossible("\(captured.offset) bytes of a Prism header, which has 24 at least") }
    let name = Radiotap.isAVS(code.byteSwapped) ? "AVS" : "Prism"
    let evidence = Evidence(captured.radiotap == nil ? 44 : 60, "\(name) header of \(captured.offset) bytes")
    return weighFrame(Array(bytes[captured.offset...]), behind: name, evidence)
  }

  // MARK: Other formats

  /// The name of another format that bytes start like, such as gzip.
  static func foreignFormat(_ bytes: some Collection<UInt8>) -> String? { foreignFormats.first { bytes.starts(with: $0.magic) }?.name }

  private static let foreignFormats: [(magic: [UInt8], name: String)] = [
    ([0x1F, 0x8B, 0x08], "gzip"), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "xz"), ([0x50, 0x4B, 0x03, 0x04], "ZIP"),
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "PNG"), ([0x42, 0x5A, 0x68], "bzip2"), ([0x28, 0xB5, 0x2F, 0xFD], "Zstandard"),
    ([0x04, 0x22, 0x4D, 0x18], "LZ4"), ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "7z"), ([0x7F, 0x45, 0x4C, 0x46], "ELF"),
    ([0xFF, 0xD8, 0xFF], "JPEG"), ([0x47, 0x49, 0x46, 0x38], "GIF"), ([0x25, 0x50, 0x44, 0x46], "PDF"),
    ([0x53, 0x51, 0x4C, 0x69, 0x74, 0x65], "SQLite"), ([0xFF, 0xFE, 0x00, 0x00], "UTF-32 text"), ([0x00, 0x00, 0xFE, 0xFF], "UTF-32 text"),
  ]
}
