/// Bytes that are appended a token at a time.
///
/// The memory is kept filled beyond what was written, so that a token costs one look at the room that is left and then
/// goes straight to memory; `Array.append` looks again for every piece of it.
struct TextBuffer: Sendable {
  private var memory: [UInt8] = []

  /// The number of bytes written so far.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The bytes written so far.
  ///
  /// Costs a copy of them.
  var bytes: [UInt8] { Array(memory[..<count]) }

  /// Some of the bytes written so far.
  ///
  /// Costs no copy while nothing is written.
  subscript(range: Range<Int>) -> ArraySlice<UInt8> { memory[range] }

  /// Hands over the bytes without a copy, and starts again.
  mutating func take() -> [UInt8] {
    memory.removeLast(memory.count - count)
    count = 0
    defer { memory = [] }
    return memory
  }

  /// Forgets the bytes and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// Lets `body` write at most `capacity` bytes and say how many they were.
  @inline(__always)
  private mutating func write(atMost capacity: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
    if memory.count - count < capacity { grow(capacity) }
    let start = count
    count += unsafe memory.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return 0 }
      return unsafe body(base + start)
    }
    assert(count - start <= capacity)
  }

  @inline(never)
  private mutating func grow(_ capacity: Int) {
    let grown = memory.count + max(capacity, memory.count, 1024)
    // As a whole, where appending a repeated element does it one by one in a build for size.
    memory = unsafe [UInt8](unsafeUninitializedCapacity: grown) { new, initialized in
      let copied = unsafe new.initialize(fromContentsOf: memory)
      unsafe new[copied..<grown].initialize(repeating: 0)
      initialized = grown
    }
  }

  mutating func append(_ byte: UInt8) {
    unsafe write(atMost: 1) {
      unsafe $0[0] = byte
      return 1
    }
  }

  mutating func append(_ text: StaticString) {
    unsafe write(atMost: text.utf8CodeUnitCount) { unsafe Self.copy(text, to: $0) }
  }

  /// Appends the bytes that are at `first`, if any, then the text, then what closes it.
  @inline(__always)
  mutating func append(_ first: UInt8?, quoted text: StaticString, then last: UInt8, isSpaced: Bool) {
    unsafe write(atMost: text.utf8CodeUnitCount + 5) { memory in
      var at = 0
      if let first {
        unsafe memory[0] = first
        at = 1
      }
      unsafe memory[at] = 0x22
      at += 1
      at += unsafe Self.copy(text, to: memory + at)
      unsafe memory[at] = 0x22
      unsafe memory[at + 1] = last
      at += 2
      if isSpaced {
        unsafe memory[at] = 0x20
        at += 1
      }
      return at
    }
  }

  mutating func append(contentsOf bytes: UnsafeBufferPointer<UInt8>) {
    unsafe write(atMost: bytes.count) { memory in
      if let base = bytes.baseAddress { unsafe memory.update(from: base, count: bytes.count) }
      return bytes.count
    }
  }

  mutating func append(contentsOf text: String) {
    var text = text
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }

  /// Appends a number in decimal.
  mutating func append(decimal value: UInt64) {
    unsafe write(atMost: 20) { memory in
      var digits = 1
      var limit: UInt64 = 10
      while digits < 20, value >= limit {
        digits += 1
        limit = digits < 20 ? limit * 10 : limit
      }
      var rest = value
      for index in stride(from: digits - 1, through: 0, by: -1) {
        unsafe memory[index] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      }
      return digits
    }
  }

  /// Appends two lower-case hexadecimal digits for each byte.
  mutating func append(hex bytes: UnsafeBufferPointer<UInt8>) {
    unsafe write(atMost: 2 * bytes.count) { memory in
      var at = 0
      for index in bytes.indices {
        let byte = unsafe bytes[index]
        unsafe memory[at] = Hex.digit(byte >> 4)
        unsafe memory[at + 1] = Hex.digit(byte & 15)
        at += 2
      }
      return at
    }
  }

  @inline(__always)
  private static func copy(_ text: StaticString, to memory: UnsafeMutablePointer<UInt8>) -> Int {
    guard text.hasPointerRepresentation else { return 0 }
    unsafe memory.update(from: text.utf8Start, count: text.utf8CodeUnitCount)
    return text.utf8CodeUnitCount
  }
}
