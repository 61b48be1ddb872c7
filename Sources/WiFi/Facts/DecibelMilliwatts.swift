// The kernel counts in 1/100 dBm, people in dBm.

extension BinaryInteger {
  /// Hundredths of a dBm as whole dBm, towards zero as the kernel makes them (`MBM_TO_DBM`): every list, picture and
  /// page shows the same.
  public var wholeDBm: Int { Int(self) / 100 }
}

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
