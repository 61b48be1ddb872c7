import Determinism
public import WiFi

/// Access points at places, heard by a station that moves: the air of a simulated kernel.
///
/// Everything is a function of the seed and the time: what a dwell hears depends on the dwell alone, not on what was
/// asked before. Each device draws from a key of its own, so one more does not disturb the others. A radio takes about
/// 50 bytes until the station comes near it; only then are its elements encoded, once.
public final class RadioWorld: Air {
  /// The place.
  public let profile: RadioProfile
  /// The seed.
  public let seed: UInt64
  /// The access points that were put somewhere.
  public let placed: [PlacedAccessPoint]
  /// The results of joins, by name of the network; for others the profile's password and duration count.
  public var joinRules: [SSID: JoinRule] = [:]
  /// What access points do with stations that join over a simulated daemon, by address; the others have the profile's
  /// password.
  public var policies: [MACAddress: AccessPointPolicy] = [:]

  let kinds: [DeviceKind]
  private(set) var records: [RadioRecord] = []
  private var index: RadioIndex
  /// The number of the first device of each population, and the key that its devices are drawn with.
  private var populations: [(firstDevice: UInt32, key: UInt64)] = []
  /// The number of the first placed access point.
  private var firstPlaced: UInt32 = 0
  private var near: [UInt16: Near] = [:]

  /// The radios on one channel around one square.
  private struct Near {
    var square: UInt64
    var radios: [NearRadio]
  }

  /// The most blocks of addresses of one vendor.
  private static let maximumBlocks: UInt64 = 32

  /// A world of a seed.
  ///
  /// - Precondition: there are at most 8 populations of at most 1,048,576 devices each.
  public init(seed: UInt64, profile: RadioProfile, placed: [PlacedAccessPoint] = []) {
    self.seed = seed
    self.profile = profile
    self.placed = placed
    index = RadioIndex(cellCm: profile.propagation.rangeCm)
    kinds = profile.populations.flatMap { $0.kinds.map(\.value) }
    var firstKind = 0
    for (number, population) in profile.populations.enumerated() {
      populate(number, population, firstKind: firstKind)
      firstKind += population.kinds.count
    }
    firstPlaced = deviceCount
    for access in placed { add(access) }
    precondition(populations.count <= 8, "RadioWorld: \(populations.count) populations")
    precondition(deviceCount <= 1 << 20, "RadioWorld: \(deviceCount) devices")
    index.reserve(records.count)
    for (number, record) in records.enumerated() {
      index.add(UInt32(number), frequencyMHz: record.frequencyMHz, x: record.x, y: record.y)
      if record.kind != RadioRecord.placed, Self.needsRadarDetection(record.frequencyMHz) {
        index.add(UInt32(number), frequencyMHz: Self.refuge, x: record.x, y: record.y)
      }
    }
    index.finish()
  }

  /// The number of radios.
  public var radioCount: Int { records.count }

  private var deviceCount: UInt32 = 0

  /// The channel that an access point flees to from radar: 36.
  static let refuge: UInt16 = 5180

  static func needsRadarDetection(_ frequencyMHz: UInt16) -> Bool { (5250...5730).contains(frequencyMHz) }

  // MARK: Making the world

  private func populate(_ number: Int, _ population: Population, firstKind: Int) {
    var stream = RandomStream(seed: seed, name: "population \(number)")
    let key = stream.next()
    populations.append((deviceCount, key))
    let count = population.count.draw(&stream)
    let weights = population.kinds.map(\.weight)
    for place in 0..<count {
      let device = deviceCount
      deviceCount += 1
      var stream = RandomStream(seed: Draw.bits(key, UInt64(place)))
      let kind = stream.pick(weights: weights)
      let radios = population.kinds[kind].value.radios
      let placement = draw(population.placement, place, &stream)
      for (radio, plan) in radios.enumerated() {
        let channel = plan.channels[stream.pick(weights: plan.channels.map(\.weight))].value
        guard let frequency = plan.band.frequencyKHz(channel: channel) else {
          preconditionFailure("RadioWorld: no channel \(channel) in the band \(plan.band)")
        }
        var record = RadioRecord(
          x: 0, y: 0, device: device, frequencyMHz: UInt16(frequency / 1000), floor: 0, kind: UInt16(firstKind + kind),
          radio: UInt8(radio), isObstructed: false)
        switch placement {
        case .at(let position):
          (record.x, record.y, record.floor) = (position.x, position.y, position.floor)
        case .heard(let signal, let bearing):
          record.isObstructed = true
          let distance = distance(of: record, heardAt: signal, powerMBm: plan.powerMBm)
          record.x = Int32(clamping: (distance * FixedPoint.cosineQ30(turn: bearing)) >> 30)
          record.y = Int32(clamping: (distance * FixedPoint.sineQ30(turn: bearing)) >> 30)
        }
        records.append(record)
      }
    }
  }

  private enum Placement {
    case at(Position)
    case heard(signalMBm: Int32, bearing: UInt32)
  }

  private func draw(_ placement: Population.Placement, _ place: Int, _ stream: inout RandomStream) -> Placement {
    switch placement {
    case .rectangle(let center, let width, let depth, let floors):
      return .at(
        Position(
          x: center.x + Int32(stream.next(in: 0...Int(width))) - width / 2,
          y: center.y + Int32(stream.next(in: 0...Int(depth))) - depth / 2, floor: Int16(stream.next(in: floors))))
    case .cells(let columns, let rows, let floors, let cellCm):
      let cell = place % (columns * rows)
      let floor = floors.lowerBound + place / (columns * rows) % floors.count
      let x = Int32(cell % columns) * cellCm - Int32(columns) * cellCm / 2
      let y = Int32(cell / columns) * cellCm - Int32(rows) * cellCm / 2
      return .at(
        Position(
          x: x + Int32(stream.next(in: 0..<Int(cellCm))), y: y + Int32(stream.next(in: 0..<Int(cellCm))), floor: Int16(floor)))
    case .heardAtOrigin(let range):
      let signal = Int32(stream.next(in: Int(range.lowerBound)...Int(range.upperBound)))
      return .heard(signalMBm: signal, bearing: UInt32(truncatingIfNeeded: stream.next()))
    }
  }

  private func distance(of record: RadioRecord, heardAt signalMBm: Int32, powerMBm: Int32) -> Int64 {
    let loss = profile.propagation.noLineOfSight
    let shadow = ShadowField(key: Draw.bits(radioKey(record), 3), decorrelationCm: loss.decorrelationCm)
    let shadowing = (shadow.valueQ16(at: Position(x: 0, y: 0)) * loss.shadowing) >> 16
    return min(
      loss.distanceCm(
        milliBels: Int64(powerMBm) - Int64(signalMBm) - shadowing, frequencyKHz: Int64(record.frequencyMHz) * 1000),
      profile.propagation.rangeCm)
  }

  private func add(_ access: PlacedAccessPoint) {
    records.append(
      RadioRecord(
        x: access.position.x, y: access.position.y, device: deviceCount,
        frequencyMHz: UInt16(clamping: access.accessPoint.channel.primaryMHz), floor: access.position.floor,
        kind: RadioRecord.placed, radio: 0, isObstructed: false))
    deviceCount += 1
  }

  // MARK: Keys and addresses

  /// The key that everything of a radio is drawn with.
  func radioKey(_ record: RadioRecord) -> UInt64 {
    Draw.bits(deviceKey(record), 100 + UInt64(record.radio))
  }

  /// The key that everything of a device is drawn with.
  func deviceKey(_ record: RadioRecord) -> UInt64 {
    if record.kind == RadioRecord.placed {
      var stream = RandomStream(seed: seed, name: "access point \(placedAccessPoint(record).accessPoint.bssid)")
      return stream.next()
    }
    let population = populations.last { $0.firstDevice <= record.device } ?? (0, seed)
    return Draw.bits(population.key, UInt64(record.device - population.firstDevice))
  }

  func placedAccessPoint(_ record: RadioRecord) -> PlacedAccessPoint { placed[Int(record.device - firstPlaced)] }

  /// The address of one BSS of a device.
  ///
  /// Devices are numbered round the populations, so that a larger population does not renumber the others. An odd
  /// factor spreads the low 18 bits of the number; higher bits count the blocks of addresses that the vendor was
  /// assigned.
  func address(oui: UInt32, device: UInt32, radio: Int, bss: Int) -> MACAddress {
    let population = populations.lastIndex { $0.firstDevice <= device } ?? 0
    let number = UInt64(device - populations[population].firstDevice) << 3 | UInt64(population)
    let spread = number &* Self.factor & 0x3_FFFF
    return MACAddress(
      (UInt64(oui) + number >> 18) << 24 | spread << 6 | UInt64(radio & 3) << 4 | UInt64(bss & 15))
  }

  private static let factor: UInt64 = 0x2_9C35

  // MARK: Hearing

  public func hear(_ dwell: Dwell, into frames: inout [HeardFrame]) {
    let position = profile.path.position(at: dwell.start)
    for radio in radios(frequencyMHz: UInt16(clamping: dwell.frequencyKHz / 1000), around: position) {
      radio.hear(dwell, at: position, into: &frames)
    }
  }

  public func utilization(frequencyKHz: UInt32, at time: Duration) -> UInt8 {
    let position = profile.path.position(at: time)
    let radios = radios(frequencyMHz: UInt16(clamping: frequencyKHz / 1000), around: position)
    let heard = radios.reduce(0) { $0 + ($1.meanMBm(at: position) >= profile.sensitivityMBm ? 1 : 0) }
    return UInt8(clamping: 6 * heard)
  }

  /// The radios on a channel that can be near enough to be heard.
  func radios(frequencyMHz: UInt16, around position: Position) -> [NearRadio] {
    let square = index.square(of: position)
    if let known = near[frequencyMHz], known.square == square { return known.radios }
    // What was near before and still is keeps its bytes.
    var before: [UInt32: NearRadio] = [:]
    for radio in near[frequencyMHz]?.radios ?? [] { before[radio.number] = radio }
    let radios = index.records(frequencyMHz: frequencyMHz, around: position).map {
      before[$0] ?? NearRadio(records[Int($0)], number: $0, in: self)
    }
    near[frequencyMHz] = Near(square: square, radios: radios)
    return radios
  }

  /// How strong a BSS is heard at a time, in 1/100 dBm without fading; `nil` where there is no such BSS, or it is down.
  public func strengthMBm(of bssid: MACAddress, at time: Duration) -> Int32? {
    let position = profile.path.position(at: time)
    for record in records(of: bssid) {
      let frequencies = Self.needsRadarDetection(record.frequencyMHz) ? [record.frequencyMHz, Self.refuge] : [record.frequencyMHz]
      for frequency in frequencies {
        for radio in radios(frequencyMHz: frequency, around: position)
        where radio.isOnAir(frequencyMHz: frequency, at: time) && radio.has(bssid) { return radio.meanMBm(at: position) }
      }
    }
    return nil
  }

  /// The radio that an address belongs to.
  private func records(of bssid: MACAddress) -> [RadioRecord] {
    let placed = records.suffix(placed.count).filter {
      let accessPoint = placedAccessPoint($0).accessPoint
      return bssid.value &- accessPoint.bssid.value <= UInt64(accessPoint.nontransmitted.count)
    }
    if !placed.isEmpty { return placed }
    let low = (bssid.value >> 6 & 0x3_FFFF) &* Self.inverse & 0x3_FFFF
    let population = Int(low & 7)
    guard population < populations.count else { return [] }
    let next = population + 1 < populations.count ? populations[population + 1].firstDevice : firstPlaced
    // The block of addresses is not given, so every block is tried.
    for block in 0..<Self.maximumBlocks {
      let device = UInt64(populations[population].firstDevice) + (block << 18 | low) >> 3
      guard device < UInt64(next) else { break }
      let radios = radios(of: UInt32(device)).filter { record in
        let oui = kinds[Int(record.kind)].oui
        return record.radio == UInt8(bssid.value >> 4 & 3) && (UInt64(oui) + block) == bssid.value >> 24
      }
      if !radios.isEmpty { return radios }
    }
    return []
  }

  private static let inverse: UInt64 = {
    var inverse: UInt64 = 1
    for _ in 0..<6 { inverse = inverse &* (2 &- factor &* inverse) }
    return inverse
  }()

  func radios(of device: UInt32) -> ArraySlice<RadioRecord> {
    records[records.partitioningIndex { $0.device >= device }...].prefix { $0.device == device }
  }
}
