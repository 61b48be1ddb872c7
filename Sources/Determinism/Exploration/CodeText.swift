/// Values as the code that makes them, as far as reflection shows it.
enum CodeText {
  static func of(_ value: Any) -> String {
    switch value {
    case let text as String: return text.debugDescription
    case let duration as Duration: return of(duration)
    // When that was in the run.
    case let instant as VirtualClock.Instant: return of(instant.offset)
    case let instant as ContinuousClock.Instant:
      if let now = Simulation.current?.clock.now.offset { return of(now - instant.duration(to: .now)) }
    case let instant as SuspendingClock.Instant:
      if let now = Simulation.current?.clock.now.offset { return of(now - instant.duration(to: .now)) }
    default: break
    }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map { label($0.label) + of($0.value) }
    return switch mirror.displayStyle {
    case .enum: mirror.children.first.map { "." + ($0.label ?? "") + payload($0.value) } ?? ".\(value)"
    case .optional: mirror.children.first.map { of($0.value) } ?? "nil"
    case .collection: list(parts)
    // Their order is another in each process.
    case .set: list(parts.sorted())
    case .dictionary: mirror.children.isEmpty ? "[:]" : list(mirror.children.map { pair($0.value) }.sorted())
    case .tuple: "(" + parts.joined(separator: ", ") + ")"
    case .struct where !parts.isEmpty: "\(mirror.subjectType)(" + parts.joined(separator: ", ") + ")"
    default: "\(value)"
    }
  }

  /// A value of numbers, texts and enumerations, shortened where it is long; `nil` for all else, such as an object.
  static func plain(_ value: Any) -> String? {
    guard isPlain(value) else { return nil }
    let text = of(value)
    return text.count > 60 ? text.prefix(60) + "…" : text
  }

  private static func isPlain(_ value: Any) -> Bool {
    if value is any LosslessStringConvertible || value is Duration { return true }
    let mirror = Mirror(reflecting: value)
    return switch mirror.displayStyle {
    case .enum, .optional, .collection, .set, .dictionary: mirror.children.allSatisfy { isPlain($0.value) }
    // Reflection shows what cannot be copied as the empty tuple.
    case .struct, .tuple: !mirror.children.isEmpty && !(value is RandomStream) && mirror.children.allSatisfy { isPlain($0.value) }
    default: false
    }
  }

  private static func of(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    let nanoseconds = attoseconds / 1_000_000_000
    guard attoseconds % 1_000_000_000 == 0, seconds.magnitude < 1_000_000_000 else {
      return "Duration(secondsComponent: \(seconds), attosecondsComponent: \(attoseconds))"
    }
    let whole = seconds * 1_000_000_000 + nanoseconds
    return whole % 1_000_000 == 0 ? ".milliseconds(\(whole / 1_000_000))" : ".nanoseconds(\(whole))"
  }

  /// What stands behind the name of a case.
  private static func payload(_ value: Any) -> String {
    let text = of(value)
    return Mirror(reflecting: value).displayStyle == .tuple ? text : "(\(text))"
  }

  private static func pair(_ value: Any) -> String { Mirror(reflecting: value).children.map { of($0.value) }.joined(separator: ": ") }
  private static func list(_ parts: [String]) -> String { "[" + parts.joined(separator: ", ") + "]" }
  private static func label(_ label: String?) -> String { label.map { $0.hasPrefix(".") ? "" : $0 + ": " } ?? "" }
}
