import DaemonControl
import Determinism
import Models
import Simulator
import Synchronization
public import WiFi

/// What passed between a world and the models.
public final class WorldLog {
  /// An attempt to join.
  public struct Attempt: Hashable, Sendable {
    /// The network.
    public var network: NetworkID
    /// The password that reached the world, which the trace does not hold; `nil` for an open network.
    public var password: String?
    /// When it began.
    public var start: Duration
    /// When it ended, where it has.
    public var end: Duration?
    /// Why it failed; `nil` where it runs or succeeded.
    public var error: JoinError?
    /// The name of the network that another program joined in its place.
    package var supersededBy: String?
    /// The network that a daemon had joined when it failed.
    package var linkAtFailure: SSID?
    /// The network that a daemon had joined when it began.
    package var linkBefore: SSID?
    /// The access point that it had joined when the attempt had succeeded.
    package var linkAfter: MACAddress?
    /// How often the switch or the radio had been moved when it began.
    package var movesBefore = 0
    /// How often they had been moved when it ended.
    package var movesAfter = 0
  }

  /// Waits for an attempt or a request, until its task is cancelled.
  final class Waiter: Sendable {
    private let flag = Atomic(false)

    var hasGivenUp: Bool { flag.load(ordering: .relaxed) }

    func giveUp() { flag.store(true, ordering: .relaxed) }
  }

  /// What is known before the first scan.
  public let initialScan: Scan?
  /// The scans so far that a task waited for, in order.
  public internal(set) var scans: [Scan] = []
  /// What the messages of the kernel said of each scan of ``scans``; `nil` where there is no kernel.
  package internal(set) var probed: [LinkProbe.Scan?] = []
  /// Why the attempt that ended last failed, as the joiner says it now.
  var lastFailure: () -> JoinFailure? = { nil }
  /// Whether nothing goes wrong in this world, so that every scan must come to its end.
  package internal(set) var isUndisturbed = false
  /// Whether messages of the daemon took time, so that what it reports may be of before an answer.
  package internal(set) var hasSlowDaemon = false
  /// Whether nothing goes wrong in this world, and no message of a daemon takes time.
  package var isPrompt: Bool { isUndisturbed && !hasSlowDaemon }
  /// Whether scans are kept; those of a run that is not judged are not needed.
  var keepsScans = true
  /// The attempts so far, in order.
  public internal(set) var attempts: [Attempt] = [] {
    didSet { count += 1 }
  }
  /// What waits for the attempts that run, by number.
  var attemptWaiters: [Int: Waiter] = [:]
  /// What waits for the changes of the known networks that run, by number.
  var changeWaiters: [Int: Waiter] = [:]
  /// What the store of known networks was asked to change, answered or not, in order.
  private(set) var changes: [KnownNetworkRequest] = []
  /// The names of networks that came or went.
  private var passingNames: Set<String> = []
  /// The names of networks that began to answer joins in another way, and when.
  private var newAnswers: [(name: String, time: Duration)] = []
  /// When a daemon first ended or refused, another program first changed the known networks or moved the radio, or an
  /// access point ended or moved a link.
  private(set) var interference: Duration?
  /// The network that another program joined last, with the number of attempts before it; `nil` where something else of
  /// that kind was done since.
  private(set) var joinedByOther: (name: String, attempts: Int)?
  /// The network of which a join that succeeded was of another profile than the one that NetworkManager prefers.
  var outrankedNetwork: SSID?
  /// How much was done to the world itself.
  private(set) var worldEventCount = 0
  /// Whether the daemon refused or ended at times, so that what it was to forget it may know still.
  private(set) var isHindered = false
  /// How often the switch or the radio was moved.
  private(set) var moveCount = 0
  /// Whether what ``takeEvents()`` gives is kept; nothing takes it from a run without a reference.
  var keepsEvents = false
  /// What passed and what was done since ``takeEvents()``, in order.
  private var events: [Event] = []

  /// Something that passed between the world and the models, or that was done with them.
  enum Event {
    /// A scan, and the bytes that the kernel answered; `nil` where there is no kernel, or some were lost.
    case scan(Scan, list: [[UInt8]]?)
    /// An attempt to join began, with its place in ``attempts``.
    case attemptBegan(Int)
    /// An attempt ended; the task that waited for it may have been cancelled.
    case attemptEnded(Int, isCancelled: Bool)
    /// Something happened to the association.
    case associated(AssociationEvent)
    /// The store of known networks was asked something, by number.
    case knownAsked(Int, KnownNetworkRequest)
    /// It answered the request of that number; the daemon, where there is one and nothing changed meanwhile, knows
    /// this; and whether nothing was done to the world meanwhile.
    case knownAnswered(Int, Result<KnownNetworkAnswer, KnownNetworkError>, DaemonKnown?, isAlone: Bool)
    /// A change of the known networks was given up, and the daemon made it all the same.
    case knownChangedInVain
    /// The radio is asked to move.
    case radioAsked
    /// It was moved, or could not be moved, to where the switch stood.
    case radio(isOn: Bool, isRefused: Bool)
    /// The radio stands there, as whatever follows it reports; it may say what was so before the radio was moved.
    case radioReported(isOn: Bool, isOld: Bool)
    /// A user did something.
    case input(UserInput)
  }

  /// How often something was recorded.
  public private(set) var count = 0

  init(initialScan: Scan?) { self.initialScan = initialScan }

  /// The number of attempts that run now.
  package var runningCount: Int { attempts.count { $0.end == nil } }
  /// The number of those that were not given up.
  var awaitedCount: Int { attemptWaiters.values.count { !$0.hasGivenUp } }

  /// The numbers of the requests that change the known networks, that run, and that were not given up.
  var awaitedChanges: [Int] { changeWaiters.compactMap { $1.hasGivenUp ? nil : $0 } }

  func add(_ event: Event) {
    guard keepsEvents else { return }
    events.append(event)
    switch event {
    case .knownAsked(_, let request) where request != .list: changes.append(request)
    case .input(.switchWiFi), .radio: moveCount += 1
    // It may be about a page under a sheet, of which nothing else says that it changed.
    case .knownAnswered: count += 1
    default: break
    }
  }

  /// Takes what is done to the world itself.
  func add(_ event: ScenarioAction.WorldEvent, at time: Duration) {
    worldEventCount += 1
    switch event {
    case .find(let network): passingNames.insert(network.name)
    case .lose(let network): passingNames.insert(network.name)
    case .join(let network, _): newAnswers.append((network.name, time))
    case .known(.answer(let rule)) where rule.failure == nil: break
    case .link, .known, .radio:
      interference = interference ?? time
      if case .known(.joined(let name?)) = event { joinedByOther = (name, attempts.count) } else { joinedByOther = nil }
    }
    if case .radio = event { isUndisturbed = false }
    if case .known(.answer(let rule)) = event, rule.failure != nil { isHindered = true }
  }

  /// Whether a network of this name came, went, or answers joins in another way.
  func isChanged(_ name: SSID) -> Bool { hasComeOrGone(name) || !answerChanges(name).isEmpty }

  /// Whether a network of this name came or went.
  func hasComeOrGone(_ name: SSID) -> Bool { passingNames.contains { name.bytes.elementsEqual($0.utf8) } }

  /// When a network of this name began to answer joins in another way.
  func answerChanges(_ name: SSID) -> [Duration] {
    newAnswers.compactMap { name.bytes.elementsEqual($0.name.utf8) ? $0.time : nil }
  }

  /// Whether nothing was done that could end the link to a network of this name but what the air does.
  func leavesAlone(_ name: SSID) -> Bool {
    guard isPrompt, runningCount == 0, changes.isEmpty, moveCount == 0, interference == nil else { return false }
    guard let last = attempts.last else { return true }
    // To join what is joined leaves it first, and so may an attempt that the last one ended.
    return attempts.filter { $0.end ?? .zero >= last.start }.allSatisfy { attempt in
      if case .network(name, _) = attempt.network { attempt.error == nil && attempt.linkBefore != name } else { false }
    }
  }

  /// What passed since this was asked last.
  func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  func add(_ scan: Scan, _ probed: LinkProbe.Scan? = nil, list: [[UInt8]]? = nil) {
    guard keepsScans else { return }
    add(.scan(scan, list: list))
    count += 1
    scans.append(scan)
    self.probed.append(probed)
  }
}
