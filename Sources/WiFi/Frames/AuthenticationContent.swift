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
    if let name = Self.algorithmNames[algorithm] { fields.field("algorithmName", plain: name) }
    fields.field("transaction", transaction)
    fields.status(status)
    switch (algorithm, transaction) {
    // Open System, Shared Key, Fast BSS Transition, and FILS without perfect forward secrecy.
    case (0...2, _), (4, _): return cursor.position..<cursor.end
    case (3, 1): return try describeCommit(&cursor, status: status, into: &fields)
    case (3, 2):
      if cursor.remaining >= 2 { fields.field("sendConfirm", try cursor.readUInt16()) }
      if cursor.remaining >= 32 { fields.field("confirmHex", hex: try cursor.readBytes(32)) }
      return cursor.position..<cursor.end
    default: return nil
    }
  }

  /// An SAE commit: group, token, scalar, element (IEEE 802.11-2020 12.4.7.4); a refusal may end behind the group.
  ///
  /// Without hash-to-element a token has no length of its own: it is what the sizes of the group leave.
  private static func describeCommit(
    _ cursor: inout ByteCursor, status: UInt16, into fields: inout FieldWriter
  ) throws(WireError) -> Range<Int>? {
    if cursor.isAtEnd { return nil }
    let group = try cursor.readUInt16()
    fields.field("group", group)
    // 76: a token is asked for.
    if status == 76 {
      fields.fieldIfPresent("antiCloggingTokenHex", hex: cursor.readRemaining())
      return nil
    }
    guard let (scalar, element) = commitSizes(group: group), cursor.remaining >= scalar + element else { return nil }
    let usesHashToElement = status == 126 || status == 127
    let behind = cursor.remaining - scalar - element
    if !usesHashToElement { fields.fieldIfPresent("antiCloggingTokenHex", hex: try cursor.readBytes(behind)) }
    fields.field("scalarHex", hex: try cursor.readBytes(scalar))
    fields.field("elementHex", hex: try cursor.readBytes(element))
    return cursor.position..<cursor.end
  }

  /// Bytes of a scalar and of an element of a group (IANA, “Group Description”; RFC 3526, RFC 5903, RFC 6932).
  private static func commitSizes(group: UInt16) -> (scalar: Int, element: Int)? {
    switch group {
    case 19, 28: (32, 64)
    case 20, 29: (48, 96)
    case 21: (66, 132)
    case 25: (24, 48)
    case 26, 27: (28, 56)
    case 30: (64, 128)
    case 14: (256, 256)
    case 15: (384, 384)
    case 16: (512, 512)
    default: nil
    }
  }

  /// The authentication algorithms (IEEE 802.11-2020 9.4.1.1).
  private static let algorithmNames: NumberNames = [
    0: "Open System", 1: "Shared Key", 2: "Fast BSS Transition", 3: "SAE", 4: "FILS Shared Key",
    5: "FILS Shared Key with PFS", 6: "FILS Public Key", 7: "PASN",
  ]
}
