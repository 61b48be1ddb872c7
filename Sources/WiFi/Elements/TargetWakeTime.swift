/// Target Wake Time, element 216: when stations wake up (IEEE 802.11-2020 9.4.2.199, IEEE 802.11ax-2021 9.4.2.199).
///
/// 1 byte or more.
public struct TargetWakeTime: ElementBody {
  public static let elementID = ElementID(216)
  public static let name: StaticString = "TWT"

  /// Control: NDP paging in bit 0, power management of the responder in 1, negotiation type in 2 and 3, information disabled in 4,
  /// unit of the duration in 5.
  public var control: UInt8

  /// The parameter sets as they are sent.
  public var parameters: [UInt8]

  /// Makes the element of its fields.
  public init(control: UInt8, parameters: [UInt8]) {
    self.control = control
    self.parameters = parameters
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    control = try cursor.readUInt8()
    parameters = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.write(control)
    writer.write(parameters)
  }

  /// Negotiation Type: 0 and 1 individual, 2 and 3 broadcast.
  public var negotiationType: Int { control.bits(2, 2) }

  /// One parameter set of a broadcast schedule (IEEE 802.11ax-2021 figure 9-686b).
  public struct Broadcast: Hashable, Sendable {
    /// Request Type, all bits.
    public var requestType: UInt16
    /// Bits 10 to 25 of the next wake time, in units of 1.024 ms.
    public var targetWakeTime: UInt16
    /// The least time awake, in units of 256 µs or of a TU.
    public var nominalMinimumWakeDuration: UInt8
    /// The mantissa of the interval.
    public var wakeIntervalMantissa: UInt16
    /// Broadcast TWT Info, all bits.
    public var information: UInt16

    /// The time between two wake-ups, in µs.
    public var wakeIntervalUs: UInt64 { UInt64(wakeIntervalMantissa) << UInt64(requestType.bits(10, 5)) }
  }

  /// The broadcast schedules; none for the other negotiation types.
  public var broadcasts: [Broadcast] {
    guard control.has(3) else { return [] }
    var cursor = ByteCursor(parameters)
    var result: [Broadcast] = []
    do throws(WireError) {
      while !cursor.isAtEnd {
        let set = Broadcast(
          requestType: try cursor.readUInt16(), targetWakeTime: try cursor.readUInt16(), nominalMinimumWakeDuration: try cursor.readUInt8(),
          wakeIntervalMantissa: try cursor.readUInt16(), information: try cursor.readUInt16())
        result.append(set)
        // Last Broadcast Parameter Set.
        if set.requestType.has(5) { break }
      }
    } catch {
      return result
    }
    return result
  }

  /// The parameter set of an agreement between two stations (IEEE 802.11-2020 figure 9-769).
  public struct Individual: Hashable, Sendable {
    /// Request Type, all bits.
    public var requestType: UInt16
    /// When the station is awake first, in µs of the timer of the BSS.
    public var targetWakeTimeUs: UInt64
    /// The least time awake, in units of 256 µs or of a TU.
    public var nominalMinimumWakeDuration: UInt8
    /// The mantissa of the interval.
    public var wakeIntervalMantissa: UInt16
    /// One bit for each channel that may be used meanwhile; 0 for the primary one.
    public var channel: UInt8
    /// NDP Paging, where Control announces it.
    public var ndpPaging: UInt32?

    /// The time between two wake-ups, in µs.
    public var wakeIntervalUs: UInt64 { UInt64(wakeIntervalMantissa) << UInt64(requestType.bits(10, 5)) }

    /// Setup Command, by its number (IEEE 802.11-2020 table 9-296).
    static let commands: [StaticString] = ["request", "suggest", "demand", "grouping", "accept", "alternate", "dictate", "reject"]
  }

  /// The parameters of an individual agreement; `nil` for a broadcast one, and for the form of groups (S1G), in which a group assignment
  /// stands in place of the target wake time.
  public var individual: Individual? {
    guard !control.has(3), parameters.count == (control.has(0) ? 18 : 14) else { return nil }
    var cursor = ByteCursor(parameters)
    do throws(WireError) {
      return Individual(
        requestType: try cursor.readUInt16(), targetWakeTimeUs: try cursor.readUInt64(), nominalMinimumWakeDuration: try cursor.readUInt8(),
        wakeIntervalMantissa: try cursor.readUInt16(), channel: try cursor.readUInt8(),
        ndpPaging: control.has(0) ? try cursor.readUInt32() : nil)
    } catch {
      return nil
    }
  }

  private static func describe(_ set: Individual, into fields: inout FieldWriter) {
    fields.field("requestTypeHex", hexNumber: set.requestType)
    fields.field("request", set.requestType.has(0))
    fields.field("setupCommand", plain: Individual.commands[set.requestType.bits(1, 3)])
    fields.field("trigger", set.requestType.has(4))
    fields.field("implicit", set.requestType.has(5))
    fields.field("flowType", set.requestType.has(6) ? "unannounced" : "announced")
    fields.field("flowID", set.requestType.bits(7, 3))
    fields.field("protection", set.requestType.has(15))
    fields.field("targetWakeTimeUs", set.targetWakeTimeUs)
    fields.field("nominalMinimumWakeDuration", set.nominalMinimumWakeDuration)
    fields.field("wakeIntervalUs", set.wakeIntervalUs)
    fields.field("channel", set.channel)
    if let paging = set.ndpPaging { fields.field("ndpPagingHex", hexNumber: paging) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("controlHex", hexNumber: control)
    fields.field("ndpPaging", control.has(0))
    fields.field("responderPMMode", control.has(1))
    fields.field("negotiationType", negotiationType)
    fields.field("informationFrameDisabled", control.has(4))
    fields.field("wakeDurationUnitUs", control.has(5) ? 1024 : 256)
    if control.has(3) {
      fields.array("broadcasts", broadcasts) { fields, set in
        fields.object { fields in
          fields.field("requestTypeHex", hexNumber: set.requestType)
          fields.field("trigger", set.requestType.has(4))
          fields.field("flowType", set.requestType.has(6) ? "unannounced" : "announced")
          fields.field("targetWakeTime", set.targetWakeTime)
          fields.field("nominalMinimumWakeDuration", set.nominalMinimumWakeDuration)
          fields.field("wakeIntervalUs", set.wakeIntervalUs)
          fields.field("broadcastTWTID", set.information.bits(3, 5))
          fields.field("persistence", set.information.bits(8, 8))
        }
      }
    }
    if let individual { fields.object("individual") { Self.describe(individual, into: &$0) } }
    fields.field("parametersHex", hex: parameters)
  }
}
