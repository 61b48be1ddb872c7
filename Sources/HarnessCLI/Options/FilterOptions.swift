import ArgumentParser
import Harness
import ScanTools
import WiFi

/// Which networks are shown.
struct FilterOptions: ParsableArguments, Sendable {
  @Option(
    help: ArgumentHelp(
      "Show only networks whose whole name matches: * stands for any characters, ? for one, and case does not matter. Repeatable.",
      valueName: "pattern"))
  var name: [String] = []

  @Option(
    help: ArgumentHelp(
      "Leave out networks whose whole name matches, as with --name. Repeatable.",
      valueName: "pattern"))
  var notName: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show only access points with these addresses, such as 02:00:00:00:00:01, or with addresses that begin so, such as 02:00:00 for "
        + "a maker; separated by commas, repeatable.", valueName: "list"))
  var bssid: [String] = []

  @Option(
    help: ArgumentHelp("Show only these bands: 2.4, 5, 6 or 60 (GHz), or S1G; separated by commas, repeatable.", valueName: "list"),
    completion: .list(bandNames))
  var band: [String] = []

  @Option(help: ArgumentHelp("Leave out these bands.", valueName: "list"), completion: .list(bandNames))
  var notBand: [String] = []

  @Option(
    help: ArgumentHelp(
      "Show only access points on these primary channels: numbers (of each band), ranges such as 1-11, or frequencies in MHz; separated by commas, repeatable.",
      valueName: "list"))
  var channel: [String] = []

  @Option(
    parsing: .unconditional, help: ArgumentHelp("Show only access points at least this strong, from -120 to 0 dBm.", valueName: "dBm"))
  var minSignal: String?

  @Option(
    help: ArgumentHelp(
      "Show only networks secured in one of these ways: \(protectionNames.joined(separator: ", ")), where secured means that joining needs "
        + "a secret, and weak is open, WEP or WPA of 2003. Separated by commas, repeatable.", valueName: "list"),
    completion: .list(protectionNames))
  var security: [String] = []

  @Option(help: ArgumentHelp("Leave out networks secured in one of these ways.", valueName: "list"), completion: .list(protectionNames))
  var notSecurity: [String] = []

  private static let bandNames = ["2.4", "5", "6", "60", "S1G"]
  private static let protectionNames = BSSQuery.Protection.allCases.map(\.rawValue)

  func validate() throws { _ = try query() }

  /// The first option that chooses otherwise than by band, where one was given.
  var givenBesidesBands: String? {
    let given = [
      ("--name", name), ("--not-name", notName), ("--bssid", bssid), ("--channel", channel), ("--min-signal", minSignal.map { [$0] } ?? []),
      ("--security", security), ("--not-security", notSecurity),
    ]
    return given.first { !$0.1.isEmpty }?.0
  }

  /// The query that the options make.
  func query() throws -> BSSQuery {
    var query = BSSQuery()
    query.names = name.map { NamePattern($0) }
    query.excludedNames = notName.map { NamePattern($0) }
    query.addresses = try CommaList.items(bssid, "--bssid", AddressPattern.init) {
      "give an address such as 02:00:00:00:00:01, or how it begins, such as 02:00:00."
    }
    query.bands = try Self.bands(band, "--band")
    query.excludedBands = try Self.bands(notBand, "--not-band")
    query.channels = try CommaList.items(channel, "--channel", ChannelSelection.init) {
      "give a number such as 36, a range such as 1-11, or a frequency in MHz such as 5180."
    }
    query.protections = try CommaList.choices(security, "--security")
    query.excludedProtections = try CommaList.choices(notSecurity, "--not-security")
    if let minSignal { query.minimumSignalDBm = try Self.signal(minSignal) }
    return query
  }

  /// Says that no network passes, of how many, and what may be meant where a name was given.
  func warnThatNothingPasses(_ detail: String) {
    var sentence = "no network passes the filter\(detail)."
    if let name = name.first, !name.contains("*"), !name.isEmpty {
      sentence += " --name matches whole names: try '\(PrintableText.escape(name))*'."
    }
    StandardStreams.say(sentence)
  }

  /// Says where no network of a scan passes, or none was heard.
  func warn(wherePasses count: Int, of scan: Scan) throws {
    guard count == 0 else { return }
    let heard = Network.networks(of: scan.bss.map { BSSFacts($0) }).count
    if heard > 0, try !query().isEmpty { return warnThatNothingPasses(" (\(heard) heard on \(scan.interface))") }
    StandardStreams.say("no network was heard on \(scan.interface).")
  }

  private static func bands(_ lists: [String], _ option: String) throws -> [Band] {
    try CommaList.items(lists, option, Band.init(typed:)) { "choose from 2.4, 5, 6 and 60, in GHz, or S1G." }
  }

  private static func signal(_ text: String) throws -> Int {
    var number = text
    if number.lowercased().hasSuffix("dbm") { number.removeLast(3) }
    while number.last == " " { number.removeLast() }
    guard let value = Int(number), (-120...0).contains(value) else {
      let hint = Int(number).map { (1...120).contains($0) ? "; did you mean -\($0)?" : "" } ?? ""
      throw ValidationError("--min-signal \(text): give a strength from -120 to 0 dBm\(hint.isEmpty ? ", such as -70." : hint)")
    }
    return value
  }
}
