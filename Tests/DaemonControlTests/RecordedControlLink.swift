import DaemonProtocols
import WiFi

/// A link over a `ControlRecording`: what was received then is received again, once what was sent before it has been
/// sent again.
///
/// Time is its own and jumps, so a conversation of minutes takes none. What is sent must be what was sent then, a
/// secret of the same length; the first difference is kept in `difference`, and nothing more comes after it.
final class RecordedControlLink: ControlLink {
  /// How what is sent differs from the recording, if it does.
  private(set) var difference: String?

  /// How many entries were replayed.
  private(set) var position = 0

  private(set) var bootTime: Duration

  private let recording: ControlRecording
  private let start: Duration
  private var opened: [ControlChannel] = []
  private var endsWait = false

  /// Replays a recording from `bootTime` on.
  init(_ recording: ControlRecording, bootTime: Duration = .seconds(100)) {
    self.recording = recording
    self.bootTime = bootTime
    start = bootTime
  }

  /// Whether all of it was replayed.
  var isFinished: Bool { position == recording.entries.count }

  private var next: ControlRecording.Entry? {
    difference == nil && position < recording.entries.count ? recording.entries[position] : nil
  }

  private func differ(_ what: String) {
    if difference == nil { difference = "entry \(position + 1): \(what), recorded is: \(next.map { "\($0)" } ?? "nothing more")" }
  }

  func open(_ channel: ControlChannel) throws(LinkError) {
    precondition(!opened.contains(channel), "RecordedControlLink: \(channel) is open")
    if let entry = next, entry.channel == channel {
      if entry.content == .opened {
        position += 1
        opened.append(channel)
        return
      }
      if case .refused(let number) = entry.content {
        position += 1
        throw LinkError(operation: "open \(channel)", number: number)
      }
    }
    differ("\(channel) is opened")
    throw LinkError(operation: "open \(channel)", number: KernelError.Number.noEntry)
  }

  func close(_ channel: ControlChannel) { opened.removeAll { $0 == channel } }
  func endWait() { endsWait = true }

  func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
    guard opened.contains(channel) else {
      throw LinkError(operation: "send to \(channel)", number: LinkError.ControlNumber.notConnected)
    }
    let content: ControlRecording.Content = payload.isSecret ? .sentSecret(count: payload.bytes.count) : .sent(payload.bytes)
    guard let entry = next, entry.channel == channel, entry.content == content else {
      return differ("\(ControlRecording.Entry(time: bootTime - start, channel: channel, content: content))")
    }
    position += 1
  }

  func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
    if !isFinal, Task.isCancelled || endsWait {
      endsWait = false
      return nil
    }
    guard let entry = next, start + entry.time <= max(deadline, bootTime) else {
      bootTime = max(bootTime, deadline)
      return nil
    }
    switch entry.content {
    case .received(let bytes):
      position += 1
      bootTime = max(bootTime, start + entry.time)
      guard opened.contains(entry.channel) else { return try await receive(until: deadline, isFinal: isFinal) }
      return .received(entry.channel, bytes)
    case .closed:
      position += 1
      bootTime = max(bootTime, start + entry.time)
      close(entry.channel)
      return .closed(entry.channel)
    case .opened, .refused, .sent, .sentSecret:
      // Nothing comes before this is sent, which happens when the wait is over.
      bootTime = max(bootTime, deadline)
      return nil
    }
  }
}

extension ControlRecording {
  /// Parses the text of a recording; lines that begin with `#` are comments.
  ///
  /// - Throws: `WireError` at the first byte of the line that is malformed.
  init(_ text: String) throws(WireError) {
    self.init()
    var offset = 0
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if !line.isEmpty, !line.hasPrefix("#") {
        guard let entry = Self.entry(line.split(separator: " ", omittingEmptySubsequences: false)) else {
          throw WireError(offset: offset, reason: .invalid("malformed line of a recording"))
        }
        entries.append(entry)
      }
      offset += line.utf8.count + 1
    }
  }

  private static func entry(_ words: [Substring]) -> Entry? {
    guard words.count >= 3, let time = time(words[0]), let channel = channel(words[2]) else { return nil }
    func make(_ content: Content?) -> Entry? { content.map { Entry(time: time, channel: channel, content: $0) } }
    switch (words[1], words.count) {
    case ("open", 3): return make(.opened)
    case ("closed", 3): return make(.closed)
    case ("refused", 4): return make(Int32(words[3]).map { .refused($0) })
    case ("<", 4): return make(Hex.bytes(words[3]).map { .received($0) })
    case (">", 4): return make(Hex.bytes(words[3]).map { .sent($0) })
    case (">", 5) where words[3] == "secret": return make(Int(words[4]).map { .sentSecret(count: $0) })
    default: return nil
    }
  }

  private static func time(_ text: Substring) -> Duration? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 6, let seconds = Int64(parts[0]), let micro = Int64(parts[1]), seconds >= 0, micro >= 0,
      seconds < 1 << 40
    else { return nil }
    return .seconds(seconds) + .microseconds(micro)
  }

  private static func channel(_ text: Substring) -> ControlChannel? {
    if text == "bus" { return .bus }
    if text == "kernel" { return .kernel }
    guard text.hasPrefix("supplicant/") else { return nil }
    return .supplicant(interface: String(text.dropFirst(11)))
  }
}
