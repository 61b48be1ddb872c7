public import WiFi

/// One way to talk to a daemon.
public enum ControlChannel: Hashable, Sendable {
  /// The control interface of wpa_supplicant for one interface: datagrams.
  case supplicant(interface: String)
  /// The system bus: a stream of bytes.
  case bus
  /// What the kernel reports of authentications and associations: datagrams of nl80211's group `mlme`, to be read only;
  /// needs no privilege.
  case kernel
}

extension ControlChannel: CustomStringConvertible {
  /// Such as `wpa_supplicant of wlan0` or `the system bus`.
  public var description: String {
    switch self {
    case .supplicant(let interface): "wpa_supplicant of \(interface)"
    case .bus: "the system bus"
    case .kernel: "the kernel"
    }
  }
}

/// Bytes for a daemon; their description never holds a secret.
public struct ControlPayload: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The bytes.
  public var bytes: [UInt8]
  /// Whether a password or a key is among them: they must not be logged or recorded.
  public var isSecret: Bool

  /// Makes a payload from its parts.
  public init(_ bytes: [UInt8], isSecret: Bool = false) {
    self.bytes = bytes
    self.isSecret = isSecret
  }

  /// The number of bytes.
  public var description: String { "‹\(bytes.count) bytes›" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What can come over a ``ControlLink``.
public enum ControlInput: Hashable, Sendable {
  /// A datagram, whole, or the next bytes of a stream.
  case received(ControlChannel, [UInt8])
  /// The daemon closed the channel or ended; the channel is no longer open.
  case closed(ControlChannel)
}

/// A way to talk to the daemons that join networks, over any number of channels at once.
///
/// A daemon is behind the live link; a recording or a simulated daemon may be behind others. All pass the same contract
/// suite. One task at a time may wait.
public protocol ControlLink: AnyObject {
  /// The time since boot, sleep included (`CLOCK_BOOTTIME`).
  var bootTime: Duration { get }

  /// Opens a channel; it must not be open.
  ///
  /// - Throws: ``/WiFi/LinkError``: `ENOENT` or `ECONNREFUSED` where the daemon does not run, `EACCES` or `EPERM` where
  ///   this user may not.
  func open(_ channel: ControlChannel) throws(LinkError)

  /// Closes a channel; one that is not open stays so.
  func close(_ channel: ControlChannel)

  /// Sends a datagram, or bytes of a stream, whole.
  ///
  /// - Throws: ``/WiFi/LinkError``: `ENOTCONN` where the channel is not open.
  func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError)

  /// Waits for whatever comes next over any channel.
  ///
  /// - Parameters:
  ///   - deadline: a ``bootTime`` after which there is nothing to wait for; a past one only looks.
  ///   - isFinal: whether the wait continues although the task is cancelled, as far as the clock allows that: a session
  ///     that cleans up.
  /// - Returns: what came, or `nil` when the deadline passed or the task was cancelled first.
  /// - Throws: ``/WiFi/LinkError`` where nothing can come over any channel any more.
  func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput?

  /// Ends the wait that runs, or else the next one, with `nil`, as cancelling its task would; not one that is final.
  func endWait()
}

extension LinkError {
  /// The error numbers that channels meet (`<asm-generic/errno.h>`).
  public enum ControlNumber {
    public static let notConnected: Int32 = 107
    public static let connectionRefused: Int32 = 111
    public static let brokenPipe: Int32 = 32
  }
}
