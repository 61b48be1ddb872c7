import Testing
import WiFi

/// Reads one body, checks that it re-encodes to the same bytes, and that every prefix is read or refused without a
/// trap and, where it is read, re-encodes too.
@discardableResult
func checkRoundTrip<Body: ElementBody>(
  _ type: Body.Type, _ hex: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Body {
  let bytes = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }), sourceLocation: sourceLocation)
  let value = try Body(body: bytes)
  #expect(value.body == bytes, sourceLocation: sourceLocation)
  for count in 0..<bytes.count {
    let prefix = Array(bytes.prefix(count))
    if let shorter = try? Body(body: prefix) {
      #expect(shorter.body == prefix, "prefix of \(count) bytes", sourceLocation: sourceLocation)
    }
  }
  return value
}

/// The fields of a value as compact JSON.
func json(_ value: some Describable) -> String {
  var writer = FieldWriter(style: .json)
  writer.object { value.describe(into: &$0) }
  return writer.text
}

/// A list of elements as compact JSON, as `decode` writes it.
func listJSON(_ list: ElementList, _ bytes: [UInt8], bssid: MACAddress? = nil) -> String {
  var writer = FieldWriter(style: .json)
  writer.object {
    list.describe(into: &$0, of: bytes)
    list.describeProfiles(bssid: bssid, into: &$0)
  }
  return writer.text
}

/// How many arrays and objects of JSON text stand within each other; strings hold no bracket here.
func depth(ofJSON text: String) -> Int {
  var depth = 0
  var deepest = 0
  for character in text.utf8 {
    switch character {
    case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
    case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
    default: continue
    }
    deepest = max(deepest, depth)
  }
  return deepest
}
