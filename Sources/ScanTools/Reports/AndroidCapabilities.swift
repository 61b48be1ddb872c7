import WiFi

extension BSSFacts {
  /// The capabilities as Android writes them (`ScanResult.capabilities`) and as WiGLE asks for them, such as
  /// `[WPA2-PSK-CCMP][RSN-PSK+SAE-CCMP][ESS][MFPC]`.
  ///
  /// Follows `InformationElementUtil.Capabilities` of Android 14, but for the name of 802.1X, which stays the `EAP` of
  /// Android 12 and of WiGLE's own example. An RSN element that WPA2 stations can use is written twice, as `WPA2` and
  /// as `RSN`.
  var androidCapabilities: String {
    var text = security.family == .wep ? "[WEP]" : ""
    var flags = ""
    var protection: RSNCapabilities?
    for element in elements.elements {
      switch element.value {
      case .wpa(let wpa): text += Self.group("WPA", wpa.akms.map(Self.name), wpa.pairwiseCiphers)
      case .rsn(let rsn):
        protection = rsn.capabilities
        text += Self.groups(of: rsn)
      case .oweTransition: text += Self.group("RSN", ["OWE_TRANSITION"], [.ccmp128])
      case .wps where !flags.contains("WPS"): flags += "[WPS]"
      default: break
      }
    }
    if isInfrastructure { text += "[ESS]" }
    if isAdHoc { text += "[IBSS]" }
    text += flags
    if protection?.requiresManagementFrameProtection == true { text += "[MFPR]" }
    if protection?.supportsManagementFrameProtection == true { text += "[MFPC]" }
    return text
  }

  private var isInfrastructure: Bool {
    capabilities.isDMG ? capabilities.rawValue & 3 == 3 : capabilities.rawValue & 1 != 0
  }

  private var isAdHoc: Bool {
    capabilities.isDMG ? capabilities.rawValue & 3 == 1 : capabilities.rawValue & 2 != 0
  }

  private static func groups(of rsn: RSN) -> String {
    let names = rsn.akms.map(name)
    let all = group("RSN", names, rsn.pairwiseCiphers)
    guard let first = names.first, ["EAP", "PSK", "FT/EAP", "FT/PSK"].contains(where: first.hasPrefix), first != "EAP_SUITE_B_192",
      !names.contains("EAP_SUITE_B_192")
    else { return all }
    let hasSAE = names.contains { $0.contains("SAE") }
    return group("WPA2", hasSAE ? [first] : names, rsn.pairwiseCiphers) + all
  }

  private static func group(_ protocolName: String, _ akms: [String], _ ciphers: SuiteList<CipherSuite>) -> String {
    let parts = [protocolName, akms.joined(separator: "+"), ciphers.map(name).joined(separator: "+")]
    return "[" + parts.filter { !$0.isEmpty }.joined(separator: "-") + "]"
  }

  private static func name(_ akm: AKMSuite) -> String {
    switch akm.standardized {
    case .ieee8021X: "EAP"
    case .psk: "PSK"
    case .ftIEEE8021X: "FT/EAP"
    case .ftPSK: "FT/PSK"
    case .ieee8021XSHA256: "EAP-SHA256"
    case .pskSHA256: "PSK-SHA256"
    case .sae: "SAE"
    case .ftSAE: "FT/SAE"
    case .ieee8021XSuiteB192: "EAP_SUITE_B_192"
    case .owe: "OWE"
    case .saeExtendedKey: "SAE_EXT_KEY"
    case .ftSAEExtendedKey: "FT/SAE_EXT_KEY"
    case .dpp: "DPP"
    case .osen: "OSEN"
    case AKMSuite(ieee80211: 14): "EAP-FILS-SHA256"
    case AKMSuite(ieee80211: 15): "EAP-FILS-SHA384"
    default: "?"
    }
  }

  private static func name(_ cipher: CipherSuite) -> String {
    switch cipher.standardized {
    case .useGroupCipher: "None"
    case .tkip: "TKIP"
    case .ccmp128: "CCMP"
    case .gcmp128: "GCMP-128"
    case .gcmp256: "GCMP-256"
    case .ccmp256: "CCMP-256"
    default: "?"
    }
  }
}
