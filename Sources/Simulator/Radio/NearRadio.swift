import Determinism
import WiFi

/// A radio that the station is near enough to: what follows from the seed, computed once and kept.
final class NearRadio {
  /// Its number among the records of the world.
  let number: UInt32
  private let record: RadioRecord
  private let profile: RadioProfile
  private let key: UInt64
  private let powerMBm: Int32
  private let bss: [NearBSS]
  private let steers: Bool
  private let sightQ24: Int64
  private lazy var fieldWithSight = ShadowField(
    key: Draw.bits(key, 4), decorrelationCm: profile.propagation.lineOfSight.decorrelationCm)
  private lazy var fieldWithoutSight = ShadowField(
    key: Draw.bits(key, 3), decorrelationCm: profile.propagation.noLineOfSight.decorrelationCm)
  private let periodNs: Int64
  private let phaseNs: Int64
  private let firstBeacon: Int64
  private var downtimes: Downtimes
  private var known: (position: Position, meanMBm: Int32, branches: Int)?

  init(_ record: RadioRecord, number: UInt32, in world: RadioWorld) {
    self.record = record
    self.number = number
    profile = world.profile
    key = world.radioKey(record)
    sightQ24 = Int64(Draw.bits(key, 2) >> 40)
    let accessPoints: [AccessPoint]
    if record.kind == RadioRecord.placed {
      let placed = world.placedAccessPoint(record)
      accessPoints = [placed.accessPoint]
      powerMBm = placed.powerMBm
      steers = false
      downtimes = Downtimes(.never, key: world.deviceKey(record))
    } else {
      let kind = world.kinds[Int(record.kind)]
      accessPoints = world.accessPoints(of: record)
      powerMBm = kind.radios[Int(record.radio)].powerMBm
      steers = kind.steers
      downtimes = Downtimes(world.profile.downtimes, key: world.deviceKey(record))
      downtimes.presence = kind.presence
    }
    let intervalTU = Int64(accessPoints.first?.beaconIntervalTU ?? 100)
    // Crystals are off by up to 20 parts in a million.
    let drift = Int64(Draw.below(Draw.bits(key, 5), 41)) - 20
    periodNs = intervalTU * 1_024_000 + intervalTU * 1_024 * drift / 1_000
    phaseNs = Int64(Draw.below(Draw.bits(key, 6), UInt64(periodNs)))
    // It was switched on up to a hundred days before the machine was.
    firstBeacon = -Int64(Draw.below(Draw.bits(key, 7), 84_375_000))
    if record.kind != RadioRecord.placed, RadioWorld.needsRadarDetection(record.frequencyMHz) {
      downtimes.radarPermille = world.profile.radarPermilleDays
    }
    bss = accessPoints.enumerated().map { NearBSS($1, key: Draw.bits(world.radioKey(record), 200 + UInt64($0))) }
  }

  func has(_ bssid: MACAddress) -> Bool { bss.contains { $0.has(bssid) } }

  /// The BSSs that send beacons, as they are where none has fled from radar.
  var accessPoints: [AccessPoint] { bss.map(\.accessPoint) }

  /// The strength at a place without fading, in 1/100 dBm.
  func meanMBm(at position: Position) -> Int32 { place(position).meanMBm }

  private func place(_ position: Position) -> (meanMBm: Int32, branches: Int) {
    if let known, known.position == position { return (known.meanMBm, known.branches) }
    let propagation = profile.propagation
    let distance = record.position.distanceCm(to: position)
    let result: (meanMBm: Int32, branches: Int)
    if distance > propagation.rangeCm {
      result = (Int32.min / 2, 1)
    } else {
      let canSee = !record.isObstructed && record.floor == position.floor
      let hasSight = canSee && sightQ24 < propagation.sight.probabilityQ24(distanceCm: distance)
      let frequency = Int64(record.frequencyMHz) * 1000
      var loss = propagation.lineOfSight.milliBels(distanceCm: distance, frequencyKHz: frequency)
      if hasSight {
        loss += (fieldWithSight.valueQ16(at: position) * propagation.lineOfSight.shadowing) >> 16
      } else {
        loss = max(loss, propagation.noLineOfSight.milliBels(distanceCm: distance, frequencyKHz: frequency))
        loss += (fieldWithoutSight.valueQ16(at: position) * propagation.noLineOfSight.shadowing) >> 16
        loss += propagation.perFloor * Int64((record.floor - position.floor).magnitude)
      }
      let branches = hasSight ? propagation.fadingBranchesWithSight : propagation.fadingBranchesWithoutSight
      result = (Int32(clamping: Int64(powerMBm) - loss), branches)
    }
    known = (position, result.meanMBm, result.branches)
    return result
  }

  /// Whether it sends on a channel at a time: it is up, and has not fled from radar, or fled to here.
  func isOnAir(frequencyMHz: UInt16, at time: Duration) -> Bool {
    isOnAir(downtimes.state(at: time.wholeNanoseconds), frequencyMHz)
  }

  private func isOnAir(_ state: Downtimes.State, _ frequencyMHz: UInt16) -> Bool {
    state.isUp && frequencyMHz == (state.hasFled ? RadioWorld.refuge : record.frequencyMHz)
  }

  /// The most that fading adds, in 1/100 dB: what is weaker than that below the sensitivity is skipped.
  private static let fadingMargin: Int32 = 1200

  func hear(_ dwell: Dwell, at position: Position, into frames: inout [HeardFrame]) {
    let (meanMBm, branches) = place(position)
    if meanMBm < profile.sensitivityMBm - Self.fadingMargin { return }
    let (startNs, endNs) = (dwell.start.wholeNanoseconds, dwell.end.wholeNanoseconds)
    let frequencyMHz = UInt16(clamping: dwell.frequencyKHz / 1000)
    for (number, bss) in bss.enumerated() {
      // The BSSs of one radio share its interval between them.
      let phase = phaseNs + periodNs * Int64(number) / Int64(self.bss.count)
      var beacon = (startNs - phase).ceilingDivided(by: periodNs)
      while phase + beacon * periodNs < endNs {
        let timeNs = phase + beacon * periodNs
        hear(bss, beacon: beacon, at: timeNs, dwell, frequencyMHz, meanMBm, branches, into: &frames)
        beacon += 1
      }
      if dwell.isActive, bss.answers(dwell.ssids) {
        answer(bss, beacon - 1, from: startNs, until: endNs, dwell, frequencyMHz, meanMBm, branches, into: &frames)
      }
    }
  }

  private func hear(
    _ bss: NearBSS, beacon: Int64, at timeNs: Int64, _ dwell: Dwell, _ frequencyMHz: UInt16, _ meanMBm: Int32,
    _ branches: Int, into frames: inout [HeardFrame]
  ) {
    let bits = Draw.bits(bss.key, UInt64(bitPattern: beacon), UInt64(dwell.receiver))
    guard !Draw.bool(bits, permille: profile.frameLossPermille) else { return }
    let signal = meanMBm + Fading.milliBels(bits, branches: branches)
    guard signal >= profile.sensitivityMBm else { return }
    let state = downtimes.state(at: timeNs)
    guard isOnAir(state, frequencyMHz) else { return }
    let count = beacon - upSince(state)
    let period = Int64(bss.accessPoint.dtimPeriod)
    let dtimCount = UInt8(truncatingIfNeeded: (period - count % period) % period)
    var beaconsToSwitch: UInt8?
    if let fleesAtNs = state.fleesAtNs, fleesAtNs - timeNs <= 5 * periodNs {
      beaconsToSwitch = UInt8(clamping: (fleesAtNs - timeNs) / periodNs)
    }
    frames.append(
      HeardFrame(
        time: .nanoseconds(timeNs), bssid: bss.accessPoint.bssid, isProbeResponse: false, frequencyKHz: dwell.frequencyKHz,
        tsfUs: UInt64(clamping: count * Int64(bss.accessPoint.beaconIntervalTU) * 1024),
        beaconIntervalTU: bss.accessPoint.beaconIntervalTU, capability: bss.accessPoint.capability,
        elements: bss.elements(.beacon(dtimCount: dtimCount), hasFled: state.hasFled, beaconsToSwitch: beaconsToSwitch),
        signalMBm: signal))
  }

  private func answer(
    _ bss: NearBSS, _ beacon: Int64, from startNs: Int64, until endNs: Int64, _ dwell: Dwell, _ frequencyMHz: UInt16,
    _ meanMBm: Int32, _ branches: Int, into frames: inout [HeardFrame]
  ) {
    let bits = Draw.bits(bss.key, UInt64(bitPattern: startNs), UInt64(dwell.receiver) | 1 << 32)
    // The request may be lost, and the answer.
    guard !Draw.bool(bits, permille: 2 * profile.frameLossPermille) else { return }
    if steers, bss.accessPoint.band == .ghz2_4, Draw.bool(Draw.bits(bits, 1), permille: 700) { return }
    let timeNs = startNs + 1_000_000 + Int64(Draw.below(Draw.bits(bits, 2), UInt64(max((endNs - startNs) / 2, 1))))
    let signal = meanMBm + Fading.milliBels(bits, branches: branches)
    guard signal >= profile.sensitivityMBm, timeNs < endNs else { return }
    let state = downtimes.state(at: timeNs)
    guard isOnAir(state, frequencyMHz) else { return }
    let intervalUs = Int64(bss.accessPoint.beaconIntervalTU) * 1024
    let sinceBeacon = (timeNs - phaseNs) % periodNs / 1000
    frames.append(
      HeardFrame(
        time: .nanoseconds(timeNs), bssid: bss.accessPoint.bssid, isProbeResponse: true, frequencyKHz: dwell.frequencyKHz,
        tsfUs: UInt64(clamping: (beacon - upSince(state)) * intervalUs + sinceBeacon),
        beaconIntervalTU: bss.accessPoint.beaconIntervalTU, capability: bss.accessPoint.capability,
        elements: bss.elements(.probeResponse, hasFled: state.hasFled, beaconsToSwitch: nil), signalMBm: signal))
  }

  /// The number of the first beacon since the device was switched on or came up again.
  private func upSince(_ state: Downtimes.State) -> Int64 {
    state.upSinceNs.map { ($0 - phaseNs).ceilingDivided(by: periodNs) } ?? firstBeacon
  }
}

extension Int64 {
  /// The quotient, rounded up, for a positive divisor.
  fileprivate func ceilingDivided(by divisor: Int64) -> Int64 {
    let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
    return rest > 0 ? quotient + 1 : quotient
  }
}
