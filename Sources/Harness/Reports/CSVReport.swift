import WiFi

extension ScanReport {
  /// One line a BSS, a header line first (RFC 4180, lines end in CR LF).
  ///
  /// SSIDs are in their escaped form, with the hexadecimal form beside. A field that a spreadsheet would take for a
  /// formula begins with an apostrophe.
  public func csv() -> String {
    var text = CSV.line([
      "bssid", "ssid", "ssidHex", "hidden", "frequencyMHz", "channel", "band", "widthMHz", "generation", "signalDBm",
      "lastSeenMs", "beaconIntervalTU", "security", "isSecured", "groupCipher", "pairwiseCiphers", "akms", "pmf",
      "apName", "complaints",
    ])
    for fact in facts {
      let bss = fact.bss
      text += CSV.line([
        bss.bssid.description, CSV.defused(fact.ssid.description), Hex.string(fact.ssid.octets), "\(fact.isHidden)",
        "\(bss.frequencyMHz)", fact.channel.number.map(String.init) ?? "", fact.channel.band?.rawValue ?? "",
        "\(fact.channel.width.megahertz)", fact.generation?.number.map(String.init) ?? "",
        bss.signalMBm.map { Decimal.hundredths(Int($0)) } ?? "", "\(lastSeenMs(bss))",
        bss.beaconIntervalTU.map { "\($0)" } ?? "", fact.security.summary, "\(fact.security.isSecured)",
        fact.security.groupCipher?.description ?? "",
        fact.security.pairwiseCiphers.map(\.description).joined(separator: " "),
        fact.security.akms.map(\.description).joined(separator: " "), fact.security.pmf.rawValue,
        CSV.defused(fact.elements.apName ?? ""), "\(fact.elements.complaints.count)",
      ])
    }
    return text
  }

  /// A file that `wigle.net` takes (WiGLE CSV 1.6): a pre-header, a header, one line a BSS.
  ///
  /// - Parameters:
  ///   - time: when the scan ended, as `yyyy-MM-dd HH:mm:ss` UTC.
  ///   - release: the version of this program.
  public func wigleCSV(time: String, release: String) -> String {
    var text =
      "WigleWifi-1.6,appRelease=\(release),model=wifi-harness,release=\(release),device=wifi-harness,"
      + "display=,board=,brand=,star=Sol,body=3,subBody=0\n"
    text +=
      "MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,"
      + "AccuracyMeters,RCOIs,MfgrId,Type\n"
    for fact in facts {
      let bss = fact.bss
      text +=
        [
          bss.bssid.description, CSV.field(fact.ssid.description), CSV.field(fact.wigleCapabilities), time,
          fact.channel.number.map(String.init) ?? "0", "\(bss.frequencyMHz)",
          bss.signalMBm.map { "\(Int($0) / 100)" } ?? "0", "0.0", "0.0", "0.0", "0.0", "", "", "WIFI",
        ].joined(separator: ",") + "\n"
    }
    return text
  }
}

extension BSSFacts {
  /// The capabilities as Android writes them, such as `[WPA2-PSK-CCMP][ESS]`.
  fileprivate var wigleCapabilities: String {
    var text = ""
    let ciphers = security.pairwiseCiphers.map { $0.description.split(separator: " ").first.map(String.init) ?? "" }
    let akms = security.akms.map { "\($0)".split(separator: " ").first.map(String.init) ?? "" }
    for name in security.protocols.names {
      text +=
        name == "WEP"
        ? "[WEP]"
        : "[" + [name, akms.joined(separator: "+"), ciphers.joined(separator: "+")].filter { !$0.isEmpty }.joined(separator: "-") + "]"
    }
    if security.family == .owe { text += "[OWE]" }
    if capabilities.rawValue & 0x0001 != 0 { text += "[ESS]" }
    if capabilities.rawValue & 0x0002 != 0, !capabilities.isDMG { text += "[IBSS]" }
    return text
  }
}

/// Comma-separated values (RFC 4180).
enum CSV {
  static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

  static func field(_ text: String) -> String {
    guard text.contains(where: { $0 == "," || $0 == "\"" || $0 == "\n" || $0 == "\r" }) else { return text }
    return "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  /// Text that no spreadsheet takes for a formula.
  static func defused(_ text: String) -> String {
    guard let first = text.first, "=+-@".contains(first) else { return text }
    return "'" + text
  }
}

/// Decimal numbers from whole ones.
public enum Decimal {
  /// Such as `-53.25` for -5325; trailing zeros are left out.
  public static func hundredths(_ value: Int) -> String {
    let fraction = value.magnitude % 100
    let sign = value < 0 ? "-" : ""
    let whole = "\(sign)\(value.magnitude / 100)"
    if fraction == 0 { return whole }
    return fraction % 10 == 0 ? "\(whole).\(fraction / 10)" : "\(whole).\(fraction < 10 ? "0" : "")\(fraction)"
  }
}
