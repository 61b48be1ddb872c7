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
/// Closures and other objects are left out: they are what a model uses, not what it is. Reading is not observed. Costs time in
/// proportion to the number of values; it is for tests.
public struct StateSnapshot: Hashable, Sendable {
  /// One value of a model.
  public struct Field: Hashable, Sendable {
    /// The way to it, such as `sheet.password` or `rows[3].name`.
    public let path: String
    /// The value in words.
    public let value: String
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
    let old = Dictionary(before.fields.map { ($0.path, $0.value) }, uniquingKeysWith: { first, _ in first })
    let new = Set(fields.map(\.path))
    let changed = fields.compactMap { field in
      old[field.path] == field.value ? nil : "\(field.path): \(old[field.path] ?? "–") → \(field.value)"
    }
    return changed + before.fields.filter { !new.contains($0.path) }.map { "\($0.path): \($0.value) → –" }
  }

  private mutating func visit(_ value: Any, _ path: String, _ visiting: inout Set<ObjectIdentifier>) {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
      if let wrapped = mirror.children.first { visit(wrapped.value, path, &visiting) } else { add(path, "nil") }
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
      } else {
        add(path, text(value))
      }
    case .struct, .tuple:
      if value is any CustomStringConvertible || mirror.children.isEmpty {
        add(path, text(value))
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

  private func text(_ value: Any) -> String {
    if let string = value as? String { return String(reflecting: string) }
    return String(describing: value)
  }

  private mutating func add(_ path: String, _ value: String) { fields.append(Field(path: path, value: value)) }
}

extension StateSnapshot: CustomStringConvertible {
  /// A line for each field: `path: value`.
  public var description: String { fields.map { "\($0.path): \($0.value)" }.joined(separator: "\n") }
}
