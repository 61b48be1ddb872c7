/// The values that a subject has, and those of the objects that it has, as a report gives them.
struct SubjectValues {
  /// Such as `count = 1, model.text = "abc"`.
  var text: String { values.prefix(12).map { "\($0.name) = \($0.text)" }.joined(separator: ", ") + (values.count > 12 ? ", …" : "") }
  private var values: [(name: String, text: String)] = []

  init(_ subject: AnyObject) {
    var objects: [(name: String, object: Any)] = []
    for (name, value) in Self.properties(of: subject) {
      if let text = CodeText.plain(value) {
        values.append((name, text))
      } else if let object = Self.object(value) {
        objects.append((name, object))
      }
    }
    for (name, object) in objects {
      for (part, value) in Self.properties(of: object) {
        if let text = CodeText.plain(value) { values.append(("\(name).\(part)", text)) }
      }
    }
  }

  private static func properties(of object: Any) -> [(name: String, value: Any)] {
    var properties: [(name: String, value: Any)] = []
    var mirror: Mirror? = Mirror(reflecting: object)
    while let one = mirror {
      properties = one.children.compactMap { child in child.label.map { (String($0.drop { $0 == "_" }), child.value) } } + properties
      mirror = one.superclassMirror
    }
    return properties
  }

  /// An object of the model; not one of the simulation or of the system, nor an actor, which may run elsewhere.
  private static func object(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.flatMap { object($0.value) } }
    guard mirror.displayStyle == .class, !(value is any Actor) else { return nil }
    // Foundation is several modules.
    let module = String(reflecting: mirror.subjectType).prefix { $0 != "." }
    return module.hasPrefix("Foundation") || ["Determinism", "Swift"].contains(module) ? nil : value
  }
}
