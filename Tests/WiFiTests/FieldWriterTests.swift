import Testing
import WiFi

@Suite struct FieldWriterTests {
  func write(_ style: FieldWriter.Style) -> String {
    var writer = FieldWriter(style: style)
    writer.object { fields in
      fields.field("name", "a\"b\\\u{1B}é")
      fields.field("number", -12)
      fields.field("large", UInt64.max)
      fields.field("signalDBm", hundredths: -5305)
      fields.field("bytes", hex: [0, 255])
      fields.fieldNull("nothing")
      fields.field("list", [1, 2])
      fields.object("inner") { $0.field("flag", true) }
      fields.array("rows", [1, 2]) { fields, row in
        fields.object { fields in
          fields.field("row", row)
          fields.field("next", row + 1)
        }
      }
      fields.array("empty") { _ in }
    }
    return writer.text
  }

  @Test func `JSON has no space and escapes what a terminal could act on`() {
    #expect(
      write(.json)
        == #"{"name":"a\"b\\\u001bé","number":-12,"large":18446744073709551615,"signalDBm":-53.05,"bytes":"00ff","nothing":null,"#
        + #""list":[1,2],"inner":{"flag":true},"rows":[{"row":1,"next":2},{"row":2,"next":3}],"empty":[]}"#)
  }

  @Test func `pretty JSON has one field a line`() {
    #expect(
      write(.prettyJSON) == #"""
        {
          "name": "a\"b\\\u001bé",
          "number": -12,
          "large": 18446744073709551615,
          "signalDBm": -53.05,
          "bytes": "00ff",
          "nothing": null,
          "list": [1, 2],
          "inner": {
            "flag": true
          },
          "rows": [
            {
              "row": 1,
              "next": 2
            },
            {
              "row": 2,
              "next": 3
            }
          ],
          "empty": []
        }
        """#)
  }

  @Test func `text has one field a line and a dash in front of each item`() {
    #expect(
      write(.text) == #"""
        name: a"b\\x1bé
        number: -12
        large: 18446744073709551615
        signalDBm: -53.05
        bytes: 00ff
        nothing: none
        list: 1, 2
        inner:
          flag: true
        rows:
          - row: 1
            next: 2
          - row: 2
            next: 3
        empty:

        """#)
  }

  @Test(arguments: [(0, "0"), (5, "0.05"), (-5, "-0.05"), (50, "0.5"), (-100, "-1"), (12345, "123.45")])
  func `hundredths are written without trailing zeros`(value: Int, text: String) {
    var writer = FieldWriter(style: .json)
    writer.object { $0.field("x", hundredths: value) }
    #expect(writer.text == "{\"x\":\(text)}")
  }

  @Test(arguments: [0, 1 << 63 - 1, 1 << 63, .max] as [UInt64])
  func `a number of 64 bits is written as it is, wherever it stands`(value: UInt64) {
    // As where any kind of number may be given.
    func write(_ number: some BinaryInteger, to fields: inout FieldWriter) { fields.field("number", number) }
    var writer = FieldWriter(style: .json)
    writer.object { fields in
      write(value, to: &fields)
      fields.field("list", [value])
      fields.array("items", [value]) { $0.item($1) }
    }
    #expect(writer.text == "{\"number\":\(value),\"list\":[\(value)],\"items\":[\(value)]}")
    writer = FieldWriter(style: .json)
    writer.object { $0.field("least", [Int64.min, -1, Int64.max]) }
    #expect(writer.text == "{\"least\":[\(Int64.min),-1,\(Int64.max)]}")
  }

  @Test func `as text a list of objects stands below its key`() {
    struct Country: Describable {
      func describe(into fields: inout FieldWriter) {
        fields.field("country", "DE")
        fields.array("triplets", [20, 23]) { fields, power in
          fields.object {
            $0.field("maximumPowerDBm", power)
            $0.field("channels", [1, 2])
          }
        }
        fields.array("widths") { $0.item(80) }
      }
    }
    let text = FieldWriter.text(of: Country())
    #expect(
      text == """
        country: DE
        triplets:
          - maximumPowerDBm: 20
            channels: 1, 2
          - maximumPowerDBm: 23
            channels: 1, 2
        widths:
          - 80

        """)
  }

  @Test func `text says of an empty list that there is nothing in it`() {
    var writer = FieldWriter(style: .text)
    writer.object { $0.field("akms", [String]()) }
    #expect(writer.text == "akms: none\n")
  }
}
