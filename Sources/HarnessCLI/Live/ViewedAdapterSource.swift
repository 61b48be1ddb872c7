import Harness
import Models
import Scanner
import WiFi

/// An adapter as the panel needs it: what the kernel remembers at once, then scans; and where scans are refused or
/// another program's run, what the kernel hears of them.
final class ViewedAdapterSource: NetworkSource {
  private let scanner: Scanner
  private var configuration: ScanSession.Configuration
  private let request: RequestOptions
  /// Whether what the kernel remembers is to come before the first scan.
  private var beginsWithKnown: Bool
  private var isRefused = false
  /// Called with what limits the scanning, or with `nil`.
  var onNote: (String?) -> Void = { _ in }

  /// Called with the name of the interface at each scan.
  var onInterface: (String) -> Void = { _ in }

  /// Called with the country of the regulatory domain at each scan: two letters, or that none is set.
  var onCountry: (String) -> Void = { _ in }

  /// The access point that the interface is associated with, as of the last scan (`NL80211_BSS_STATUS_ASSOCIATED`).
  private(set) var associated: MACAddress?

  /// Makes the source of an adapter.
  ///
  /// - Parameter beginsWithKnown: whether the first scan is what the kernel remembers, where it remembers any.
  init(scanner: Scanner, configuration: ScanSession.Configuration, request: RequestOptions, beginsWithKnown: Bool = true) {
    self.scanner = scanner
    self.configuration = configuration
    self.request = request
    self.beginsWithKnown = beginsWithKnown
  }

  func nextScan() async throws -> Scan? {
    let scan = try await scan()
    onInterface(scan.interface)
    // An adapter can have a domain of its own; what holds for all of them stands first.
    if let domain = try? await scanner.regulatoryDomains().first { onCountry(domain.alpha2 == "00" ? "no country" : domain.alpha2) }
    associated = scan.bss.first { $0.status == 1 }?.bssid
    return scan
  }

  private func scan() async throws -> Scan {
    var cached = configuration
    cached.mode = .cached
    if beginsWithKnown {
      beginsWithKnown = false
      // Something to look at while the first scan takes its seconds.
      if let scan = try? await scanner.scan(cached), !scan.bss.isEmpty { return scan }
    }
    if request.cached || isRefused { return try await scanner.scan(cached) }
    do throws(ScanError) {
      let scan = try await scanner.scan(configuration)
      onNote(nil)
      return scan
    } catch {
      switch error.kind {
      case .notPermitted:
        isRefused = true
        onNote(
          "This user may not start scans; what the kernel hears of other programs' scans is shown. "
            + "To scan: sudo setcap cap_net_admin+ep on the file of this program, or run it with sudo.")
      case .busy, .channelBusy: onNote("\(error)")
      default: throw RFKill.refined(error)
      }
    }
    return try await scanner.scan(cached)
  }
}
