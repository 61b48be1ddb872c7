import Harness
import Testing
import WiFi

@Suite struct DecodedInputTests {
  func octets() throws -> [UInt8] {
    var writer = ByteWriter()
    for message in try capture("lab") { message.encode(into: &writer) }
    return writer.bytes
  }

  @Test func `messages that end within one are messages, whatever is left of them`() throws {
    let whole = try octets()
    let first = Int(whole[0]) | Int(whole[1]) << 8
    for length in [first + 20, first + 400, whole.count - 1] {
      let input = try DecodedInput(Array(whole.prefix(length)))
      #expect(input.kind == .nl80211)
      #expect(input.truncation != nil)
    }
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(Array(whole.prefix(first - 10))) }
  }

  @Test func `more octets than elements can have are refused before they are many times as much text`() {
    let octets = [UInt8](repeating: 0, count: DecodedInput.maximumLength + 1)
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(octets) }
    #expect(throws: DecodedInput.Failure.self) { try DecodedInput(octets, as: .elements) }
    #expect(throws: Never.self) { try DecodedInput(Array(octets.dropLast()), as: .elements) }
  }

  @Test(arguments: [FieldWriter.Style.json, .prettyJSON, .text])
  func `what is taken away message by message is the same text`(style: FieldWriter.Style) throws {
    let input = try DecodedInput(try octets())
    var whole = FieldWriter(style: style)
    whole.object { input.describe(into: &$0) }
    var pieces: [[UInt8]] = []
    var writer = FieldWriter(style: style)
    writer.object { input.describe(into: &$0) { pieces.append($0.take()) } }
    pieces.append(writer.bytes)
    #expect(pieces.count > 10)
    #expect(pieces.flatMap { $0 } == whole.bytes)
  }
}
