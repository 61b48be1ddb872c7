import DaemonProtocols
import WiFi

/// A link that hands all on to another, for links that do one thing otherwise.
class RelayLink: ControlLink {
  let link: any ControlLink

  init(_ link: any ControlLink) { self.link = link }

  var bootTime: Duration { link.bootTime }
  func open(_ channel: ControlChannel) throws(LinkError) { try link.open(channel) }
  func close(_ channel: ControlChannel) { link.close(channel) }
  func endWait() { link.endWait() }
  func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) { try link.send(payload, on: channel) }
  func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    try await link.receive(until: deadline, isFinal: isFinal)
  }
}
