import CDeterminism

/// What a task says of itself, where the runtime's layout of tasks is known (`RuntimeHooks`); a task is known by its
/// address.
///
/// The tasks are there when they are asked: they are kept, or are runnable, or sleep.
enum TaskLayout {
  /// Whether a task has no parent: one that `Task { }` or `Task.detached` made.
  ///
  /// False where that is unknown.
  static func isRoot(_ address: UInt) -> Bool {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    return unsafe layout.pointee.is_root(task)
  }

  /// Whether a job is a task at all, and not work of an actor or of the runtime.
  ///
  /// It is not where that is not known.
  static func isTask(_ address: UInt) -> Bool {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    return unsafe layout.pointee.is_task(task)
  }

  /// Whether the layout of tasks is known.
  static var isKnown: Bool { unsafe determinism_tasks() != nil }

  /// Whether a task that was made runnable goes on in the program, and not in what the runtime does for one that waited
  /// for another task.
  static func isHop(_ address: UInt) -> Bool {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    return unsafe layout.pointee.is_hop(task)
  }

  /// The number of the task that a job is, in this process.
  static func number(of job: UnownedJob) -> UInt64? {
    guard let layout = unsafe determinism_tasks() else { return nil }
    let number = unsafe layout.pointee.number(unsafeBitCast(job, to: UnsafeRawPointer.self))
    return number == 0 ? nil : number
  }

  /// Whether a task that is about to run was cancelled; false where that is unknown.
  static func isCancelled(_ address: UInt) -> Bool {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeRawPointer(bitPattern: address) else { return false }
    return unsafe layout.pointee.is_task(task) && layout.pointee.is_cancelled(task)
  }

  /// The address of the actor whose work a job is that is about to run, or 0.
  static func actor(of address: UInt) -> UInt {
    guard let layout = unsafe determinism_tasks(), let job = unsafe UnsafeRawPointer(bitPattern: address) else { return 0 }
    return unsafe UInt(bitPattern: layout.pointee.actor(job))
  }

  /// The name that a task was given, as in `Task(name: "ticks") { }`.
  ///
  /// - Parameter runs: whether it may run on another thread, and be gone.
  static func name(of address: UInt, runs: Bool = false) -> String? {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeRawPointer(bitPattern: address) else { return nil }
    if !runs, unsafe !layout.pointee.is_task(task) { return nil }
    var name = [CChar](repeating: 0, count: 256)
    return unsafe layout.pointee.name(task, runs, &name, name.count) ? text(name) : nil
  }

  /// The function in which a task waits, where the names of functions are known; the task must not run.
  static func function(of address: UInt) -> String? {
    guard let layout = unsafe determinism_tasks(), let task = unsafe UnsafeMutableRawPointer(bitPattern: address),
      unsafe layout.pointee.is_task(task)
    else { return nil }
    var frames: [UnsafeMutableRawPointer] = unsafe Array(repeating: task, count: 64)
    let count = unsafe layout.pointee.frames(task, &frames, 64)
    return unsafe function(at: &frames, count)
  }

  /// The innermost function of the program at these addresses.
  static func function(at addresses: inout [UnsafeMutableRawPointer], _ count: Int32) -> String? {
    var name = [CChar](repeating: 0, count: 1024)
    return unsafe determinism_name(&addresses, count, &name, name.count) ? text(name) : nil
  }

  /// The place of the program where a thread is, where it can be asked.
  static func place(of thread: UInt) -> String? {
    var place = [CChar](repeating: 0, count: 1300)
    return unsafe determinism_locate(thread, &place, place.count) ? text(place) : nil
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
