public import WiFi

/// A link that records what goes over another; secrets are replaced by their length.
public final class RecordingControlLink: ControlLink {
  /// What went over the link so far.
  public private(set) var recording = ControlRecording()

  /// What is never recorded, though a daemon repeats it: asterisks stand in its place.
  public var secret: Secret?

  private let link: any ControlLink
  private let start: Duration

  /// Writes down what goes over `link` from now on.
  public init(_ link: any ControlLink) {
    self.link = link
    start = link.bootTime
  }

  public var bootTime: Duration { link.bootTime }

  private func note(_ channel: ControlChannel, _ content: ControlRecording.Content) {
    recording.entries.append(.init(time: link.bootTime - start, channel: channel, content: content))
  }

  public func open(_ channel: ControlChannel) throws(LinkError) {
    do throws(LinkError) {
      try link.open(channel)
      note(channel, .opened)
    } catch {
      note(channel, .refused(error.number))
      throw error
    }
  }

  public func close(_ channel: ControlChannel) { link.close(channel) }

  public func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    note(channel, payload.isSecret ? .sentSecret(count: payload.bytes.count) : .sent(payload.bytes))
    try link.send(payload, on: channel)
  }

  public func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    let input = try await link.receive(until: deadline, isFinal: isFinal)
    switch input {
    case .received(let channel, let bytes)?: note(channel, .received(secret?.masked(in: bytes) ?? bytes))
    case .closed(let channel)?: note(channel, .closed)
    case nil: break
    }
    return input
  }

  public func endWait() { link.endWait() }
}
