import Determinism
import Harness
import Provisioning
import Simulator
import Testing
import WiFi

/// The button of a device: a press begins to provision, and the next one begins anew.
protocol Button: AnyObject, SendableMetatype {
  init(_ model: ProvisioningModel, in simulation: Simulation)
  func press()
}

/// Cancels what runs, and starts again at once.
final class HastyButton: Button {
  private let model: ProvisioningModel
  private let simulation: Simulation
  private var task: SimulatedTask?

  init(_ model: ProvisioningModel, in simulation: Simulation) {
    self.model = model
    self.simulation = simulation
  }

  func press() {
    let model = model
    task?.cancel()
    task = simulation.task("provision") { await model.provision() }
  }
}

/// Cancels what goes on, and begins anew when that has ended.
final class PatientButton: Button {
  private let model: ProvisioningModel
  private let simulation: Simulation
  private var task: SimulatedTask?

  init(_ model: ProvisioningModel, in simulation: Simulation) {
    self.model = model
    self.simulation = simulation
  }

  func press() {
    let (model, before) = (model, task)
    before?.cancel()
    task = simulation.task("provision") {
      // Waits for it even where this task is cancelled meanwhile, by a third press.
      await Task { await before?.finished() }.value
      await model.provision()
    }
  }
}

/// An access point that answers a join after a second, or does not.
final class AccessPointByHand: NetworkJoiner {
  private let clock: any Clock<Duration>
  var answers = true

  init(clock: any Clock<Duration>) { self.clock = clock }

  nonisolated(nonsending) func join(_ network: Network, password: String?) async throws(JoinError) {
    do { try await clock.sleep(for: .seconds(1)) } catch { throw .cancelled }
    if !answers { throw .timedOut }
  }
}

/// A user presses the button, now and then, of a device whose access point answers or does not.
final class ButtonSubject<SomeButton: Button>: Explorable {
  enum Step: Hashable, Sendable {
    case press
    case accessPoint(answers: Bool)
  }

  private let simulation: Simulation
  private let accessPoint: AccessPointByHand
  private let model: ProvisioningModel
  private let button: SomeButton

  init(in simulation: Simulation) {
    let clock = simulation.clock
    self.simulation = simulation
    accessPoint = AccessPointByHand(clock: clock)
    model = ProvisioningModel(
      name: "Home", password: "blob", source: SameNetworks(["Home"], clock: clock), joiner: accessPoint, clock: clock)
    button = SomeButton(model, in: simulation)
  }

  func next(_ stream: inout RandomStream) -> Step? {
    stream.bool(1, in: 3) ? .accessPoint(answers: !accessPoint.answers) : .press
  }

  func perform(_ step: Step) {
    switch step {
    case .press: button.press()
    case .accessPoint(let answers): accessPoint.answers = answers
    }
  }

  var summary: String { model.banner }

  static var always: [Property<ButtonSubject>] {
    [
      Property("a device that is at work does not say that it is ready") { run in
        let isAtWork = run.simulation.unfinishedTasks.contains { $0.name == "provision" }
        return isAtWork && run.model.status == .idle ? "it says “\(run.model.banner)”" : nil
      }
    ]
  }

  static var eventually: [Property<ButtonSubject>] {
    [
      Property("it comes to an end") { run in
        switch run.model.status {
        case .idle, .online, .failed: true
        case .looking, .joining, .waiting: false
        }
      }
    ]
  }

  static var sometimes: [Property<ButtonSubject>] {
    [
      Property("it gets online") { $0.model.status == .online },
      Property("it gives up") { $0.model.status == .failed(.noAnswer) },
    ]
  }
}

@Suite struct ExplorationTests {
  @Test func `a button that waits survives a thousand runs`() async {
    let exploration = await explore(ButtonSubject<PatientButton>.self, seeds: 0..<1000)
    #expect(exploration.findings.isEmpty, "\(exploration)")
  }

  @Test func `a button that does not wait is found out`() async throws {
    let exploration = await explore(ButtonSubject<HastyButton>.self, seeds: 0..<100)
    let finding = try #require(exploration.findings.first)
    #expect(exploration.findings.count == 1, "\(exploration)")
    #expect(
      finding.description == """
        a device that is at work does not say that it is ready, at 0 s: it says “Ready”
        seed 0, the first of 46; shrunk with 47 candidates. Again:
          try await replay(
            ButtonSubject<HastyButton>.self, seed: 0,
            [
              .step(.press),
              .step(.press),
            ], choices: [.init(number: 0, index: 1)])
        Trace:
          0.000 Ready
          0.000 step .press
          0.000 step .press
          0.000 order: “provision” goes on before “provision”
        """)
  }

  @Test func `two presses at once, in the order that was found`() async throws {
    try await replay(
      ButtonSubject<PatientButton>.self, seed: 0,
      [
        .step(.press),
        .step(.press),
      ], choices: [.init(number: 0, index: 1)])
  }

  @Test func `a thousand runs in the plain order do not find it`() async throws {
    for seed in 0..<1000 as Range<UInt64> {
      try await simulate(seed: seed, order: .inOrder) { simulation in
        let run = ButtonSubject<HastyButton>(in: simulation)
        var stream = simulation.stream("presses")
        for _ in 0..<stream.next(in: 1...30) {
          guard let step = run.next(&stream) else { break }
          run.perform(step)
          await simulation.advance(by: .milliseconds(stream.next(in: 0...10_000)))
          #expect(ButtonSubject<HastyButton>.always[0].lack(run) == nil)
        }
        await simulation.run()
      }
    }
  }
}
