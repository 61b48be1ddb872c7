import Models
import WiFi

/// What is known of one network.
public struct PageDetails: Hashable, Sendable {
  /// The network, and what is known of it in a few words.
  public var summary: Summary
  /// Its signal over time, a curve for each of its strongest access points.
  package var curves: [Curve]
  /// The decoded elements of its access points.
  public var elements: [ElementGroup]

  /// The network, and what is known of it in a few words.
  public struct Summary: Hashable, Sendable {
    /// The network.
    public var key: PageKey
    /// Its name.
    public var name: String
    /// Whether it is joined.
    public var isJoined: Bool
    /// Whether it is not there any more.
    public var isLost: Bool
    /// Whether joining needs a secret.
    public var isSecured: Bool
    /// Names and values.
    public var facts: [Fact]
    /// Its access points, strongest first.
    public var members: [Member]
  }

  /// A name and a value.
  public struct Fact: Hashable, Sendable {
    /// What it is.
    public var name: String
    /// Its value.
    public var value: String
    /// Whether it is something to know of before joining.
    var isWarning = false
  }

  /// One access point.
  public struct Member: Hashable, Sendable {
    /// Its address.
    public var bssid: String
    /// What it calls itself, where it does.
    public var name: String?
    /// Its channel, band and width.
    public var channel: String
    /// Its signal in dBm.
    public var dBm: Int?
    /// How busy it says that it is.
    public var load: String?
    /// Whether the link goes over it.
    public var isJoined = false
  }

  /// The signal of one access point over time.
  public struct Curve: Hashable, Sendable {
    /// Its address.
    public var bssid: String
    /// Signals, the oldest first.
    public var points: [Point]
  }

  /// A signal at a time.
  public struct Point: Hashable, Sendable {
    /// When.
    public var timeMs: Int
    /// In dBm.
    public var dBm: Int
  }

  /// The elements of one access point.
  public struct ElementGroup: Hashable, Sendable {
    /// The address of the access point.
    public var bssid: String
    /// Its elements, in the order that they are sent in.
    public var elements: [Element]
  }

  /// One element, decoded.
  public struct Element: Hashable, Sendable {
    /// What it is called, with its number and size.
    public var name: String
    /// Its fields, one a line.
    public var text: String
    /// Whether it is malformed.
    var isMalformed = false
  }

  /// The time that curves reach back.
  static let span: Duration = .seconds(3600)
  /// The most curves and groups of elements.
  static let maximumMembers = 6

  init(_ row: ViewedRow, _ viewer: Viewer) {
    let facts = viewer.facts(of: row.id)
    let members = row.network.members.prefix(Self.maximumMembers)
    summary = Summary(row, viewer, facts)
    let oldest = viewer.now - Self.span
    curves = members.map { member in
      Curve(
        bssid: member.bssid.description,
        points: viewer.history.points(of: member.bssid).filter { $0.time >= oldest }.map {
          Point(timeMs: $0.time.wholeMilliseconds, dBm: $0.signalMBm.wholeDBm)
        })
    }
    elements = facts.prefix(Self.maximumMembers).map { ElementGroup($0) }
  }
}

extension PageDetails.Summary {
  init(_ row: ViewedRow, _ viewer: Viewer, _ facts: [BSSFacts]) {
    let network = row.network
    key = PageKey(row.id)
    name = ShortWords.name(network)
    isJoined = row.isJoined
    isLost = row.isLost
    isSecured = network.isSecured
    members = network.members.prefix(100).map { member in
      let known = facts.first { $0.bss.bssid == member.bssid }
      return PageDetails.Member(
        bssid: member.bssid.description, name: known?.elements.apName,
        channel: "\(member.channel)".replacing("GHz", with: " GHz"), dBm: member.signalMBm.map { $0.wholeDBm },
        load: known?.elements.bssLoad.map { ShortWords.load($0) },
        isJoined: row.isJoined && member.bssid == viewer.settings.linkedAccessPoint)
    }
    self.facts = Self.facts(of: row, viewer)
  }

  private static func facts(of row: ViewedRow, _ viewer: Viewer) -> [PageDetails.Fact] {
    let network = row.network
    let security = network.security
    var list = row.associationLoss.map { [PageDetails.Fact(name: "Connection lost", value: "\($0)", isWarning: true)] } ?? []
    if let station = viewer.station(of: row) {
      list.append(PageDetails.Fact(name: "Link", value: station.clauses.joined(separator: ", ").replacing("-", with: "−")))
    }
    list.append(PageDetails.Fact(name: "Security", value: network.securityText, isWarning: security.isWeak))
    if security.isEncrypted {
      switch security.pmf {
      case .required: list.append(.init(name: "Management frames", value: "protection required"))
      case .optional: list.append(.init(name: "Management frames", value: "protection optional"))
      case .disabled: list.append(.init(name: "Management frames", value: "not protected"))
      }
      let akms = security.akms.names.joined(separator: ", ")
      if !akms.isEmpty { list.append(.init(name: "Keys", value: akms)) }
      let ciphers = security.pairwiseCiphers.names.joined(separator: ", ")
      if !ciphers.isEmpty { list.append(.init(name: "Ciphers", value: ciphers)) }
    } else {
      list.append(.init(name: "Frames", value: "not encrypted", isWarning: true))
    }
    for (count, details) in network.securityDifferences { list.append(.init(name: count, value: details)) }
    let radio = ShortWords.radio(network)
    if !radio.isEmpty { list.append(.init(name: "Radio", value: radio)) }
    if let maker = viewer.makerText(of: network) { list.append(.init(name: "Made by", value: maker.text)) }
    for (channel, load) in viewer.loads(of: network) {
      list.append(.init(name: channel, value: load.description.replacing("-", with: "−")))
    }
    if let found = viewer.foundAt(row.id) { list.append(.init(name: "Found", value: viewer.timeStyle.text(found))) }
    if let lost = row.lostAt { list.append(.init(name: "Lost", value: viewer.timeStyle.text(lost), isWarning: true)) }
    return list
  }
}

extension PageDetails.ElementGroup {
  init(_ facts: BSSFacts) {
    bssid = facts.bss.bssid.description
    elements = facts.elements.elements.map { element in
      PageDetails.Element(
        name: "\(element.value.name) (\(element.id), \(element.size - 2) bytes)",
        text: element.value.body.map { FieldWriter.text(of: $0) } ?? "")
    }
    for complaint in facts.elements.complaints {
      elements.append(
        PageDetails.Element(
          name: "Malformed: element \(complaint.element)",
          text: "at byte \(complaint.offset): \(complaint.declared) bytes declared, \(complaint.available) there\n", isMalformed: true))
    }
  }
}
