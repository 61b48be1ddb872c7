import Harness
import Joiner
import Scanner
import WiFi

/// No scan begins while a join runs: an adapter that is on another channel misses what the access point answers.
///
/// Measured with wpa_supplicant and hwsim: with a scan every two seconds an association took more than 30 s, and of a wrong WPA2 password the access
/// point's own end of the handshake was not heard.
final class JoiningPause: NetworkSource, ExplainingJoiner {
  private let joiner: any ExplainingJoiner
  private let source: any NetworkSource
  private let sleep: (Duration) async throws -> Void
  private var joins = 0

  init(_ joiner: any ExplainingJoiner, _ source: any NetworkSource, sleep: @escaping (Duration) async throws -> Void) {
    self.joiner = joiner
    self.source = source
    self.sleep = sleep
  }

  var lastFailure: JoinFailure? { joiner.lastFailure }

  func nextScan() async throws -> Scan? {
    while joins > 0 { try await sleep(.milliseconds(100)) }
    return try await source.nextScan()
  }

  func join(_ network: Network, password: String?) async throws(JoinError) {
    joins += 1
    defer { joins -= 1 }
    try await joiner.join(network, password: password)
  }
}
