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
///       static var always: [Property<TillSubject>] {
///         [Property("the sum is that of the receipt") { $0.till.sum == $0.till.receipt.reduce(0, +) }]
///       }
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
/// A class on the main actor conforms there, `@MainActor final class TillSubject: @MainActor Explorable`, and its test
/// is on the main actor, too. Each run has a main actor of its own, so runs go side by side.
///
/// What conforms is a final class: a property is about the very type.
public protocol Explorable: AnyObject {
  /// Something that is done with the model, with all its values: done again, it does the same.
  ///
  /// An enumeration of numbers, texts, durations and further enumerations is printed as the code that makes it.
  associatedtype Step: Hashable, Sendable

  /// Makes the model and its fakes, and starts their tasks with `Simulation.task`.
  ///
  /// A synchronous one that does not throw will do, but where something must know its isolation, as `observe` must. An
  /// error that it throws is a finding.
  init(in simulation: Simulation) async throws

  /// Draws a step that makes sense now; `nil` ends the run.
  func next(_ stream: inout RandomStream) -> Step?

  /// Whether a step can be done now; one that cannot is skipped, and is no part of what is reported of the run.
  ///
  /// Asked of drawn steps, too, and of those that are left when others have been left out.
  func canPerform(_ step: Step) -> Bool

  /// Does a step, and may wait for it to end: the next comes no earlier. An error that it throws is a finding, but for
  /// `CancellationError`.
  func perform(_ step: Step) async throws

  /// What the trace says of the model, at each moment of rest at which it is not what it was; an empty text is no line.
  var summary: String { get }

  /// What kind of state the model is in, in a few words: where it says that, a search goes on from those that it
  /// reaches seldom.
  ///
  /// The fewer there are, the more each says: `"paying"` rather than the sum. The default is `nil`: each run is drawn
  /// by itself.
  var situation: String? { get }

  /// Asked at every moment of rest: safety.
  static var always: [Property<Self>] { get }

  /// Asked in the end, after nothing was done for the quiet time: liveness.
  static var eventually: [Property<Self>] { get }

  /// Holds at some moment of rest of some run: a search that never sees it is empty.
  static var sometimes: [Property<Self>] { get }

  /// Simpler steps to try in place of one, the simplest first; none of them leads back to it.
  static func simpler(_ step: Step) -> [Step]
}

extension Explorable {
  /// Yes.
  public func canPerform(_ step: Step) -> Bool { true }
  /// Nothing.
  public var summary: String { "" }
  /// `nil`: a search goes on from no run.
  public var situation: String? { nil }
  /// Nothing.
  public static var always: [Property<Self>] { [] }
  /// Nothing.
  public static var eventually: [Property<Self>] { [] }
  /// Nothing.
  public static var sometimes: [Property<Self>] { [] }
  /// None.
  public static func simpler(_ step: Step) -> [Step] { [] }
}
