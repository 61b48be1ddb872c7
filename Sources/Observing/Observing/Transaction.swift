/// The context of a change for its observers: how to animate it, and why it happened.
///
/// A transaction is set around a change with ``withTransaction(_:_:)`` and handed to the run that the change causes,
/// and to no other. Where one turn makes several changes that concern a closure, it is run once, with the transaction
/// of the **first** of them: what follows joins what is already on its way. A change without a transaction has the
/// empty one. What a run changes itself begins with the empty transaction again.
public struct Transaction: Sendable {
  @TaskLocal static var ambient = Transaction()

  /// The transaction of a change that is made now: what ``withTransaction(_:_:)`` set around this code.
  ///
  /// Empty in a run that a change caused, whose transaction is an argument of the closure; a first run has that of its
  /// caller.
  public static var current: Transaction { ambient }

  /// Keeps a value that is optional itself apart from no value.
  private struct Box<Value: Sendable>: Sendable {
    var value: Value
  }

  fileprivate var values: [ObjectIdentifier: any Sendable] = [:]

  /// Says nothing.
  public init() {}

  /// Says how to animate the change.
  public init(animation: Animation?) { self.animation = animation }

  /// Whether nothing was ever set.
  public var isEmpty: Bool { values.isEmpty }

  /// The value of a key, or its default.
  public subscript<Key: TransactionKey>(key: Key.Type) -> Key.Value {
    get { (values[ObjectIdentifier(key)] as? Box<Key.Value>)?.value ?? key.defaultValue }
    set { values[ObjectIdentifier(key)] = Box(value: newValue) }
  }
}

/// A value of a ``Transaction``.
///
/// ```swift
/// enum ReducedMotion: TransactionKey { static let defaultValue = false }
/// transaction[ReducedMotion.self] = true
/// ```
public protocol TransactionKey {
  /// What is said.
  associatedtype Value: Sendable
  /// What is meant where nothing is said.
  static var defaultValue: Value { get }
}

/// Makes changes under a transaction; inside another one, both hold, and where both set a key, the inner one.
public func withTransaction<Result>(_ transaction: Transaction, _ change: () throws -> Result) rethrows -> Result {
  var both = Transaction.current
  both.values.merge(transaction.values) { _, inner in inner }
  return try Transaction.$ambient.withValue(both, operation: change)
}

/// Makes changes under a transaction with one value, such as `withTransaction(\.cause, "tap") { … }`.
public func withTransaction<Value, Result>(
  _ keyPath: WritableKeyPath<Transaction, Value>, _ value: Value, _ change: () throws -> Result
) rethrows -> Result {
  var transaction = Transaction()
  transaction[keyPath: keyPath] = value
  return try withTransaction(transaction, change)
}
