import Determinism
public import WiFi

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
  /// How long a join takes.
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
    var rest = count
    for index in means.indices where index != largest {
      let share = max(1, min(count * means[index] / total, rest - 1))
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

/// Devices of some kinds at some places.
public struct Population: Hashable, Sendable {
  /// How many there are.
  public var count: Count
  /// Where they stand.
  public var placement: Placement
  /// The kinds, each with its weight.
  public var kinds: [Weighted<DeviceKind>]

  /// Makes a population from its parts.
  public init(count: Count, placement: Placement, kinds: [Weighted<DeviceKind>]) {
    self.count = count
    self.placement = placement
    self.kinds = kinds
  }

  /// How many devices there are.
  public enum Count: Hashable, Sendable {
    /// Always as many.
    case fixed(Int)
    /// Any number of the range, each equally likely.
    case between(ClosedRange<Int>)
    /// Classes with their weights; within a class each number is equally likely.
    case histogram([Weighted<ClosedRange<Int>>])

    /// How many there are on average, in thousandths.
    var mean: Int {
      switch self {
      case .fixed(let count): count * 1000
      case .between(let range): (range.lowerBound + range.upperBound) * 500
      case .histogram(let classes):
        classes.reduce(0) { $0 + Int($1.weight) * ($1.value.lowerBound + $1.value.upperBound) * 500 }
          / max(1, classes.reduce(0) { $0 + Int($1.weight) })
      }
    }

    func draw(_ stream: inout RandomStream) -> Int {
      switch self {
      case .fixed(let count): count
      case .between(let range): stream.next(in: range)
      case .histogram(let classes): stream.next(in: classes[stream.pick(weights: classes.map(\.weight))].value)
      }
    }
  }

  /// Where devices stand; lengths in cm.
  public enum Placement: Hashable, Sendable {
    /// Anywhere in a rectangle around a centre, on any of the floors.
    case rectangle(center: Position, width: Int32, depth: Int32, floors: ClosedRange<Int>)
    /// In rows and columns of cells around the origin, one device a cell and floor, somewhere within the cell.
    case cells(columns: Int, rows: Int, floors: ClosedRange<Int>, cellCm: Int32)
    /// Where the origin hears them at a strength of the range in 1/100 dBm, each equally likely, shadowing included.
    case heardAtOrigin(signalMBm: ClosedRange<Int32>)
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

/// A kind of device: its radios, its networks and how it names and secures them.
public struct DeviceKind: Hashable, Sendable {
  /// The radios, 16 at most.
  public var radios: [Radio]
  /// How the main network is secured.
  public var security: [Weighted<AccessPointSecurity>]
  /// How the main network is called.
  public var names: NetworkNaming
  /// Further networks of every radio, each a BSS of its own, at most 7.
  public var extraNetworks: [ExtraNetwork] = []
  /// Whether further networks send no beacons of their own but stand in those of the main one (IEEE 802.11-2020
  /// 11.1.3.8).
  var usesMultipleBSSID = false
  /// Whether the radios are links of one multi-link device (Wi-Fi 7).
  var isMultiLink = false
  /// Whether stations that could use a higher band are not answered in the 2.4 GHz band.
  var steers = false
  /// How many of a thousand keep the name of the main network to themselves.
  package var hiddenPermille = 0
  /// How many of a thousand have Wi-Fi Protected Setup on.
  var wpsPermille = 0
  /// Whether it says how busy it is, and offers radio measurement and fast roaming.
  var isManaged = false
  /// How likely it is on by the hour of the day; `nil` is always, but for its downtimes.
  public var presence: HourlyPresence?
  /// Who the address was assigned to, 24 bits.
  public var oui: UInt32

  /// Makes a kind from its parts; the rest is set afterwards.
  public init(radios: [Radio], security: [Weighted<AccessPointSecurity>], names: NetworkNaming, oui: UInt32) {
    self.radios = radios
    self.security = security
    self.names = names
    self.oui = oui
  }

  /// One radio of a device.
  public struct Radio: Hashable, Sendable {
    /// The band.
    public var band: Band
    /// The primary channels, each with its weight.
    public var channels: [Weighted<Int>]
    /// How wide the channel is, in MHz; what the channel does not allow is 20.
    public var megahertz: Int
    /// The generation.
    public var generation: Generation
    /// The power with the gain of the antenna, in 1/100 dBm.
    public var powerMBm: Int32
    /// Spatial streams.
    public var streams = 2

    /// Makes a radio from its parts.
    public init(_ band: Band, channels: [Weighted<Int>], megahertz: Int, _ generation: Generation, powerMBm: Int32, streams: Int = 2) {
      self.band = band
      self.channels = channels
      self.megahertz = megahertz
      self.generation = generation
      self.powerMBm = powerMBm
      self.streams = streams
    }
  }

  /// A further network of a device.
  public struct ExtraNetwork: Hashable, Sendable {
    /// How it is called.
    public var names: NetworkNaming
    /// How it is secured.
    public var security: AccessPointSecurity
    /// Whether it hides its name.
    public var isHidden = false

    /// Makes one from its parts.
    public init(names: NetworkNaming, security: AccessPointSecurity, isHidden: Bool = false) {
      self.names = names
      self.security = security
      self.isHidden = isHidden
    }
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
