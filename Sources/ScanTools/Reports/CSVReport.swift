import WiFi

extension ScanReport {
  /// One line a BSS, a header line first (RFC 4180, lines end in CR LF).
  ///
  /// SSIDs are in their escaped form, with the hexadecimal form beside. A field that a spreadsheet would take for a
  /// formula begins with an apostrophe.
  public func csv() -> String {
    var text = CSV.line(Self.csvHeader)
    for fact in facts { text += CSV.line(csvFields(of: fact)) }
    return text
  }

  /// The names of the columns of ``csv()``.
  static let csvHeader = [
    "bssid", "ssid", "ssidHex", "hidden", "frequencyMHz", "channel", "band", "widthMHz", "generation", "signalDBm",
    "lastSeenMs", "beaconIntervalTU", "security", "isSecured", "groupCipher", "pairwiseCiphers", "akms", "pmf",
    "apName", "complaints", "maker", "latitudeDegrees", "longitudeDegrees", "altitudeM", "accuracyM",
  ]

  /// The fields of one BSS, one for each column.
  func csvFields(of fact: BSSFacts) -> [String] {
    let bss = fact.bss
    return [
      bss.bssid.description, CSV.defused(fact.ssid.description), Hex.string(fact.ssid.bytes), fact.isSSIDKnown ? "\(fact.isHidden)" : "",
      Decimal.hundredths(bss.frequencyKHz / 10), fact.channel.number.map(String.init) ?? "", fact.channel.band?.rawValue ?? "",
      "\(fact.channel.width.megahertz)", fact.generation?.number.map(String.init) ?? "",
      bss.signalMBm.map { Decimal.hundredths(Int($0)) } ?? "", "\(lastSeenMs(bss))",
      bss.beaconIntervalTU.map { "\($0)" } ?? "", fact.security.summary, "\(fact.security.isSecured)",
      fact.security.groupCipher?.description ?? "",
      fact.security.pairwiseCiphers.map(\.description).joined(separator: " "),
      fact.security.akms.map(\.description).joined(separator: " "), fact.security.pmf.rawValue,
      CSV.defused(fact.elements.apName ?? ""), "\(fact.elements.complaints.count)", CSV.defused(maker(of: fact) ?? ""),
    ] + (scan.position?.fields ?? ["", "", "", ""])
  }

  /// A file that `wigle.net` takes (WiGLE CSV 1.6, <https://api.wigle.net/csvFormat.html>): a pre-header, a header, one
  /// line a BSS.
  ///
  /// Names are exact, unless ``defusesNames`` is set.
  ///
  /// Without a position all are at 0, 0, and an altitude or accuracy that is not known is 0: the format has no other
  /// way to say so.
  ///
  /// - Parameters:
  ///   - end: when the scan ended; a BSS was first seen when it was heard, and where that is not known the field is
  ///     empty.
  ///   - release: the version of this program.
  public func wigleCSV(end: UTCTime?, release: String) -> String {
    var text = Self.wigleHeader(release: release)
    for fact in facts { text += wigleLine(of: fact, end: end) }
    return text
  }

  /// The two lines that ``wigleCSV(end:release:)`` begins with.
  static func wigleHeader(release: String) -> String {
    "WigleWifi-1.6,appRelease=\(release),model=wifi-harness,release=\(release),device=wifi-harness,"
      + "display=,board=,brand=,star=Sol,body=3,subBody=0\n"
      + "MAC,SSID,AuthMode,FirstSeen,Channel,Frequency,RSSI,CurrentLatitude,CurrentLongitude,AltitudeMeters,"
      + "AccuracyMeters,RCOIs,MfgrId,Type\n"
  }

  /// Latitude, longitude, altitude and accuracy.
  private var place: String {
    guard let position = scan.position else { return "0.0,0.0,0.0,0.0" }
    return position.fields.map { $0.isEmpty ? "0.0" : $0 }.joined(separator: ",")
  }

  /// The line of one BSS.
  func wigleLine(of fact: BSSFacts, end: UTCTime?) -> String {
    let bss = fact.bss
    return [
      bss.bssid.description, CSV.field(defusesNames ? CSV.defused(fact.ssid.description) : fact.ssid.description),
      CSV.field(fact.androidCapabilities),
      heard(bss, end: end)?.description ?? "",
      fact.channel.number.map(String.init) ?? "0", "\(bss.frequencyMHz)",
      bss.signalMBm.map { "\($0.wholeDBm)" } ?? "0",
    ].joined(separator: ",") + "," + place + ",\(fact.roamingConsortiums),,WIFI\n"
  }
}

extension BSSFacts {
  /// The organisation identifiers of the Roaming Consortium element, in upper-case hexadecimal with spaces between.
  fileprivate var roamingConsortiums: String {
    (elements.first(RoamingConsortium.self)?.organizationIdentifiers ?? [])
      .map { Hex.string($0).uppercased() }.joined(separator: " ")
  }
}

/// Comma-separated values (RFC 4180).
enum CSV {
  static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

  /// The field, in quotes where it needs them: where it has a separator, a quote or a space at either end.
  ///
  /// Looks at scalars, not characters: a comma with a combining mark behind it separates too.
  static func field(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let needsQuotes = scalars.first == " " || scalars.last == " " || scalars.contains { ",;\"\n\r".unicodeScalars.contains($0) }
    guard needsQuotes else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      quoted.unicodeScalars.append(scalar)
      if scalar == "\"" { quoted.unicodeScalars.append(scalar) }
    }
    return quoted + "\""
  }

  /// Text that no spreadsheet takes for a formula; some take full-width signs for signs.
  static func defused(_ text: String) -> String {
    guard let first = text.unicodeScalars.first, "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first) else {
      return text
    }
    return "'" + text
  }
}

/// Decimal numbers from whole ones.
package enum Decimal {
  /// Such as `-53.25` for -5325; trailing zeros are left out.
  package static func hundredths(_ value: Int) -> String { FixedPlaces.text(units: Int64(value), places: 2) }
}
