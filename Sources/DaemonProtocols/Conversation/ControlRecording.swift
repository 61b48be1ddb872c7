import WiFi

/// A conversation over a ``ControlLink``, as it is kept in a file: a line for each thing that happened.
///
///     0.000000 open supplicant/wlan0
///     0.000012 > supplicant/wlan0 415454414348
///     0.000020 < supplicant/wlan0 4f4b0a
///     0.000031 > supplicant/wlan0 secret 27
///     0.500000 closed supplicant/wlan0
///
/// Times are seconds since the first line, bytes are hexadecimal. Of a payload with a secret only its length is kept.
public struct ControlRecording: Hashable, Sendable {
  /// What happened.
  public enum Content: Hashable, Sendable {
    /// A channel was opened.
    case opened
    /// A channel could not be opened, with the number of the error.
    case refused(Int32)
    /// These bytes were sent.
    case sent([UInt8])
    /// So many bytes were sent, a secret among them.
    case sentSecret(count: Int)
    /// These bytes came.
    case received([UInt8])
    /// The daemon closed the channel.
    case closed
  }

  /// One line.
  public struct Entry: Hashable, Sendable {
    /// When, since the first line; whole microseconds are kept.
    public var time: Duration
    /// Over which channel.
    public var channel: ControlChannel
    /// What happened.
    public var content: Content

    /// Makes an entry from its parts.
    public init(time: Duration, channel: ControlChannel, content: Content) {
      self.time = time
      self.channel = channel
      self.content = content
    }
  }

  /// The lines in order.
  public var entries: [Entry]

  /// A recording of these entries.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The text of the recording.
  public var text: String { entries.map { "\($0)\n" }.joined() }
}

extension ControlRecording.Entry: CustomStringConvertible {
  /// The line.
  public var description: String {
    let name: String =
      switch channel {
      case .bus: "bus"
      case .kernel: "kernel"
      case .supplicant(let interface): "supplicant/\(interface)"
      }
    let what: String =
      switch content {
      case .opened: "open \(name)"
      case .refused(let number): "refused \(name) \(number)"
      case .sent(let bytes): "> \(name) \(Hex.string(bytes))"
      case .sentSecret(let count): "> \(name) secret \(count)"
      case .received(let bytes): "< \(name) \(Hex.string(bytes))"
      case .closed: "closed \(name)"
      }
    return "\(FixedPlaces.text(units: time.wholeNanoseconds / 1000, places: 6, showsAll: true)) \(what)"
  }
}
