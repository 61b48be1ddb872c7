import Determinism

/// A kind of place, as data: how signals travel there, which devices stand where, and how the station moves.
///
/// Figures that were published are named with their source; everything else is a parameter of the profile.
public struct RadioProfile: Hashable, Sendable {
  /// Its name, such as `home`.
  public var name: String
  /// How signals lose strength.
  public var propagation: Propagation
  /// The devices.
  public var populations: [Population]
  /// Where the station is.
  public var path: StationPath
  /// The weakest frame that is heard, in 1/100 dBm.
  var sensitivityMBm: Int32 = -9200
  /// How many of a thousand frames are lost for other reasons than their strength, collisions above all.
  package var frameLossPermille = 20
  /// How often access points are down.
  public var downtimes = Downtimes.bismark
  /// How often an access point on a channel with radar detection must leave it, in a thousand days.
  package var radarPermilleDays = 50
  var joinDuration: Duration = .milliseconds(1500)
  /// The weakest signal that can be joined, in 1/100 dBm.
  var joinSensitivityMBm: Int32 = -8500
  /// The password of every network that has one and no rule of its own.
  public var password = JoinRule.shortPassword

  /// Makes a profile from its parts; the rest is set afterwards.
  public init(name: String, propagation: Propagation, populations: [Population], path: StationPath = StationPath()) {
    self.name = name
    self.propagation = propagation
    self.populations = populations
    self.path = path
  }

  /// The profiles that are built in, by name.
  public static let all: [RadioProfile] = [.home, .office, .apartmentBlock, .street, .stadium, .survey]

  /// The same place with `count` devices, of each population in proportion and at least one, the largest taking the
  /// rest.
  ///
  /// - Precondition: `count` is at least the number of populations.
  public func with(devices count: Int) -> RadioProfile {
    precondition(count >= populations.count, "RadioProfile: \(count) devices for \(populations.count) populations")
    var profile = self
    let means = populations.map(\.count.mean)
    let total = max(1, means.reduce(0, +))
    guard let largest = means.indices.max(by: { means[$0] < means[$1] }) else { return profile }
    // Devices, and populations, that are still to be counted: each of these has one device at least.
    var (rest, left) = (count, means.count)
    for index in means.indices where index != largest {
      left -= 1
      let share = max(1, min(count * means[index] / total, rest - left))
      profile.populations[index].count = .fixed(share)
      rest -= share
    }
    profile.populations[largest].count = .fixed(rest)
    return profile
  }

  /// The profile of a name.
  public static func named(_ name: String) -> RadioProfile? { all.first { $0.name == name } }

  /// How often access points are down, and how long.
  public struct Downtimes: Hashable, Sendable {
    /// The median over access points of downtimes a day, in thousandths.
    package var medianPermillePerDay: Int64
    /// How much access points differ: the standard deviation of the natural logarithm, in thousandths.
    var spreadPermille: Int64
    /// The median length of a downtime.
    var medianSeconds: Int64
    /// How much downtimes differ: the standard deviation of the natural logarithm, in thousandths.
    var lengthSpreadPermille: Int64

    /// A median of 0.11 a day (Grover and others, "Peeking behind the NAT", IMC 2013: homes of developed countries,
    /// from the routers of BISmark); spread and length are parameters.
    static let bismark = Downtimes(
      medianPermillePerDay: 110, spreadPermille: 1000, medianSeconds: 1800, lengthSpreadPermille: 1000)

    /// Nothing is ever down.
    public static let never = Downtimes(
      medianPermillePerDay: 0, spreadPermille: 0, medianSeconds: 1, lengthSpreadPermille: 0)
  }
}

/// A thing and how likely it is beside others.
public struct Weighted<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The thing.
  public var value: Value
  /// Its weight.
  public var weight: UInt64

  /// A thing and its weight.
  public init(_ value: Value, _ weight: UInt64) {
    self.value = value
    self.weight = weight
  }
}

/// How networks are called.
public enum NetworkNaming: Hashable, Sendable {
  /// Always the same.
  case fixed(String)
  /// One of several, each equally likely.
  case oneOf([String])
  /// One of several, then four hexadecimal digits of the device.
  case numbered([String])
  /// The name of the main network with something behind it.
  case mainNetwork(suffix: String)

  func name(of key: UInt64, main: String) -> String {
    switch self {
    case .fixed(let name): return name
    case .oneOf(let names): return names[Int(Draw.below(Draw.bits(key, 1), UInt64(names.count)))]
    case .numbered(let names):
      let digits = String(Draw.bits(key, 2) & 0xFFFF | 0x1_0000, radix: 16, uppercase: true).dropFirst()
      return names[Int(Draw.below(Draw.bits(key, 1), UInt64(names.count)))] + digits
    case .mainNetwork(let suffix): return main + suffix
    }
  }
}
