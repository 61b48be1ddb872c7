import Scanner
import WiFi

/// Answers as a kernel gives them, from recorded messages: for a `RecordedLink`.
struct RecordedKernel: Sendable {
  /// The number of the nl80211 family in the recorded messages.
  var family: UInt16 = 20
  /// The answer to `NL80211_CMD_GET_INTERFACE`.
  var interfaces: [NetlinkMessage] = []
  /// The answer to `NL80211_CMD_GET_WIPHY`.
  var adapters: [NetlinkMessage] = []
  /// The answers to `NL80211_CMD_GET_SCAN`, one after the other; the last is given again and again.
  var scans: [[NetlinkMessage]] = []
  /// What follows each `NL80211_CMD_TRIGGER_SCAN`, one after the other; the last is given again and again.
  var triggers: [[RecordedLink.Answer]] = []

  /// A kernel of which nothing was recorded.
  init() {}

  /// The acknowledgement of a request (`NLMSG_ERROR` with the number 0).
  static let acknowledgement = NetlinkMessage(
    type: NetlinkMessage.ControlType.error, flags: NetlinkMessage.Flag.capped,
    payload: [UInt8](repeating: 0, count: 20))

  /// The refusal of a request (`NLMSG_ERROR`).
  static func refusal(_ number: Int32) -> NetlinkMessage {
    var writer = ByteWriter()
    writer.write(UInt32(bitPattern: -number))
    writer.write([UInt8](repeating: 0, count: 16))
    return NetlinkMessage(
      type: NetlinkMessage.ControlType.error, flags: NetlinkMessage.Flag.capped, payload: writer.bytes)
  }

  /// The end of a list (`NLMSG_DONE`).
  static let done = NetlinkMessage(
    type: NetlinkMessage.ControlType.done, flags: NetlinkMessage.Flag.multi, payload: [0, 0, 0, 0])

  /// A link that answers with these recordings.
  func link(messagesPerDatagram: Int = .max) -> RecordedLink {
    var scans = scans
    var triggers = triggers
    return RecordedLink(messagesPerDatagram: messagesPerDatagram) { request in
      if request.message.type == NetlinkMessage.ControlType.genericController { return controller(request.generic) }
      switch request.generic.command {
      case NL80211.Command.getInterface: return [.init(.replies(interfaces.isEmpty ? [Self.done] : interfaces))]
      case NL80211.Command.getWiphy: return [.init(.replies(adapters.isEmpty ? [Self.done] : adapters))]
      case NL80211.Command.getScan:
        let scan = scans.count > 1 ? scans.removeFirst() : scans.first
        return [.init(.replies(scan ?? [Self.done]))]
      case NL80211.Command.triggerScan:
        return (triggers.count > 1 ? triggers.removeFirst() : triggers.first)
          ?? [.init(.replies([Self.refusal(KernelError.Number.notPermitted)]))]
      case NL80211.Command.abortScan: return [.init(.replies([Self.acknowledgement]))]
      default: return [.init(.replies([Self.refusal(KernelError.Number.notSupported)]))]
      }
    }
  }

  /// The controller's answer to a question for a family by name (`CTRL_CMD_GETFAMILY`).
  private func controller(_ request: GenericNetlinkMessage) -> [RecordedLink.Answer] {
    let name = AttributeWalk(request.attributes).first { $0.type == 2 }?.string(of: request.attributes)
    guard name == NL80211.familyName else {
      return [.init(.replies([Self.refusal(KernelError.Number.noEntry)]))]
    }
    var writer = AttributeWriter()
    writer.write(2, NL80211.familyName)
    writer.write(1, family)
    writer.nest(7, flagged: false) { groups in
      for (index, name) in (["unused"] + NL80211.multicastGroups).enumerated() {
        groups.nest(UInt16(index + 1), flagged: false) { group in
          group.write(2, UInt32(index + 3))
          group.write(1, name)
        }
      }
    }
    let answer = GenericNetlinkMessage(command: 1, version: 2, attributes: writer.bytes)
    let message = NetlinkMessage(type: NetlinkMessage.ControlType.genericController, payload: answer.payload)
    return [.init(.replies([message])), .init(.replies([Self.acknowledgement]))]
  }
}
