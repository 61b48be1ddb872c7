/// The fields that RSN, WPA and OSEN elements share, each of which may be left out with all that follow
/// (IEEE 802.11-2020 9.4.2.24.1).
///
/// 48 bytes; allocates only for PMKIDs, for more than four suites and for bytes behind the fields.
public struct SecuritySuites: Hashable, Sendable {
  /// The optional fields in their order.
  public enum Field: UInt8, Hashable, Sendable, Comparable {
    /// None of the optional fields.
    case none
    /// Group Data Cipher Suite.
    case groupCipher
    /// Pairwise Cipher Suite Count and List.
    case pairwiseCiphers
    /// AKM Suite Count and List.
    case akms
    /// RSN Capabilities.
    case capabilities
    /// PMKID Count and List.
    case pmkids
    /// Group Management Cipher Suite.
    case groupManagementCipher

    /// Orders fields as they are sent.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// The pairwise ciphers that are listed.
  public private(set) var pairwiseCiphers: SuiteList<CipherSuite> = []
  /// The last optional field that is there.
  public private(set) var lastField = Field.none
  /// The key managements that are listed.
  public private(set) var akms: SuiteList<AKMSuite> = []
  private var hasVersion = true
  /// The version, 1; OSEN has none.
  public private(set) var version: UInt16 = 1
  /// The RSN Capabilities field.
  public private(set) var capabilities = RSNCapabilities(rawValue: 0)
  /// The number of PMKIDs.
  public private(set) var pmkidCount: UInt16 = 0
  /// The group cipher, where it is there.
  public private(set) var groupCipher = CipherSuite(selector: 0)
  /// The cipher of group-addressed management frames, where it is there.
  public private(set) var groupManagementCipher = CipherSuite(selector: 0)
  /// The PMKIDs and what is behind the fields.
  private var tail: [UInt8] = []

  /// Makes the fields up to `akms`, `capabilities` or, where it is given, `groupManagementCipher`.
  public init(
    version: UInt16? = 1, groupCipher: CipherSuite, pairwiseCiphers: SuiteList<CipherSuite>, akms: SuiteList<AKMSuite>,
    capabilities: RSNCapabilities?, groupManagementCipher: CipherSuite? = nil
  ) {
    hasVersion = version != nil
    self.version = version ?? 1
    self.groupCipher = groupCipher
    self.pairwiseCiphers = pairwiseCiphers
    self.akms = akms
    lastField = .akms
    if let capabilities {
      self.capabilities = capabilities
      lastField = .capabilities
    }
    if let groupManagementCipher {
      self.groupManagementCipher = groupManagementCipher
      lastField = .groupManagementCipher
    }
  }

  /// Reads what is left of the region.
  ///
  /// Bytes that are too few for the next field are kept and tolerated.
  /// - Throws: ``WireError`` where there is no version, or a count promises more than there is.
  init(parsing cursor: inout ByteCursor, hasVersion: Bool) throws(WireError) {
    self.hasVersion = hasVersion
    if hasVersion { version = try cursor.readUInt16() }
    try readSuites(&cursor)
    guard lastField == .akms, cursor.remaining >= 2 else {
      tail = cursor.readRemaining()
      return
    }
    capabilities = RSNCapabilities(rawValue: try cursor.readUInt16())
    lastField = .capabilities
    guard cursor.remaining >= 2 else {
      tail = cursor.readRemaining()
      return
    }
    pmkidCount = try cursor.readUInt16()
    let pmkids = try cursor.readBytes(16 * Int(pmkidCount))
    lastField = .pmkids
    if cursor.remaining >= 4 {
      groupManagementCipher = CipherSuite(selector: try cursor.readUInt32BigEndian())
      lastField = .groupManagementCipher
    }
    tail = cursor.readRemaining()
    if !pmkids.isEmpty { tail = pmkids + tail }
  }

  private mutating func readSuites(_ cursor: inout ByteCursor) throws(WireError) {
    guard cursor.remaining >= 4 else { return }
    groupCipher = CipherSuite(selector: try cursor.readUInt32BigEndian())
    lastField = .groupCipher
    guard cursor.remaining >= 2 else { return }
    let pairwiseCount = Int(try cursor.readUInt16())
    pairwiseCiphers = try SuiteList(parsing: &cursor, count: pairwiseCount)
    lastField = .pairwiseCiphers
    guard cursor.remaining >= 2 else { return }
    let akmCount = Int(try cursor.readUInt16())
    akms = try SuiteList(parsing: &cursor, count: akmCount)
    lastField = .akms
  }

  /// Writes the fields.
  func encode(into writer: inout ByteWriter) {
    if hasVersion { writer.write(version) }
    if lastField >= .groupCipher { writer.writeBigEndian(groupCipher.selector) }
    if lastField >= .pairwiseCiphers {
      writer.write(UInt16(clamping: pairwiseCiphers.count))
      pairwiseCiphers.encode(into: &writer)
    }
    if lastField >= .akms {
      writer.write(UInt16(clamping: akms.count))
      akms.encode(into: &writer)
    }
    if lastField >= .capabilities { writer.write(capabilities.rawValue) }
    if lastField >= .pmkids {
      writer.write(pmkidCount)
      writer.write(tail.prefix(pmkidsSize))
    }
    if lastField >= .groupManagementCipher { writer.writeBigEndian(groupManagementCipher.selector) }
    writer.write(tail.dropFirst(pmkidsSize))
  }

  private var pmkidsSize: Int { 16 * Int(pmkidCount) }

  /// The PMKIDs, 16 bytes each.
  public var pmkids: [[UInt8]] {
    (0..<Int(pmkidCount)).map { Array(tail.dropFirst(16 * $0).prefix(16)) }
  }

  /// Bytes behind the fields that are there.
  public var trailing: [UInt8] { Array(tail.dropFirst(pmkidsSize)) }

  /// Writes every field; what is left out has the value that the standard gives it then.
  func describe(into fields: inout FieldWriter, defaultCipher: CipherSuite, defaultAKM: AKMSuite) {
    if hasVersion { fields.field("version", version) }
    fields.field("groupCipher", (lastField >= .groupCipher ? groupCipher : defaultCipher).name)
    fields.field("pairwiseCiphers", lastField >= .pairwiseCiphers ? pairwiseCiphers.names : [defaultCipher.name])
    fields.field("akms", lastField >= .akms ? akms.names : [defaultAKM.name])
    if lastField >= .capabilities { capabilities.describe(into: &fields) }
    if lastField >= .pmkids {
      fields.field("pmkidCount", pmkidCount)
      if pmkidCount > 0 { fields.field("pmkidsHex", pmkids.map { Hex.string($0) }) }
    }
    if lastField >= .groupManagementCipher { fields.field("groupManagementCipher", groupManagementCipher.name) }
    fields.field("lastField", "\(lastField)")
    fields.fieldIfPresent("trailingHex", hex: trailing)
  }
}

/// The RSN Capabilities field, 16 bits (IEEE 802.11-2020 9.4.2.24.4).
public struct RSNCapabilities: Hashable, Sendable, Describable {
  /// The field as it is on the air, reserved bits included.
  public var rawValue: UInt16

  /// Makes the field of its bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Whether frames of management must be protected (MFPR, B6).
  public var requiresManagementFrameProtection: Bool { rawValue & 0x40 != 0 }

  /// Whether frames of management can be protected (MFPC, B7).
  public var supportsManagementFrameProtection: Bool { rawValue & 0x80 != 0 }

  /// Replay counters for each pairwise association, 1, 2, 4 or 16 (B2 and B3).
  public var ptksaReplayCounters: Int { Self.replayCounters(rawValue >> 2) }

  /// Replay counters for each group association, 1, 2, 4 or 16 (B4 and B5).
  public var gtksaReplayCounters: Int { Self.replayCounters(rawValue >> 4) }

  private static func replayCounters(_ code: UInt16) -> Int { [1, 2, 4, 16][code.bits(0, 2)] }

  static let names: NumberNames = [
    0: "preauthentication", 1: "noPairwise", 6: "managementFrameProtectionRequired",
    7: "managementFrameProtectionCapable", 8: "jointMultiBandRSNA", 9: "peerKeyEnabled", 10: "sppAMSDUCapable",
    11: "sppAMSDURequired", 12: "pbac", 13: "extendedKeyID", 14: "ocvc",
  ]

  public func describe(into fields: inout FieldWriter) {
    fields.flags("capabilities", "capabilitiesHex", rawValue, Self.names)
    fields.field("ptksaReplayCounters", ptksaReplayCounters)
    fields.field("gtksaReplayCounters", gtksaReplayCounters)
  }
}

/// An element that says which ciphers and key managements a network has: RSN, WPA and OSEN.
public protocol SecurityElement: ElementBody {
  /// The fields that those elements share.
  var suites: SecuritySuites { get }

  /// The group and pairwise cipher where the field is left out.
  static var defaultCipher: CipherSuite { get }

  /// The key management where the field is left out.
  static var defaultAKM: AKMSuite { get }
}

extension SecurityElement {
  /// What protects frames to groups.
  public var groupCipher: CipherSuite { suites.lastField >= .groupCipher ? suites.groupCipher : Self.defaultCipher }

  /// What can protect frames to one station.
  public var pairwiseCiphers: SuiteList<CipherSuite> {
    suites.lastField >= .pairwiseCiphers ? suites.pairwiseCiphers : [Self.defaultCipher]
  }

  /// How a station can prove who it is.
  public var akms: SuiteList<AKMSuite> { suites.lastField >= .akms ? suites.akms : [Self.defaultAKM] }

  /// The capabilities, all clear where the field is left out.
  public var capabilities: RSNCapabilities { suites.capabilities }

  /// What protects management frames to groups, or `nil` where the field is left out.
  public var groupManagementCipher: CipherSuite? {
    suites.lastField >= .groupManagementCipher ? suites.groupManagementCipher : nil
  }

  public func describe(into fields: inout FieldWriter) {
    suites.describe(into: &fields, defaultCipher: Self.defaultCipher, defaultAKM: Self.defaultAKM)
  }
}
