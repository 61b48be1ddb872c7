import WiFi

/// The contents of a trace without its times and without what a radio hears: what is the same over every daemon,
/// simulated or real.
///
/// Three daemons take different times for one join, and no two adapters hear the same signals. What the user does, what
/// joins end with, what the models hold and what the screen shows must be the same. Some differences have their cause
/// in the daemons and are left out:
///
/// - The step of a failure and its certainty. wpa_supplicant reports each authentication that begins; iwd answers
///   “Failed” and leaves the rest to the frames that the kernel reports, of which there are none where an access point
///   is silent.
/// - Why a daemon moves to another access point: iwd reports that it does, and not why. What the screen shows and what
///   happens to the link stand behind everything else: they are recorded as they come, and what the models hold at
///   rest.
/// - Whether a network was left, or the interface went down, when the switch ends a link: NetworkManager leaves the
///   network first, the others do not.
/// - That known networks are being listed or saved. A simulated daemon answers in no time, and a real one does not.
/// - Which personal security a known network has. iwd has one kind of profile (`psk`) for WPA2 and WPA3.
public enum TraceOutline {
  private static let kept = ["user ", "world ", "model ", "screen "]

  /// The lines of a trace that count, without their times.
  package static func lines(of trace: some Sequence<String>) -> [String] {
    var lines: [String] = []
    var screens: [String] = []
    var links: [String] = []
    for line in trace {
      guard let space = line.firstIndex(of: " ") else { continue }
      let text = line[line.index(after: space)...]
      guard kept.contains(where: { text.hasPrefix($0) }) else { continue }
      if text.hasPrefix("model known loading: ") || text.hasPrefix("model known saving: ") { continue }
      if text.hasPrefix("model link: ") {
        links.append(common(String(text)))
      } else if text.hasPrefix("screen ") {
        screens.append(String(text))
      } else {
        lines.append(common(String(text)))
      }
    }
    return lines + screens + links
  }

  /// A line without what differs between daemons by their nature.
  private static func common(_ line: String) -> String {
    var line = line
    if line.hasPrefix("world has not joined"), line.hasSuffix(")"), let open = line.lastIndex(of: "(") {
      let parts = line[line.index(after: open)...].dropLast().split(separator: ", ")
      let name = parts.first?.split(separator: " ").first ?? ""
      let numbers = parts.dropFirst().filter { $0.hasPrefix("status") || $0.hasPrefix("reason code") }
      line = line[..<open] + "(" + ([name] + numbers).joined(separator: ", ") + ")"
    }
    if line.hasPrefix("model link: ") {
      for reason in [RoamingReason.weakSignal, .accessPointAsked] { line = line.replacing(": \(reason.rawValue)", with: "") }
      for loss in [AssociationLoss.left, .interfaceDown] { line = line.replacing(": \(loss.name)", with: ": down") }
    }
    guard line.hasPrefix("model known") else { return line }
    for security in [JoinSecurity.pskOrSAE, .psk, .sae] {
      line = line.replacing(security.description, with: "Personal")
      line = line.replacing("\(security.rawValue), password", with: "personal, password")
    }
    return line
  }
}
