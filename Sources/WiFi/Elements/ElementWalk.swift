/// Where one element is, before anything of it was decoded.
@frozen
public struct ElementHeader: Hashable, Sendable {
  /// The Element ID.
  public var id: UInt8
  /// The declared length of the body, in bytes; all of it is there.
  public var length: Int
  /// The offset of the Element ID byte.
  public var offset: Int
  /// The bytes of the Fragment elements that continue this one; zero when it is whole.
  public var fragmentsSize: Int

  @inlinable
  init(id: UInt8, length: Int, offset: Int) {
    self.id = id
    self.length = length
    self.offset = offset
    fragmentsSize = 0
  }

  /// The bytes of header and body, without fragments.
  @inlinable
  public var size: Int { 2 + length }

  /// The offsets of the body, without fragments.
  @inlinable
  public var body: Range<Int> { offset + 2..<offset + 2 + length }

  /// The body with the bodies of its fragments behind it.
  ///
  /// Costs one allocation.
  public func defragmentedBody(of bytes: [UInt8]) -> [UInt8] {
    var result = Array(bytes[body])
    var at = offset + size
    let end = at + fragmentsSize
    while at < end {
      let length = Int(bytes[at + 1])
      result.append(contentsOf: bytes[at + 2..<at + 2 + length])
      at += 2 + length
    }
    return result
  }
}

/// Goes through a list of elements without decoding them.
///
/// Allocates nothing.
/// An element of 255 bytes that is followed by Fragment elements (242) is one element
/// (IEEE 802.11-2020 10.28.11 and 10.28.12): its header counts them in ``ElementHeader/fragmentsSize``. Subelements are
/// laid out in the same way, but the number of their fragments differs, and some have none.
///
/// Inlined into its callers, since a call for each element would cost as much as the walk.
@frozen
public struct ElementWalk: Sequence, IteratorProtocol, Sendable {
  @usableFromInline let bytes: [UInt8]
  @usableFromInline var position: Int
  @usableFromInline let end: Int
  @usableFromInline let fragmentID: UInt8?

  /// The offsets of what is left at the end and is no whole element, or `nil` where nothing is left; known once
  /// ``next()`` returned `nil`.
  public var rest: Range<Int>? { restStart.map { $0..<end } }

  @usableFromInline var restStart: Int?

  /// Goes through `range` of `bytes`.
  ///
  /// - Parameter fragmentID: the number of the elements that continue one of 255 bytes, or `nil` where none does.
  /// - Precondition: `range` lies within `bytes`.
  @inlinable
  public init(_ bytes: [UInt8], in range: Range<Int>, fragmentID: UInt8? = 242) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "region outside the buffer")
    self.bytes = bytes
    self.fragmentID = fragmentID
    position = range.lowerBound
    end = range.upperBound
  }

  /// Goes through all of `bytes`.
  ///
  /// - Parameter fragmentID: the number of the elements that continue one of 255 bytes, or `nil` where none does.
  @inlinable
  public init(_ bytes: [UInt8], fragmentID: UInt8? = 242) {
    self.init(bytes, in: 0..<bytes.count, fragmentID: fragmentID)
  }

  /// The next element, or `nil` when none is left whole.
  @inlinable
  public mutating func next() -> ElementHeader? {
    // `position <= end <= bytes.count` holds from the start on, so two bytes that are available are in the buffer, and
    // no sum is more than `end`. Without further checks the walk waits for nothing but the length.
    let available = end &- position &- 2
    guard available >= 0 else {
      stop()
      return nil
    }
    let length = unsafe Int(bytes.span[unchecked: position &+ 1])
    guard length <= available else {
      stop()
      return nil
    }
    var header = unsafe ElementHeader(id: bytes.span[unchecked: position], length: length, offset: position)
    position = position &+ length &+ 2
    if length == 255 {
      header.fragmentsSize = Self.sizeOfFragments(bytes, position..<end, fragmentID)
      position += header.fragmentsSize
    }
    return header
  }

  @inlinable
  mutating func stop() {
    if position < end { restStart = position }
    position = end
  }

  /// The bytes of the Fragment elements that `range` starts with: all of 255 bytes but the last, which ends the run.
  ///
  /// One of no bytes continues nothing and is left to be an element of its own, so that encoding gives it back.
  @usableFromInline
  static func sizeOfFragments(_ bytes: [UInt8], _ range: Range<Int>, _ fragmentID: UInt8?) -> Int {
    var position = range.lowerBound
    while position + 2 <= range.upperBound, bytes[position] == fragmentID {
      let length = Int(bytes[position + 1])
      guard length > 0, position + 2 + length <= range.upperBound else { break }
      position += 2 + length
      if length < 255 { break }
    }
    return position - range.lowerBound
  }
}
