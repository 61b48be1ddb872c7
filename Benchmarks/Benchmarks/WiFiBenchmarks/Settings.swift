import Benchmark
import Determinism
import Harness
import Models
import Observation
import Observing
import Simulator
import WiFi

/// One network found, changed or lost, through the Wi-Fi settings: the models, what is observed, the differences of the list.
func measureSettings() {
  let configuration = Benchmark.Configuration(
    warmupIterations: 1, scalingFactor: .one, maxDuration: .seconds(2), maxIterations: 1000)
  for count in [10, 1000, 100_000] {
    Benchmark("one change of the panel, \(count) networks", configuration: configuration) { (_: Benchmark, panel: ChangingPanel) in
      let before = panel.differences
      panel.changeHundred()
      precondition(panel.differences - before >= 100, "the panel did not change")
    } setup: {
      ChangingPanel(count: count)
    }
  }
  for depth in [10, 100, 1000] {
    Benchmark("push a page on a stack of \(depth) and go back", configuration: configuration) { (_: Benchmark, stack: PushedStack) in
      stack.pushAndPop(times: 100)
      precondition(stack.presented >= 100, "no page was presented")
    } setup: {
      PushedStack(depth: depth)
    }
  }
  for count in [1, 100] {
    Benchmark("one change that \(count) observers see", configuration: configuration) { (_: Benchmark, counter: ObservedCounter) in
      let runs = await counter.changeHundred()
      precondition(runs == 100 * count, "an observer did not run")
    } setup: {
      await ObservedCounter(observers: count)
    }
  }
  for count in [10, 1000, 10_000] {
    Benchmark("one change on the whole fixture, \(count) networks", configuration: configuration) {
      (_: Benchmark, fixture: ChangingFixture) in
      let before = fixture.lines
      fixture.changeHundred()
      precondition(fixture.lines - before >= 100, "the screen did not change")
    } setup: {
      ChangingFixture(count: count)
    }
  }
}

/// A source with as many networks as are wished for, of which one is found, changed and lost in turn, a second each.
final class ChangingSource: NetworkSource {
  private let count: Int
  private let clock: any Clock<Duration>
  private var index = 0
  private var now = Duration.seconds(10)

  init(count: Int, clock: any Clock<Duration>) {
    self.count = count
    self.clock = clock
  }

  /// All networks but the one that changes.
  func all() -> Scan { scan((0..<count).map { bss($0, signalMBm: -3000 - Int32($0 * 7 % 6000)) }) }

  nonisolated(nonsending) func nextScan() async throws -> Scan? {
    try await clock.sleep(for: .seconds(1))
    index += 1
    switch index % 3 {
    case 1: return scan([bss(count, signalMBm: -5000)])
    case 2: return scan([bss(count, signalMBm: -7000)])
    default: return scan([], lost: [MACAddress(0x0200_0000_0000 + UInt64(count))])
    }
  }

  private func bss(_ index: Int, signalMBm: Int32) -> BSS {
    var bss = BSS(
      bssid: MACAddress(0x0200_0000_0000 + UInt64(index)), frequencyMHz: 2412, capability: 1,
      informationElements: [0, 4, 66, UInt8(index >> 16 & 255), UInt8(index >> 8 & 255), UInt8(index & 255)])
    bss.signalMBm = signalMBm
    return bss
  }

  /// Partial, so that it says nothing of those that it does not name.
  private func scan(_ list: [BSS], lost: [MACAddress] = []) -> Scan {
    now += .milliseconds(1)
    var scan = Scan(interface: "wlan0", start: now, end: now, completion: .partial(.aborted), bss: list)
    scan.lost = lost
    return scan
  }
}

/// The models and a view that follows the panel by its differences.
final class ChangingPanel {
  private let simulation = Simulation(seed: 7, limits: .endless)
  private final class View {
    var differences = 0
    var token: ObservationToken?
  }
  private let view = View()

  init(count: Int) {
    let source = ChangingSource(count: count, clock: simulation.clock)
    let found = FoundNetworksModel(grouping: .bss)
    found.apply(source.all())
    let model = WiFiSettingsModel(foundNetworks: found, source: source, joiner: NoJoiner(), onIssue: { _ in })
    let view = view
    simulation.task("settings") {
      let tracker = PanelTracker(model)
      view.token = observe {
        tracker.revision
      } perform: { _ in
        view.differences += tracker.update().count
      }
      try await model.followNetworks()
    }
    simulation.settle()
    view.differences = 0
  }

  var differences: Int { view.differences }

  func changeHundred() { simulation.advance(by: .seconds(100)) }
}

/// The whole fixture: the panel, the screen, the trace.
final class ChangingFixture {
  private let simulation = Simulation(seed: 7, limits: .endless)
  private let fixture: SettingsFixture

  private final class World: ScenarioWorld {
    let changing: ChangingSource
    init(_ source: ChangingSource) { changing = source }
    var source: any NetworkSource { changing }
    let joiner: any NetworkJoiner = NoJoiner()
    var grouping: Grouping { .bss }
    var initialScan: Scan? { changing.all() }
  }

  init(count: Int) {
    simulation.trace.keepsLines = false
    let world = World(ChangingSource(count: count, clock: simulation.clock))
    let fixture = SettingsFixture(simulation, world: world) { found, onIssue in
      WiFiSettingsModel(foundNetworks: found, source: world.source, joiner: world.joiner, onIssue: onIssue)
    }
    self.fixture = fixture
    simulation.task("fixture") { fixture.open() }
    simulation.settle()
  }

  var lines: Int { simulation.trace.count }

  func changeHundred() { simulation.advance(by: .seconds(100)) }
}

/// A stack of pages of which the topmost comes and goes.
final class PushedStack {
  private final class Screen: Presenter {
    var presented = 0
    func present(_ presentation: Presentation, _ transaction: Transaction) { presented += 1 }
    func dismiss(_ presentation: Presentation, _ transaction: Transaction) {}
  }

  @Observable final class Model {
    var path: [Int]
    init(path: [Int]) { self.path = path }
  }

  private let model: Model
  private let screen = Screen()
  private let turn = ObservationTurn()
  private let navigation: Navigation

  init(depth: Int) {
    let model = Model(path: Array(0..<depth))
    self.model = model
    navigation = Navigation(screen, in: turn) { $0.stack("page", path: Binding(model, \.path), id: { $0 }) }
  }

  var presented: Int { screen.presented }

  func pushAndPop(times: Int) {
    for _ in 0..<times {
      turn { model.path.append(-1) }
      turn { _ = model.path.removeLast() }
    }
  }
}

/// An actor whose observers each see every change.
actor ObservedCounter {
  @Observable final class Model {
    var value = 0
    init() {}
  }

  private final class Runs {
    var count = 0
  }

  private let model = Model()
  private let runs = Runs()
  private var tokens: [ObservationToken] = []

  init(observers: Int) async { for _ in 0..<observers { register() } }

  private func register() {
    let (model, runs) = (model, runs)
    tokens.append(
      observe {
        _ = model.value
        runs.count += 1
      })
  }

  /// Makes a hundred changes, each in a turn of its own; how often an observer ran.
  func changeHundred() -> Int {
    let turn = ObservationTurn()
    let before = runs.count
    for _ in 0..<100 { turn { model.value += 1 } }
    return runs.count - before
  }
}

/// Joins nothing.
final class NoJoiner: NetworkJoiner {
  nonisolated(nonsending) func join(_ network: Network, password: String?) async throws(JoinError) { throw .outOfRange }
}
