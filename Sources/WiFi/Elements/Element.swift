/// One information element of a frame: where it stood, and what it says.
public struct Element: Hashable, Sendable {
  /// Its number.
  public var id: ElementID

  /// The offset of its Element ID byte, from the start of the list of elements.
  public var offset: Int

  /// The number of bytes it takes in the list: its header, its body and the fragments that continue it.
  public var size: Int

  /// What it says.
  public var value: ElementValue

  /// The bytes it takes in the list, as a range of offsets.
  public var range: Range<Int> { offset..<offset + size }

  /// Makes an element that stands at `offset` and takes `size` bytes.
  public init(id: ElementID, offset: Int, size: Int, value: ElementValue) {
    self.id = id
    self.offset = offset
    self.size = size
    self.value = value
  }

  /// Writes header and body, and Fragment elements (IEEE 802.11-2020 10.28.11) where the body is too long for one.
  public func encode(into writer: inout ByteWriter) {
    let start = writer.count
    writer.write(id.id)
    writer.write(0 as UInt8)
    // Two bytes have no room for the Element ID Extension: 255 with no length came in so, and goes out so.
    if let extensionID = id.extensionID, size != 2 { writer.write(extensionID) }
    value.encode(into: &writer)
    if let length = UInt8(exactly: writer.count - start - 2) { return writer.patch(length, at: start + 1) }
    let body = Array(writer.bytes[(start + 2)...])
    writer.cut(to: start)
    ElementFragments.write(body, id: id.id, fragmentID: Fragment.elementID.id, into: &writer)
  }
}

/// Splits what is too long for one element.
enum ElementFragments {
  /// Writes `body` as one element and, for every 255 bytes that do not fit, a fragment of it.
  static func write(_ body: [UInt8], id: UInt8, fragmentID: UInt8, into writer: inout ByteWriter) {
    var rest = body[...]
    var elementID = id
    repeat {
      let chunk = rest.prefix(255)
      writer.write(elementID)
      writer.write(UInt8(chunk.count))
      writer.write(chunk)
      rest = rest.dropFirst(255)
      elementID = fragmentID
    } while !rest.isEmpty
  }
}

extension Element {
  /// Writes the fields, with the bytes as they stand in `bytes`.
  ///
  /// - Parameters:
  ///   - bytes: what the element was read from; offsets are from its start.
  ///   - he: the HE capabilities of the same station, without which its EHT capabilities are incomplete.
  ///   - band: the band of the station, for the same reason; without it, the HE capabilities say which it is. Below 1
  ///     GHz a TIM is another one.
  ///   - isAccessPoint: whether the station is an access point.
  ///   - part: what a WPS element holds of the attributes that several hold together.
  ///   - origin: where `bytes` start in what offsets are written from.
  func describe(
    into fields: inout FieldWriter, of bytes: [UInt8], he: HECapabilities?, band: Band?, isAccessPoint: Bool, part: WPS.Part? = nil,
    origin: Int = 0
  ) {
    // What EHT capabilities say depends on other elements, too, a part of WPS on where it stands, and whether an
    // element is malformed on the profile that holds it.
    if part == nil, fields.remembersElements, !isEHTCapabilities, !isMalformed, band != .s1g {
      return fields.write(bytes[range.clamped(to: 0..<bytes.count)], offset: origin + offset) {
        describeBeforeOffset(into: &$0)
      } tail: {
        describeBehindOffset(into: &$0, of: bytes, he: he, band: band, isAccessPoint: isAccessPoint, part: nil)
      }
    }
    describeBeforeOffset(into: &fields)
    fields.field("offset", origin + offset)
    describeBehindOffset(into: &fields, of: bytes, he: he, band: band, isAccessPoint: isAccessPoint, part: part)
  }

  private var isMalformed: Bool { if case .malformed = value { true } else { false } }

  private var isEHTCapabilities: Bool { if case .ehtCapabilities = value { true } else { false } }

  /// Writes the fields in front of the offset: number and name.
  func describeBeforeOffset(into fields: inout FieldWriter) {
    fields.field("id", id.id)
    fields.fieldIfPresent("extension", id.extensionID)
    if let name = value.plainName { fields.field("name", plain: name) } else { fields.field("name", value.name) }
  }

  private func describeBehindOffset(
    into fields: inout FieldWriter, of bytes: [UInt8], he: HECapabilities?, band: Band?, isAccessPoint: Bool, part: WPS.Part?
  ) {
    fields.field("length", offset + 1 < bytes.count ? Int(bytes[offset + 1]) : 0)
    fields.field("hex", hex: bytes[range.clamped(to: 0..<bytes.count)].dropFirst(2))
    if let part {
      fields.object("value") { part.describe(into: &$0) }
      return
    }
    guard let body = value.body else { return }
    fields.object("value") { fields in
      if band == .s1g, case .tim(let tim) = value { return tim.describe(isS1G: true, into: &fields) }
      body.describe(into: &fields)
      if case .ehtCapabilities(let eht) = value, let he, let band = band ?? eht.band(he: he) {
        eht.describe(he: he, band: band, isAccessPoint: isAccessPoint, into: &fields)
      }
    }
  }
}

extension ElementList {
  /// Where the elements of a beacon or a probe response start in the frame: behind its header and its fixed fields.
  static let offsetInBeacon = 36

  /// Writes `elements` and `complaints`; every element with its bytes as they stand in `bytes`.
  ///
  /// - Parameters:
  ///   - band: the band of the station; without it, that of its HE capabilities counts for those of EHT.
  ///   - isAccessPoint: whether the station is an access point.
  ///   - origin: where `bytes` start in what offsets are written from, such as 36 for those of a beacon.
  public func describe(
    into fields: inout FieldWriter, of bytes: [UInt8], band: Band? = nil, isAccessPoint: Bool = true, origin: Int = 0
  ) {
    var he: HECapabilities?
    var wps: [WPS] = []
    for element in elements {
      switch element.value {
      case .heCapabilities(let value): he = value
      case .wps(let value): wps.append(value)
      default: break
      }
    }
    var parts = (WPS.joined(wps) ?? [])[...]
    fields.array("elements", elements) { fields, element in
      var part: WPS.Part?
      if case .wps = element.value { part = parts.popFirst() }
      fields.object { element.describe(into: &$0, of: bytes, he: he, band: band, isAccessPoint: isAccessPoint, part: part, origin: origin) }
    }
    fields.objects("complaints", complaints) { $1.at(origin).describe(into: &$0) }
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}

/// Something that could not be read, and where it was.
public struct Complaint: Hashable, Sendable {
  /// Where reading stopped, in bytes from the start of the list of elements.
  public var offset: Int
  /// The element it was in.
  public var element: ElementID
  /// The length that the element declares, in bytes.
  public var declared: Int
  /// The bytes that were there for it.
  public var available: Int
  /// What was wrong.
  public var reason: WireError.Reason

  /// Makes a complaint from its parts.
  public init(offset: Int, element: ElementID, declared: Int, available: Int, reason: WireError.Reason) {
    self.offset = offset
    self.element = element
    self.declared = declared
    self.available = available
    self.reason = reason
  }
}

extension Complaint: Describable {
  /// The same, counted from `origin` bytes in front of the list.
  fileprivate func at(_ origin: Int) -> Complaint {
    var moved = self
    moved.offset += origin
    return moved
  }

  public func describe(into fields: inout FieldWriter) {
    fields.field("offset", offset)
    fields.field("element", element.description)
    fields.field("declared", declared)
    fields.field("available", available)
    fields.field("reason", WireError(offset: offset, reason: reason).description)
  }
}
