import DaemonProtocols
import Determinism
import Testing
import WiFi
import WireProperties

@Suite struct DBusTests {
  // Recorded from dbus-send 1.14.10 on a little-endian machine:
  // dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.Hello
  static let hello: [UInt8] =
    [
      0x6C, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0x6D, 0, 0, 0,
      1, 1, 0x6F, 0, 21, 0, 0, 0,
    ] + Array("/org/freedesktop/DBus".utf8) + [0, 0, 0] + [3, 1, 0x73, 0, 5, 0, 0, 0] + Array("Hello".utf8) + [0, 0, 0]
    + [2, 1, 0x73, 0, 20, 0, 0, 0] + Array("org.freedesktop.DBus".utf8) + [0, 0, 0, 0]
    + [6, 1, 0x73, 0, 20, 0, 0, 0] + Array("org.freedesktop.DBus".utf8) + [0, 0, 0, 0]

  @Test func `a call of the reference implementation decodes, and encodes to the same bytes`() throws {
    let message = try DBusMessage(Self.hello)
    #expect(message.kind == .methodCall)
    #expect(message.serial == 1)
    #expect(message.path?.description == "/org/freedesktop/DBus")
    #expect(message.interface == "org.freedesktop.DBus")
    #expect(message.member == "Hello")
    #expect(message.destination == "org.freedesktop.DBus")
    #expect(message.body.isEmpty)
    #expect(message.encoded == Self.hello)
  }

  /// Values of every type, with padding before and inside of each container.
  static let everything: [DBusValue] = [
    .byte(7), .boolean(true), .int16(-2), .uint16(65_535), .int32(.min), .uint32(.max), .int64(.min), .uint64(.max),
    .double(-0.0), "Blob’s network", .objectPath(.root), .signature(DBusSignature([.array(.dictionaryEntry(.string, .variant))])),
    .unixFD(0), .bytes([]), .bytes([0, 255, 1]), .array(.uint64, []), .array(.structure([.byte, .uint64]), []),
    .array(.string, ["a", ""]), .variant(.variant(.byte(1))), .structure([.byte(1), .structure([.uint64(2)])]),
    .properties(["802-11-wireless": .properties(["ssid": .bytes(Array("lab".utf8)), "hidden": .boolean(false)])]),
    .array(.array(.byte), [.bytes([1]), .bytes([])]),
  ]

  @Test(arguments: [false, true])
  func `values of every type come back in either byte order`(isBigEndian: Bool) throws {
    var message = DBusMessage.signal(
      try #require(DBusObjectPath("/a/b_1")), "net.example.Blob", "Changed", Self.everything, sender: ":1.7", serial: 9)
    message.isBigEndian = isBigEndian
    let bytes = message.encoded
    #expect(bytes[0] == UInt8(ascii: isBigEndian ? "B" : "l"))
    let decoded = try DBusMessage(bytes)
    #expect(decoded == message)
    #expect(decoded.encoded == bytes)
    try WireProperties.checkDBus(bytes)
  }

  @Test(arguments: [false, true])
  func `every prefix is unfinished, and every prefix taken as whole is truncated`(isBigEndian: Bool) throws {
    var message = DBusMessage.signal(
      try #require(DBusObjectPath("/a")), "net.example.Blob", "Changed", Self.everything, serial: 9)
    message.isBigEndian = isBigEndian
    let bytes = message.encoded
    for count in 0..<bytes.count {
      var stream = DBusStream()
      stream.append(bytes[..<count])
      #expect(try stream.next() == nil)
      let error = #expect(throws: WireError.self) { try DBusMessage(Array(bytes[..<count])) }
      guard case .truncated = error?.reason else {
        Issue.record("prefix of \(count) bytes: \(String(describing: error))")
        return
      }
    }
  }

  @Test func `whatever one byte is changed to, it decodes to what encodes to it, or says where it is wrong`() throws {
    let bytes = DBusMessage.signal(
      try #require(DBusObjectPath("/a")), "net.example.Blob", "Changed", Self.everything, serial: 9
    ).encoded
    var rejected = 0
    for index in bytes.indices {
      for value: UInt8 in [0, 1, 2, 0x7F, 0x80, 0xFF, UInt8(ascii: "a"), bytes[index] &+ 1, bytes[index] ^ 0x20] {
        var changed = bytes
        changed[index] = value
        try WireProperties.checkDBus(changed)
        do throws(WireError) { _ = try DBusMessage(changed) } catch {
          rejected += 1
          #expect(error.offset >= 0 && error.offset <= bytes.count)
        }
      }
    }
    #expect(rejected > 1000)
  }

  @Test(arguments: 0..<40)
  func `random bytes never break it`(seed: Int) throws {
    var random = SplitMix64(state: UInt64(seed))
    for _ in 0..<500 {
      var bytes = (0..<Int(random.next() % 200)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      // Half of them begin as a message does, so that more is read than the first byte.
      if seed.isMultiple(of: 2), bytes.count >= 16 {
        bytes.replaceSubrange(0..<16, with: [0x6C, 4, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(bytes.count - 16), 0, 0, 0])
        for index in 16..<bytes.count where bytes[index] > 0x7F {
          bytes[index] = Array("\u{1}svayog(){}u\0\0\0".utf8)[Int(bytes[index]) % 13]
        }
      }
      try WireProperties.checkDBus(bytes)
      try WireProperties.checkDBusAuthentication(bytes)
      try WireProperties.checkControl(bytes)
    }
  }

  @Test(arguments: [
    ("a", 1), ("(", 1), ("()", 1), ("(i", 2), ("{sv}", 0), ("a{vs}", 3), ("a{s}", 3), ("a{svs}", 4), ("z", 0), ("i)", 1),
    (String(repeating: "a", count: 33) + "y", 32), (String(repeating: "(", count: 33) + "y" + String(repeating: ")", count: 33), 32),
    (String(repeating: "y", count: 256), 0),
  ])
  func `a signature that is not valid says where`(text: String, offset: Int) {
    #expect(throws: WireError.self) { try DBusSignature(parsing: Array(text.utf8)) }
    do throws(WireError) { _ = try DBusSignature(parsing: Array(text.utf8), at: 100) } catch {
      #expect(error.offset == 100 + offset, "\(text): \(error)")
    }
  }

  @Test(arguments: ["", "i", "a{sv}", "a(ayuu)", "aaas", "(y(yx))a{oa{sa{sv}}}", String(repeating: "a", count: 32) + "y"])
  func `a signature prints as it was parsed`(text: String) throws {
    #expect(try DBusSignature(parsing: Array(text.utf8)).description == text)
  }

  @Test func `containers nest 64 deep in a message and no deeper`() throws {
    func nested(_ depth: Int) -> [UInt8] {
      var value = DBusValue.byte(1)
      for _ in 0..<depth { value = .variant(value) }
      return DBusMessage.signal(.root, "a.b", "C", [value], serial: 1).encoded
    }
    #expect(try DBusMessage(nested(64)).body.count == 1)
    #expect(throws: WireError.self) { try DBusMessage(nested(65)) }
  }

  @Test func `an array longer than 64 MiB and a message longer than its limit are refused before they are read`() throws {
    var bytes = Self.hello
    bytes.replaceSubrange(12..<16, with: [1, 0, 0, 4])
    #expect(throws: WireError(offset: 12, reason: .length(declared: 67_108_865, allowed: 0...67_108_864))) {
      try DBusMessage.length(of: bytes)
    }
    bytes = Self.hello
    bytes.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: WireError.self) { try DBusMessage.length(of: bytes) }
    var stream = DBusStream(limit: 64)
    stream.append(Self.hello)
    #expect(throws: WireError.self) { try stream.next() }
  }

  @Test func `paths and names that are not valid are refused`() {
    for path in ["", "a", "//", "/a/", "/a//b", "/a-b", "/ä"] { #expect(DBusObjectPath(path) == nil, "\(path)") }
    for path in ["/", "/a", "/org/freedesktop/NetworkManager/Devices/3", "/_1"] { #expect(DBusObjectPath(path) != nil) }
  }

  @Test func `messages come whole out of a stream in pieces`() throws {
    var stream = DBusStream()
    var found = 0
    for byte in Self.hello + Self.hello + Self.hello {
      stream.append([byte])
      while let message = try stream.next() {
        #expect(message.encoded == Self.hello)
        found += 1
      }
    }
    #expect(found == 3)
    #expect(stream.pending == 0)
  }

  @Test(arguments: [
    ("AUTH", DBusAuthenticationLine.authenticate(mechanism: nil, response: nil)),
    ("AUTH EXTERNAL", .authenticate(mechanism: "EXTERNAL", response: nil)),
    ("AUTH EXTERNAL 30", .authenticate(mechanism: "EXTERNAL", response: [0x30])), ("DATA", .data([])), ("DATA 31", .data([0x31])),
    ("OK 1234deadbeef", .ok("1234deadbeef")), ("REJECTED EXTERNAL ANONYMOUS", .rejected(["EXTERNAL", "ANONYMOUS"])), ("BEGIN", .begin),
    ("NEGOTIATE_UNIX_FD", .negotiateUnixFD), ("AGREE_UNIX_FD", .agreeUnixFD), ("ERROR \"No\"", .error("\"No\"")), ("CANCEL", .cancel),
    ("FOO BAR", .unknown("FOO BAR")),
  ])
  func `authentication lines parse and print`(text: String, line: DBusAuthenticationLine) throws {
    var buffer = Array((text + "\r\nBEGIN").utf8)
    #expect(try DBusAuthenticationLine.take(from: &buffer) == line)
    #expect(buffer == Array("BEGIN".utf8))
    #expect(line.encoded == Array((text + "\r\n").utf8))
    #expect(try DBusAuthenticationLine.take(from: &buffer) == nil)
  }

  @Test func `an authentication line without end is refused where it is too long`() {
    var buffer = [UInt8](repeating: 0x41, count: 16_383)
    #expect(throws: Never.self) { try DBusAuthenticationLine.take(from: &buffer) }
    buffer.append(0x41)
    #expect(throws: WireError.self) { try DBusAuthenticationLine.take(from: &buffer) }
    var malformed = Array("AUTH EXTERNAL 3\r\n".utf8)
    #expect(throws: WireError(offset: 14, reason: .invalid("malformed hexadecimal text"))) {
      try DBusAuthenticationLine.take(from: &malformed)
    }
  }

  @Test(
    arguments: [
      ("unix:path=/run/dbus/system_bus_socket", [.path("/run/dbus/system_bus_socket")]),
      ("unix:guid=00ff,path=/tmp/a%20b%2c%25", [.path("/tmp/a b,%")]),
      ("tcp:host=localhost,port=1;unix:abstract=/tmp/dbus-x,guid=1;unix:path=/b", [.abstract("/tmp/dbus-x"), .path("/b")]),
      ("unix:path=/a;;unix:path=/b;", [.path("/a"), .path("/b")]), ("", []), ("unix:", []), ("unix:path=", []), ("unix:path=%4", []),
      ("unix:path=%zz", []), ("unix:path=/a%00b", []), ("unix:tmpdir=/tmp", []), ("/run/dbus/system_bus_socket", []), ("autolaunch:", []),
    ] as [(String, [DBusAddress])])
  func `an address of a bus names its Unix sockets`(text: String, addresses: [DBusAddress]) {
    #expect(DBusAddress.list(text) == addresses)
    #expect((DBusAddress.problem(in: text) == nil) == !addresses.isEmpty)
  }

  @Test(arguments: [
    ("tcp:host=localhost,port=1", "is “tcp:host=localhost,port=1”, and the transport “tcp” is not supported"),
    ("nonce-tcp:host=a;tcp:host=b", "is “nonce-tcp:host=a”, and the transport “nonce-tcp” is not supported"),
    ("unix:tmpdir=/tmp", "is “unix:tmpdir=/tmp”, which names no Unix socket"), (";", "names no address"),
    ("/run/dbus/system_bus_socket", "is “/run/dbus/system_bus_socket”, which has no transport"),
    ("\u{1B}[31m:", "is “\\x1b[31m:”, and the transport “\\x1b[31m” is not supported"),
  ])
  func `an address that names no Unix socket is told what is wrong with it`(text: String, problem: String) {
    #expect(DBusAddress.problem(in: text) == problem)
  }
}
