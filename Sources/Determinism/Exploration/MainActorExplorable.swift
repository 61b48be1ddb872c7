/// The same as ``Explorable`` for a model on the main actor: all of it is called there.
///
///     final class StopwatchSubject: MainActorExplorable {
///       enum Step: Hashable, Sendable { case start, stop }
///       static let always = [MainActorProperty<StopwatchSubject>("time does not run back") { $0.seconds.isSorted }]
///       …
///     }
///
///     try await explore(StopwatchSubject.self, seeds: 0..<1000).check()
///
/// Each run has a main actor of its own, so runs go side by side.
@MainActor public protocol MainActorExplorable: AnyObject, Sendable {
  /// Something that is done with the model, with all its values; see ``Explorable/Step``.
  associatedtype Step: Hashable, Sendable

  /// Makes the model and its fakes.
  init(in simulation: Simulation) async throws
  /// Draws a step that makes sense now; `nil` ends the run.
  func next(_ stream: inout RandomStream) -> Step?
  /// Whether a step can be done now; one that cannot is skipped.
  func canPerform(_ step: Step) -> Bool
  /// Does a step, and may wait for it to end: the next comes no earlier. An error that it throws is a finding.
  func perform(_ step: Step) async throws
  /// What the trace says of the model, at each moment of rest at which it is not what it was; an empty text is no line.
  var summary: String { get }
  /// Asked at every moment of rest: safety.
  nonisolated static var always: [MainActorProperty<Self>] { get }
  /// Asked in the end, after nothing was done for the quiet time: liveness.
  nonisolated static var eventually: [MainActorProperty<Self>] { get }
  /// Holds at some moment of rest of some run: a search that never sees it is empty.
  nonisolated static var sometimes: [MainActorProperty<Self>] { get }
  /// Simpler steps to try in place of one, the simplest first; none of them leads back to it.
  nonisolated static func simpler(_ step: Step) -> [Step]
}

extension MainActorExplorable {
  /// Yes.
  public func canPerform(_ step: Step) -> Bool { true }
  /// Nothing.
  public var summary: String { "" }
  /// Nothing.
  public nonisolated static var always: [MainActorProperty<Self>] { [] }
  /// Nothing.
  public nonisolated static var eventually: [MainActorProperty<Self>] { [] }
  /// Nothing.
  public nonisolated static var sometimes: [MainActorProperty<Self>] { [] }
  /// None.
  public nonisolated static func simpler(_ step: Step) -> [Step] { [] }
}

/// Something that holds of a subject on the main actor or does not, by name.
public struct MainActorProperty<Subject>: Sendable {
  /// What holds, in words that a user understands.
  public let name: String
  /// What is wrong, a sentence; `nil` where it holds.
  public let lack: @MainActor @Sendable (Subject) -> String?

  /// A property that says what is wrong where it does not hold, and `nil` where it does.
  public init(_ name: String, _ lack: @escaping @MainActor @Sendable (Subject) -> String?) {
    self.name = name
    self.lack = lack
  }

  /// A property that holds or does not.
  public init(_ name: String, _ holds: @escaping @MainActor @Sendable (Subject) -> Bool) {
    self.init(name) { holds($0) ? nil : "it does not hold" }
  }
}

/// A subject on the main actor, as `explore` runs it.
///
/// The simulation is its main actor, so nothing hops.
public final class OnMainActor<Subject: MainActorExplorable>: Explorable {
  /// A step of the subject.
  public typealias Step = Subject.Step
  private let subject: Subject

  /// Makes the subject in a simulation.
  public init(in simulation: Simulation) async throws { subject = try await Subject(in: simulation) }

  /// Draws the subject's next step.
  public func next(_ stream: inout RandomStream) -> Step? {
    let (subject, before) = (subject, stream)
    let (step, after) = MainActor.assumeIsolated {
      var stream = before
      let step = subject.next(&stream)
      return (step, stream)
    }
    stream = after
    return step
  }

  /// Whether the subject can do a step now.
  public func canPerform(_ step: Step) -> Bool {
    let subject = subject
    return MainActor.assumeIsolated { subject.canPerform(step) }
  }

  /// Lets the subject do a step.
  public func perform(_ step: Step) async throws { try await subject.perform(step) }

  /// The subject's summary.
  public var summary: String {
    let subject = subject
    return MainActor.assumeIsolated { subject.summary }
  }

  /// The subject's properties.
  public static var always: [Property<OnMainActor>] { Subject.always.map(property) }
  /// The subject's properties in the end.
  public static var eventually: [Property<OnMainActor>] { Subject.eventually.map(property) }
  /// What holds of the subject at some moment.
  public static var sometimes: [Property<OnMainActor>] { Subject.sometimes.map(property) }
  /// The subject's simpler steps.
  public static func simpler(_ step: Step) -> [Step] { Subject.simpler(step) }

  private static func property(_ property: MainActorProperty<Subject>) -> Property<OnMainActor> {
    Property(property.name) { (one: OnMainActor) -> String? in
      let subject = one.subject
      return MainActor.assumeIsolated { property.lack(subject) }
    }
  }
}

/// Searches a model on the main actor for violations; see
/// `explore`.
///
/// - Precondition: this program has the hook of the main actor (``SimulationSupport/mainActor``).
public func explore<Subject: MainActorExplorable>(
  _ subject: Subject.Type, seeds: Range<UInt64>, steps: ClosedRange<Int> = 1...30, pause: Duration = .seconds(10),
  quiet: Duration = .seconds(60), runsTwice: Bool = true, candidates: Int = 2000, limits: SimulationLimits = .exploration,
  jobs: Int? = nil
) async -> Exploration<OnMainActor<Subject>> {
  requireMainActor(Subject.self)
  return await explore(
    OnMainActor<Subject>.self, seeds: seeds, steps: steps, pause: pause, quiet: quiet, runsTwice: runsTwice,
    candidates: candidates, limits: limits, jobs: jobs)
}

/// Replays a run of a model on the main actor; see `replay`.
@discardableResult
public func replay<Subject: MainActorExplorable>(
  _ subject: Subject.Type, seed: UInt64, _ actions: [Action<Subject.Step>], choices: [JobOrder.Choice] = [],
  quiet: Duration = .seconds(60), limits: SimulationLimits = .exploration
) async throws(Exploration<OnMainActor<Subject>>.Finding) -> [String] {
  requireMainActor(Subject.self)
  return try await replay(
    OnMainActor<Subject>.self, seed: seed, actions, choices: choices, quiet: quiet, limits: limits)
}

private func requireMainActor(_ subject: Any.Type) {
  guard SimulationSupport.linked.contains(.mainActor) else {
    fatalError("\(subject) is on the main actor, which stays outside of simulations in this program:\n\(SimulationSupport.linked)")
  }
}
