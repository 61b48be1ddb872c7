/// Something that holds of a subject or does not, by name.
public struct Property<Subject>: Sendable {
  /// What holds, in words that a user understands, such as `the sum is that of the receipt`.
  public let name: String
  /// What is wrong, a sentence; `nil` where it holds.
  public let lack: @Sendable (Subject) -> String?

  /// A property that says what is wrong where it does not hold, and `nil` where it does.
  public init(_ name: String, _ lack: @escaping @Sendable (Subject) -> String?) {
    self.name = name
    self.lack = lack
  }

  /// A property that holds or does not.
  public init(_ name: String, _ holds: @escaping @Sendable (Subject) -> Bool) {
    self.init(name) { holds($0) ? nil : "it does not hold" }
  }
}
