/// A model of one's own with its fakes, which `explore` searches for
/// violations: a seed draws what is done with it, and properties say what is right.
///
/// This is stateful property-based testing, as with the commands of QuickCheck, the rules of Hypothesis'
/// `RuleBasedStateMachine` or `proptest-state-machine`, on virtual time and with any order of tasks. One object is made
/// for each run. It belongs to the simulation: all of it is called there, so neither it nor the model need be
/// `Sendable`.
///
///     final class TillSubject: Explorable {
///       enum Step: Hashable, Sendable { case scan(Int) }
///       static let always = [
///         Property<TillSubject>("the sum is that of the receipt") { $0.till.sum == $0.till.receipt.reduce(0, +) }
///       ]
///       let till = Till()
///       let simulation: Simulation
///
///       init(in simulation: Simulation) { self.simulation = simulation }
///       func next(_ stream: inout RandomStream) -> Step? { .scan(stream.next(in: 1...9)) }
///       func perform(_ step: Step) async {
///         guard case .scan(let price) = step else { return }
///         simulation.task("scan") { [till] in await till.scan(price) }
///       }
///     }
///
/// What conforms is a final class: a property is about the very type.
public protocol Explorable: AnyObject, SendableMetatype {
  /// Something that is done with the model, with all its values: done again, it does the same.
  ///
  /// An enumeration of numbers, texts, durations and further enumerations is printed as the code that makes it.
  associatedtype Step: Hashable, Sendable

  /// How a run can begin: drawn from its seed before the model is made, and made simpler where the run is shrunk.
  ///
  /// A model that always begins the same needs none.
  associatedtype Start: Hashable & Sendable = NoStart

  /// Makes the model and its fakes, and starts their tasks with `Simulation.task`.
  ///
  /// A synchronous one that does not throw will do, but where something must know its isolation, as `observe` must. An
  /// error that it throws is a finding.
  init(in simulation: Simulation) async throws

  /// Makes the model as a run begins with it.
  init(in simulation: Simulation, from start: Start) async throws

  /// Draws how the run of a seed begins.
  static func start(seed: UInt64) -> Start

  /// How the model is now, as another run may begin with it; `nil` where no start says that.
  var startNow: Start? { get }

  /// Draws a step that makes sense now; `nil` ends the run.
  func next(_ stream: inout RandomStream) -> Step?

  /// Whether a step can be done now; one that cannot is skipped, and is no part of what is reported of the run.
  ///
  /// Asked of drawn steps, too, and of those that are left when others have been left out.
  func canPerform(_ step: Step) -> Bool

  /// Does a step, and may wait for it to end: the next comes no earlier. An error that it throws is a finding.
  func perform(_ step: Step) async throws

  /// What the trace says of the model, at each moment of rest at which it is not what it was; an empty text is no line.
  var summary: String { get }

  /// Asked at every moment of rest: safety.
  static var always: [Property<Self>] { get }

  /// Asked in the end, after nothing was done for the quiet time: liveness.
  static var eventually: [Property<Self>] { get }

  /// Holds at some moment of rest of some run: a search that never sees it is empty.
  static var sometimes: [Property<Self>] { get }

  /// Simpler steps to try in place of one, the simplest first; none of them leads back to it.
  static func simpler(_ step: Step) -> [Step]

  /// Simpler runs to try in place of one that begins so, the simplest first: with another start, or with one in place
  /// of steps.
  static func simplerStarts(of run: StartedRun<Start, Step>) -> [StartedRun<Start, Step>]

  /// Runs to try in place of one, that begin where its first `count` actions lead.
  ///
  /// - Parameter start: what ``startNow`` says there.
  static func later(_ run: StartedRun<Start, Step>, after count: Int, from start: Start) -> [StartedRun<Start, Step>]
}

/// How a run begins, and what happens in it.
public struct StartedRun<Start: Hashable & Sendable, Step: Hashable & Sendable>: Hashable, Sendable {
  /// How it begins.
  public var start: Start
  /// What happens.
  public var actions: [Action<Step>]

  /// Makes a run of its parts.
  public init(start: Start, actions: [Action<Step>]) { (self.start, self.actions) = (start, actions) }
}

/// How the runs of a model begin that always begins the same.
public struct NoStart: Hashable, Sendable {
  /// The one there is.
  public init() {}
}

extension Explorable where Start == NoStart {
  /// The same as without a start.
  public init(in simulation: Simulation, from start: NoStart) async throws { try await self.init(in: simulation) }
  /// The one there is.
  public static func start(seed: UInt64) -> NoStart { NoStart() }
}

extension Explorable {
  /// None.
  public var startNow: Start? { nil }
  /// None.
  public static func simplerStarts(of run: StartedRun<Start, Step>) -> [StartedRun<Start, Step>] { [] }
  /// The one with the actions that are left.
  public static func later(_ run: StartedRun<Start, Step>, after count: Int, from start: Start) -> [StartedRun<Start, Step>] {
    [StartedRun(start: start, actions: Array(run.actions.dropFirst(count)))]
  }
  /// Yes.
  public func canPerform(_ step: Step) -> Bool { true }
  /// Nothing.
  public var summary: String { "" }
  /// Nothing.
  public static var always: [Property<Self>] { [] }
  /// Nothing.
  public static var eventually: [Property<Self>] { [] }
  /// Nothing.
  public static var sometimes: [Property<Self>] { [] }
  /// None.
  public static func simpler(_ step: Step) -> [Step] { [] }
}
