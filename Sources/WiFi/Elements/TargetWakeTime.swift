/// Target Wake Time, element 216: when stations wake up (IEEE 802.11-2020 9.4.2.199, IEEE 802.11ax-2021 and
/// IEEE 802.11be-2024 9.4.2.199).
///
/// 1 byte or more.
public struct TargetWakeTime: ElementBody {
  public static let elementID = ElementID(216)
  public static let name: StaticString = "TWT"

  /// Control: NDP paging in bit 0, power management of the responder in 1, negotiation type in 2 and 3, information
  /// disabled in 4, unit of the duration in 5, link ID bitmap present in 6.
  public var control: UInt8

  /// The parameter sets as they are sent.
  public var parameters: [UInt8]

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
    /// Restricted TWT Traffic Info, where Broadcast TWT Info announces it: the identifiers of traffic that the
    /// schedule is for (IEEE 802.11be-2024 9.4.2.199).
    public var restrictedTraffic: RestrictedTraffic?

    /// The time between two wake-ups, in µs.
    public var wakeIntervalUs: UInt64 { UInt64(wakeIntervalMantissa) << UInt64(requestType.bits(10, 5)) }

    /// Restricted TWT Traffic Info, 3 bytes: one bit for each traffic identifier.
    public struct RestrictedTraffic: Hashable, Sendable {
      /// Traffic Info Control: downlink bitmap valid in bit 0, uplink bitmap valid in 1.
      public var control: UInt8
      /// The identifiers from the access point to stations.
      public var downlinkBitmap: UInt8
      /// The identifiers from stations to the access point.
      public var uplinkBitmap: UInt8
    }

    /// Reads the bytes.
    init(parsing cursor: inout ByteCursor) throws(WireError) {
      requestType = try cursor.readUInt16()
      targetWakeTime = try cursor.readUInt16()
      nominalMinimumWakeDuration = try cursor.readUInt8()
      wakeIntervalMantissa = try cursor.readUInt16()
      information = try cursor.readUInt16()
      guard information.has(0) else { return }
      restrictedTraffic = RestrictedTraffic(
        control: try cursor.readUInt8(), downlinkBitmap: try cursor.readUInt8(), uplinkBitmap: try cursor.readUInt8())
    }
  }

  /// The broadcast schedules; none for the other negotiation types.
  public var broadcasts: [Broadcast] {
    guard control.has(3) else { return [] }
    var cursor = ByteCursor(parameters)
    var result: [Broadcast] = []
    do throws(WireError) {
      while !cursor.isAtEnd {
        let set = try Broadcast(parsing: &cursor)
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
    /// When the station is awake first, in µs of the timer of the BSS; `nil` where the parameters have a group or
    /// neither.
    public var targetWakeTimeUs: UInt64?
    /// The group of the station, where the parameters have one in place of the target wake time.
    public var group: GroupAssignment?
    /// The least time awake, in units of 256 µs or of a TU.
    public var nominalMinimumWakeDuration: UInt8
    /// The mantissa of the interval.
    public var wakeIntervalMantissa: UInt16
    /// One bit for each channel that may be used meanwhile; 0 for the primary one.
    public var channel: UInt8
    /// NDP Paging, where Control announces it.
    public var ndpPaging: UInt32?
    /// One bit for each link of the agreement, where Control announces it (IEEE 802.11be-2024 9.4.2.199).
    public var linkIDBitmap: UInt16?

    /// The time between two wake-ups, in µs.
    public var wakeIntervalUs: UInt64 { UInt64(wakeIntervalMantissa) << UInt64(requestType.bits(10, 5)) }

    /// TWT Group Assignment, 3 or 9 bytes (IEEE 802.11-2020 9.4.2.199).
    public struct GroupAssignment: Hashable, Sendable {
      /// TWT Group ID, 0 to 127.
      public var id: UInt8
      /// When the group is awake first, in µs of the timer of the BSS, 48 bits; `nil` where it was sent before.
      public var zeroOffsetUs: UInt64?
      /// TWT Unit in bits 0 to 3, TWT Offset in bits 4 to 15.
      public var unitAndOffset: UInt16

      /// The station's distance from the group's start, in µs; `nil` for a reserved unit.
      public var offsetUs: UInt64? {
        let shifts: [UInt64] = [5, 8, 10, 13, 15, 18, 20, 23, 25, 28, 30, 33]
        let unit = unitAndOffset.bits(0, 4)
        return unit < shifts.count ? UInt64(unitAndOffset >> 4) << shifts[unit] : nil
      }

      /// Reads the bytes.
      init(parsing cursor: inout ByteCursor) throws(WireError) {
        let first = try cursor.readUInt8()
        id = first & 0x7F
        if first.has(7) { zeroOffsetUs = try cursor.readUInt48() }
        unitAndOffset = try cursor.readUInt16()
      }

      /// Writes every field.
      func describe(into fields: inout FieldWriter) {
        fields.field("id", id)
        fields.fieldIfPresent("zeroOffsetUs", zeroOffsetUs)
        fields.field("unit", unitAndOffset.bits(0, 4))
        fields.field("offset", unitAndOffset >> 4)
        fields.fieldIfPresent("offsetUs", offsetUs)
      }
    }

    /// Setup Command, by its number (IEEE 802.11-2020 table 9-296).
    static let commands: [StaticString] = ["request", "suggest", "demand", "grouping", "accept", "alternate", "dictate", "reject"]
  }

  /// The parameters of an individual agreement; `nil` for a broadcast one, and where the bytes have the size of none.
  ///
  /// The length says what stands behind Request Type: a target wake time (8 bytes), a group assignment (3 or 9), or
  /// neither.
  public var individual: Individual? {
    guard !control.has(3) else { return nil }
    var cursor = ByteCursor(parameters)
    do throws(WireError) {
      let requestType = try cursor.readUInt16()
      var (targetWakeTimeUs, group) = (nil as UInt64?, nil as Individual.GroupAssignment?)
      switch cursor.remaining - 4 - (control.has(0) ? 4 : 0) - (control.has(6) ? 2 : 0) {
      case 0: break
      case 3, 9: group = try .init(parsing: &cursor)
      case 8: targetWakeTimeUs = try cursor.readUInt64()
      default: return nil
      }
      let result = Individual(
        requestType: requestType, targetWakeTimeUs: targetWakeTimeUs, group: group, nominalMinimumWakeDuration: try cursor.readUInt8(),
        wakeIntervalMantissa: try cursor.readUInt16(), channel: try cursor.readUInt8(),
        ndpPaging: control.has(0) ? try cursor.readUInt32() : nil, linkIDBitmap: control.has(6) ? try cursor.readUInt16() : nil)
      return cursor.isAtEnd ? result : nil
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
    fields.fieldIfPresent("targetWakeTimeUs", set.targetWakeTimeUs)
    if let group = set.group { fields.object("groupAssignment") { group.describe(into: &$0) } }
    fields.field("nominalMinimumWakeDuration", set.nominalMinimumWakeDuration)
    fields.field("wakeIntervalUs", set.wakeIntervalUs)
    fields.field("channel", set.channel)
    if let paging = set.ndpPaging { fields.field("ndpPagingHex", hexNumber: paging) }
    if let bitmap = set.linkIDBitmap { fields.field("linkIDBitmapHex", hexNumber: bitmap) }
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("controlHex", hexNumber: control)
    fields.field("ndpPaging", control.has(0))
    fields.field("responderPMMode", control.has(1))
    fields.field("negotiationType", negotiationType)
    fields.field("informationFrameDisabled", control.has(4))
    fields.field("wakeDurationUnitUs", control.has(5) ? 1024 : 256)
    if control.has(3) {
      fields.objects("broadcasts", broadcasts) { fields, set in
        fields.field("requestTypeHex", hexNumber: set.requestType)
        fields.field("trigger", set.requestType.has(4))
        fields.field("flowType", set.requestType.has(6) ? "unannounced" : "announced")
        fields.field("targetWakeTime", set.targetWakeTime)
        fields.field("nominalMinimumWakeDuration", set.nominalMinimumWakeDuration)
        fields.field("wakeIntervalUs", set.wakeIntervalUs)
        fields.field("broadcastTWTID", set.information.bits(3, 5))
        fields.field("persistence", set.information.bits(8, 8))
        if let traffic = set.restrictedTraffic {
          fields.object("restrictedTraffic") { fields in
            fields.field("controlHex", hexNumber: traffic.control)
            fields.field("downlinkBitmapHex", hexNumber: traffic.downlinkBitmap)
            fields.field("uplinkBitmapHex", hexNumber: traffic.uplinkBitmap)
          }
        }
      }
    }
    if let individual { fields.object("individual") { Self.describe(individual, into: &$0) } }
    fields.field("parametersHex", hex: parameters)
  }
}
