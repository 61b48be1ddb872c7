import Simulator

/// Which of the jobs that could run now runs next.
public struct Scheduling: Sendable {
  enum Policy {
    case inOrder
    case random(RandomStream)
    case chosen(@Sendable (_ count: Int, _ step: Int) -> Int)
  }

  var policy: Policy

  /// In the order in which they became runnable.
  public static var inOrder: Scheduling { Scheduling(policy: .inOrder) }

  /// Any of them, each equally likely, drawn from the stream `scheduling` of a seed.
  public static func random(seed: UInt64) -> Scheduling {
    Scheduling(policy: .random(RandomStream(seed: seed, name: "scheduling")))
  }

  /// The one that `choose` gives for the number of runnable jobs and the number of choices made before.
  ///
  /// It is asked only where there are at least two, and gives an index below their number.
  public static func chosen(_ choose: @escaping @Sendable (_ count: Int, _ step: Int) -> Int) -> Scheduling {
    Scheduling(policy: .chosen(choose))
  }
}

/// Jobs that could run now, in the order in which they became runnable.
struct JobQueue {
  private var jobs: [UnownedJob] = []
  private var head = 0
  private var policy: Scheduling.Policy
  private(set) var choices = 0

  init(_ scheduling: Scheduling) { policy = scheduling.policy }

  var count: Int { jobs.count - head }

  mutating func append(_ job: UnownedJob) { jobs.append(job) }

  /// Takes out the job that runs next.
  mutating func next() -> UnownedJob? {
    let count = jobs.count - head
    if count == 0 { return nil }
    let index = count == 1 ? 0 : choose(count)
    let job = jobs[head + index]
    if index == 0 { head += 1 } else { jobs.remove(at: head + index) }
    if head == jobs.count {
      jobs.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 1024 {
      jobs.removeSubrange(..<head)
      head = 0
    }
    return job
  }

  private mutating func choose(_ count: Int) -> Int {
    switch policy {
    case .inOrder: return 0
    case .random(var stream):
      let index = Int(stream.next(below: UInt64(count)))
      policy = .random(stream)
      choices += 1
      return index
    case .chosen(let choose):
      let index = choose(count, choices)
      precondition((0..<count).contains(index), "Scheduling: \(index) chosen of \(count) jobs")
      choices += 1
      return index
    }
  }
}
