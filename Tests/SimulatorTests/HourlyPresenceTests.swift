import Determinism
import Testing
import WiFi

@testable import Simulator

@Suite struct HourlyPresenceTests {
  private static let hourNs: Int64 = 3_600_000_000_000

  @Test(arguments: [
    HourlyPresence.residents, .routers, .staff, .officeAccessPoints, .passersBy, .shops,
  ])
  func `at each hour as many devices are on as the profile says`(presence: HourlyPresence) {
    let count = 4000
    for hour in 0..<24 {
      let time = (Int64(24 * 3) + Int64(hour)) * Self.hourNs
      let on = (0..<count).count { presence.isOn(Draw.bits(7, UInt64($0)), at: time) }
      // Four standard deviations of a binomial count.
      let expected = Double(presence.permille[hour]) / 1000
      let deviation = 4 * (Double(count) * expected * (1 - expected)).squareRoot()
      #expect(abs(Double(on) - Double(count) * expected) <= deviation + 1, "hour \(hour): \(on) of \(count)")
    }
  }

  @Test func `a device comes once and goes once where the likelihood rises once and falls once`() {
    let presence = HourlyPresence(permille: (0..<24).map { 1000 - abs(14 - $0) * 70 })
    for device in 0..<200 {
      let states = stride(from: 4 * 60, to: 28 * 60, by: 5).map {
        presence.isOn(Draw.bits(9, UInt64(device)), at: Int64($0) * 60_000_000_000)
      }
      #expect(zip(states, states.dropFirst()).count { $0 != $1 } <= 2)
    }
  }

  @Test func `a moment between two hours is between them, also before the start`() {
    let presence = HourlyPresence.staff
    #expect(presence.perMillion(at: 7 * Self.hourNs + Self.hourNs / 2) == 500_000)
    #expect(presence.perMillion(at: 0) == presence.perMillion(at: -24 * Self.hourNs))
    #expect(presence.perMillion(at: 23 * Self.hourNs + Self.hourNs / 2) == 10_000)
  }

  @Test(arguments: RadioProfile.all)
  func `a place without day and night is what it was, and with it only phones are new`(profile: RadioProfile) {
    #expect(profile.populations.allSatisfy { $0.kinds.allSatisfy { $0.value.presence == nil } })
    let changed = profile.withDayAndNight()
    guard RadioProfile.namesWithDayAndNight.contains(profile.name) else {
      #expect(changed == profile)
      return
    }
    #expect(changed.populations.count == profile.populations.count + 1)
    #expect(changed.populations.allSatisfy { $0.kinds.allSatisfy { $0.value.presence != nil } })
    #expect(changed.populations.dropLast().map(\.count) == profile.populations.map(\.count))
  }

  @Test(arguments: RadioProfile.namesWithDayAndNight)
  func `more is on the air by day than at night`(name: String) throws {
    let profile = try #require(RadioProfile.named(name)).withDayAndNight()
    let world = RadioWorld(seed: 7, profile: profile)
    func count(hour: Int) -> Int {
      var frames: [HeardFrame] = []
      for minute in 0..<4 {
        for channel in 1...13 {
          let start = Duration.seconds(hour * 3600 + minute * 600 + channel)
          world.hear(
            Dwell(
              frequencyKHz: UInt32(Band.ghz2_4.frequencyKHz(channel: channel) ?? 0), start: start, end: start + .milliseconds(120)),
            into: &frames)
        }
      }
      return Set(frames.map(\.bssid)).count
    }
    let (night, day) = (count(hour: 28), count(hour: name == "home" ? 44 : 34))
    #expect(day > night, "\(day) by day, \(night) at night")
  }
}
