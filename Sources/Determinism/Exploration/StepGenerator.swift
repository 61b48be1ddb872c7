/// Draws what happens: pauses by itself, steps as the subject does.
struct StepGenerator<Subject: Explorable> {
  private var stream: RandomStream
  private var left: Int
  /// Whether the run goes on while something else does, or when everything has come to rest.
  private let races: Bool
  /// In milliseconds.
  private let pause: Int
  private let end: Duration
  private var hasPaused = false

  init(seed: UInt64, _ frame: RunOptions) {
    stream = RandomStream(seed: seed, name: "story")
    left = stream.next(in: frame.steps)
    races = stream.bool(1, in: 2)
    end = frame.limits.time / 2
    let (seconds, attoseconds) = frame.pause.components
    pause = Int(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  mutating func next(_ subject: Subject, _ clock: VirtualClock) -> Action<Subject.Step>? {
    guard left > 0 else { return nil }
    if !hasPaused {
      hasPaused = true
      if !races { return .wait(duration(clock)) }
      if stream.bool(2, in: 3) { return .sleep(duration(clock)) }
    }
    hasPaused = false
    left -= 1
    return subject.next(&stream).map(Action.step)
  }

  private mutating func duration(_ clock: VirtualClock) -> Duration {
    // Until the very moment in which something else happens.
    if stream.bool(1, in: 4), let next = clock.nextDeadline, next.offset < end { return next.offset - clock.now.offset }
    return switch stream.next(below: 3) {
    case 0: .zero
    case 1: .seconds(stream.next(in: 0...pause) / 1000)
    default: .milliseconds(stream.next(in: 0...pause))
    }
  }
}
