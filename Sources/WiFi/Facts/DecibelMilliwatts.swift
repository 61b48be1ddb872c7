// The kernel counts in 1/100 dBm, people in dBm.

extension BSS {
  /// Signal strength in dBm, where the driver gives dBm: ``signalMBm`` as people say it.
  public var signalDBm: Double? { signalMBm.map { Double($0) / 100 } }
}

extension Network {
  /// Strength of its strongest BSS in dBm, where the driver gives dBm: ``signalMBm`` as people say it.
  public var signalDBm: Double? { signalMBm.map { Double($0) / 100 } }
}

extension Network.Member {
  /// Its strength in dBm, where the driver gives dBm: ``signalMBm`` as people say it.
  public var signalDBm: Double? { signalMBm.map { Double($0) / 100 } }
}
