import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct ElementListTests {
  private static func bytes(_ count: Int, from first: UInt8 = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0) &+ first }
  }

  private static func identity(_ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> ElementList {
    let list = ElementList(parsing: bytes)
    #expect(list.encoded == bytes, sourceLocation: sourceLocation)
    return list
  }

  @Test func `a fragment continues an element of 255 bytes`() throws {
    let bytes = [200, 255] + Self.bytes(255) + [242, 3, 1, 2, 3]
    let list = Self.identity(bytes)
    #expect(list.elements.count == 1)
    #expect(list.elements.first?.size == bytes.count)
    #expect(list.elements.first?.value == .other(ElementID(200), Self.bytes(255) + [1, 2, 3]))
  }

  @Test func `several fragments continue it, the last is shorter`() {
    let bytes = [200, 255] + Self.bytes(255) + [242, 255] + Self.bytes(255, from: 7) + [242, 1, 9, 0, 1, 65]
    let list = Self.identity(bytes)
    #expect(list.elements.map(\.id) == [ElementID(200), ElementID(0)])
    #expect(list.elements.first?.value == .other(ElementID(200), Self.bytes(255) + Self.bytes(255, from: 7) + [9]))
  }

  @Test func `a run of full fragments may end at the end of the list`() {
    let bytes = [200, 255] + Self.bytes(255) + [242, 255] + Self.bytes(255, from: 7)
    #expect(Self.identity(bytes).elements.count == 1)
  }

  @Test func `a short fragment ends the run`() {
    let bytes = [200, 255] + Self.bytes(255) + [242, 1, 9, 242, 1, 8]
    let list = Self.identity(bytes)
    #expect(list.elements.map(\.value) == [.other(ElementID(200), Self.bytes(255) + [9]), .fragment(Fragment(bytes: [8]))])
  }

  @Test func `a stray fragment is an element of its own`() {
    let list = Self.identity([0, 1, 65, 242, 2, 1, 2])
    #expect(list.elements.map(\.id) == [ElementID(0), ElementID(242)])
    #expect(list.complaints.isEmpty)
  }

  @Test func `a fragment of no bytes continues nothing`() {
    let list = Self.identity([200, 255] + Self.bytes(255) + [242, 0])
    #expect(list.elements.map(\.value) == [.other(ElementID(200), Self.bytes(255)), .fragment(Fragment(bytes: []))])
  }

  @Test func `a fragment that is cut off continues nothing`() {
    let list = Self.identity([200, 255] + Self.bytes(255) + [242, 5, 1])
    #expect(list.elements.count == 1)
    #expect(list.trailing == [242, 5, 1])
    #expect(list.complaints.count == 1)
  }

  @Test func `an extension element is joined before its number is taken away`() {
    let bytes = [255, 255, 200] + Self.bytes(254) + [242, 2, 1, 2]
    let list = Self.identity(bytes)
    #expect(list.elements.map(\.value) == [.other(ElementID(extension: 200), Self.bytes(254) + [1, 2])])
  }

  @Test func `an extension element without its number is kept`() {
    let list = Self.identity([255, 0, 0, 1, 65])
    #expect(list.elements.count == 2)
    #expect(
      list.complaints == [
        Complaint(offset: 2, element: ElementID(255), declared: 0, available: 0, reason: .truncated(needed: 1, available: 0))
      ])
  }

  @Test func `a malformed element costs nothing but itself`() {
    let list = Self.identity([0, 1, 65, 61, 2, 1, 5, 62, 1, 3])
    #expect(list.elements.map(\.id) == [ElementID(0), ElementID(61), ElementID(62)])
    #expect(
      list.complaints == [
        Complaint(offset: 7, element: ElementID(61), declared: 2, available: 2, reason: .truncated(needed: 2, available: 0))
      ])
  }

  @Test func `100,000 random strings encode to themselves`() {
    var random = SplitMix64(state: 1)
    for _ in 0..<100_000 {
      let bytes = random.bytes(random.below(80))
      guard ElementList(parsing: bytes).encoded == bytes else {
        Issue.record("\(Hex.string(bytes))")
        return
      }
    }
  }

  @Test func `random lists of known and long elements encode to themselves, and so does every prefix`() {
    let known: [UInt8] = [0, 11, 45, 61, 62, 71, 83, 85, 148, 151, 191, 192, 195, 201, 213, 214, 216, 217, 232, 242]
    let extensions: [UInt8] = [35, 36, 37, 38, 39, 45, 55, 56, 59, 106, 107, 108]
    var random = SplitMix64(state: 2)
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      for _ in 0..<4 {
        var body = random.bytes(random.below(8) == 0 ? 255 : random.below(60))
        if random.below(2) == 0, !body.isEmpty {
          body[0] = extensions[random.below(extensions.count)]
          bytes += [255, UInt8(body.count)] + body
        } else {
          bytes += [known[random.below(known.count)], UInt8(body.count)] + body
        }
      }
      for count in 0...bytes.count {
        let prefix = Array(bytes.prefix(count))
        guard ElementList(parsing: prefix).encoded == prefix else {
          Issue.record("\(Hex.string(prefix))")
          return
        }
      }
    }
  }

  @Test func `elements made here are placed one behind the other`() {
    let list = ElementList([
      .secondaryChannelOffset(SecondaryChannelOffset(offset: 1)), .other(ElementID(200), Self.bytes(300)),
      .uoraParameterSet(UORAParameterSet(range: 5)),
    ])
    #expect(list.elements.map(\.range) == [0..<3, 3..<307, 307..<311])
    #expect(ElementList(parsing: list.encoded) == list)
  }

  @Test func `an element describes where it stood and what it says`() {
    var writer = FieldWriter(style: .json)
    let bytes: [UInt8] = [62, 1, 3, 255, 2, 37, 0x2A, 0, 33]
    writer.object { ElementList(parsing: bytes).describe(into: &$0, of: bytes) }
    #expect(
      writer.text
        == #"{"elements":[{"id":62,"name":"Secondary Channel Offset","offset":0,"length":1,"hex":"03","value":{"secondaryChannelOffset":"below"}},"#
        + #"{"id":255,"extension":37,"name":"UORA Parameter Set","offset":3,"length":2,"hex":"252a","value":"#
        + #"{"eocwMin":2,"eocwMax":5,"ocwMin":3,"ocwMax":31}}],"#
        + #""complaints":[{"offset":7,"element":"0","declared":33,"available":0,"reason":"truncated at byte 7: 35 bytes needed, 2 available"}],"#
        + #""trailingHex":"0021"}"#)
  }
}
