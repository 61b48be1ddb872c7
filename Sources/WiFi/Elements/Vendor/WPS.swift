/// Wi-Fi Protected Setup, vendor element 00-50-F2:4: what the device is and how a station can be let in
/// (Wi-Fi Alliance, Wi-Fi Simple Configuration 2.0.8, 8.2 and 12).
///
/// 4 bytes or more: OUI and type, then attributes of a type, a length and a body, most significant byte first.
public struct WPS: ElementBody {
  public static let elementID = ElementID(221)
  public static let name: StaticString = "WPS"

  /// The attributes as they are on the air.
  public var bytes: [UInt8]

  /// An attribute.
  public struct Attribute: Hashable, Sendable {
    /// What it is.
    public var type: UInt16
    /// Its body.
    public var body: ArraySlice<UInt8>
  }

  /// Makes the element of its attributes' bytes.
  public init(bytes: [UInt8]) { self.bytes = bytes }

  public init(parsing cursor: inout ByteCursor) throws(WireError) {
    try cursor.readVendorType(VendorType.wps)
    bytes = cursor.readRemaining()
  }

  public func encode(into writer: inout ByteWriter) {
    writer.writeBigEndian(VendorType.wps)
    writer.write(bytes)
  }

  private func split() -> (attributes: [Attribute], trailing: ArraySlice<UInt8>) {
    var attributes: [Attribute] = []
    var rest = bytes[...]
    while rest.count >= 4 {
      let header = rest.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let length = Int(header & 0xFFFF)
      guard rest.count >= 4 + length else { break }
      attributes.append(Attribute(type: UInt16(header >> 16), body: rest.dropFirst(4).prefix(length)))
      rest = rest.dropFirst(4 + length)
    }
    return (attributes, rest)
  }

  /// The attributes in the order they were sent, up to the first that is cut off.
  public var attributes: [Attribute] { split().attributes }

  /// The first attribute of a type.
  public func attribute(_ type: UInt16) -> ArraySlice<UInt8>? { attributes.first { $0.type == type }?.body }

  /// The name of the device, escaped.
  public var deviceName: String? { attribute(0x1011).map { PrintableText.escape($0) } }
  /// Who made the device, escaped.
  public var manufacturer: String? { attribute(0x1021).map { PrintableText.escape($0) } }
  /// The name of the model, escaped.
  public var modelName: String? { attribute(0x1023).map { PrintableText.escape($0) } }
  /// The number of the model, escaped.
  public var modelNumber: String? { attribute(0x1024).map { PrintableText.escape($0) } }
  /// The serial number, escaped.
  public var serialNumber: String? { attribute(0x1042).map { PrintableText.escape($0) } }

  public func describe(into fields: inout FieldWriter) {
    let (attributes, trailing) = split()
    Part(attributes: attributes, continuedOctets: 0, trailing: trailing).describe(into: &fields)
  }

  /// What one of several elements holds of the attributes that they hold together.
  struct Part: Describable {
    /// The attributes that start in this element, whole even where they end in a later one.
    var attributes: [Attribute]
    /// The bytes at its start that belong to an attribute that started in an earlier element.
    var continuedOctets: Int
    /// The bytes behind the last attribute.
    var trailing: ArraySlice<UInt8>

    func describe(into fields: inout FieldWriter) {
      if continuedOctets > 0 { fields.field("continuedOctets", continuedOctets) }
      fields.objects("attributes", attributes) { $1.describe(into: &$0) }
      fields.fieldIfPresent("trailingHex", hex: Array(trailing))
    }
  }

  /// What each of the elements of one frame holds, where an attribute runs on from one to the next
  /// (Wi-Fi Simple Configuration 2.0.8, 8.1: what is too long for one element is cut anywhere, and read joined).
  ///
  /// - Returns: `nil` where no attribute runs on, or the bytes joined are no attributes: then each element is read by
  ///   itself.
  static func joined(_ elements: [WPS]) -> [Part]? {
    guard elements.count > 1, elements.dropLast().contains(where: { !$0.split().trailing.isEmpty }) else { return nil }
    let whole = WPS(bytes: elements.flatMap(\.bytes))
    let (attributes, trailing) = whole.split()
    guard trailing.isEmpty else { return nil }
    var parts: [Part] = []
    var rest = attributes[...]
    var end = 0
    for element in elements {
      let start = end
      end += element.bytes.count
      // A body starts four bytes behind its attribute.
      let own = rest.prefix { $0.body.startIndex - 4 < end }
      rest = rest.dropFirst(own.count)
      let first = own.first.map { $0.body.startIndex - 4 } ?? end
      parts.append(Part(attributes: Array(own), continuedOctets: first - start, trailing: []))
    }
    return parts
  }
}

extension WPS.Attribute: Describable {
  /// The name in table 28 of the specification, or `nil` for one that is not known.
  public var name: StaticString? { Self.names[type] }

  private static let names: NumberNames = [
    0x1008: "configMethods", 0x1011: "deviceName", 0x1012: "devicePasswordID", 0x1021: "manufacturer",
    0x1023: "modelName", 0x1024: "modelNumber", 0x103A: "requestType", 0x103B: "responseType", 0x103C: "rfBands",
    0x1041: "selectedRegistrar", 0x1042: "serialNumber", 0x1044: "wifiProtectedSetupState", 0x1047: "uuidE",
    0x1048: "uuidR", 0x1049: "vendorExtension", 0x104A: "version", 0x1002: "associationState",
    0x1009: "configurationError", 0x1053: "selectedRegistrarConfigMethods", 0x1054: "primaryDeviceType",
    0x1055: "secondaryDeviceTypeList", 0x1057: "apSetupLocked", 0x106A: "requestedDeviceType",
  ]

  static let configMethodNames: NumberNames = [
    0: "usb", 1: "ethernet", 2: "label", 3: "display", 4: "externalNFCToken", 5: "integratedNFCToken",
    6: "nfcInterface", 7: "pushButton", 8: "keypad", 9: "virtualPushButton", 10: "physicalPushButton",
    13: "virtualDisplay", 14: "physicalDisplay",
  ]
  private static let passwordNames: NumberNames = [
    0: "default", 1: "userSpecified", 2: "machineSpecified", 3: "rekey", 4: "pushButton", 5: "registrarSpecified",
    6: "ibssWithWiFiProtectedSetup", 7: "nfcConnectionHandover", 8: "wifiDirectServices",
  ]
  static let bandNames: NumberNames = [0: "2.4 GHz", 1: "5 GHz", 2: "60 GHz"]

  private var number: UInt64 { body.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }

  public func describe(into fields: inout FieldWriter) {
    fields.field("type", hexNumber: type)
    if let name { fields.field("name", plain: name) }
    describeValue(into: &fields)
    fields.field("bodyHex", hex: body)
  }

  private func describeValue(into fields: inout FieldWriter) {
    switch (type, body.count) {
    case (0x1011, _), (0x1021, _), (0x1023, _), (0x1024, _), (0x1042, _):
      fields.field("value", PrintableText.escape(body))
    case (0x104A, 1...):
      let version = body[body.startIndex]
      fields.field("value", "\(version >> 4).\(version & 0xF)")
    case (0x1008, 2), (0x1053, 2):
      fields.flags("value", "valueHex", UInt16(truncatingIfNeeded: number), Self.configMethodNames)
    case (0x103C, 1): fields.flags("value", "valueHex", UInt8(truncatingIfNeeded: number), Self.bandNames)
    case (0x1041, 1), (0x1057, 1): fields.field("value", number != 0)
    case (0x1044, 1): fields.field("value", number, named: [1: "notConfigured", 2: "configured"])
    case (0x103B, 1):
      fields.field("value", number, named: [0: "enrolleeInfoOnly", 1: "enrollee8021X", 2: "registrar", 3: "ap"])
    case (0x103A, 1):
      fields.field(
        "value", number, named: [0: "enrolleeInfoOnly", 1: "enrollee8021X", 2: "registrar", 3: "wlanManagerRegistrar"])
    case (0x1012, 2):
      fields.field("value", number, named: Self.passwordNames)
      fields.field("number", number)
    case (0x1047, 16), (0x1048, 16): fields.field("value", uuid)
    case (0x1054, 8): fields.field("value", deviceType(body))
    case (0x1049, 3...): describeExtension(into: &fields)
    default: break
    }
  }

  private var uuid: String {
    var text = ""
    for (index, byte) in body.enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += Hex.string([byte])
    }
    return text
  }

  /// A vendor extension; the Wi-Fi Alliance's, 00-37-2A, has subelements.
  private func describeExtension(into fields: inout FieldWriter) {
    let vendor = body.prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    fields.field("vendor", ouiText(vendor))
    guard vendor == 0x00372A else { return }
    let bytes = Array(body.dropFirst(3))
    fields.objects("subelements", ElementWalk(bytes, fragmentID: nil)) { fields, header in
      let content = bytes[header.body]
      fields.field("id", header.id)
      if let name = Self.subelementNames[header.id] { fields.field("name", plain: name) }
      if header.id == 0, let version = content.first { fields.field("value", "\(version >> 4).\(version & 0xF)") }
      fields.field("bodyHex", hex: content)
    }
  }

  private static let subelementNames: NumberNames = [
    0: "version2", 1: "authorizedMACs", 2: "networkKeyShareable", 3: "requestToEnroll", 4: "settingsDelayTime",
    5: "registrarConfigurationMethods", 6: "multiAP", 7: "multiAPProfile", 8: "multiAP8021QSettings",
  ]
}

/// A device type as Wi-Fi Simple Configuration writes it: category, OUI with type, subcategory, such as `6-0050f204-1`.
func deviceType(_ bytes: ArraySlice<UInt8>) -> String {
  let category = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
  let subcategory = bytes.dropFirst(6).prefix(2).reduce(0) { $0 << 8 | Int($1) }
  return "\(category)-\(Hex.string(bytes.dropFirst(2).prefix(4)))-\(subcategory)"
}
