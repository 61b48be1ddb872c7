/// How a network is secured, as far as joining it is concerned.
public enum JoinSecurity: String, Hashable, Sendable, CaseIterable {
  /// Nothing is encrypted.
  case open
  /// Opportunistic Wireless Encryption (RFC 8110).
  case owe
  /// WPA or WPA2 with a passphrase.
  case psk
  /// WPA3 with a password.
  case sae
  /// A passphrase, by whichever of the two the access point has.
  case pskOrSAE
  /// Credentials of the user's own (IEEE 802.1X).
  case enterprise
  /// The key of 1999.
  case wep

  /// Whether joining needs a password.
  public var needsPassword: Bool { self != .open && self != .owe }

  /// Whether anyone near can read what is sent, or break what protects it.
  package var isWeak: Bool { self == .open || self == .wep }

  /// What its password must be like; `nil` where it takes none.
  public var use: Passphrase.Use? {
    switch self {
    case .psk: .psk
    case .sae: .sae
    case .pskOrSAE: .pskOrSAE
    default: nil
    }
  }

  /// The family that makes it one network with others of its name.
  public var family: Security.Family {
    switch self {
    case .open: .open
    case .owe: .owe
    case .psk, .sae, .pskOrSAE: .personal
    case .enterprise: .enterprise
    case .wep: .wep
    }
  }

  /// Whether a station that joins so can join a network of this security.
  package func suits(_ security: Security) -> Bool {
    let other = JoinSecurity(security)
    switch self {
    case .psk, .sae: return other == self || other == .pskOrSAE
    case .pskOrSAE: return other.family == .personal
    // The open half of a pair leads to the one with OWE.
    case .owe: return other == .owe || security.isOWETransition
    default: return other == self
    }
  }

  /// What joining a network of this security takes.
  public init(_ security: Security) {
    switch security.family {
    case .open: self = .open
    case .owe: self = .owe
    case .wep: self = .wep
    case .enterprise: self = .enterprise
    case .personal:
      let akms = security.akms
      let hasSAE = akms.contains { [.sae, .ftSAE, .saeExtendedKey, .ftSAEExtendedKey].contains($0) }
      let hasPSK = security.protocols.contains(.wpa) || akms.contains { [.psk, .ftPSK, .pskSHA256].contains($0) }
      self = hasSAE ? hasPSK ? .pskOrSAE : .sae : .psk
    }
  }
}

extension JoinSecurity: CustomStringConvertible {
  /// Such as `WPA2/WPA3-Personal`.
  public var description: String {
    switch self {
    case .open: "Open"
    case .owe: "OWE"
    case .psk: "WPA2-Personal"
    case .sae: "WPA3-Personal"
    case .pskOrSAE: "WPA2/WPA3-Personal"
    case .enterprise: "Enterprise"
    case .wep: "WEP"
    }
  }
}
