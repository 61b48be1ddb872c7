import Determinism
import WiFi

/// How often a stay on a channel hears a beacon: arithmetic of windows and intervals, published nowhere but certain.
func dwellRows(_ seed: UInt64, _ subject: StatisticsSubject) -> [StatisticsReport.Row] {
  let count = subject.samples(30_000)
  let source = "beacons every 102.4 ms (IEEE 802.11-2020 11.1.3.2), dwells of mac80211"
  let q = 0.3
  let missed = count - heard(seed, "passive", count, frameLossPermille: 300, dwell: subject.passiveDwell)
  let held = heard(seed, "active", count, frameLossPermille: 0, dwell: subject.activeDwell)
  return [
    .share(
      "passive dwell misses, loss 0.3", published: 0.915 * q + 0.085 * q * q, digits: 2, source: source, count: missed, of: count),
    .share("30 ms hold a beacon", published: 0.293, source: source, count: held, of: count),
  ]
}

/// How many of `count` dwells at random times hear the one access point that there is.
private func heard(_ seed: UInt64, _ name: String, _ count: Int, frameLossPermille: Int, dwell: Duration) -> Int {
  let accessPoint = AccessPoint(
    bssid: MACAddress(0x0200_0000_0001), ssid: .wildcard, channel: Channel(frequencyKHz: 2_437_000), generation: .wifi4,
    security: .open)
  var profile = RadioProfile(name: "statistics", propagation: .indoorOpen, populations: [])
  profile.frameLossPermille = frameLossPermille
  let world = RadioWorld(
    seed: seed, profile: profile, placed: [PlacedAccessPoint(accessPoint, at: Position(x: 300, y: 0))])
  var stream = RandomStream(seed: seed, name: "statistics \(name) dwell")
  var heard = 0
  var frames: [HeardFrame] = []
  for _ in 0..<count {
    let start = Duration.microseconds(Int64(stream.next(below: 1_000_000_000_000)))
    frames.removeAll(keepingCapacity: true)
    world.hear(Dwell(frequencyKHz: 2_437_000, start: start, end: start + dwell), into: &frames)
    heard += frames.isEmpty ? 0 : 1
  }
  return heard
}
