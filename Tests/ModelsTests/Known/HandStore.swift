import Models
import WiFi

/// A store whose answers are given by hand, in any order.
final class HandStore: KnownNetworkStore {
  struct Asked {
    var request: KnownNetworkRequest
    var finish: (Result<KnownNetworkAnswer, KnownNetworkError>) -> Void
  }

  var knownNetworkFeatures = Set(KnownNetworkFeature.allCases)
  private(set) var asked: [Asked] = []

  func perform(_ request: KnownNetworkRequest) async throws(KnownNetworkError) -> KnownNetworkAnswer {
    let result: Result<KnownNetworkAnswer, KnownNetworkError> = await withCheckedContinuation { continuation in
      asked.append(Asked(request: request) { continuation.resume(returning: $0) })
    }
    return try result.get()
  }
}

/// A known network.
func makeKnown(_ name: String, _ key: Int, _ security: JoinSecurity = .psk, priority: Int = 0) -> KnownNetwork {
  KnownNetwork(id: .init(key: "\(key)", ssid: SSID(Array(name.utf8)) ?? .wildcard), security: security, priority: priority)
}
