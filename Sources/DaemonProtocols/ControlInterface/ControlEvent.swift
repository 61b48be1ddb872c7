public import WiFi

/// An event of wpa_supplicant (`wpa_msg`): a level and a line, kept as it came.
public struct ControlEvent: Hashable, Sendable {
  /// How important it is: 2 debug, 3 information, 4 warning, 5 error.
  public var level: UInt8
  /// The line behind the level.
  public var text: [UInt8]

  /// Makes an event from its parts.
  public init(level: UInt8 = 3, _ text: [UInt8]) {
    precondition(level < 10, "ControlEvent: level \(level)")
    self.level = level
    self.text = text
  }

  /// Makes an event of a line.
  public init(level: UInt8 = 3, _ text: String) { self.init(level: level, Array(text.utf8)) }

  /// Parses a datagram; `nil` where it does not begin with a level.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count >= 3, bytes[0] == UInt8(ascii: "<"), UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[1],
      bytes[2] == UInt8(ascii: ">")
    else { return nil }
    level = bytes[1] - UInt8(ascii: "0")
    text = Array(bytes[3...])
  }

  /// The datagram.
  public var encoded: [UInt8] { [UInt8(ascii: "<"), UInt8(ascii: "0") + level, UInt8(ascii: ">")] + text }

  /// The line, safe to print.
  public var line: String { PrintableText.escape(text) }

  /// What an event says, as far as a join is concerned.
  public enum Kind: Hashable, Sendable {
    /// `CTRL-EVENT-CONNECTED`: the link can be used.
    case connected(bssid: MACAddress, networkID: Int?)
    /// `CTRL-EVENT-DISCONNECTED`: the link is lost, with a reason code (IEEE 802.11-2020 table 9-49).
    case disconnected(bssid: MACAddress?, reason: UInt16, isLocallyGenerated: Bool)
    /// `CTRL-EVENT-AUTH-REJECT`: a frame of the authentication was refused (algorithm, transaction, status).
    case authenticationRejected(bssid: MACAddress?, algorithm: UInt16, transaction: UInt16, status: UInt16)
    /// `CTRL-EVENT-ASSOC-REJECT`: the association was refused, or not answered.
    case associationRejected(bssid: MACAddress?, status: UInt16, isTimeout: Bool)
    /// `CTRL-EVENT-SSID-TEMP-DISABLED`: the network is left alone for a while.
    case temporarilyDisabled(networkID: Int, failures: Int, seconds: Int, reason: String)
    /// `CTRL-EVENT-SSID-REENABLED`: it is tried again.
    case enabledAgain(networkID: Int)
    /// `CTRL-EVENT-NETWORK-NOT-FOUND`: a scan did not hear any network that is wanted.
    case networkNotFound
    /// `CTRL-EVENT-NETWORK-REMOVED`: a network is no longer configured.
    case networkRemoved(networkID: Int)
    /// `CTRL-EVENT-SCAN-STARTED`.
    case scanStarted
    /// `CTRL-EVENT-SCAN-RESULTS`.
    case scanEnded
    /// `CTRL-EVENT-SCAN-FAILED` with an error number, positive.
    case scanFailed(Int32)
    /// `CTRL-EVENT-BEACON-LOSS`: the access point is no longer heard.
    case beaconLoss
    /// `CTRL-EVENT-TERMINATING`: the daemon ends.
    case terminating
    /// An authentication begins, and with which network.
    case authenticating(bssid: MACAddress, ssid: SSID?)
    /// An association begins, and with which network; drivers that choose the BSS themselves name none.
    case associating(bssid: MACAddress?, ssid: SSID?)
    /// The access point has accepted the association.
    case associated(bssid: MACAddress)
    /// The handshake for the keys is complete.
    case keysNegotiated(bssid: MACAddress)
    /// The handshake ended as it does with a wrong key.
    case handshakeFailed
    /// The access point did not answer in time.
    case authenticationTimedOut(bssid: MACAddress)
    /// `CTRL-EVENT-EAP-FAILURE`: the authentication server refused.
    case eapFailure
    /// Any other line.
    case other
  }

  /// What the event says.
  ///
  /// A line that is malformed is ``Kind/other``: an event is never a reason to end a conversation.
  public var kind: Kind {
    let line = String(decoding: text, as: UTF8.self)
    let words = line.split(separator: " ")
    guard let first = words.first else { return .other }
    func value(_ name: String) -> Substring? { words.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) }
    func number(_ name: String) -> Int? { value(name).flatMap { Int($0) } }
    func short(_ name: String) -> UInt16? { value(name).flatMap { UInt16($0) } }
    func address(_ index: Int) -> MACAddress? { index < words.count ? MACAddress(words[index]) : nil }
    switch first {
    case "CTRL-EVENT-CONNECTED":
      // … - Connection to 02:00:00:00:03:00 completed [id=0 id_str=]
      guard let bssid = address(4) else { return .other }
      let id = words.first { $0.hasPrefix("[id=") }.flatMap { Int($0.dropFirst(4)) }
      return .connected(bssid: bssid, networkID: id)
    case "CTRL-EVENT-DISCONNECTED":
      guard let reason = short("reason") else { return .other }
      return .disconnected(
        bssid: value("bssid").flatMap { MACAddress($0) }, reason: reason,
        isLocallyGenerated: value("locally_generated") == "1")
    case "CTRL-EVENT-AUTH-REJECT":
      guard let algorithm = short("auth_type"), let transaction = short("auth_transaction"), let status = short("status_code")
      else { return .other }
      return .authenticationRejected(bssid: address(1), algorithm: algorithm, transaction: transaction, status: status)
    case "CTRL-EVENT-ASSOC-REJECT":
      guard let status = short("status_code") else { return .other }
      return .associationRejected(
        bssid: value("bssid").flatMap { MACAddress($0) }, status: status,
        // A driver may say in what, such as `timeout=auth`.
        isTimeout: words.contains { $0 == "timeout" || $0.hasPrefix("timeout=") })
    case "CTRL-EVENT-SSID-TEMP-DISABLED":
      // The name of the network is text of others and stands before the fields that are read here, so these count from
      // the end.
      guard let id = number("id") else { return .other }
      func last(_ name: String) -> Substring? { words.last { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1) }
      guard let failures = last("auth_failures").flatMap({ Int($0) }), let seconds = last("duration").flatMap({ Int($0) }),
        let reason = last("reason")
      else { return .other }
      return .temporarilyDisabled(networkID: id, failures: failures, seconds: seconds, reason: String(reason))
    case "CTRL-EVENT-SSID-REENABLED": return number("id").map { .enabledAgain(networkID: $0) } ?? .other
    case "CTRL-EVENT-NETWORK-NOT-FOUND": return .networkNotFound
    case "CTRL-EVENT-NETWORK-REMOVED":
      return words.count > 1 ? Int(words[1]).map { .networkRemoved(networkID: $0) } ?? .other : .other
    case "CTRL-EVENT-SCAN-STARTED": return .scanStarted
    case "CTRL-EVENT-SCAN-RESULTS": return .scanEnded
    case "CTRL-EVENT-SCAN-FAILED":
      guard let code = value("ret").flatMap({ Int32($0) }), code != .min else { return .other }
      return .scanFailed(abs(code))
    case "CTRL-EVENT-BEACON-LOSS": return .beaconLoss
    case "CTRL-EVENT-TERMINATING": return .terminating
    case "CTRL-EVENT-EAP-FAILURE": return .eapFailure
    case "SME:":
      guard line.hasPrefix("SME: Trying to authenticate with "), let bssid = address(5) else { return .other }
      return .authenticating(bssid: bssid, ssid: name(behind: "(SSID='", before: "' freq="))
    case "Trying":
      guard line.hasPrefix("Trying to associate with ") else { return .other }
      let bssid = address(4)
      let ssid = bssid == nil ? name(behind: "with SSID '", before: "'") : name(behind: "(SSID='", before: "' freq=")
      return .associating(bssid: bssid, ssid: ssid)
    case "Associated":
      guard line.hasPrefix("Associated with "), let bssid = address(2) else { return .other }
      return .associated(bssid: bssid)
    case "Authentication":
      guard line.hasPrefix("Authentication with "), line.hasSuffix(" timed out."), let bssid = address(2) else { return .other }
      return .authenticationTimedOut(bssid: bssid)
    case "WPA:":
      if line.hasPrefix("WPA: Key negotiation completed with "), let bssid = address(5) { return .keysNegotiated(bssid: bssid) }
      if line.hasPrefix("WPA: 4-Way Handshake failed") { return .handshakeFailed }
      return .other
    default: return .other
    }
  }

  /// The name of a network in the line: it is text of others, so it continues to the last mark that follows it.
  private func name(behind mark: String, before end: String) -> SSID? {
    guard let begin = text.firstRange(of: Array(mark.utf8))?.upperBound else { return nil }
    let (rest, end) = (text[begin...], Array(end.utf8))
    guard rest.count >= end.count,
      let last = (rest.startIndex...rest.endIndex - end.count).last(where: { rest[$0...].starts(with: end) })
    else { return nil }
    return (try? ControlText.unescape(rest[..<last])).flatMap { SSID($0) }
  }
}
