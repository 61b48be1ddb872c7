extension Binding {
  /// A binding to one case of an optional enum, through a computed property of the enum that is `nil` in other cases.
  ///
  /// Writing `nil` ends the case, writing a value replaces its payload. While the enum is in another case, or `nil`,
  /// nothing is written: a case that has passed is never revived, and no other case is overwritten.
  ///
  /// ```swift
  /// extension Destination {
  ///   var connect: ConnectToNetworkModel? {
  ///     get { if case .connect(let model) = self { model } else { nil } }
  ///     set { if let newValue { self = .connect(newValue) } }
  ///   }
  /// }
  /// ```
  public subscript<Wrapped, Payload>(
    dynamicMember keyPath: WritableKeyPath<Wrapped, Payload?>
  ) -> Binding<Payload?> where Value == Wrapped? {
    member(\.[case: keyPath])
  }

  /// A binding to what is in an optional, or `nil` where nothing is.
  ///
  /// Once the optional is `nil` again the last value that was read or written through this binding is read, and nothing
  /// is written: it is not revived. So a view that is being dismissed keeps its content.
  public init?(_ optional: Binding<Value?>) {
    guard let value = optional.wrappedValue else { return nil }
    self = optional.member(\.[last: Fallback(value)])
  }

  /// A binding to whether there is a value; writing `false` removes it, writing `true` changes nothing.
  public func isPresent<Wrapped>() -> Binding<Bool> where Value == Wrapped? { member(\.isPresent) }
}

/// What to read where nothing is: the last value there was; no part of the identity of a key path.
final class Fallback<Value>: Hashable {
  var value: Value

  init(_ value: Value) { self.value = value }

  static func == (left: Fallback, right: Fallback) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension Optional {
  subscript<Payload>(case keyPath: WritableKeyPath<Wrapped, Payload?>) -> Payload? {
    get { self?[keyPath: keyPath] }
    set {
      guard var wrapped = self, wrapped[keyPath: keyPath] != nil else { return }
      guard let newValue else {
        self = nil
        return
      }
      wrapped[keyPath: keyPath] = newValue
      self = wrapped
    }
  }

  subscript(last fallback: Fallback<Wrapped>) -> Wrapped {
    get {
      if let self { fallback.value = self }
      return fallback.value
    }
    set {
      guard self != nil else { return }
      fallback.value = newValue
      self = newValue
    }
  }

  var isPresent: Bool {
    get { self != nil }
    set { if !newValue { self = nil } }
  }
}
