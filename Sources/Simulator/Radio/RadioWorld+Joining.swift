public import WiFi

extension RadioWorld: JoinableAir {
  /// The access points that are up and strong enough to be joined, the strongest first; takes time in proportion to the
  /// radios that are near.
  public func accessPoints(at time: Duration) -> [AccessPoint] {
    let position = profile.path.position(at: time)
    var found: [(strength: Int32, accessPoint: AccessPoint)] = []
    for channel in SimulatedChannel.germany {
      let frequency = UInt16(clamping: channel.frequencyKHz / 1000)
      for radio in radios(frequencyMHz: frequency, around: position) where radio.isOnAir(frequencyMHz: frequency, at: time) {
        let strength = radio.meanMBm(at: position)
        guard strength >= profile.joinSensitivityMBm else { continue }
        for accessPoint in radio.accessPoints {
          found.append((strength, accessPoint))
          for (number, other) in accessPoint.nontransmitted.enumerated() {
            var member = accessPoint
            member.bssid = MACAddress(accessPoint.bssid.value + UInt64(number) + 1)
            (member.ssid, member.security, member.nontransmitted) = (other.ssid, other.security, [])
            found.append((strength, member))
          }
        }
      }
    }
    return found.sorted { ($1.strength, $0.accessPoint.bssid) < ($0.strength, $1.accessPoint.bssid) }.map(\.accessPoint)
  }

  public func isInReach(_ bssid: MACAddress, at time: Duration) -> Bool {
    strengthMBm(of: bssid, at: time).map { $0 >= profile.joinSensitivityMBm } ?? false
  }

  public func policy(of bssid: MACAddress) -> AccessPointPolicy {
    policies[bssid] ?? AccessPointPolicy(password: profile.password, duration: profile.joinDuration)
  }

  public func joinRule(of ssid: SSID) -> JoinRule {
    joinRules[ssid] ?? JoinRule(password: profile.password, duration: profile.joinDuration)
  }

  public func joined(_ network: Network, at time: Duration) -> MACAddress? {
    let strongest = network.members.map { ($0.bssid, strengthMBm(of: $0.bssid, at: time) ?? .min) }
      .max { ($0.1, $1.0) < ($1.1, $0.0) }
    return strongest.flatMap { $0.1 >= profile.joinSensitivityMBm ? $0.0 : nil }
  }
}
