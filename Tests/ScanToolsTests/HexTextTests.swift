import Testing

@testable import ScanTools

/// Bytes that people paste as text, in the style of each tool; made with `printf | TOOL`.
@Suite struct HexTextTests {
  /// An SSID element with the name `Lab PSK`, Supported Rates, and a vendor element.
  static let bytes: [UInt8] =
    [0x00, 0x07, 0x4C, 0x61, 0x62, 0x20, 0x50, 0x53, 0x4B, 0x01, 0x04, 0x82, 0x84, 0x8B, 0x96, 0xDD, 0x04, 0x00, 0x0F]
    + [0xAC, 0xBE]

  static let texts: [(style: String, text: String)] = [
    ("digits", "00074c61622050534b010482848b96dd04000facbe"),
    ("upper case", "00074C61622050534B010482848B96DD04000FACBE\n"),
    ("0x in front", "0x00074c61622050534b010482848b96dd04000facbe"),
    ("several lines", "00074c61622050534b01\n0482848b96dd04\n000facbe\n"),
    ("groups", "00074c61 62205053 4b010482 848b96dd 04000fac be"),
    ("colons", "00:07:4c:61:62:20:50:53:4b:01:04:82:84:8b:96:dd:04:00:0f:ac:be"),
    ("dashes", "00-07-4c-61-62-20-50-53-4b-01-04-82-84-8b-96-dd-04-00-0f-ac-be"),
    ("one digit where one is enough", "0 7 4c 61 62 20 50 53 4b 1 4 82 84 8b 96 dd 4 0 f ac be"),
    (
      "array of C",
      "static const u8 ies[] = {\n 0x00, 0x07, 0x4c, 0x61, 0x62, 0x20, 0x50, 0x53, 0x4b, 0x01, 0x04, 0x82,\n 0x84, 0x8b,"
        + " 0x96, 0xdd, 0x04, 0x00, 0x0f, 0xac, 0xbe,\n};\nunsigned int ies_len = 21;\n"
    ),
    (
      "array of Swift",
      "let ies: [UInt8] = [0x0, 0x7, 0x4C, 0x61, 0x62, 0x20, 0x50, 0x53, 0x4B, 0x01, 0x04, 0x82, 0x84, 0x8B, 0x96, 0xDD,"
        + " 0x04, 0x00, 0x0F, 0xAC, 0xBE]"
    ),
    (
      "string of C, as Wireshark copies it",
      #""\x00\x07\x4c\x61\x62\x20\x50\x53\x4b\x01" \"# + "\n" + #""\x04\x82\x84\x8b\x96\xdd\x04\x00\x0f\xac\xbe""#
    ),
    ("comment", "# beacon of the roof\n// again\n00074c61622050534b010482848b96dd04000facbe"),
    ("byte order mark", "\u{FEFF}00074c61622050534b010482848b96dd04000facbe"),
    (
      "xxd",
      "00000000: 0007 4c61 6220 5053 4b01 0482 848b 96dd  ..Lab PSK.......\n00000010: 0400 0fac be                             .....\n"
    ),
    (
      "xxd with line ends of Windows",
      "00000000: 0007 4c61 6220 5053 4b01 0482 848b 96dd  ..Lab PSK.......\r\n00000010: 0400 0fac be   .....\r\n"
    ),
    (
      "hexdump -C",
      "00000000  00 07 4c 61 62 20 50 53  4b 01 04 82 84 8b 96 dd  |..Lab PSK.......|\n"
        + "00000010  04 00 0f ac be                                    |.....|\n00000015\n"
    ),
    ("hexdump", "0000000 0700 614c 2062 5350 014b 8204 8b84 dd96\n0000010 0004 ac0f 00be\n0000015\n"),
    (
      "od -t x1",
      "0000000 00 07 4c 61 62 20 50 53 4b 01 04 82 84 8b 96 dd\n0000020 04 00 0f ac be\n0000025\n"
    ),
    (
      "tcpdump -X",
      "12:00:01.000000 Beacon (Lab PSK) [1.0 Mbit] ESS CH: 6\n"
        + "\t0x0000:  0007 4c61 6220 5053 4b01 0482 848b 96dd  ..Lab.PSK.......\n\t0x0010:  0400 0fac be                             .....\n"
    ),
    (
      "Wireshark, as hex dump",
      "0000   00 07 4c 61 62 20 50 53 4b 01 04 82 84 8b 96 dd   ..Lab PSK.......\n0010   04 00 0f ac be                                    .....\n"
    ),
  ]

  /// What od and hexdump print of ``bytes`` with other options, and arrays with comments in them.
  static let more: [(style: String, text: String)] = [
    ("od", "0000000 003400 060514 020142 051520 000513 101004 105604 156626\n" + "0000020 000004 126017 000276\n" + "0000025\n"),
    ("od -x", "0000000 0700 614c 2062 5350 014b 8204 8b84 dd96\n" + "0000020 0004 ac0f 00be\n" + "0000025\n"),
    ("od -t x4", "0000000 614c0700 53502062 8204014b dd968b84\n" + "0000020 ac0f0004 000000be\n" + "0000025\n"),
    ("od -t x8", "0000000 53502062614c0700 dd968b848204014b\n" + "0000020 000000beac0f0004\n" + "0000025\n"),
    ("od -b", "0000000 000 007 114 141 142 040 120 123 113 001 004 202 204 213 226 335\n" + "0000020 004 000 017 254 276\n" + "0000025\n"),
    (
      "od -A d -t x1z",
      "0000000 00 07 4c 61 62 20 50 53 4b 01 04 82 84 8b 96 dd  >..Lab PSK.......<\n"
        + "0000016 04 00 0f ac be                                   >.....<\n" + "0000021\n"
    ),
    (
      "od -A x -t x1z",
      "000000 00 07 4c 61 62 20 50 53 4b 01 04 82 84 8b 96 dd  >..Lab PSK.......<\n"
        + "000010 04 00 0f ac be                                   >.....<\n" + "000015\n"
    ),
    ("od -A x -t x2", "000000 0700 614c 2062 5350 014b 8204 8b84 dd96\n" + "000010 0004 ac0f 00be\n" + "000015\n"),
    ("od -A n -t x1", " 00 07 4c 61 62 20 50 53 4b 01 04 82 84 8b 96 dd\n" + " 04 00 0f ac be\n"),
    (
      "hexdump -x",
      "0000000    0700    614c    2062    5350    014b    8204    8b84    dd96\n"
        + "0000010    0004    ac0f    00be                                        \n" + "0000015\n"
    ),
    (
      "hexdump -b",
      "0000000 000 007 114 141 142 040 120 123 113 001 004 202 204 213 226 335\n"
        + "0000010 004 000 017 254 276                                            \n" + "0000015\n"
    ),
    (
      "array of C with comments",
      "/* a beacon { 0x01 }\n * of 21 bytes */\nu8 ies[] = {\n  0x00, 0x07, // SSID: 7 bytes\n  0x4c, 0x61, 0x62, 0x20, 0x50,"
        + " 0x53, 0x4b, /* Lab PSK */\n 0x01, 0x04, 0x82, 0x84, 0x8b, 0x96, // rates, in 500 kb/s\n 0xdd, 4, 0x00, 0x0f, 0xac, 0xbe\n};\n"
    ),
    ("comment with a slash behind its star", "/*/ 1 SSID /*/ 00074c61622050534b /**/ 010482848b96dd04000facbe"),
    ("digits with comments", "00074c61622050534b // SSID\n010482848b96 /* rates */ dd04 # vendor\n000facbe"),
    (
      "xxd with a comment in its text",
      "00000000: 0007 4c61 6220 5053 4b01 0482 848b 96dd  /*Lab PSK//.....\n00000010: 0400 0fac be                             #..*/\n"
    ),
  ]

  @Test(arguments: texts + more)
  func `each style gives the same bytes`(style: String, text: String) throws {
    #expect(try DecodedInput(Array(text.utf8), as: .elements).bytes == Self.bytes, "\(style)")
  }

  @Test(arguments: [
    ("uint8_t a[] = {0x00, 0x03, 0x41}; uint8_t b[] = {0x01, 0x01, 0x82};", "there are several arrays in it, and one is read at a time"),
    ("a = [0x00, 0x03]\nb = [0x41]", "there are several arrays in it, and one is read at a time"),
    (
      "struct a { int b; }; void f() { g(); } struct c { int d; }; struct a e[] = {0, 0};",
      "there are 4 pairs of brackets in it, and one array is read"
    ),
  ])
  func `of several arrays none is chosen`(text: String, problem: String) {
    #expect(HexText.read(Array(text.utf8)) == .text(problem: problem))
  }

  @Test(arguments: [
    "Frame (2 bytes):\n0000  00 00                                             ..\n\nFrame (3 bytes):\n0000  01 01 82                                          ...\n",
    "[    1.5] rx: 00000000: 00 00\n[    1.6] wlan0: associated\n[    1.7] rx: 00000000: 01 01 82\n",
    "> 00000000: 0000                                     ..\n> added bad words\n> 00000000: 0101 82                                  ...\n",
  ])
  func `of several dumps each is read`(text: String) {
    #expect(HexText.read(Array(text.utf8)) == .dumps([[0, 0], [1, 1, 0x82]]))
  }

  @Test(
    arguments: [
      "BSS: IEs - hexdump(len=5): 00 03 61 62 63\n", "hexdump(len=5): 0003616263",
      "wlan0: BSS: IEs - hexdump(len=5): 00 03 61 62 63\nwlan0: done\n",
      "Key - hexdump(len=16): [REMOVED]\n1699999999.123456: nl80211: IEs - hexdump(len=5): 00 03 61 62 63",
      "Caf\u{E9} \u{2014} µs\n0000  00 03 61 62 63\n",
    ])
  func `a dump in a log of wpa_supplicant or among other letters is read`(text: String) {
    #expect(HexText.read(Array(text.utf8)) == .bytes([0, 3, 0x61, 0x62, 0x63]))
  }

  /// What `tshark -V -x` prints of a capture: each frame in words, with lines that begin with digits, and then its dump.
  @Test(arguments: [
    "    .... .... .... 0000 = Fragment number: 0\n    0000 0000 0000 .... = Sequence number: 0\n\n",
    "    0001 0000 0000 .... = Sequence number: 256\n",
    "0000 0000 0000 0000 = Duration: 0 microseconds\n0000 0001 0000 0010 0000 0000 0000 0000 = Flags: none\n",
    "0000: be careful\n", "0000\n", "0815 4711\n", "0800 12 apples\n",
  ])
  func `lines of words that begin with digits are no lines of a dump`(words: String) {
    let (first, second) = (
      "0000  00 00                                             ..\n", "0000  01 01 82                                          ...\n"
    )
    for text in [words + first + second, first + words + second, first + second + words, first + "\n" + words + words + second] {
      #expect(HexText.read(Array("Frame 1: [Protocols]\n\(text)".utf8)) == .dumps([[0, 0], [1, 1, 0x82]]), "\(text)")
    }
  }

  @Test(arguments: [
    (
      "Frame:\n0000  00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f  .\n0010  01 0x 82  ...\n",
      "line 3 looks like one of a dump, and does not fit"
    ),
    ("log:\n0010  01 01 82  ...\n0000  00 00  ..\n", "line 2 looks like one of a dump, and does not fit"),
    ("log:\n0000  00 0x 00 00  ....\n0000  00 00  ..\n", "line 2 looks like one of a dump, and does not fit"),
    ("log:\n0000  00 01 02 03\nlog\n0010  00 01 02 03\n", "it looks like a dump, but its offsets and its lines do not add up"),
    ("mail:\nfeed: 80 00 00 00 ff ff\nthanks\n", "“feed:” is an offset of a dump that begins elsewhere, or a word before bytes"),
  ])
  func `a damaged dump among words is not left out`(text: String, problem: String) {
    guard case .text(let found) = HexText.read(Array(text.utf8)) else {
      Issue.record("\(text) was read")
      return
    }
    #expect(found.contains(problem), "\(found)")
  }

  @Test(arguments: [
    "frame: 00 03 61 62 63", "IEs = 00 03 61 62 63\n", "the IEs of it:\n00 03 61 62 63\nas heard\n",
    "got IEs: 00 03 61 62\n         63\nthanks\n",
    "> 0000  00 03 61 62 63   ..abc\n", "On Monday you wrote:\n> > 0000  00 03 61 62\n> > 0004  63\n>\n> Why?\n", "> 00 03 61\n> 62 63\n",
    "Look:\n```\n0003616263\n```\nthanks\n", "Look:\n~~~ c\nu8 a[] = { 0x00, 0x03, 0x61, 0x62, 0x63 };\n~~~\n",
    "> ```text\n> 0000  00 03 61 62 63\n> ```\n",
    "```\n$ xxd ies\n00000000: 0003 6162 63                             ..abc\n```\n",
  ])
  func `what people paste into a message is read`(text: String) {
    #expect(HexText.read(Array(text.utf8)) == .bytes([0, 3, 0x61, 0x62, 0x63]), "\(text)")
  }

  @Test func `text of a dump that looks like a comment hides no lines`() {
    let first =
      "\t0x0000:  0001 2f2a 002f 2f23 0000 0000 0000 0000  ../*.//#........\n\t0x0010:  0101 82                                  ...\n"
    let bytes: [UInt8] = [0, 1, 0x2F, 0x2A, 0, 0x2F, 0x2F, 0x23, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0x82]
    #expect(HexText.read(Array("12:00 a\n\(first)12:01 b\n\(first)".utf8)) == .dumps([bytes, bytes]))
    #expect(HexText.read(Array("> \(first.replacing("\n\t", with: "\n> "))".utf8)) == .bytes(bytes))
    // What does stand in a comment is none.
    let comments = "# 0000: 01 01\n/* 0000: 02\n0010: 03\n*/\n/*/\n0000: 02 02\n*/\n// 0000: 04\nx # 0000: 05 // 0000: 06\n"
    for text in [comments + first, first + comments] { #expect(HexText.read(Array("log\n\(text)".utf8)) == .bytes(bytes), "\(text)") }
  }

  @Test func `several inputs in a message are read one by one`() {
    let both = HexText.Reading.dumps([[0, 3, 0x61, 0x62, 0x63], [1, 1, 0x82, 0x84]])
    for text in ["one: 00 03 61 62 63\ntwo: 01 01 82 84\n", "```\n00 03 61 62 63\n```\nand\n```\n01 01 82 84\n```\n"] {
      #expect(HexText.read(Array(text.utf8)) == both, "\(text)")
    }
    // Of dumps and other bytes in one text the dumps are read.
    #expect(HexText.read(Array("a: 00 03 61 62 63\n0000  01 01 82 84\n".utf8)) == .bytes([1, 1, 0x82, 0x84]))
  }

  @Test(arguments: [
    "frame: 80 00", "count: 2412\n", "frame: 80 00 00 00 ff (5 bytes)\n", "IEs - hexdump(len=6): 00 03 61 62 63\n", "Look:\n```\nls\n```\n",
  ])
  func `a few digits behind words are no bytes`(text: String) {
    guard case .text = HexText.read(Array(text.utf8)) else {
      Issue.record("\(text) was read")
      return
    }
  }

  @Test func `base64 is read where no bits are left over`() {
    #expect(HexText.base64(Array("AAdM\nYWIg".utf8)) == [0, 7, 0x4C, 0x61, 0x62, 0x20])
    #expect(HexText.base64(Array("-_8=".utf8)) == [0xFB, 0xFF] && HexText.base64(Array("+/8".utf8)) == [0xFB, 0xFF])
    for text in ["AAdMY", "AB", "A=AA", "AA.A", "AAdM YWIg"] { #expect(HexText.base64(Array(text.utf8)) == nil, "\(text)") }
  }

  @Test func `text beside a dump that looks like digits is text`() throws {
    let text =
      "00000000: dd10 6465 6164 6265 6566 6361 6665 6261  ..deadbeefcafeba\n00000010: 6265 0004 6465 6164                      be..dead\n"
    let bytes = [0xDD, 0x10] + Array("deadbeefcafebabe".utf8) + [0x00, 0x04] + Array("dead".utf8)
    #expect(try DecodedInput(Array(text.utf8), as: .elements).bytes == bytes)
  }

  @Test func `lines that are left out are there`() throws {
    let hexdump =
      "00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000030  01 01 82   |...|\n00000033\n"
    let od = "0000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n0000060 01 01 82\n0000063\n"
    for text in [hexdump, od] {
      #expect(try DecodedInput(Array(text.utf8), as: .elements).bytes == [UInt8](repeating: 0, count: 48) + [1, 1, 0x82])
    }
  }

  @Test func `lines that are left out stand for 64 MiB at most, in one dump or in several`() {
    let content = String(repeating: "00 ", count: 4096)
    func dump(_ numbers: ClosedRange<Int>) -> String { numbers.map { "0\($0)000000: \(content)\n" }.joined(separator: "*\n") }
    #expect(HexText.read(Array(dump(0...3).utf8)) == .bytes([UInt8](repeating: 0, count: 3 << 24 + 4096)))
    for text in [dump(0...5), "log\n" + String(repeating: dump(0...1), count: 5)] {
      #expect(
        HexText.read(Array(text.utf8)) == .text(problem: "its lines of “*” stand for more than 64 MiB, which is not read"))
    }
  }

  @Test func `one line of groups is no dump`() throws {
    let hidden: [UInt8] = [0, 0, 1, 4, 0x82, 0x84, 0x8B, 0x96]
    #expect(try DecodedInput(Array("0000 0104 8284 8b96\n".utf8), as: .elements).bytes == hidden)
    #expect(try DecodedInput(Array("0000 01 04 82 84 8b 96\n".utf8), as: .elements).bytes == Array(hidden.dropFirst(2)))
  }

  @Test(arguments: [
    "0000000 000000d4 77666602 0000aa99\n0000012\n", "0000000 77666602000000d4 000000000000aa99\n0000012\n",
    "0000000 00d4 0000 6602 7766 aa99\n0000012\n",
  ])
  func `a short line of words is counted in octal`(text: String) throws {
    let bytes: [UInt8] = [0xD4, 0, 0, 0, 2, 0x66, 0x66, 0x77, 0x99, 0xAA]
    #expect(try DecodedInput(Array(text.utf8), as: .frame).bytes == bytes)
  }

  @Test func `decimal offsets that skip lines are read`() throws {
    let od = "0000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n0000096 01 01 82\n0000099\n"
    #expect(try DecodedInput(Array(od.utf8), as: .elements).bytes == [UInt8](repeating: 0, count: 96) + [1, 1, 0x82])
  }

  @Test(arguments: [
    "0000000    0    7   76   97   98   32   80   83   75    1    4 -126 -124 -117 -106  -35\n0000016    4    0   15  -84  -66\n0000021\n",
    "0000000   0   7  76  97  98  32  80  83\n0000010\n", "0000000  76  97  98  32  80  83\n0000006\n",
    "000000  76  97  98  32  80  83\n000006\n", "0000000  1792 24908  8290 21328   331 33284 35716 56726\n0000020\n",
    "0000000   1792  24908   8290  21328    331 -32252 -29820  -8810\n0000020\n",
    "0000000  1632372480  1397760098 -2113650357  -577336444\n0000020\n",
    "0000000   00007   24908   08290   21328   00331   33284   35716   56726\n0000010\n",
  ])
  func `a dump of decimal numbers is refused and not taken for hexadecimal ones`(text: String) {
    #expect {
      try DecodedInput(Array(text.utf8), as: .elements)
    } throws: { error in
      "\(error)".contains("it is a dump of decimal numbers; print it with “od -A x -t x1z” or “xxd”")
    }
  }

  @Test(arguments: texts + more)
  func `each style is read in UTF-16 too`(style: String, text: String) throws {
    let units = text.unicodeScalars.filter { $0 != "\u{FEFF}" }.map { UInt16(truncatingIfNeeded: $0.value) }
    let (low, high) = (units.flatMap { [UInt8($0), 0] as [UInt8] }, units.flatMap { [0, UInt8($0)] as [UInt8] })
    for input in [low, high, [0xFF, 0xFE] + low, [0xFE, 0xFF] + high] {
      #expect(try DecodedInput(input, as: .elements).bytes == Self.bytes, "\(style)")
    }
  }

  @Test func `bytes that are no text in UTF-16 are bytes`() throws {
    for bytes: [UInt8] in [
      [0x30, 0, 0x31, 0, 0x32, 1, 0x33, 0], [0x30, 0, 0x31, 0, 0x7F, 0, 0x33, 0], [0x30, 0, 0x31, 0], [0, 0, 0, 0, 0, 0, 0, 0],
    ] {
      #expect(try DecodedInput(bytes, as: .elements).bytes == bytes)
    }
  }

  /// Dumps of which a line is not there, or not where it belongs.
  @Test(arguments: [
    "00000000  00 00 00 00 00 00 00 00  01 00 00 00 00 00 00 00  |................|\n00000010  02 00 00 00 00 00 00 00  03 00 00 00 00 00 00 00  |................|\n00000030  04 00 00 00 00 00 00 00                           |........|\n",
    "0000   00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f\n0020   00 01 02 03\n",
    "00000010: 0400 0fac be\n00000000: 0007 4c61 6220 5053 4b01 0482 848b 96dd\n",
  ])
  func `offsets of a dump are not taken for bytes`(text: String) {
    #expect {
      try DecodedInput(Array(text.utf8), as: .elements)
    } throws: { error in
      "\(error)".contains("it looks like a dump, but its offsets and its lines do not add up")
    }
  }

  @Test func `groups of zeros are no offsets`() throws {
    #expect(try DecodedInput(Array("0000 0000\n0000 0000\n".utf8), as: .elements).bytes == [UInt8](repeating: 0, count: 8))
  }

  @Test(arguments: [
    ("not hexadecimal", "“not” has other characters than digits"), ("0x0g", "“0x0g” has other"),
    ("12 345 67", "“345” has an odd number of digits"), ("{}", "there are no digits in it"),
    ("00000000: 00\n*\nffffffffffff: 00", "it looks like a dump, but its offsets"),
  ])
  func `text of something else is not taken for bytes`(text: String, problem: String) {
    let error = #expect(throws: DecodedInput.Failure.self) { try DecodedInput(Array(text.utf8)) }
    #expect(error?.description.contains("text, but not hexadecimal: \(problem)") == true, "\(String(describing: error))")
  }
}
