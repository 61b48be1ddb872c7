// What authentication, deauthentication and disassociation frames say before their elements.

extension FieldWriter {
  /// Writes a status and what it means.
  package mutating func status(_ status: UInt16) {
    field("statusCode", status)
    if let name = StatusCode.name(status) { field("status", name) }
  }

  /// Writes a reason and what it means.
  mutating func reason(_ reason: UInt16) {
    field("reasonCode", reason)
    if let name = ReasonCode.name(reason) { field("reason", name) }
  }
}

extension ManagementFrame.Body {
  /// Writes what a body that is kept as bytes says, and gives back where its elements are.
  ///
  /// Fields that are cut off are left out, and so is what is behind them.
  ///
  /// - Parameters:
  ///   - bytes: the frame.
  ///   - range: where the body is in it.
  /// - Returns: `nil` for a body without elements, or of which it is not known where they are.
  package func describeContent(into fields: inout FieldWriter, of bytes: [UInt8], in range: Range<Int>) -> Range<Int>? {
    var cursor = ByteCursor(bytes, in: range)
    do throws(WireError) {
      switch self {
      case .action, .other(subtype: 14, _): return try ActionContent.describe(&cursor, into: &fields)
      case .other(subtype: 11, _): return try Self.describeAuthentication(&cursor, into: &fields)
      case .other(subtype: 10, _), .other(subtype: 12, _):
        fields.reason(try cursor.readUInt16())
        return cursor.position..<cursor.end
      default: return nil
      }
    } catch {
      fields.field("truncation", "\(error)")
      return nil
    }
  }

  /// Authentication (IEEE 802.11-2020 9.3.3.11): algorithm, transaction, status, and what the algorithm needs.
  private static func describeAuthentication(_ cursor: inout ByteCursor, into fields: inout FieldWriter) throws(WireError) -> Range<Int>? {
    let algorithm = try cursor.readUInt16()
    let transaction = try cursor.readUInt16()
    let status = try cursor.readUInt16()
    fields.field("algorithm", algorithm)
    if let name = algorithmName(algorithm) { fields.field("algorithmName", plain: name) }
    fields.field("transaction", transaction)
    fields.status(status)
    switch (algorithm, transaction) {
    // Open System, Shared Key, Fast BSS Transition, and FILS without perfect forward secrecy.
    case (0...2, _), (4, _): return cursor.position..<cursor.end
    // SAE: the length of a commit is that of its group; a refusal may end behind it.
    case (3, 1):
      if cursor.remaining >= 2 { fields.field("group", try cursor.readUInt16()) }
      return nil
    case (3, 2):
      if cursor.remaining >= 2 { fields.field("sendConfirm", try cursor.readUInt16()) }
      if cursor.remaining >= 32 { fields.field("confirmHex", hex: try cursor.readBytes(32)) }
      return cursor.position..<cursor.end
    default: return nil
    }
  }

  /// The authentication algorithms (IEEE 802.11-2020 9.4.1.1).
  private static func algorithmName(_ algorithm: UInt16) -> StaticString? {
    switch algorithm {
    case 0: "Open System"
    case 1: "Shared Key"
    case 2: "Fast BSS Transition"
    case 3: "SAE"
    case 4: "FILS Shared Key"
    case 5: "FILS Shared Key with PFS"
    case 6: "FILS Public Key"
    case 7: "PASN"
    default: nil
    }
  }
}
