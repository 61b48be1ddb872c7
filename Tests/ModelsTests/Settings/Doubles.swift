import Isolations
import Models
import WiFi

/// A joiner whose results are given by hand, in any order.
final class HandJoiner: NetworkJoiner {
  struct Attempt {
    var network: Network
    var password: String?
    var finish: (JoinError?) -> Void
  }

  private(set) var attempts: [Attempt] = []

  func join(_ network: Network, password: String?) async throws(JoinError) {
    let error: JoinError? = await withCheckedContinuation { continuation in
      attempts.append(Attempt(network: network, password: password) { continuation.resume(returning: $0) })
    }
    if let error { throw error }
  }
}

/// A joiner that answers at once, by the password alone.
final class QuickJoiner: NetworkJoiner {
  private let secret: String

  init(secret: String = "blob") { self.secret = secret }

  func join(_ network: Network, password: String?) async throws(JoinError) {
    if network.isSecured, password != secret { throw .wrongPassword }
  }
}

/// A source whose scans are given by hand.
final class HandSource: NetworkSource {
  private var waiting: [CheckedContinuation<Scan?, any Error>] = []

  /// Waits until so many wait for a scan.
  func isAsked(_ count: Int = 1) async { while waiting.count < count { await endTurn() } }

  func nextScan() async throws -> Scan? {
    try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  /// Gives a scan, or the end, to the caller that waits longest.
  func give(_ scan: Scan?) { waiting.removeFirst().resume(returning: scan) }

  func fail(_ error: any Error) { waiting.removeFirst().resume(throwing: error) }
}

/// Scans given beforehand.
final class ListSource: NetworkSource {
  private var scans: [Scan]

  init(_ scans: [Scan] = []) { self.scans = scans.reversed() }

  func nextScan() async throws -> Scan? { scans.popLast() }
}

/// A network as a scan would give it.
func makeNetwork(_ name: String, _ number: UInt64 = 1, secured: Bool = true, signalDBm: Int32 = -50) -> Network {
  let facts = BSSFacts(makeBSS(name, number, secured: secured, signalDBm: signalDBm, heard: .seconds(1)))
  return Network(id: facts.networkID(.network), of: [facts])
}

/// A scan that loses networks by statement, as a simulated world gives it.
func makeScan(losing networks: [Network] = [], _ bss: [BSS] = [], end: Duration) -> Scan {
  var scan = makeScan(bss, end: end, completion: .partial(.aborted))
  scan.lost = networks.flatMap(\.members).map(\.bssid)
  return scan
}
