public import Models
public import Observing
public import Simulator
public import WiFi

/// A view in a test: models over scans that the test gives, and what the view asks for; what is drawn and done is the view's own.
open class ViewFixture {
  /// What the view shows.
  public let viewer: Viewer
  /// The known networks, which answer at once.
  public let known: SimulatedKnownNetworks
  /// What is changed in one turn is seen at its end.
  public let turn = ObservationTurn(isolation: nil)
  /// The attempts that the view began.
  public private(set) var attempts: [ViewerAttempt] = []
  /// How often a sheet was cancelled.
  public private(set) var cancelled = 0
  /// How often a scan was asked for.
  public private(set) var scansAskedFor = 0
  /// What should not have happened.
  public var issues: [ModelIssue] { log.issues }
  private let log: IssueLog
  private var navigation: Navigation?
  private var time: Duration

  /// Fixtures models.
  public init(_ models: FixtureModels) {
    (viewer, known, log) = (models.viewer, models.known, models.log)
    time = viewer.now
  }

  /// Presents what the models show; to be called once, by the view.
  public func present(over presenter: any Presenter) {
    let settings = viewer.settings
    navigation = Navigation(presenter, in: turn) { [weak self] scope in
      settings.declareNavigation(in: scope) { self?.began(ViewerAttempt($0, "forgets a known network")) }
    }
  }

  /// The view began an attempt.
  public func began(_ attempt: ViewerAttempt) { attempts.append(attempt) }
  /// The view cancelled what a sheet had begun.
  public func cancel() { cancelled += 1 }
  /// The view wants a scan.
  public func askForScan() { scansAskedFor += 1 }

  /// What a scan hears `seconds` later.
  public func hear(_ accessPoints: [(AccessPoint, Double)], after seconds: Int = 10) {
    time += .seconds(seconds)
    let scan = Scan.hearing(accessPoints.map { $0.0.bss(signalDBm: $0.1, heardAt: time) }, at: time)
    turn {
      viewer.take(scan)
      viewer.settings.apply(scan)
      viewer.update()
    }
  }

  /// A network that is there, by its name.
  public func id(_ name: String) -> NetworkID? { viewer.networks.first { $0.ssid.description == name }?.id }

  /// The sheet that asks for a password.
  public var sheet: ConnectToNetworkModel? { viewer.settings.destination?.connect }
}

/// The models behind a view, which needs them before there is a fixture.
public struct FixtureModels {
  /// What the view shows.
  public let viewer: Viewer
  /// The known networks, which answer at once.
  public let known: SimulatedKnownNetworks
  fileprivate let log = IssueLog()

  /// Makes them; `drafts` of `nil` are a machine without known networks.
  public init(isOn: Bool = true, known drafts: [KnownNetworkDraft]? = []) {
    known = SimulatedKnownNetworks(clock: ContinuousClock(), networks: drafts ?? [], duration: .zero)
    let settings = WiFiSettingsModel(
      isOn: isOn, source: NoScans(), joiner: NoJoins(), knownNetworks: drafts == nil ? nil : known,
      onIssue: { [log] in log.issues.append($0) })
    let start = Duration.seconds(100)
    viewer = Viewer(settings, status: ScanStatus(interface: "wlan0", country: "DE"), now: start, timeStyle: TimeStyle(since: start))
  }
}

private final class IssueLog {
  var issues: [ModelIssue] = []
}

private final class NoScans: NetworkSource {
  func nextScan() async throws -> Scan? { nil }
}

private final class NoJoins: NetworkJoiner {
  func join(_ network: Network, password: String?) async throws(JoinError) { throw .wrongPassword }
}

/// Access points that every view has to get right; those with hostile names are each view's own.
public enum SampleAir {
  /// A home: an own network on two bands, neighbours, one without protection.
  public static let home: [(AccessPoint, Double)] = [
    (AccessPoint("Blob House", bssid: 1, band: .ghz5, channel: 36, security: .wpa3Personal), -48),
    (AccessPoint("Blob House", bssid: 2, channel: 6, security: .wpa3Personal), -52),
    (AccessPoint("Nacho Wi-Fi", bssid: 3, channel: 1), -71), (AccessPoint("Old Printer", bssid: 4, channel: 11, security: .open), -88),
    (AccessPoint("Attic 6E", bssid: 5, band: .ghz6, channel: 37, security: .wpa3Personal), -63),
  ]

  /// As many as are asked for.
  public static func many(_ count: Int) -> [(AccessPoint, Double)] {
    (0..<count).map { index in
      (AccessPoint("Network \(index)", bssid: UInt32(index + 1), channel: index % 13 + 1), Double(-30 - index % 65))
    }
  }
}
