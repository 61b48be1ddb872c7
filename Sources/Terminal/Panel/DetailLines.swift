import Models
import WiFi

/// What is known of a network, as lines of text with a style each.
struct DetailLines {
  /// One line: parts next to each other.
  struct Line {
    let parts: [(text: String, style: Style)]

    init(_ text: String, _ style: Style = .normal) { parts = [(text, style)] }
    init(_ parts: [(text: String, style: Style)]) { self.parts = parts }

    /// Whether a text in lower case occurs in it.
    func contains(_ text: String) -> Bool { !text.isEmpty && parts.map(\.text).joined().lowercased().contains(text) }
  }

  let viewer: Viewer
  let row: ViewedRow
  /// The columns that there are.
  var width = Int.max

  private var network: Network { row.network }

  /// Name, protection, generation and times: what stands above a chart.
  var summary: [Line] {
    var lines: [Line] = []
    var title: [(text: String, style: Style)] = [(ShortWords.name(network), .heading)]
    if row.isJoined {
      title.append(row.associationLoss == nil ? ("  joined", Style(.good, bold: true)) : ("  connection lost", Style(.warning, bold: true)))
    }
    if row.isLost { title.append(("  lost", Style(.warning, bold: true))) }
    lines.append(Line(title))
    if let loss = row.associationLoss { lines.append(Line("\(loss)", Style(.warning))) }
    var security: [(text: String, style: Style)] = [(network.securityText, network.security.isWeak ? Style(.warning) : .normal)]
    let protection =
      switch network.security.pmf {
      case .required: ", PMF required"
      case .optional: ", PMF optional"
      case .disabled: network.isSecured ? ", no PMF" : ""
      }
    if (security[0].text + protection).columns <= width { security.append((protection, .muted)) }
    lines.append(Line(security))
    lines.append(Line(ShortWords.radio(network)))
    var times: [String] = [network.members.count == 1 ? "1 AP" : "\(network.members.count) APs"]
    if let age = viewer.age(of: row.id) { times.append("heard \(TimeStyle.age(age))") }
    if let lost = row.lostAt { times.append("lost \(viewer.timeStyle.text(lost))") }
    if let found = viewer.foundAt(row.id) {
      let text = "found \(viewer.timeStyle.text(found))"
      if (times + [text]).joined(separator: " · ").columns <= width { times.append(text) }
    }
    lines.append(Line(times.joined(separator: " · "), .muted))
    return lines
  }

  /// What the link to the joined network is like: how fast it is, and where there is all of the width what the driver
  /// counts.
  var link: [Line] {
    guard let station = viewer.station(of: row) else { return [] }
    if width == .max { return [Line([("Link ", .muted), (station.clauses.joined(separator: ", "), .normal)])] }
    return station.rates.flatMap { TextWrapping.lines("Link \($0)", width: width) }.map { Line($0) }
  }

  /// One line for each access point, strongest first; `●` marks that of the link, as the joined network in the list.
  func members(maximum: Int) -> [Line] {
    let facts = viewer.facts(of: row.id)
    var lines = network.members.prefix(maximum).map { member in
      let bars = Network.bars(connectivity: Network.connectivity(signalMBm: member.signalMBm ?? -10_000))
      let signal = member.signalMBm.map { "\($0.wholeDBm)" } ?? "-"
      let isLinked = row.isJoined && member.bssid == viewer.settings.linkedAccessPoint
      var parts: [(text: String, style: Style)] = [
        ("\(member.bssid)", .normal), (isLinked ? "●" : " ", Style(.good)),
        (Self.right(member.channel.number.map(String.init) ?? "-", 3) + " ", .muted),
        (SignalMarks.bars(bars), member.signalMBm.map { Style(SignalMarks.ink(dBm: $0.wholeDBm)) } ?? .muted),
        (Self.right(signal, 4), .normal),
      ]
      if let name = facts.first(where: { $0.bss.bssid == member.bssid })?.elements.apName {
        parts.append(("  " + name, .muted))
      }
      return Line(parts)
    }
    if network.members.count > maximum { lines.append(Line("… \(network.members.count - maximum) more", .muted)) }
    return lines
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  /// Ciphers and key management.
  var protection: [Line] {
    let security = network.security
    guard security.isEncrypted else { return [Line("Frames are not encrypted.", Style(.warning))] }
    let ciphers = security.pairwiseCiphers.names.joined(separator: ", ")
    let akms = security.akms.names.joined(separator: ", ")
    return [
      Line([("Keys ", .muted), (akms.isEmpty ? "-" : akms, .normal)]),
      Line([("Ciphers ", .muted), (ciphers.isEmpty ? "-" : ciphers, .normal)]),
    ] + network.securityDifferences.map { Line([("\($0.count) ", .muted), ($0.details, .normal)]) }
  }

  /// Who makes the access points, and how busy their channels are.
  var slowFacts: [Line] {
    var lines: [Line] = []
    if let (text, isKnown) = viewer.makerText(of: network) {
      lines.append(Line([("Made by ", .muted), (text, isKnown ? .normal : .muted)]))
    }
    for (channel, load) in viewer.loads(of: network) { lines.append(Line([(channel + " ", .muted), ("\(load)", .normal)])) }
    if case .unavailable(let sentence)? = viewer.slowFacts?.loads, width == .max { lines.append(Line(sentence, .muted)) }
    return lines
  }

  /// How busy access points say that they are.
  var load: [Line] {
    viewer.facts(of: row.id).compactMap { facts in
      facts.elements.bssLoad.map { Line("\(facts.bss.bssid) says: \(ShortWords.load($0))", .muted) }
    }
  }

  /// Every decoded element of every access point, field by field unless they are folded.
  func elements(isFolded: Bool) -> [Line] {
    var lines: [Line] = []
    for facts in viewer.facts(of: row.id) {
      lines.append(Line(""))
      lines.append(
        Line([
          ("\(facts.bss.bssid)", .heading),
          ("  \(facts.channel), \(facts.bss.signalMBm.map { "\($0.wholeDBm) dBm" } ?? "-")", .normal),
        ]))
      for element in facts.elements.elements {
        lines.append(Line([("  \(element.value.name)", Style(bold: true)), ("  \(element.id), \(element.size - 2) bytes", .muted)]))
        guard !isFolded, let body = element.value.body else { continue }
        for line in FieldWriter.text(of: body).split(separator: "\n") { lines.append(Line("    \(line)")) }
      }
      for complaint in facts.elements.complaints {
        lines.append(
          Line(
            "  Malformed: element \(complaint.element) at byte \(complaint.offset), \(complaint.declared) declared, \(complaint.available) there",
            Style(.warning)))
      }
    }
    return lines
  }
}

extension Picture {
  /// Writes a line of parts, cut to a width.
  mutating func put(_ line: DetailLines.Line, column: Int, row: Int, width: Int) {
    var used = 0
    for part in line.parts where used < width {
      used += put(part.text, column: column + used, row: row, style: part.style, width: width - used)
    }
  }
}
