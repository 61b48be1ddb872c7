/// A value that somebody else owns: to read, and to write back.
///
/// A binding is an object and a key path from it, and so is its identity: two bindings to the same field are equal,
/// however they came about. Members are derived by name; a value is transformed by a computed property or a subscript
/// of the model, never by closures, which would have no identity.
///
/// ```swift
/// let password = Binding(model, \.password)
/// let network = Binding(settings, \.destination).connect   // a `Binding<ConnectToNetworkModel?>`
/// ```
///
/// It belongs to whoever owns the object, and is not `Sendable`. It keeps the object alive.
@dynamicMemberLookup
public struct Binding<Value> {
  private let location: any BindingLocation<Value>

  init(_ location: any BindingLocation<Value>) { self.location = location }

  /// Binds a field of an object.
  public init<Root: AnyObject>(_ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>) {
    location = KeyPathLocation(root: root, keyPath: keyPath)
  }

  /// The value, now.
  public var wrappedValue: Value {
    get { location.value }
    nonmutating set { location.set(newValue) }
  }

  /// A binding to a member of the value, or to a computed one.
  public subscript<Member>(dynamicMember keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> {
    location.member(keyPath)
  }

  /// A binding to what a subscript of the value gives.
  public func member<Member>(_ keyPath: WritableKeyPath<Value, Member>) -> Binding<Member> {
    location.member(keyPath)
  }
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
    Binding(object, keyPath.appending(path: member))
  }
}
