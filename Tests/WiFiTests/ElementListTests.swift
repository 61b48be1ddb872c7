import Testing
import WiFi

@Suite struct ElementListTests {
  private static func octets(_ count: Int, from first: UInt8 = 0) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0) &+ first }
  }

  private static func identity(_ octets: [UInt8], sourceLocation: SourceLocation = #_sourceLocation) -> ElementList {
    let list = ElementList(parsing: octets)
    #expect(list.encoded == octets, sourceLocation: sourceLocation)
    return list
  }

  @Test func `a fragment continues an element of 255 octets`() throws {
    let octets = [200, 255] + Self.octets(255) + [242, 3, 1, 2, 3]
    let list = Self.identity(octets)
    #expect(list.elements.count == 1)
    #expect(list.elements.first?.size == octets.count)
    #expect(list.elements.first?.value == .other(ElementID(200), Self.octets(255) + [1, 2, 3]))
  }

  @Test func `several fragments continue it, the last is shorter`() {
    let octets = [200, 255] + Self.octets(255) + [242, 255] + Self.octets(255, from: 7) + [242, 1, 9, 0, 1, 65]
    let list = Self.identity(octets)
    #expect(list.elements.map(\.id) == [ElementID(200), ElementID(0)])
    #expect(list.elements.first?.value == .other(ElementID(200), Self.octets(255) + Self.octets(255, from: 7) + [9]))
  }

  @Test func `a run of full fragments may end at the end of the list`() {
    let octets = [200, 255] + Self.octets(255) + [242, 255] + Self.octets(255, from: 7)
    #expect(Self.identity(octets).elements.count == 1)
  }

  @Test func `a short fragment ends the run`() {
    let octets = [200, 255] + Self.octets(255) + [242, 1, 9, 242, 1, 8]
    let list = Self.identity(octets)
    #expect(list.elements.map(\.value) == [.other(ElementID(200), Self.octets(255) + [9]), .fragment(Fragment(octets: [8]))])
  }

  @Test func `a stray fragment is an element of its own`() {
    let list = Self.identity([0, 1, 65, 242, 2, 1, 2])
    #expect(list.elements.map(\.id) == [ElementID(0), ElementID(242)])
    #expect(list.complaints.isEmpty)
  }

  @Test func `a fragment of no octets continues nothing`() {
    let list = Self.identity([200, 255] + Self.octets(255) + [242, 0])
    #expect(list.elements.map(\.value) == [.other(ElementID(200), Self.octets(255)), .fragment(Fragment(octets: []))])
  }

  @Test func `a fragment that is cut off continues nothing`() {
    let list = Self.identity([200, 255] + Self.octets(255) + [242, 5, 1])
    #expect(list.elements.count == 1)
    #expect(list.trailing == [242, 5, 1])
    #expect(list.complaints.count == 1)
  }

  @Test func `an extension element is joined before its number is taken away`() {
    let octets = [255, 255, 200] + Self.octets(254) + [242, 2, 1, 2]
    let list = Self.identity(octets)
    #expect(list.elements.map(\.value) == [.other(ElementID(extension: 200), Self.octets(254) + [1, 2])])
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
      let octets = random.bytes(random.below(80))
      guard ElementList(parsing: octets).encoded == octets else {
        Issue.record("\(Hex.string(octets))")
        return
      }
    }
  }

  @Test func `random lists of known and long elements encode to themselves, and so does every prefix`() {
    let known: [UInt8] = [0, 11, 45, 61, 62, 71, 83, 85, 148, 151, 191, 192, 195, 201, 213, 214, 216, 217, 232, 242]
    let extensions: [UInt8] = [35, 36, 37, 38, 39, 45, 55, 56, 59, 106, 107, 108]
    var random = SplitMix64(state: 2)
    for _ in 0..<200 {
      var octets: [UInt8] = []
      for _ in 0..<4 {
        var body = random.bytes(random.below(8) == 0 ? 255 : random.below(60))
        if random.below(2) == 0, !body.isEmpty {
          body[0] = extensions[random.below(extensions.count)]
          octets += [255, UInt8(body.count)] + body
        } else {
          octets += [known[random.below(known.count)], UInt8(body.count)] + body
        }
      }
      for count in 0...octets.count {
        let prefix = Array(octets.prefix(count))
        guard ElementList(parsing: prefix).encoded == prefix else {
          Issue.record("\(Hex.string(prefix))")
          return
        }
      }
    }
  }

  @Test func `elements made here are placed one behind the other`() {
    let list = ElementList([
      .secondaryChannelOffset(SecondaryChannelOffset(offset: 1)), .other(ElementID(200), Self.octets(300)),
      .uoraParameterSet(UORAParameterSet(range: 5)),
    ])
    #expect(list.elements.map(\.range) == [0..<3, 3..<307, 307..<311])
    #expect(ElementList(parsing: list.encoded) == list)
  }

  @Test func `an element describes where it stood and what it says`() {
    var writer = FieldWriter(style: .json)
    let octets: [UInt8] = [62, 1, 3, 255, 2, 37, 0x2A, 0, 33]
    writer.object { ElementList(parsing: octets).describe(into: &$0, of: octets) }
    #expect(
      writer.text
        == #"{"elements":[{"id":62,"name":"Secondary Channel Offset","offset":0,"length":1,"hex":"03","value":{"secondaryChannelOffset":"below"}},"#
        + #"{"id":255,"extension":37,"name":"UORA Parameter Set","offset":3,"length":2,"hex":"252a","value":"#
        + #"{"eocwMin":2,"eocwMax":5,"ocwMin":3,"ocwMax":31}}],"#
        + #""complaints":[{"offset":7,"element":"0","declared":33,"available":0,"reason":"truncated at octet 7: 35 octets needed, 2 available"}],"#
        + #""trailingHex":"0021"}"#)
  }
}
