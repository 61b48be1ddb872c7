import Foundation

/// A JSON Schema (draft 2020-12), as far as the schemas of this package go.
///
/// A keyword that is not known here is an error, so that no schema can promise more than is checked.
struct JSONSchema {
  /// The schema, or the part of one, that is checked against.
  let root: StrictJSON
  /// The file it stands in, which references without a file are in too.
  let file: String

  /// What a schema says that this cannot check.
  struct Unknown: Error, CustomStringConvertible {
    var description: String
  }

  /// Reads a schema of the folder `schemas`.
  ///
  /// - Parameter definition: the name in `$defs` of the part to check against, or `nil` for the whole.
  init(file: String, definition: String? = nil) throws {
    let whole = try Self.whole(file)
    self.file = file
    guard let definition else {
      root = whole
      return
    }
    guard let part = whole["$defs"]?[definition] else { throw Unknown(description: "no \(definition) in \(file)") }
    root = part
  }

  /// Makes a schema of text, for tests of this type.
  init(_ text: String) throws {
    root = try StrictJSON(text)
    file = ""
  }

  private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "schemas")

  /// The names of all files of the folder.
  static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  /// The schemas by file, read once; one that is no JSON is left out.
  private static let files: [String: StrictJSON] = {
    var files: [String: StrictJSON] = [:]
    for name in names {
      guard let data = try? Data(contentsOf: folder.appending(path: name)) else { continue }
      files[name] = try? StrictJSON(Array(data))
    }
    return files
  }()

  private static func whole(_ file: String) throws -> StrictJSON {
    guard let schema = files[file] else { throw Unknown(description: "no schema \(file), or it is no JSON") }
    return schema
  }

  /// What `value` breaks of the schema, a path and a clause each; empty where it breaks nothing.
  func violations(of value: StrictJSON) throws -> [String] {
    try Validator().check(value, root, "$", file)
  }

  /// Every keyword of every part of the schema is one that is checked.
  func checkKeywords() throws {
    try Validator().checkKeywords(root, "$", file)
  }

  private struct Validator {
    private static let annotations: Set<String> = ["$schema", "title", "description", "$defs"]

    func check(_ value: StrictJSON, _ schema: StrictJSON, _ path: String, _ file: String) throws -> [String] {
      guard case .object(let keywords) = schema else { throw Unknown(description: "\(path): a schema that is no object") }
      var result: [String] = []
      for (keyword, argument) in keywords.sorted(by: { $0.key < $1.key }) where !Self.annotations.contains(keyword) {
        switch (keyword, argument) {
        case ("$ref", .string(let reference)):
          let (target, targetFile) = try resolve(reference, file)
          result += try check(value, target, path, targetFile)
        case ("type", _): result += try Self.checkType(value, argument, path)
        case ("const", _): if value != argument { result.append("\(path): not \(argument)") }
        case ("enum", .array(let allowed)): if !allowed.contains(value) { result.append("\(path): \(value) is none of the values") }
        case ("properties", .object), ("required", .array), ("additionalProperties", _):
          if case .object(let members) = value {
            result += try check(members, keyword, argument, keywords, path, file)
          }
        case ("items", _):
          for (index, item) in (value.items ?? []).enumerated() {
            result += try check(item, argument, "\(path)[\(index)]", file)
          }
        case ("pattern", .string(let pattern)):
          if let text = value.text, text.firstMatch(of: try Regex(pattern)) == nil {
            result.append("\(path): \"\(text)\" is not \(pattern)")
          }
        case ("minimum", .number(let limit, _)):
          if case .number(let number, _) = value, number < limit { result.append("\(path): \(number) is less than \(limit)") }
        case ("maximum", .number(let limit, _)):
          if case .number(let number, _) = value, number > limit { result.append("\(path): \(number) is more than \(limit)") }
        case ("oneOf", .array(let choices)), ("anyOf", .array(let choices)):
          result += try check(value, keyword, choices, path, file)
        default: throw Unknown(description: "\(path): the keyword \(keyword): \(argument)")
        }
      }
      return result
    }

    private func check(
      _ value: StrictJSON, _ keyword: String, _ choices: [StrictJSON], _ path: String, _ file: String
    ) throws -> [String] {
      var failures: [[String]] = []
      for choice in choices {
        let failure = try check(value, choice, path, file)
        if !failure.isEmpty { failures.append(failure) }
      }
      let matches = choices.count - failures.count
      if matches == 1 || (keyword == "anyOf" && matches > 1) { return [] }
      // The choice that comes closest says best what is wrong.
      return ["\(path): \(matches) of \(keyword)"] + (failures.min { $0.count < $1.count } ?? [])
    }

    private func check(
      _ members: [String: StrictJSON], _ keyword: String, _ argument: StrictJSON, _ keywords: [String: StrictJSON],
      _ path: String, _ file: String
    ) throws -> [String] {
      var result: [String] = []
      switch (keyword, argument) {
      case ("properties", .object(let properties)):
        for (name, schema) in properties.sorted(by: { $0.key < $1.key }) {
          if let member = members[name] { result += try check(member, schema, "\(path).\(name)", file) }
        }
      case ("required", .array(let names)):
        for name in names.compactMap(\.text) where members[name] == nil { result.append("\(path): no \(name)") }
      case ("additionalProperties", .bool(false)):
        var known: Set<String> = []
        if case .object(let properties)? = keywords["properties"] { known = Set(properties.keys) }
        for name in members.keys.sorted() where !known.contains(name) { result.append("\(path): \(name) is additional") }
      case ("additionalProperties", .bool(true)): break
      default: throw Unknown(description: "\(path): the keyword \(keyword): \(argument)")
      }
      return result
    }

    private static func checkType(_ value: StrictJSON, _ argument: StrictJSON, _ path: String) throws -> [String] {
      let names = argument.items?.compactMap(\.text) ?? [argument.text].compactMap { $0 }
      let known: Set<String> = ["null", "boolean", "integer", "number", "string", "array", "object"]
      guard !names.isEmpty, known.isSuperset(of: names) else { throw Unknown(description: "\(path): the type \(argument)") }
      let isOfType =
        switch value {
        case .null: names.contains("null")
        case .bool: names.contains("boolean")
        case .number(_, let isInteger): names.contains("number") || (isInteger && names.contains("integer"))
        case .string: names.contains("string")
        case .array: names.contains("array")
        case .object: names.contains("object")
        }
      return isOfType ? [] : ["\(path): \(value) is no \(names.joined(separator: " or "))"]
    }

    private func resolve(_ reference: String, _ file: String) throws -> (StrictJSON, String) {
      let parts = reference.split(separator: "#/$defs/", omittingEmptySubsequences: false)
      guard parts.count == 2 else { throw Unknown(description: "the reference \(reference)") }
      let target = parts[0].isEmpty ? file : String(parts[0])
      guard let schema = try target.isEmpty ? nil : JSONSchema.whole(target)["$defs"]?[String(parts[1])] else {
        throw Unknown(description: "the reference \(reference) leads nowhere")
      }
      return (schema, target)
    }

    func checkKeywords(_ schema: StrictJSON, _ path: String, _ file: String) throws {
      guard case .object(let keywords) = schema else { throw Unknown(description: "\(path): a schema that is no object") }
      // What is wrong with a keyword shows whatever the value; null is of no type that has parts.
      _ = try check(.null, schema, path, file)
      if case .object = keywords["properties"] ?? .null, keywords["additionalProperties"] == nil {
        throw Unknown(description: "\(path): whether there may be additional properties")
      }
      for keyword in ["properties", "$defs"] {
        guard case .object(let parts)? = keywords[keyword] else { continue }
        for (name, part) in parts { try checkKeywords(part, "\(path).\(keyword).\(name)", file) }
      }
      if let items = keywords["items"] { try checkKeywords(items, "\(path).items", file) }
      for keyword in ["oneOf", "anyOf"] {
        for choice in keywords[keyword]?.items ?? [] { try checkKeywords(choice, "\(path).\(keyword)", file) }
      }
    }
  }
}
