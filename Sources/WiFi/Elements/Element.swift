/// One information element of a frame: where it stood, and what it says.
public struct Element: Hashable, Sendable {
  /// Its number.
  public var id: ElementID

  /// The offset of its Element ID octet, from the start of the list of elements.
  public var offset: Int

  /// The number of octets it takes in the list: its header, its body and the fragments that continue it.
  public var size: Int

  /// What it says.
  public var value: ElementValue

  /// The octets it takes in the list, as a range of offsets.
  public var range: Range<Int> { offset..<offset + size }

  /// Makes an element that stands at `offset` and takes `size` octets.
  public init(id: ElementID, offset: Int, size: Int, value: ElementValue) {
    self.id = id
    self.offset = offset
    self.size = size
    self.value = value
  }

  /// Writes header and body, and Fragment elements (IEEE 802.11-2020 10.28.11) where the body is too long for one.
  public func encode(into writer: inout ByteWriter) {
    var body = ByteWriter(capacity: size)
    if let extensionID = id.extensionID { body.write(extensionID) }
    value.encode(into: &body)
    var rest = body.bytes[...]
    var elementID = id.id
    repeat {
      let chunk = rest.prefix(255)
      writer.write(elementID)
      writer.write(UInt8(chunk.count))
      writer.write(chunk)
      rest = rest.dropFirst(255)
      elementID = Fragment.elementID.id
    } while !rest.isEmpty
  }
}

/// Something that could not be read, and where it was.
public struct Complaint: Hashable, Sendable {
  /// Where reading stopped, in octets from the start of the list of elements.
  public var offset: Int
  /// The element it was in.
  public var element: ElementID
  /// The length that the element declares, in octets.
  public var declared: Int
  /// The octets that were there for it.
  public var available: Int
  /// What was wrong.
  public var reason: WireError.Reason

  /// Makes a complaint of its parts.
  public init(offset: Int, element: ElementID, declared: Int, available: Int, reason: WireError.Reason) {
    self.offset = offset
    self.element = element
    self.declared = declared
    self.available = available
    self.reason = reason
  }
}

extension Complaint: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("offset", offset)
    fields.field("element", element.description)
    fields.field("declared", declared)
    fields.field("available", available)
    fields.field("reason", WireError(offset: offset, reason: reason).description)
  }
}
