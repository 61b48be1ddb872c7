import WiFi

#if canImport(CYAML)
  import CYAML
#endif

/// A node of a YAML document, and where it begins.
struct YAMLNode: Sendable {
  enum Content: Sendable {
    case scalar(String)
    case sequence([YAMLNode])
    case mapping([(key: YAMLNode, value: YAMLNode)])
  }

  var content: Content
  var place: ScenarioProblem.Place
  /// Whether it is a scalar without quotes.
  var isPlain = false
}

/// Why a text is not YAML, and where.
struct YAMLError: Error {
  var place: ScenarioProblem.Place
  var reason: String
}

extension YAMLNode {
  /// How many lists and mappings may lie within each other.
  static let maximumDepth = 1000

  /// Reads every document of a text, with libyaml.
  static func documents(of text: String) throws(YAMLError) -> [YAMLNode] {
    #if canImport(CYAML)
      var builder = YAMLBuilder()
      let result = unsafe withUnsafeTemporaryAllocation(of: yaml_parser_t.self, capacity: 1) { storage in
        // The allocation is of one element, so it has a first.
        let parser = unsafe storage.baseAddress.unsafelyUnwrapped
        guard unsafe yaml_parser_initialize(parser) == 1 else {
          return Result<Void, YAMLError>.failure(YAMLError(place: .init(line: 1, column: 1), reason: "memory is short"))
        }
        defer { unsafe yaml_parser_delete(parser) }
        var text = text
        return text.withUTF8 { bytes in
          unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
          unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
          return Result { () throws(YAMLError) in unsafe try builder.read(parser, bytes) }
        }
      }
      try result.get()
      return builder.documents
    #else
      throw YAMLError(place: .init(line: 1, column: 1), reason: "this program was built without libyaml and reads none")
    #endif
  }
}

#if canImport(CYAML)
  /// Builds nodes of what libyaml reads, one event after another.
  private struct YAMLBuilder {
    private(set) var documents: [YAMLNode] = []
    private var open: [Collection] = []

    /// A list or mapping that is not over.
    private struct Collection {
      var isMapping: Bool
      var place: ScenarioProblem.Place
      var nodes: [YAMLNode] = []
    }

    mutating func read(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ text: UnsafeBufferPointer<UInt8>) throws(YAMLError) {
      var event = unsafe yaml_event_t()
      while true {
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw unsafe Self.error(parser, text) }
        defer { unsafe yaml_event_delete(&event) }
        let place = unsafe Self.place(event.start_mark)
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: return
        case YAML_SCALAR_EVENT:
          let scalar = unsafe UnsafeBufferPointer(start: event.data.scalar.value, count: event.data.scalar.length)
          add(
            YAMLNode(
              content: .scalar(unsafe String(decoding: scalar, as: UTF8.self)), place: place,
              isPlain: unsafe event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE))
        case YAML_ALIAS_EVENT: throw YAMLError(place: place, reason: "an alias stands here")
        case YAML_SEQUENCE_START_EVENT: try begin(Collection(isMapping: false, place: place))
        case YAML_MAPPING_START_EVENT: try begin(Collection(isMapping: true, place: place))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: try end()
        default: break
        }
      }
    }

    private mutating func begin(_ collection: Collection) throws(YAMLError) {
      guard open.count < YAMLNode.maximumDepth else {
        throw YAMLError(place: collection.place, reason: "lists and mappings are nested too deeply")
      }
      open.append(collection)
    }

    private mutating func end() throws(YAMLError) {
      guard let ended = open.popLast() else { return }
      guard ended.isMapping else { return add(YAMLNode(content: .sequence(ended.nodes), place: ended.place)) }
      // Key, value, key, value: the parser sees to it that each has both.
      let pairs = stride(from: 0, to: ended.nodes.count - 1, by: 2).map { (key: ended.nodes[$0], value: ended.nodes[$0 + 1]) }
      var names: Set<String> = []
      for pair in pairs {
        guard case .scalar(let name) = pair.key.content, !names.insert(name).inserted else { continue }
        throw YAMLError(place: pair.key.place, reason: "the key “\(PrintableText.escape(name))” stands here twice")
      }
      add(YAMLNode(content: .mapping(pairs), place: ended.place))
    }

    private mutating func add(_ node: YAMLNode) {
      if open.isEmpty { documents.append(node) } else { open[open.count - 1].nodes.append(node) }
    }

    private static func place(_ mark: yaml_mark_t) -> ScenarioProblem.Place {
      .init(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
    }

    /// Why the parser stopped.
    private static func error(_ parser: UnsafeMutablePointer<yaml_parser_t>, _ text: UnsafeBufferPointer<UInt8>) -> YAMLError {
      let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "it cannot be read"
      guard unsafe parser.pointee.error == YAML_READER_ERROR else {
        let context = unsafe parser.pointee.context.map { unsafe " \(String(cString: $0))" } ?? ""
        return YAMLError(place: unsafe place(parser.pointee.problem_mark), reason: problem + context)
      }
      // A byte that is no text has an offset and no mark.
      let before = unsafe String(decoding: text.prefix(Int(clamping: parser.pointee.problem_offset)), as: UTF8.self).unicodeScalars
      let column = before.reversed().prefix { $0 != "\n" }.count + 1
      return YAMLError(place: .init(line: before.count { $0 == "\n" } + 1, column: column), reason: problem)
    }
  }
#endif
