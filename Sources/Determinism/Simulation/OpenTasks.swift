import CDeterminism

/// The tasks that ran on an executor and have not ended, whatever started them.
///
/// A task that waits for something of its own is in no queue, so it is kept here. Known where the runtime's layout of
/// tasks is (`RuntimeHooks`); elsewhere there are none. Children are not kept, for their parents wait for them, nor are
/// tasks that are on an actor of their own all the time, whose jobs the executor does not see.
@safe struct OpenTasks {
  /// Each task by its address, retained, with a number that counts them.
  private var numbers: [UInt: Int] = [:]
  private var last = 0
  /// The task whose job runs.
  private var current: UInt = 0
  /// A task that is kept, which needs not be looked up.
  private var lastKept: UInt = 0
  private let layout: UnsafePointer<determinism_task_layout>?

  /// - Parameter isKept: whether tasks are kept at all.
  init(isKept: Bool) { unsafe layout = isKept ? determinism_tasks() : nil }

  var isEmpty: Bool { numbers.isEmpty }

  /// How many are kept, those included that ended elsewhere.
  var count: Int { numbers.count }

  /// Whether a task is kept: it has run and not ended.
  func isKept(_ address: UInt) -> Bool { numbers[address] != nil }

  /// Keeps the task whose job is about to run.
  mutating func begin(_ job: RunnableJob) {
    guard let layout = unsafe layout, let task = unsafe UnsafeMutableRawPointer(bitPattern: job.pointer),
      unsafe layout.pointee.is_root(task)
    else { return current = 0 }
    current = job.pointer
    if lastKept == job.pointer { return }
    // It must be there when it is looked at.
    if numbers.isEmpty || numbers[job.pointer] == nil {
      unsafe layout.pointee.retain(task)
      last += 1
      numbers[job.pointer] = last
    }
    lastKept = job.pointer
  }

  /// Lets go of the task whose job has run, where that was its last.
  mutating func end(_ job: RunnableJob) {
    guard current == job.pointer, let layout = unsafe layout,
      let task = unsafe UnsafeMutableRawPointer(bitPattern: job.pointer), unsafe layout.pointee.is_complete(task)
    else { return }
    numbers[job.pointer] = nil
    if lastKept == job.pointer { lastKept = 0 }
    unsafe layout.pointee.release(task)
  }

  /// The tasks that have not ended, the earliest first; releases the others, which ended elsewhere.
  mutating func addresses() -> [UInt] {
    guard let layout = unsafe layout else { return [] }
    let all = numbers.sorted { $0.value < $1.value }.map(\.key)
    let ended = all.filter { address in
      unsafe UnsafeMutableRawPointer(bitPattern: address).map { unsafe layout.pointee.is_complete($0) } ?? true
    }
    for address in ended { numbers[address] = nil }
    if ended.contains(lastKept) { lastKept = 0 }
    let open = all.filter { numbers[$0] != nil }
    unsafe release(ended, layout)
    return open
  }

  /// Cancels a task.
  func cancel(_ address: UInt) {
    guard let layout = unsafe layout, let task = unsafe UnsafeMutableRawPointer(bitPattern: address) else { return }
    unsafe layout.pointee.cancel(task)
  }

  /// Lets go of all.
  mutating func removeAll() {
    guard let layout = unsafe layout else { return }
    let all = Array(numbers.keys)
    (numbers, lastKept) = ([:], 0)
    unsafe release(all, layout)
  }

  /// Releases tasks that are kept no longer; the last that any method does, as it may run anything.
  private func release(_ addresses: [UInt], _ layout: UnsafePointer<determinism_task_layout>) {
    for address in addresses {
      if let task = unsafe UnsafeMutableRawPointer(bitPattern: address) { unsafe layout.pointee.release(task) }
    }
  }
}
