/// HE Operation, element 255/36 (IEEE 802.11ax-2021 9.4.2.249).
///
/// 6 bytes or more behind the Element ID Extension.
public struct HEOperation: ElementBody {
  public static let elementID = ElementID(extension: 36)
  public static let name: StaticString = "HE Operation"

  /// Bytes behind the fields below.
  public var trailing: [UInt8] = []

  /// HE Operation Parameters, 24 bits; what they say of optional fields is set from those when written.
  public var parameters: UInt32

  /// The schemes that all HE stations of the BSS support.
  public var basicMCSMap: MCSMap

  /// BSS Color Information: the colour in bits 0 to 5, partial in 6, disabled in 7.
  public var bssColorInformation: UInt8

  /// Width and centres as VHT Operation has them.
  public var vhtOperation: VHTOperationInformation?

  /// Max Co-Hosted BSSID Indicator: there are up to 2^n BSSs.
  public var maximumCoHostedBSSIDIndicator: UInt8?

  /// The channel in the 6 GHz band.
  public var operation6GHz: HE6GHzOperationInformation?

  /// Makes the element from its fields.
  public init(
    parameters: UInt32, bssColorInformation: UInt8, basicMCSMap: MCSMap, vhtOperation: VHTOperationInformation? = nil,
    maximumCoHostedBSSIDIndicator: UInt8? = nil, operation6GHz: HE6GHzOperationInformation? = nil
  ) {
    self.parameters = parameters & 0xFF_FFFF
    self.bssColorInformation = bssColorInformation
    self.basicMCSMap = basicMCSMap
    self.vhtOperation = vhtOperation
    self.maximumCoHostedBSSIDIndicator = maximumCoHostedBSSIDIndicator
    self.operation6GHz = operation6GHz
  }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    parameters = try cursor.readUInt24()
    bssColorInformation = try cursor.readUInt8()
    basicMCSMap = MCSMap(try cursor.readUInt16())
    vhtOperation = parameters.has(14) ? try VHTOperationInformation(parsing: &cursor) : nil
    maximumCoHostedBSSIDIndicator = parameters.has(15) ? try cursor.readUInt8() : nil
    operation6GHz = parameters.has(17) ? try HE6GHzOperationInformation(parsing: &cursor) : nil
    trailing = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    var parameters = parameters & ~(1 << 14 | 1 << 15 | 1 << 17)
    if vhtOperation != nil { parameters |= 1 << 14 }
    if maximumCoHostedBSSIDIndicator != nil { parameters |= 1 << 15 }
    if operation6GHz != nil { parameters |= 1 << 17 }
    writer.writeUInt24(parameters)
    writer.write(bssColorInformation)
    writer.write(basicMCSMap.rawValue)
    vhtOperation?.encode(into: &writer)
    if let maximumCoHostedBSSIDIndicator { writer.write(maximumCoHostedBSSIDIndicator) }
    operation6GHz?.encode(into: &writer)
    writer.write(trailing)
  }

  /// The colour of the BSS, 0 to 63.
  public var bssColor: Int { bssColorInformation.bits(0, 6) }

  public func describe(into fields: inout FieldWriter) {
    fields.field("parametersHex", hexNumber: UInt64(parameters), digits: 6)
    fields.field("defaultPEDuration", parameters.bits(0, 3))
    fields.field("twtRequired", parameters.has(3))
    fields.field("txopDurationRTSThreshold32us", parameters.bits(4, 10))
    fields.field("coHostedBSS", parameters.has(15))
    fields.field("erSUDisable", parameters.has(16))
    fields.field("bssColor", bssColor)
    fields.field("partialBSSColor", bssColorInformation.has(6))
    fields.field("bssColorDisabled", bssColorInformation.has(7))
    fields.heMCS("basicMaximumMCS", basicMCSMap)
    fields.field("basicMCSMapHex", hexNumber: basicMCSMap.rawValue)
    if let vhtOperation { fields.object("vhtOperation") { vhtOperation.describe(into: &$0) } }
    fields.fieldIfPresent("maximumCoHostedBSSIDIndicator", maximumCoHostedBSSIDIndicator)
    if let operation6GHz { fields.object("operation6GHz") { operation6GHz.describe(into: &$0) } }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}
