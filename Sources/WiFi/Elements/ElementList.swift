/// The information elements of one frame, decoded, with everything that could not be.
///
/// `ElementList(parsing: bytes).encoded` gives `bytes` back, whatever they were: malformed and unknown elements
/// keep their bytes, and so does a last element that was cut off.
public struct ElementList: Hashable, Sendable {
  /// The elements in the order they were sent.
  public var elements: [Element]

  /// What could not be read, in order.
  public var complaints: [Complaint]

  /// Bytes at the end that form no whole element.
  public var trailing: [UInt8]

  /// A list of elements that were made here.
  public init(_ values: [ElementValue] = []) {
    elements = []
    complaints = []
    trailing = []
    for value in values { append(value) }
  }

  /// Adds an element at the end.
  public mutating func append(_ value: ElementValue) {
    var element = Element(id: value.id, offset: elements.last?.range.upperBound ?? 0, size: 0, value: value)
    element.size = ByteWriter.bytes(element.encode).count
    elements.append(element)
  }

  /// Decodes every element of `bytes`.
  ///
  /// Never fails: see ``complaints``. Costs one allocation for the list, and one for each element that has a list of
  /// its own.
  public init(parsing bytes: [UInt8]) {
    self.init(parsing: bytes, in: 0..<bytes.count)
  }

  /// Decodes every element in `range` of `bytes`; offsets are from the start of `bytes`.
  public init(parsing bytes: [UInt8], in range: Range<Int>) {
    elements = []
    complaints = []
    trailing = []
    elements.reserveCapacity(24)
    var walk = ElementWalk(bytes, in: range)
    var cursor = ByteCursor(bytes)
    while let header = walk.next() { append(header, &cursor) }
    if let rest = walk.rest {
      trailing = Array(bytes[rest])
      let declared = rest.count > 1 ? Int(bytes[rest.lowerBound + 1]) : 0
      complaints.append(
        Complaint(
          offset: rest.lowerBound, element: ElementID(bytes[rest.lowerBound]), declared: declared,
          available: max(rest.count - 2, 0),
          reason: .truncated(needed: max(declared + 2, 2), available: rest.count)))
    }
  }

  /// Decodes the elements of a profile within a frame.
  ///
  /// An element of `excluded`, which no profile of its kind may hold, keeps its bytes and is reported: profiles
  /// within profiles would go on for as long as there are bytes.
  init(profile bytes: [UInt8], excluding excluded: [ElementID]) {
    self.init(parsing: bytes)
    var added: [Complaint] = []
    for index in elements.indices where excluded.contains(elements[index].id) {
      if case .malformed = elements[index].value { continue }
      let body = ByteWriter.bytes(elements[index].value.encode)
      let reason = WireError.Reason.invalid("an element that no profile of its kind holds")
      let element = elements[index]
      added.append(
        Complaint(
          offset: element.offset, element: element.id, declared: Int(bytes[element.offset + 1]), available: body.count,
          reason: reason))
      elements[index].value = .malformed(element.id, body, reason)
    }
    if !added.isEmpty { complaints = (complaints + added).sorted { $0.offset < $1.offset } }
  }

  /// Decodes one element; `whole` is a cursor of the whole buffer, wherever it stands.
  private mutating func append(_ header: ElementHeader, _ whole: inout ByteCursor) {
    var id = ElementID(header.id)
    let bodyStart = header.offset + 2
    let size = header.size + header.fragmentsSize
    if header.id == 255 {
      guard header.length > 0 else {
        let reason = WireError.Reason.truncated(needed: 1, available: 0)
        elements.append(Element(id: id, offset: header.offset, size: size, value: .malformed(id, [], reason)))
        complaints.append(Complaint(offset: bodyStart, element: id, declared: 0, available: 0, reason: reason))
        return
      }
      id = ElementID(extension: whole.bytes[bodyStart])
    }
    let skip = header.id == 255 ? 1 : 0
    do throws(WireError) {
      if header.fragmentsSize == 0 {
        whole.turn(to: bodyStart + skip..<header.offset + header.size)
        elements.append(Element(id: id, offset: header.offset, size: size, value: try ElementValue(id: id, parsing: &whole)))
      } else {
        let body = header.defragmentedBody(of: whole.bytes)
        var cursor = ByteCursor(body, in: skip..<body.count)
        elements.append(Element(id: id, offset: header.offset, size: size, value: try ElementValue(id: id, parsing: &cursor)))
      }
    } catch {
      let body = header.defragmentedBody(of: whole.bytes)
      let raw = ElementValue.malformed(id, Array(body.dropFirst(skip)), error.reason)
      elements.append(Element(id: id, offset: header.offset, size: size, value: raw))
      complaints.append(
        Complaint(
          offset: header.fragmentsSize == 0 ? error.offset : bodyStart + error.offset, element: id,
          declared: header.length, available: body.count, reason: error.reason))
    }
  }

  /// The body of the first element `id`, as it is sent, or `nil` where there is none.
  ///
  /// Costs one or two allocations; for an element that has a type of its own, take its case of ``ElementValue``.
  public func body(of id: ElementID) -> [UInt8]? {
    guard let element = elements.first(where: { $0.id == id }) else { return nil }
    return ByteWriter.bytes(element.value.encode)
  }

  /// The bytes of all elements and of what was left over.
  public var encoded: [UInt8] {
    var writer = ByteWriter(capacity: elements.last?.range.upperBound ?? 0)
    for element in elements { element.encode(into: &writer) }
    writer.write(trailing)
    return writer.bytes
  }
}
