/// The place in a recording that is played.
public struct Playback: Hashable, Sendable {
  /// The number of the scan that is shown, from 1.
  public var position: Int
  /// The number of scans.
  public var count: Int
  /// When the shown scan ended, since the end of the first.
  public var time: Duration
  /// How long the recording is.
  public var duration: Duration
  /// Whether it advances by itself.
  public var isPlaying: Bool

  /// Makes a place from its parts.
  public init(position: Int, count: Int, time: Duration, duration: Duration, isPlaying: Bool) {
    self.position = position
    self.count = count
    self.time = time
    self.duration = duration
    self.isPlaying = isPlaying
  }
}
