import Observation
import WiFi

/// Brings a device without a keyboard onto the network that its owner chose on a phone.
///
/// It looks until the network is heard, joins, and tries again where that may help. A plain class without isolation: it
/// belongs to its creator, a view on the main actor or a test.
@Observable
public final class ProvisioningModel {
  /// How far it came.
  public enum Status: Equatable, Sendable {
    case idle
    case looking
    case joining(attempt: Int)
    case waiting(attempt: Int)
    case online
    case failed(Failure)
  }

  /// Why it gave up.
  public enum Failure: Equatable, Sendable {
    case notFound
    case wrongPassword
    case noAnswer
  }

  /// How far it came.
  public private(set) var status = Status.idle

  /// What the banner says.
  public var banner: String {
    switch status {
    case .idle: "Ready"
    case .looking: "Looking for \(name)"
    case .joining(attempt: 1): "Joining \(name)"
    case .joining(let attempt): "Joining \(name), attempt \(attempt)"
    case .waiting(let attempt): "\(name) does not answer, \(3 - attempt) more to try"
    case .online: "Online"
    case .failed(.notFound): "There is no \(name) here"
    case .failed(.wrongPassword): "\(name) has another password"
    case .failed(.noAnswer): "\(name) does not let us in"
    }
  }

  private let name: String
  private let password: String
  private let source: any NetworkSource
  private let joiner: any NetworkJoiner
  private let clock: any Clock<Duration>

  /// Provisions the network of a name.
  public init(
    name: String, password: String, source: any NetworkSource, joiner: any NetworkJoiner, clock: any Clock<Duration>
  ) {
    self.name = name
    self.password = password
    self.source = source
    self.joiner = joiner
    self.clock = clock
  }

  /// Looks for half a minute, then joins, three times at most with a pause of 2 s and of 4 s.
  public nonisolated(nonsending) func provision() async {
    status = .looking
    guard let network = await look(for: .seconds(30)) else {
      status = Task.isCancelled ? .idle : .failed(.notFound)
      return
    }
    for attempt in 1...3 {
      status = .joining(attempt: attempt)
      do throws(JoinError) {
        try await joiner.join(network, password: network.isSecured ? password : nil)
        status = .online
        return
      } catch .wrongPassword {
        status = .failed(.wrongPassword)
        return
      } catch .cancelled {
        status = .idle
        return
      } catch {
        if attempt == 3 { break }
      }
      status = .waiting(attempt: attempt)
      do {
        try await clock.sleep(for: .seconds(2 * attempt))
      } catch {
        status = .idle
        return
      }
    }
    status = .failed(.noAnswer)
  }

  private nonisolated(nonsending) func look(for patience: Duration) async -> Network? {
    var begin: Duration?
    while let scan = try? await source.nextScan() {
      let networks = Network.networks(of: scan.bss.map { BSSFacts($0) })
      if let network = networks.first(where: { $0.ssid.description == name }) { return network }
      let start = begin ?? scan.start
      begin = start
      if scan.end - start >= patience { return nil }
    }
    return nil
  }
}
