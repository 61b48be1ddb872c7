/// Values as the code that makes them, as far as reflection shows it.
enum CodeText {
  static func of(_ value: Any) -> String {
    switch value {
    case let text as String: return text.debugDescription
    case let duration as Duration: return of(duration)
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
