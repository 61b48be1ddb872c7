public import Observation

/// What a model holds at one moment, field by field: a change of it can be asserted whole.
///
/// ```swift
/// let before = StateSnapshot(of: model)
/// model.nextButtonTapped()
/// #expect(StateSnapshot(of: model).changes(since: before) == ["step: name → network"])
/// ```
///
/// The fields are found by reflection: stored ones, private ones too, of the model and of each `@Observable` model in it.
/// Closures, tasks and other objects are left out: they are what a model uses, not what it is. What describes itself
/// (`CustomStringConvertible`) is shown by its description; where that is the same and a field of it is not, the field is said to
/// change. Reading is not observed. Costs time in proportion to the number of values; it is for tests.
public struct StateSnapshot: Hashable, Sendable {
  /// One value of a model.
  public struct Field: Hashable, Sendable {
    /// The way to it, such as `sheet.password` or `rows[3].name`.
    public let path: String
    /// The value in words.
    public let value: String
    /// What is in a value that describes itself, whether the description shows it or not.
    fileprivate var details: [Field] = []
  }

  /// The values, in the order of their declaration.
  public private(set) var fields: [Field] = []

  /// Reads all fields of a model.
  public init(of model: some Observable & AnyObject) {
    var visiting: Set<ObjectIdentifier> = []
    visit(model, "", &visiting)
  }

  /// What is another value than before: `path: old → new`, in order; a field that comes or goes has `–` on the other side.
  public func changes(since before: StateSnapshot) -> [String] {
    Self.changes(fields, since: before.fields)
  }

  private static func changes(_ fields: [Field], since before: [Field]) -> [String] {
    let old = Dictionary(before.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let new = Set(fields.map(\.path))
    let changed = fields.flatMap { field in
      guard let last = old[field.path], last.value == field.value else {
        return ["\(field.path): \(old[field.path]?.value ?? "–") → \(field.value)"]
      }
      return last.details == field.details ? [] : changes(field.details, since: last.details)
    }
    return changed + before.filter { !new.contains($0.path) }.map { "\($0.path): \($0.value) → –" }
  }

  private mutating func visit(_ value: Any, _ path: String, _ visiting: inout Set<ObjectIdentifier>) {
    if value is any Used { return }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let text = Self.textOfNil(mirror) {
        add(path, text)
      } else if let wrapped = mirror.children.first {
        visit(wrapped.value, path, &visiting)
      }
    case .class, .foreignReference:
      guard let model = value as? any Observable & AnyObject else { return }
      guard visiting.insert(ObjectIdentifier(model)).inserted else { return add(path, "(the same model)") }
      visitChildren(of: mirror, path, &visiting)
      visiting.remove(ObjectIdentifier(model))
    case .collection:
      if mirror.children.isEmpty { add(path, "[]") }
      for (index, element) in mirror.children.enumerated() { visit(element.value, "\(path)[\(index)]", &visiting) }
    case .set:
      add(path, "[\(mirror.children.map { text($0.value) }.sorted().joined(separator: ", "))]")
    case .dictionary:
      if mirror.children.isEmpty { add(path, "[:]") }
      let pairs = mirror.children.map { Array(Mirror(reflecting: $0.value).children.map(\.value)) }
      for pair in pairs.sorted(by: { text($0[0]) < text($1[0]) }) { visit(pair[1], "\(path)[\(text(pair[0]))]", &visiting) }
    case .enum:
      guard let payload = mirror.children.first else { return add(path, text(value)) }
      if let model = payload.value as? any Observable & AnyObject {
        add(path, payload.label ?? "")
        visit(model, "\(path).\(payload.label ?? "")", &visiting)
      } else if payload.value is any Used {
        add(path, payload.label ?? "")
      } else {
        add(path, text(value), details(of: mirror, path, &visiting))
      }
    case .struct, .tuple:
      if mirror.children.isEmpty {
        add(path, text(value))
      } else if value is any CustomStringConvertible {
        add(path, text(value), details(of: mirror, path, &visiting))
      } else {
        visitChildren(of: mirror, path, &visiting)
      }
    default:
      if text(value) != "(Function)" { add(path, text(value)) }
    }
  }

  private mutating func visitChildren(of mirror: Mirror, _ path: String, _ visiting: inout Set<ObjectIdentifier>) {
    if let parent = mirror.superclassMirror { visitChildren(of: parent, path, &visiting) }
    // The macro stores a field `name` as `_name`.
    let isObservable = mirror.children.contains { $0.label == "_$observationRegistrar" }
    for child in mirror.children {
      guard var label = child.label, label != "_$observationRegistrar" else { continue }
      if isObservable, label.hasPrefix("_") { label.removeFirst() }
      visit(child.value, path.isEmpty ? label : "\(path).\(label)", &visiting)
    }
  }

  /// The fields of a value that describes itself.
  ///
  /// Without addresses, which differ where two values are equal.
  private func details(of mirror: Mirror, _ path: String, _ visiting: inout Set<ObjectIdentifier>) -> [Field] {
    var details = StateSnapshot()
    for child in mirror.children where !String(describing: type(of: child.value)).hasPrefix("Unsafe") {
      details.visit(child.value, "\(path).\(child.label ?? "")", &visiting)
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

  private mutating func add(_ path: String, _ value: String, _ details: [Field] = []) {
    fields.append(Field(path: path, value: value, details: details))
  }

  private init() {}
}

/// What a model uses and is not: a task, and tasks in optionals and collections.
private protocol Used {}
extension Task: Used {}
extension Optional: Used where Wrapped: Used {}
extension Array: Used where Element: Used {}
extension Set: Used where Element: Used {}
extension Dictionary: Used where Value: Used {}

extension StateSnapshot: CustomStringConvertible {
  /// A line for each field: `path: value`.
  public var description: String { fields.map { "\($0.path): \($0.value)" }.joined(separator: "\n") }
}
