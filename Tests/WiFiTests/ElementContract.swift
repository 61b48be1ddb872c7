import Testing
import WiFi

/// Reads one body, checks that it re-encodes to the same octets, and that every prefix is read or refused without a
/// trap and, where it is read, re-encodes too.
@discardableResult
func checkRoundTrip<Body: ElementBody>(
  _ type: Body.Type, _ hex: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Body {
  let octets = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }), sourceLocation: sourceLocation)
  let value = try Body(body: octets)
  #expect(value.body == octets, sourceLocation: sourceLocation)
  for count in 0..<octets.count {
    let prefix = Array(octets.prefix(count))
    if let shorter = try? Body(body: prefix) {
      #expect(shorter.body == prefix, "prefix of \(count) octets", sourceLocation: sourceLocation)
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
