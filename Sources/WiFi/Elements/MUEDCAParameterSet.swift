/// MU EDCA Parameter Set, element 255/38: how stations contend while they are triggered (IEEE 802.11ax-2021 9.4.2.251).
///
/// 13 bytes behind the Element ID Extension.
public struct MUEDCAParameterSet: FixedElement {
  public static let elementID = ElementID(extension: 38)
  public static let name: StaticString = "MU EDCA Parameter Set"

  /// The parameters of one access category.
  public struct Record: Hashable, Sendable {
    /// AIFSN in bits 0 to 3, ACM in 4, the access category in 5 and 6.
    public var aciAIFSN: UInt8 = 0
    /// The exponents of the least window in bits 0 to 3 and of the greatest in 4 to 7.
    public var ecw: UInt8 = 0
    /// How long the parameters hold, in units of 8 TU.
    public var timer: UInt8 = 0

    /// Makes a record of its bytes.
    public init(aciAIFSN: UInt8, ecw: UInt8, timer: UInt8) {
      self.aciAIFSN = aciAIFSN
      self.ecw = ecw
      self.timer = timer
    }

    fileprivate init() {}

    fileprivate mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
      try codec.pass(&aciAIFSN)
      try codec.pass(&ecw)
      try codec.pass(&timer)
    }

    func describe(into fields: inout FieldWriter) {
      fields.field("aci", aciAIFSN.bits(5, 2))
      fields.field("aifsn", aciAIFSN.bits(0, 4))
      fields.field("admissionControlMandatory", aciAIFSN.has(4))
      fields.field("ecwMin", ecw.bits(0, 4))
      fields.field("ecwMax", ecw.bits(4, 4))
      fields.field("timerTU", Int(timer) * 8)
    }
  }

  /// QoS Info, all bits.
  public var qosInfo: UInt8 = 0

  /// The parameters for best effort, background, video and voice.
  public var bestEffort = Record(), background = Record(), video = Record(), voice = Record()

  /// Bytes behind the fields above.
  public var trailing: [UInt8] = []

  /// Makes the element from its fields.
  public init(qosInfo: UInt8, bestEffort: Record, background: Record, video: Record, voice: Record) {
    self.qosInfo = qosInfo
    self.bestEffort = bestEffort
    self.background = background
    self.video = video
    self.voice = voice
  }

  public init() {}

  public mutating func pass<Codec: FieldCodec>(to codec: inout Codec) throws(Codec.Failure) {
    try codec.pass(&qosInfo)
    try bestEffort.pass(to: &codec)
    try background.pass(to: &codec)
    try video.pass(to: &codec)
    try voice.pass(to: &codec)
  }

  public func describeFields(into fields: inout FieldWriter) {
    fields.field("updateCount", qosInfo.bits(0, 4))
    fields.field("qosInfoHex", hexNumber: qosInfo)
    fields.object("bestEffort") { bestEffort.describe(into: &$0) }
    fields.object("background") { background.describe(into: &$0) }
    fields.object("video") { video.describe(into: &$0) }
    fields.object("voice") { voice.describe(into: &$0) }
  }
}
