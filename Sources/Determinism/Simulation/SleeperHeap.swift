/// The sleepers of a clock: a binary heap in the order of deadline and registration, from which any can be taken out.
struct SleeperHeap: ~Copyable {
  private struct Entry {
    var deadline: Duration
    var sequence: Int
    var slot: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.deadline == right.deadline ? left.sequence < right.sequence : left.deadline < right.deadline
    }
  }

  /// The task that sleeps.
  @safe struct Who: @unchecked Sendable {
    var task: SimulatedTask?
    /// The name that the task itself was given, which need not be ``task``: that may have started it.
    private var ownName: String?
    /// The task itself, which is kept alive by this.
    private var handle: UnsafeCurrentTask?

    /// No task.
    init() {}

    /// The task that runs now.
    static var current: Who {
      var who = Who()
      who.task = SimulatedTask.current
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { who.ownName = Task.name }
      unsafe withUnsafeCurrentTask { unsafe who.handle = $0 }
      return who
    }

    /// Cancels the task.
    func cancel() { unsafe handle?.cancel() }

    /// Whether the task was cancelled.
    var isCancelled: Bool { unsafe handle?.isCancelled ?? false }

    /// What it is called: by its own name, or that of the simulation's task that it is or is a child of; `nil` where it
    /// is another that has none.
    var name: String? {
      guard ownName == nil, let task else { return ownName }
      if task.job == pointer { return task.name }
      // What the body starts, it need not wait for: the name would be misleading.
      if task.name == SimulatedTask.bodyName { return nil }
      return TaskLayout.isRoot(pointer) ? "a task of “\(task.name)” without a name" : task.name
    }

    /// What distinguishes the task from others; the same value as of a job that is a task.
    var pointer: UInt { unsafe handle.map { unsafe unsafeBitCast($0, to: UInt.self) } ?? 0 }
  }

  /// What to resume when a sleep ends.
  enum Waiter: Sendable {
    /// A task that sleeps on the clock of the simulation.
    case continuation(Suspension)
    /// A job of the runtime that wakes a task, by where the task is: it sleeps on a clock of the standard library.
    case job(RunnableJob, of: UInt)
  }

  /// What a place in the table holds; a task that sleeps has a place in the heap.
  private enum Fixture: Equatable {
    case free
    /// A task is about to register.
    case reserved
    /// A task was about to register and was cancelled.
    case cancelled
    case asleep
  }

  private struct Slot {
    var fixture = Fixture.reserved
    var sequence: Int
    var waiter: Waiter?
    var who = Who()
  }

  /// The identity of one sleep.
  struct ID: Sendable {
    fileprivate var slot: Int
    fileprivate var sequence: Int
  }

  var now: Duration = .zero
  private var heap: [Entry] = []
  private var slots: [Slot] = []
  /// Where in the heap each slot is; apart from the slots, because it changes all the time.
  private var places: [Int] = []
  private var freeSlots: [Int] = []
  private var nextSequence = 0

  var count: Int { heap.count }
  var nextDeadline: Duration? { heap.first?.deadline }

  /// Makes room for a sleep, or returns `nil` where the deadline is not after the time now.
  mutating func reserve(_ deadline: Duration) -> ID? {
    deadline <= now ? nil : place()
  }

  private mutating func place() -> ID {
    let sequence = nextSequence
    nextSequence += 1
    if let free = freeSlots.popLast() {
      slots[free].fixture = .reserved
      slots[free].sequence = sequence
      return ID(slot: free, sequence: sequence)
    }
    slots.append(Slot(sequence: sequence))
    places.append(0)
    return ID(slot: slots.count - 1, sequence: sequence)
  }

  enum Registration {
    case asleep
    /// It was cancelled before.
    case cancelled
    /// The time came before.
    case due
  }

  /// Adds a job that runs at a deadline, which is not before now.
  mutating func add(_ job: RunnableJob, of task: UInt, until deadline: Duration, _ who: consuming Who) -> ID {
    let id = place()
    insert(id, until: deadline, who, .job(job, of: task))
    return id
  }

  mutating func register(_ id: ID, until deadline: Duration, _ who: consuming Who, _ suspension: Suspension) -> Registration {
    if slots[id.slot].fixture == .cancelled {
      free(id.slot)
      return .cancelled
    }
    if deadline <= now {
      free(id.slot)
      return .due
    }
    insert(id, until: deadline, who, .continuation(suspension))
    return .asleep
  }

  private mutating func insert(_ id: ID, until deadline: Duration, _ who: consuming Who, _ waiter: consuming Waiter) {
    slots[id.slot].fixture = .asleep
    slots[id.slot].waiter = waiter
    slots[id.slot].who = who
    heap.append(Entry(deadline: deadline, sequence: id.sequence, slot: id.slot))
    rise(heap.count - 1)
  }

  /// Takes a sleep out, and returns what to resume where it had begun and not ended.
  mutating func cancel(_ id: ID) -> Waiter? {
    guard slots[id.slot].sequence == id.sequence else { return nil }
    switch slots[id.slot].fixture {
    case .free, .cancelled: return nil
    case .reserved:
      slots[id.slot].fixture = .cancelled
      return nil
    case .asleep:
      remove(at: places[id.slot])
      return free(id.slot)
    }
  }

  /// Sets the time to the earliest deadline and takes out all that sleep until then, in the order of registration.
  mutating func takeEarliest(_ woken: inout [Waiter]) {
    guard let deadline = nextDeadline else { return }
    now = deadline
    while let first = heap.first, first.deadline == deadline {
      remove(at: 0)
      if let waiter = free(first.slot) { woken.append(waiter) }
    }
  }

  /// All sleepers, in the order in which they will wake.
  var all: [(who: Who, deadline: Duration)] {
    heap.sorted(by: <).filter { !isOver($0.slot) }.map { (slots[$0.slot].who, $0.deadline) }
  }

  /// Whether the sleep was cancelled, and only what the runtime has to clean up is left.
  private func isOver(_ slot: Int) -> Bool {
    if case .job? = slots[slot].waiter { slots[slot].who.isCancelled } else { false }
  }

  /// Removes what is left of the earliest sleep, where that was cancelled.
  mutating func takeEarliestOver() -> Waiter? {
    guard let first = heap.first, isOver(first.slot) else { return nil }
    remove(at: 0)
    return free(first.slot)
  }

  @discardableResult
  private mutating func free(_ slot: Int) -> Waiter? {
    let waiter = slots[slot].waiter
    slots[slot].fixture = .free
    slots[slot].waiter = nil
    slots[slot].who = Who()
    freeSlots.append(slot)
    return waiter
  }

  // MARK: The heap

  private mutating func put(_ entry: Entry, at place: Int) {
    heap[place] = entry
    places[entry.slot] = place
  }

  private mutating func rise(_ place: Int) {
    let entry = heap[place]
    var place = place
    while place > 0 {
      let parent = (place - 1) / 2
      guard entry < heap[parent] else { break }
      put(heap[parent], at: place)
      place = parent
    }
    put(entry, at: place)
  }

  private mutating func sink(_ place: Int) {
    let entry = heap[place]
    var place = place
    while true {
      var child = 2 * place + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
      guard heap[child] < entry else { break }
      put(heap[child], at: place)
      place = child
    }
    put(entry, at: place)
  }

  private mutating func remove(at place: Int) {
    let last = heap.removeLast()
    guard place < heap.count else { return }
    put(last, at: place)
    if place > 0, last < heap[(place - 1) / 2] { rise(place) } else { sink(place) }
  }
}
