/// What was wrong with some bytes, and where.
public struct WireError: Error, Hashable, Sendable {
  /// Where reading stopped, in bytes from the start of the buffer that was being read.
  public var offset: Int

  /// What was wrong there.
  public var reason: Reason

  /// Describes a problem at `offset` bytes from the start of the buffer.
  public init(offset: Int, reason: Reason) {
    self.offset = offset
    self.reason = reason
  }

  /// The kinds of problem that bytes can have.
  public enum Reason: Hashable, Sendable {
    /// A field needs more bytes than its region has left.
    case truncated(needed: Int, available: Int)
    /// A region has a length, in bytes, that its definition does not allow.
    case length(declared: Int, allowed: ClosedRange<Int>)
    /// A field has a value that its definition does not allow; the sentence fragment says which.
    case invalid(String)
  }
}

extension WireError: CustomStringConvertible {
  /// One clause, such as `truncated at byte 12: 4 bytes needed, 2 available`.
  public var description: String {
    switch reason {
    case .truncated(let needed, let available):
      "truncated at byte \(offset): \(needed) bytes needed, \(available) available"
    case .length(let declared, let allowed) where allowed.upperBound == .max:
      "length \(declared) at byte \(offset): at least \(allowed.lowerBound) bytes needed"
    case .length(let declared, let allowed) where allowed.count == 1:
      "length \(declared) at byte \(offset): exactly \(allowed.lowerBound) bytes expected"
    case .length(let declared, let allowed):
      "length \(declared) at byte \(offset): \(allowed.lowerBound) to \(allowed.upperBound) bytes expected"
    case .invalid(let what):
      "\(what) at byte \(offset)"
    }
  }
}
