import Determinism

/// When a device is down, and when radar drives it from its channel: a function of its key and the time, by days.
public struct Downtimes {
  /// How many of a thousand days have radar on the device's channel.
  var radarPermille = 0
  /// How likely the device is on by the hour of the day.
  var presence: HourlyPresence?

  private let rateQ16: Int64
  private let profile: RadioProfile.Downtimes
  private let key: UInt64
  private var known: (day: Int64, downs: [Down], radarNs: Int64?)?

  /// One time of being down, in ns since boot.
  struct Down: Hashable {
    var startNs: Int64
    var endNs: Int64
  }

  /// The state of a device at one moment.
  struct State {
    var isUp: Bool
    /// When it came up again, if that was within the last days.
    var upSinceNs: Int64?
    /// Whether radar drove it to another channel today.
    var hasFled: Bool
    /// When radar will drive it away today.
    var fleesAtNs: Int64?
  }

  static let dayNs: Int64 = 86_400_000_000_000

  /// How many days back a downtime is remembered, for the timer of the device.
  static let memoryDays: Int64 = 30

  init(_ profile: RadioProfile.Downtimes, key: UInt64) {
    self.profile = profile
    self.key = Draw.bits(key, 50)
    var stream = RandomStream(seed: self.key)
    rateQ16 = stream.logNormal(median: profile.medianPermillePerDay << 16, sigmaQ16: profile.spreadPermille << 16 / 1000) / 1000
  }

  mutating func state(at timeNs: Int64) -> State {
    let day = timeNs >= 0 ? timeNs / Self.dayNs : -1
    let (downs, radarNs) = events(around: day)
    var isUp = presence?.isOn(key, at: timeNs) ?? true
    var upSinceNs: Int64?
    for down in downs where down.startNs <= timeNs {
      if timeNs < down.endNs { isUp = false }
      upSinceNs = max(upSinceNs ?? down.endNs, down.endNs)
    }
    let hasFled = radarNs.map { $0 <= timeNs } ?? false
    return State(isUp: isUp, upSinceNs: isUp ? upSinceNs : nil, hasFled: hasFled, fleesAtNs: hasFled ? nil : radarNs)
  }

  /// What matters on one day: the downtimes of it and of those before it, and radar.
  private mutating func events(around day: Int64) -> (downs: [Down], radarNs: Int64?) {
    if let known, known.day == day { return (known.downs, known.radarNs) }
    var downs: [Down] = []
    if rateQ16 > 0 {
      for earlier in stride(from: day - Self.memoryDays, through: day, by: 1) where earlier >= 0 { downs += self.downs(on: earlier) }
    }
    var radarNs: Int64?
    if radarPermille > 0 {
      let bits = Draw.bits(key, 1, UInt64(bitPattern: day))
      if Draw.bool(bits, permille: radarPermille) {
        radarNs = day * Self.dayNs + Int64(Draw.below(Draw.bits(bits, 1), UInt64(Self.dayNs)))
      }
    }
    known = (day, downs, radarNs)
    return (downs, radarNs)
  }

  /// The downtimes that begin on a day.
  func downs(on day: Int64) -> [Down] {
    var stream = RandomStream(seed: Draw.bits(key, 2, UInt64(bitPattern: day)))
    let count = stream.poisson(meanQ16: rateQ16)
    return (0..<count).map { _ in
      let start = day * Self.dayNs + Int64(stream.next(below: UInt64(Self.dayNs)))
      let seconds = stream.logNormal(median: profile.medianSeconds << 16, sigmaQ16: profile.lengthSpreadPermille << 16 / 1000) >> 16
      return Down(startNs: start, endNs: start + min(max(seconds, 1), 86_400) * 1_000_000_000)
    }
  }
}
