public import Observation

/// A value that another object owns: to read, and to write back.
///
/// A binding is an object and a key path from it, and so is its identity: two bindings to the same field are equal,
/// however they came about. Members are derived by name; a value is transformed by a computed property or a subscript
/// of the model, never by closures, which would have no identity.
///
/// ```swift
/// let password = model.bind(\.password)
/// let network = settings.bind(\.destination).connect   // a `Binding<ConnectToNetworkModel?>`
/// ```
///
/// It keeps the object alive. It belongs to the isolation in which it was made and is not `Sendable`: the compiler
/// refuses to send a binding to a field of a main-actor model away from the main actor, where it sees that it was made
/// there. A generic helper that makes bindings for others must take `isolation: isolated (any Actor)? = #isolation` and
/// pass it on; without it the result can be sent, which is a data race. A binding of a `Sendable` model through a
/// `Sendable` key path can be sent.
@dynamicMemberLookup
public struct Binding<Value> {
  private let location: any BindingLocation<Value>

  init(_ location: any BindingLocation<Value>) { self.location = location }

  /// Binds a field of an object, in the isolation of the caller.
  public init<Root: AnyObject>(
    _ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, isolation: isolated (any Actor)? = #isolation
  ) {
    location = KeyPathLocation(root: root, keyPath: keyPath)
  }

  /// Binds a field of an object that may be used anywhere; the binding can be sent.
  ///
  /// A key path to a field of a global actor is not `Sendable`, even where the object is.
  public init<Root: AnyObject & Sendable>(_ root: Root, _ keyPath: any ReferenceWritableKeyPath<Root, Value> & Sendable) {
    location = KeyPathLocation(root: root, keyPath: keyPath)
  }

  /// A constant value: what is written to it is lost.
  ///
  /// For previews and tests of controls. Two constants are never equal.
  public static func constant(_ value: Value) -> Binding { Binding(KeyPathLocation(root: Constant(value), keyPath: \.value)) }

  /// The value, now.
  public var wrappedValue: Value {
    get { location.value }
    nonmutating set { location.set(newValue) }
  }

  /// A binding to a member of the value, or to a computed one.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> { location.member(keyPath) }

  /// A binding to what a subscript of the value gives.
  public func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> { location.member(keyPath) }
}

extension Binding: Hashable {
  /// Whether both are the same field of the same object; their values do not matter.
  public static func == (left: Self, right: Self) -> Bool {
    left.location.root == right.location.root && left.location.path == right.location.path
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(location.root)
    hasher.combine(location.path)
  }
}

/// Where a value is: a root and a way from it, whose types are forgotten.
protocol BindingLocation<Value> {
  associatedtype Value
  var root: ObjectIdentifier { get }
  var path: AnyKeyPath { get }
  var value: Value { get }
  func set(_ value: Value)
  func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> Binding<Member>
}

private struct KeyPathLocation<Root: AnyObject, Value>: BindingLocation {
  let object: Root
  let keyPath: ReferenceWritableKeyPath<Root, Value>

  init(root: Root, keyPath: ReferenceWritableKeyPath<Root, Value>) {
    object = root
    self.keyPath = keyPath
  }

  var root: ObjectIdentifier { ObjectIdentifier(object) }
  var path: AnyKeyPath { keyPath }
  var value: Value { object[keyPath: keyPath] }

  func set(_ value: Value) { object[keyPath: keyPath] = value }

  func member<Member>(_ member: WritableKeyPath<Value, Member>) -> Binding<Member> {
    Binding<Member>(KeyPathLocation<Root, Member>(root: object, keyPath: keyPath.appending(path: member)))
  }
}

/// The root of a constant binding.
private final class Constant<Value> {
  private let kept: Value
  var value: Value {
    get { kept }
    set {}
  }

  init(_ value: Value) { kept = value }
}

extension Observable where Self: AnyObject {
  /// A binding to a field of this model, in the isolation of the caller: `model.bind(\.password)`.
  public func bind<Value>(
    _ keyPath: ReferenceWritableKeyPath<Self, Value>, isolation: isolated (any Actor)? = #isolation
  ) -> Binding<Value> {
    Binding(self, keyPath)
  }
}

extension Observable where Self: AnyObject & Sendable {
  /// A binding to a field of a model that may be used anywhere; the binding can be sent.
  public func bind<Value>(_ keyPath: any ReferenceWritableKeyPath<Self, Value> & Sendable) -> Binding<Value> {
    Binding(self, keyPath)
  }
}
