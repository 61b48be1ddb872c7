extension Int {
  /// Such as `1 scan` and `2 scans`.
  package func counted(_ thing: String) -> String { "\(self) \(thing)\(self == 1 ? "" : "s")" }
}
