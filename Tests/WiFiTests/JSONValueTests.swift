import Testing
import WiFi

struct JSONValueTests {
  @Test func `a whole number is exact as far as 64 bits go`() {
    for number in [0, -1, 9_007_199_254_740_993, Int64.max, Int64.min] {
      #expect(JSONValue("\(number)".utf8) == .integer(number))
    }
    #expect(JSONValue("9223372036854775808".utf8) == .number(9_223_372_036_854_775_808))
    #expect(JSONValue("1.0".utf8) == .number(1))
    #expect(JSONValue("1e3".utf8)?.integer == 1000)
    #expect(JSONValue("1.5".utf8)?.integer == nil)
  }

  @Test(arguments: ["01", "-", "1.", ".5", "1e", "+1", "1e999", "0x10", "NaN", "--1"])
  func `what only looks like a number is none`(_ text: String) {
    #expect(JSONValue(text.utf8) == nil)
  }

  @Test func `a text with escapes is what one without them is`() {
    let plain = JSONValue(#""Café \ 1""#.utf8)
    #expect(plain == nil, "a single backslash begins an escape")
    #expect(JSONValue(#""a\"b\\c\/d\b\f\n\r\t""#.utf8) == .string("a\"b\\c/d\u{8}\u{C}\n\r\t"))
    #expect(JSONValue(#""caf\u00e9 \ud83d\ude00""#.utf8) == .string("café 😀"))
    #expect(JSONValue(#""café 😀""#.utf8) == .string("café 😀"))
    #expect(JSONValue(#""""#.utf8) == .string(""))
  }

  @Test(arguments: [#"""#, #""a"#, #""\"#, #""\u12"#, #""\ud800""#, #""\ud800\u0041""#, "\"a\nb\"", "\"\u{0}\""])
  func `a text that is cut or broken is none`(_ text: String) {
    #expect(JSONValue(text.utf8) == nil)
  }

  @Test func `bytes that are no UTF-8 are no text`() {
    #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    #expect(JSONValue([0x22, 0x5C, 0x6E, 0xC3, 0x22]) == nil)
  }

  @Test func `members are found by their names`() {
    let value = JSONValue(#"{"a":null,"b":[1,null],"c":{}}"#.utf8)
    #expect(value?["a"] == .null)
    #expect(value?["b"]?.items == [.integer(1), .null])
    #expect(value?["c"]?["d"] == nil)
    #expect(value?["a"]?["b"] == nil)
  }

  @Test(arguments: [#"{"a":1,"a":2}"#, #"{"a":1,}"#, "[1,]", "[1 2]", #"{"a" 1}"#, #"{a:1}"#, "[1]]", "", " ", "nul", "truefalse"])
  func `what is not by the letter is none`(_ text: String) {
    #expect(JSONValue(text.utf8) == nil)
  }

  @Test func `every beginning of a text is none`() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00",true,false,null],"b":{"c":"d"}}"#.utf8)
    #expect(JSONValue(text) != nil)
    for length in text.indices { #expect(JSONValue(text[..<length]) == nil) }
  }
}
