import Harness
import Scanner
import Synchronization
import WiFi

/// Why an adapter gave no scan at all to a scenario, which then has tested nothing: there is no adapter of that name,
/// or scans are not permitted.
final class AdapterRefusal: Sendable {
  private let state = Mutex<(hasScanned: Bool, error: ScanError?)>((false, nil))

  /// The first refusal, where no scan came before it.
  var error: ScanError? { state.withLock { $0.error } }

  private func failed(_ error: ScanError) {
    switch error.kind {
    case .noWireless, .noAdapter, .noSuchInterface, .notPermitted:
      state.withLock { if !$0.hasScanned, $0.error == nil { $0.error = error } }
    default: break
    }
  }

  /// A source that says so.
  final class Source: NetworkSource {
    private let source: any NetworkSource
    private let refusal: AdapterRefusal

    init(_ source: any NetworkSource, refusal: AdapterRefusal) {
      self.source = source
      self.refusal = refusal
    }

    func nextScan() async throws -> Scan? {
      do {
        let scan = try await source.nextScan()
        refusal.state.withLock { $0.hasScanned = true }
        return scan
      } catch let error as ScanError {
        refusal.failed(error)
        throw error
      }
    }
  }
}

extension ScenarioProblem {
  /// That a scenario had no adapter to run on.
  init(file: String, _ error: ScanError) {
    self.init(file: file, sentence: Failure(error).sentence)
    isWithoutAdapter = true
  }
}
