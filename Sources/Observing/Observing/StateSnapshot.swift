public import Observation

/// What a model holds at one moment, field by field: a change of it can be asserted whole.
///
/// ```swift
/// let before = StateSnapshot(of: model)
/// model.nextButtonTapped()
/// #expect(StateSnapshot(of: model).changes(since: before) == ["step: name → network"])
/// ```
///
/// The fields are found by reflection: stored ones, private ones too, of the model and of each `@Observable` model in
/// it. Closures, tasks and other objects are left out: they are what a model uses, not what it is. What describes
/// itself (`CustomStringConvertible`) is shown by its description; where that is the same and a field of it is not, the
/// field is said to change, or the value, where its fields do not show it and it is `Equatable`. Of a dictionary's keys
/// only the descriptions count. Reading is not observed. Costs time in proportion to the number of values, where a
/// model that is held in two places counts twice; it is for tests.
public struct StateSnapshot: Hashable, Sendable {
  /// One value of a model.
  public struct Field: Hashable, Sendable {
    /// The way to it, such as `sheet.password` or `rows[3].name`.
    public let path: String
    /// The value in words.
    public let value: String
    /// What is in a value that describes itself, whether the description shows it or not.
    fileprivate var details: [Field] = []
    /// The value, where neither words nor fields need show all of it.
    fileprivate var whole: Whole?
  }

  /// A value that is only compared, such as `Data` or an enum that describes two cases the same.
  fileprivate struct Whole: Hashable, @unchecked Sendable {
    private let value: any Equatable

    init?(_ value: Any) {
      guard let value = value as? any Equatable else { return nil }
      self.value = value
    }

    static func == (left: Self, right: Self) -> Bool { isSame(left.value, right.value) }

    func hash(into hasher: inout Hasher) {}

    private static func isSame<Value: Equatable>(_ left: Value, _ right: any Equatable) -> Bool {
      guard let right = right as? Value else { return false }
      // What is not even equal to itself, such as a NaN, is the same where its words are.
      return left == right || left != left
    }
  }

  /// The values, in the order of their declaration.
  public private(set) var fields: [Field] = []

  /// Reads all fields of a model.
  public init(of model: some Observable & AnyObject) {
    var visiting: Set<ObjectIdentifier> = []
    visit(model, "", &visiting)
  }

  /// What changed: `path: old → new`, in order; a field that comes or goes has `–` on the other
  /// side.
  public func changes(since before: StateSnapshot) -> [String] { Self.changes(fields, since: before.fields) }

  private static func changes(_ fields: [Field], since before: [Field]) -> [String] {
    // By path and in order: a private field may have the name of one of the superclass, and two keys one description.
    let old = Dictionary(grouping: before, by: \.path)
    var counts: [String: Int] = [:]
    var changed: [String] = []
    for field in fields {
      let number = counts[field.path, default: 0]
      counts[field.path] = number + 1
      let last = old[field.path].flatMap { $0.indices.contains(number) ? $0[number] : nil }
      if last?.value != field.value {
        changed.append("\(field.path): \(last?.value ?? "–") → \(field.value)")
      } else if let last, last != field {
        let inner = changes(field.details, since: last.details)
        changed += inner.isEmpty ? ["\(field.path): \(field.value) → another value with this description"] : inner
      }
    }
    for field in before {
      let left = counts[field.path, default: 0]
      counts[field.path] = left - 1
      if left <= 0 { changed.append("\(field.path): \(field.value) → –") }
    }
    return changed
  }

  private mutating func visit(_ value: Any, _ path: String, _ visiting: inout Set<ObjectIdentifier>) {
    if value is any Used { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let text = Self.textOfNil(mirror) {
        if !isOfUsed(type(of: value)) { add(path, text) }
      } else if let wrapped = mirror.children.first {
        visit(wrapped.value, path, &visiting)
      }
    case .class:
      guard let model = value as? any Observable & AnyObject else { return }
      guard visiting.insert(ObjectIdentifier(model)).inserted else { return add(path, "(the same model)") }
      visitChildren(of: mirror, path, &visiting)
      visiting.remove(ObjectIdentifier(model))
    case .collection:
      if mirror.children.isEmpty, !isOfUsed(type(of: value)) { add(path, "[]") }
      for (index, element) in mirror.children.enumerated() { visit(element.value, "\(path)[\(index)]", &visiting) }
    case .set:
      add(path, "[\(mirror.children.map { text($0.value) }.sorted().joined(separator: ", "))]", whole: Whole(value))
    case .dictionary:
      if mirror.children.isEmpty, !isOfUsed(type(of: value)) { add(path, "[:]") }
      let pairs = mirror.children.map { child in
        let pair = Array(Mirror(reflecting: child.value).children.map(\.value))
        return (key: text(pair[0]), rest: "\(details(of: Mirror(reflecting: pair[0]), "", &visiting))", value: pair[1])
      }
      for pair in pairs.sorted(by: { ($0.key, $0.rest) < ($1.key, $1.rest) }) {
        visit(pair.value, "\(path)[\(pair.key)]", &visiting)
      }
    case .enum:
      guard let payload = mirror.children.first else { return add(path, text(value), whole: Whole(value)) }
      let label = payload.label ?? ""
      let parts = Self.parts(of: payload.value)
      if parts.count == 1, let model = parts[0] as? any Observable & AnyObject {
        add(path, label)
        visit(model, "\(path).\(label)", &visiting)
      } else {
        add(path, parts.contains { $0 is any Used } ? label : text(value), details(of: mirror, path, &visiting))
      }
    case .struct, .tuple:
      if mirror.children.isEmpty {
        add(path, text(value), whole: Whole(value))
      } else if value is any CustomReflectable {
        add(path, text(value), details(of: mirror, path, &visiting), whole: Whole(value))
      } else if value is any CustomStringConvertible {
        add(path, text(value), details(of: mirror, path, &visiting))
      } else {
        visitChildren(of: mirror, path, &visiting)
      }
    default:
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), mirror.displayStyle == .foreignReference { return }
      if text(value) != "(Function)" { add(path, text(value), whole: Whole(value)) }
    }
  }

  private mutating func visitChildren(of mirror: Mirror, _ path: String, _ visiting: inout Set<ObjectIdentifier>) {
    if let parent = mirror.superclassMirror { visitChildren(of: parent, path, &visiting) }
    // The macro stores a field `name` as `_name`.
    let isObservable = mirror.children.contains { $0.label == "_$observationRegistrar" }
    for child in mirror.children {
      guard var label = child.label, label != "_$observationRegistrar" else { continue }
      if isObservable, label.hasPrefix("_") { label.removeFirst() }
      if label.hasPrefix(Self.lazyStorage) { label.removeFirst(Self.lazyStorage.count) }
      // An element of a tuple without a name is called `.0`.
      visit(child.value, path.isEmpty ? label : path + (label.hasPrefix(".") ? label : ".\(label)"), &visiting)
    }
  }

  /// How the compiler names what stores a lazy field, before the name of the field.
  private static var lazyStorage: String { "$__lazy_storage_$_" }

  /// What a case of an enum holds: one value, or the elements of a tuple, which it also is where the one has a name.
  private static func parts(of payload: Any) -> [Any] {
    let mirror = Mirror(reflecting: payload)
    return mirror.displayStyle == .tuple ? mirror.children.map(\.value) : [payload]
  }

  /// Whether nothing of this type would be shown but that there is none: it holds objects or closures.
  private func isOfUsed(_ type: Any.Type) -> Bool {
    if let holder = type as? any Holder.Type { return isOfUsed(holder.held) }
    if type is AnyObject.Type { return !(type is any Observable.Type) }
    return Self.isFunction("\(type)")
  }

  /// Whether the name of a type has an arrow that is in no brackets.
  private static func isFunction(_ name: String) -> Bool {
    if !name.contains("->") { return false }
    var depth = 0
    for part in name.replacing(" -> ", with: "→") {
      switch part {
      case "→" where depth == 0: return true
      case "(", "[", "<": depth += 1
      case ")", "]", ">": depth -= 1
      default: break
      }
    }
    return false
  }

  /// The fields of a value that describes itself.
  ///
  /// Without addresses, which differ where two values are equal.
  private func details(of mirror: Mirror, _ path: String, _ visiting: inout Set<ObjectIdentifier>) -> [Field] {
    var details = StateSnapshot()
    for child in mirror.children where !String(describing: type(of: child.value)).hasPrefix("Unsafe") {
      details.visit(child.value, path + (child.label.map { $0.hasPrefix(".") ? $0 : ".\($0)" } ?? ""), &visiting)
    }
    return details.fields
  }

  /// `nil`, or `.some(nil)` where an optional of an optional holds it; no text where there is a value.
  private static func textOfNil(_ mirror: Mirror) -> String? {
    guard let wrapped = mirror.children.first else { return "nil" }
    let inner = Mirror(reflecting: wrapped.value)
    return inner.displayStyle == .optional ? textOfNil(inner).map { ".some(\($0))" } : nil
  }

  private func text(_ value: Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return String(describing: value)
  }

  private mutating func add(_ path: String, _ value: String, _ details: [Field] = [], whole: Whole? = nil) {
    fields.append(Field(path: path, value: value, details: details, whole: whole))
  }

  private init() {}
}

/// What a model uses but does not consist of: a task, and tasks in optionals and collections.
private protocol Used {}
extension Task: Used {}
extension Optional: Used where Wrapped: Used {}
extension Array: Used where Element: Used {}
extension ArraySlice: Used where Element: Used {}
extension ContiguousArray: Used where Element: Used {}
extension Set: Used where Element: Used {}
extension Dictionary: Used where Value: Used {}

/// What holds values of one type, or none.
private protocol Holder { static var held: Any.Type { get } }
extension Optional: Holder { static var held: Any.Type { Wrapped.self } }
extension Array: Holder { static var held: Any.Type { Element.self } }
extension Dictionary: Holder { static var held: Any.Type { Value.self } }

extension StateSnapshot: CustomStringConvertible {
  /// A line for each field: `path: value`.
  public var description: String { fields.map { "\($0.path): \($0.value)" }.joined(separator: "\n") }
}
