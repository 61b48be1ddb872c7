import WiFi

/// What is known of networks, against which an audit compares what it heard.
public struct AuditBaseline: Sendable {
  /// What is known of one name.
  struct Known: Sendable {
    /// The weakest security that is known of it.
    var securities: [Security.Strength] = []
    /// The access points that are known; `nil` where only the name is.
    var bssids: Set<MACAddress>?
  }

  private(set) var names: [SSID: Known] = [:]

  /// Knows nothing.
  public init() {}

  /// Takes what was heard for what should be.
  public init(_ trusted: [AuditedBSS]) {
    for bss in trusted {
      guard let ssid = bss.ssid else { continue }
      var known = names[ssid] ?? Known(bssids: [])
      if let strength = bss.facts.security.strength { known.securities.append(strength) }
      known.bssids?.insert(bss.bssid)
      names[ssid] = known
    }
  }

  /// The beginning of what `known list --format json` writes.
  static let knownSchema = "wifi-harness/known/1"

  /// Why a list of known networks cannot be used.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The network, counted from 1.
    public var number: Int
    /// What is wrong with it.
    public var reason: String
    /// Such as `network 2: there is no security “WPA9”`.
    public var description: String { "network \(number): \(reason)" }
  }

  /// Reads the networks that a daemon knows, as `known list --format json` writes them; `nil` where `bytes` are
  /// something else.
  ///
  /// - Throws: ``Failure`` with the first network that cannot be read.
  public init?(knownNetworks bytes: [UInt8]) throws(Failure) {
    guard let value = JSONValue(bytes), value["schema"]?.text == Self.knownSchema, let list = value["networks"]?.items else { return nil }
    for (index, item) in list.enumerated() {
      guard let ssid = item["ssidHex"]?.text.flatMap({ Hex.bytes($0) }).flatMap({ SSID($0) }) else {
        throw Failure(number: index + 1, reason: "\"ssidHex\" is missing, or no name in hexadecimal")
      }
      let name = item["security"]?.text ?? ""
      guard let security = JoinSecurity(rawValue: name) else {
        let all = JoinSecurity.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(number: index + 1, reason: "there is no security “\(PrintableText.escape(name))”; choose from \(all)")
      }
      if ssid.isHidden { continue }
      names[ssid, default: Known()].securities.append(security.strength)
    }
  }

  /// The number of names.
  public var count: Int { names.count }
}

extension Security {
  /// How strong the weakest protection is that a station may choose.
  struct Strength: Hashable, Sendable, Comparable {
    var rank: Int
    var name: String

    static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
  }

  /// `nil` where it is not known how it is secured.
  ///
  /// Networks of credentials of each user count as stronger than those of a shared password.
  var strength: Strength? {
    switch family {
    case .open: return Strength(rank: 0, name: summary)
    case .wep: return Strength(rank: 1, name: summary)
    case .owe: return Strength(rank: 3, name: summary)
    case .personal, .enterprise:
      if protocols.isEmpty { return nil }
      let base = family == .personal ? 0 : 10
      let weakest = protocols.contains(.wpa) ? 2 : protocols.isDisjoint(with: [.wpa2, .wapi]) ? 5 : 4
      return Strength(rank: base + weakest, name: summary)
    }
  }
}

extension JoinSecurity {
  /// The weakest protection by which a profile joins.
  var strength: Security.Strength {
    switch self {
    case .open: Security.Strength(rank: 0, name: "an open network")
    case .wep: Security.Strength(rank: 1, name: "WEP")
    case .owe: Security.Strength(rank: 3, name: "OWE")
    // Such a profile joins by WPA of 2003, too.
    case .psk, .pskOrSAE: Security.Strength(rank: 2, name: "a password")
    case .sae: Security.Strength(rank: 5, name: "WPA3-Personal")
    case .enterprise: Security.Strength(rank: 12, name: "credentials of each user")
    }
  }
}
