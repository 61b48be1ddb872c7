public import WiFi

/// Plays a recording in a viewer, scan by scan, forth and back.
///
/// A step forth takes in one scan. A step back begins with new models and takes in the scans before, at most
/// ``reach`` of them: what is older changes neither who is lost nor the history that is kept.
public final class RecordingPlayer {
  /// The scans that a step back takes in at most.
  public static let reach = 720

  private let scans: [Scan]
  private let makeSettings: () -> WiFiSettingsModel
  private let viewer: Viewer
  /// How long after the first each scan ended, on a line that never runs backwards.
  private let elapsed: [Duration]
  /// The number of scans that were taken in.
  public private(set) var position = 0

  /// Plays `scans` in a viewer whose models `makeSettings` makes, from the first scan on.
  public init(_ scans: [Scan], in viewer: Viewer, makeSettings: @escaping () -> WiFiSettingsModel) {
    self.scans = scans
    self.viewer = viewer
    self.makeSettings = makeSettings
    var (elapsed, time): ([Duration], Duration) = ([], .zero)
    for (index, scan) in scans.enumerated() {
      if index > 0 { time += max(scan.end - scans[index - 1].end, .zero) }
      elapsed.append(time)
    }
    self.elapsed = elapsed
    go(to: 1)
  }

  /// The number of scans.
  public var count: Int { scans.count }

  /// How long after the shown scan the next one ended; `nil` at the end.
  public var timeToNext: Duration? {
    guard position > 0, position < scans.count else { return nil }
    return elapsed[position] - elapsed[position - 1]
  }

  /// Goes so many scans on, or back.
  public func step(by steps: Int) { go(to: position + steps) }

  /// Goes to the scan of a number, from 1; the nearest where there is none.
  public func go(to wanted: Int) {
    let target = min(max(wanted, 1), scans.count)
    guard target != position, target > 0 else { return show() }
    if target < position || target - position > Self.reach {
      position = max(target - Self.reach, 0)
      viewer.restart(makeSettings(), at: scans[position].end)
    }
    while position < target {
      let scan = scans[position]
      // The machine was started again: its times start again.
      if position > 0, scan.end < scans[position - 1].end { viewer.restart(makeSettings(), at: scan.end) }
      if !viewer.timeStyle.isTimeOfDay { viewer.timeStyle = TimeStyle(since: scan.end - elapsed[position]) }
      viewer.take(scan)
      viewer.settings.apply(scan)
      viewer.update()
      position += 1
    }
    viewer.status.count = position
    show()
  }

  /// Goes on by itself, or not; from the beginning, where all was played.
  public func play(_ isPlaying: Bool) {
    if isPlaying, position == scans.count { go(to: 1) }
    viewer.isPaused = !isPlaying
    show()
  }

  private func show() {
    guard let duration = elapsed.last, position > 0 else { return }
    viewer.status.phase = position == scans.count ? .ended : .waiting
    if position == scans.count { viewer.isPaused = true }
    viewer.playback = Playback(
      position: position, count: scans.count, time: elapsed[position - 1], duration: duration,
      isPlaying: !viewer.isPaused && position < scans.count)
  }
}
