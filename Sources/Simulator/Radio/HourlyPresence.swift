import Determinism

/// How likely a device is on, by the hour of the day.
///
/// A device is on while a number that is drawn for it each day is below the likelihood of the moment, which goes evenly
/// from one hour to the next: so it comes once and goes once where the likelihood rises once and falls once. A day
/// begins at four, when most are asleep. The hours are those of the simulated machine, which is booted at midnight,
/// UTC.
public struct HourlyPresence: Hashable, Sendable {
  /// How many of a thousand devices are on at each full hour, from midnight on.
  public let permille: [Int]

  /// Makes it of 24 numbers from 0 to 1000.
  public init(permille: [Int]) {
    precondition(permille.count == 24 && permille.allSatisfy { (0...1000).contains($0) }, "HourlyPresence: 24 numbers from 0 to 1000")
    self.permille = permille
  }

  private static let hourNs: Int64 = 3_600_000_000_000

  /// How many of a million are on at a time since boot, in ns.
  func perMillion(at timeNs: Int64) -> Int {
    let ofDay = Self.modulo(timeNs, 24 * Self.hourNs)
    let hour = Int(ofDay / Self.hourNs)
    let (from, to) = (Int64(permille[hour]), Int64(permille[(hour + 1) % 24]))
    return Int(from * 1000 + (to - from) * 1000 * (ofDay % Self.hourNs / 1_000_000) / (Self.hourNs / 1_000_000))
  }

  /// Whether the device of a key is on at a time since boot, in ns.
  func isOn(_ key: UInt64, at timeNs: Int64) -> Bool {
    let shifted = timeNs - 4 * Self.hourNs
    let day = (shifted - Self.modulo(shifted, 24 * Self.hourNs)) / (24 * Self.hourNs)
    return Draw.below(Draw.bits(key, 60, UInt64(bitPattern: day)), 1_000_000) < UInt64(perMillion(at: timeNs))
  }

  private static func modulo(_ value: Int64, _ divisor: Int64) -> Int64 { (value % divisor + divisor) % divisor }

  // MARK: Assumptions

  // No survey of access points by the hour was found; these follow what is known of offices and homes in general, and
  // are parameters, not facts.

  /// Devices of people at home: few while they sleep, some are away by day, most are there in the evening.
  package static let residents = HourlyPresence(
    permille: [500, 350, 250, 200, 200, 250, 400, 500, 450, 350, 300, 300, 350, 350, 350, 400, 500, 650, 800, 900, 950, 950, 850, 700])

  /// Routers of homes: some are switched off at night.
  package static let routers = HourlyPresence(
    permille: [960, 940, 930, 930, 930, 940, 970, 990] + [Int](repeating: 1000, count: 14) + [990, 980])

  /// Devices of people at work: from eight to six, fewer around noon.
  package static let staff = HourlyPresence(
    permille: [10, 10, 10, 10, 10, 20, 80, 300, 700, 900, 950, 900, 700, 800, 920, 900, 800, 550, 250, 120, 60, 30, 20, 10])

  /// Access points of an office, of which some sleep while the office is empty.
  package static let officeAccessPoints = HourlyPresence(
    permille: [600, 600, 600, 600, 600, 700, 900] + [Int](repeating: 1000, count: 13) + [900, 750, 650, 600])

  /// Devices of people in a street: from morning to midnight, most in the afternoon.
  package static let passersBy = HourlyPresence(
    permille: [150, 80, 50, 40, 50, 120, 300, 500, 600, 550, 550, 650, 750, 750, 700, 750, 850, 950, 900, 750, 600, 450, 350, 250])

  /// Hotspots of shops and cafés, of which half are switched off when they close.
  package static let shops = HourlyPresence(
    permille: [500, 500, 500, 500, 500, 500, 600, 800] + [Int](repeating: 1000, count: 12) + [950, 850, 700, 550])
}

extension RadioProfile {
  /// The names of the profiles that know day and night.
  public static let namesWithDayAndNight = [RadioProfile.home, .office, .street].map(\.name)

  /// The same place by day and night: devices of people, and access points, come and go by the hour
  /// (``HourlyPresence``).
  ///
  /// Phones that share their connection join in numbers that suit the place; everything else is as it was. A profile of
  /// another name than those of ``namesWithDayAndNight`` is returned as it is.
  public func withDayAndNight() -> RadioProfile {
    let (people, accessPoints, hotspots): (HourlyPresence, HourlyPresence, HourlyPresence)
    let (count, width, depth, floors): (ClosedRange<Int>, Int32, Int32, ClosedRange<Int>)
    switch name {
    case RadioProfile.home.name:
      (people, accessPoints, hotspots) = (.residents, .routers, .routers)
      (count, width, depth, floors) = (3...6, 3000, 3000, 0...1)
    case RadioProfile.office.name:
      (people, accessPoints, hotspots) = (.staff, .officeAccessPoints, .officeAccessPoints)
      (count, width, depth, floors) = (15...25, 6000, 4500, 0...1)
    case RadioProfile.street.name:
      (people, accessPoints, hotspots) = (.residents, .routers, .shops)
      (count, width, depth, floors) = (20...40, 40_000, 1000, 0...0)
    default: return self
    }
    var profile = self
    for population in profile.populations.indices {
      for index in profile.populations[population].kinds.indices {
        let kind = profile.populations[population].kinds[index].value
        profile.populations[population].kinds[index].value.presence =
          kind == .phone || kind == .gadget ? people : kind == .hotspot ? hotspots : accessPoints
      }
    }
    var phone = DeviceKind.phone
    phone.presence = name == RadioProfile.street.name ? .passersBy : people
    // Behind the others, so that those keep their numbers.
    profile.populations.append(
      Population(
        count: .between(count), placement: .rectangle(center: Position(x: 0, y: 0), width: width, depth: depth, floors: floors),
        kinds: [.init(phone, 1)]))
    return profile
  }
}
