import Models
import Testing
import WiFi

@testable import Page

@Suite struct PageGateTests {
  static let token = PageToken(random: Array(0..<16))
  static let local = PageGate(port: 8480, isLoopbackOnly: true, names: ["Pi.local"], token: token)
  static let open = PageGate(port: 8480, isLoopbackOnly: false, token: token)

  @Test(arguments: ["127.0.0.1:8480", "localhost:8480", "LocalHost:8480", "[::1]:8480", "127.0.0.2:8480", "pi.local:8480"])
  func `this machine is named so`(host: String) { #expect(Self.local.isOurs(host)) }

  @Test(arguments: [
    "evil.example:8480", "127.0.0.1", "127.0.0.1:80", "localhost:84800", "localhost.evil.example:8480", "127.0.0.1.evil.example:8480", "",
    "127.0.0.1:8480:8480", "127.0.0.1:", ":8480", "[::1", "[::1]", "192.168.1.2:8480", "10.0.0.1:8480", "127.0.0.256:8480", "127.1:8480",
    "0.0.0.0:8480", "[fe80::1]:8480", "127.0.0.1:08480x", "user@127.0.0.1:8480", "127.0.0.1:8480 ", "localhost,evil:8480",
  ])
  func `other names are refused`(host: String) { #expect(!Self.local.isOurs(host)) }

  @Test(arguments: ["192.168.1.2:8480", "[fe80::1]:8480", "10.0.0.1:8480"])
  func `where other machines may come, so may any address, but no name`(host: String) {
    #expect(Self.open.isOurs(host))
    #expect(!Self.open.isOurs("evil.example:8480"))
    #expect(!Self.open.isOurs("[evil.example]:8480"))
  }

  private func status(_ gate: PageGate, _ access: PageGate.Access, _ headers: [(String, String)]) -> Int? {
    let request = PageRequest(method: "GET", target: "/", headers: headers.map { PageRequest.Header($0.0, $0.1) })
    return gate.refusal(of: request, for: access)?.status
  }

  private static let host = ("Host", "127.0.0.1:8480")
  private static let bearer = ("Authorization", "Bearer 000102030405060708090a0b0c0d0e0f")

  @Test func `the token is hexadecimal digits of either case`() {
    #expect(status(Self.open, .read, [Self.host, ("Authorization", "Bearer 000102030405060708090A0B0C0D0E0F")]) == nil)
  }

  @Test func `reading and looking are open to this machine, changing needs the token`() {
    #expect(status(Self.local, .read, [Self.host]) == nil)
    func browser(_ name: String?, mayAct: Bool) -> PageBrowser {
      PageBrowser(PageRequest(method: "POST", target: "/action", headers: name.map { [.init("page", $0)] } ?? []), mayAct: mayAct)
    }
    func refused(_ action: PageAction, _ browser: PageBrowser) -> Int? { Self.local.refusal(of: action, from: browser)?.status }
    let views: [PageAction] = [.highlight(nil), .follow, .filter("a"), .bands(.ghz5), .minimumSignal(-70), .sort(NetworkSort(.name))]
    let changes: [PageAction] = [
      .wifi(false), .scan, .pause(true), .interval(5), .known, .open(.known), .seek(1), .top(1, .join), .tap(.bss(MACAddress(1))),
      .info(.bss(MACAddress(1))), .top(1, .forget),
    ]
    for action in views + changes { #expect(refused(action, browser("0af1", mayAct: true)) == nil) }
    for action in views {
      #expect(refused(action, browser("0af1", mayAct: false)) == nil)
      // Without a name it would change what programs see.
      #expect(refused(action, browser(nil, mayAct: false)) == 401)
      #expect(refused(action, browser("no name", mayAct: false)) == 401)
    }
    for action in changes { #expect(refused(action, browser("0af1", mayAct: false)) == 401) }
    // The view of a browser with the token is out of reach of one without.
    #expect(browser("0af1", mayAct: true).key != browser("0af1", mayAct: false).key)
  }

  @Test func `from elsewhere reading needs it, too, but the empty page does not`() {
    #expect(status(Self.open, .page, [Self.host]) == nil)
    #expect(status(Self.open, .read, [Self.host]) == 401)
    #expect(status(Self.open, .read, [Self.host, Self.bearer]) == nil)
  }

  @Test(arguments: [
    "Bearer 000102030405060708090a0b0c0d0e0e", "Bearer 000102030405060708090a0b0c0d0e0f0", "Bearer 000102030405060708090a0b0c0d0e0",
    "Bearer ", "",
    "Basic 000102030405060708090a0b0c0d0e0f", "Bearer000102030405060708090a0b0c0d0e0f", "Bearer  000102030405060708090a0b0c0d0e0f",
  ])
  func `any other token is none`(value: String) {
    #expect(status(Self.open, .read, [Self.host, ("Authorization", value)]) == 401)
  }

  @Test(arguments: ["bearer", "BEARER", "bEARER"])
  func `the name of the scheme has no case`(name: String) {
    #expect(status(Self.open, .read, [Self.host, ("Authorization", "\(name) 000102030405060708090a0b0c0d0e0f")]) == nil)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8480/scan.json", "/scan.json", nil), ("HTTP://LOCALHOST:8480/scan.json?a=b", "/scan.json", nil),
      ("http://127.0.0.1:8480", "/", nil), ("http://127.0.0.1:8480?a=/b", "/", nil),
      ("/http://evil.example/", "/http://evil.example/", nil),
      ("http://evil.example:8480/scan.json", "/scan.json", 421), ("http://user@127.0.0.1:8480/", "/", 421),
      ("http:///scan.json", "/scan.json", 421),
      ("http://127.0.0.1:8481/", "/", 421),
    ] as [(String, String, Int?)])
  func `a target of absolute-form names the server, which has to be this one`(target: String, path: String, expected: Int?) {
    let request = PageRequest(method: "GET", target: target, headers: [.init("Host", "127.0.0.1:8480")])
    #expect(request.path == path)
    #expect(Self.local.refusal(of: request, for: .read)?.status == expected)
    // The header is looked at all the same.
    let foreign = PageRequest(method: "GET", target: target, headers: [.init("Host", "evil.example:8480")])
    #expect(Self.local.refusal(of: foreign, for: .read)?.status == 421)
  }

  @Test func `two tokens, and two hosts, are refused`() {
    #expect(status(Self.open, .read, [Self.host, Self.bearer, Self.bearer]) == 401)
    #expect(status(Self.local, .read, [Self.host, Self.host]) == 400)
    #expect(status(Self.local, .read, []) == 400)
    #expect(status(Self.local, .read, [("Host", "evil.example:8480")]) == 421)
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8480", nil), ("http://localhost:8480", 403), ("https://127.0.0.1:8480", 403), ("http://evil.example", 403),
      ("null", 403),
      ("http://127.0.0.1:8481", 403), ("", 403),
    ] as [(String, Int?)])
  func `only the page itself is its origin`(origin: String, expected: Int?) {
    for access in [PageGate.Access.page, .read] {
      #expect(status(Self.local, access, [Self.host, Self.bearer, ("Origin", origin)]) == expected)
    }
  }

  @Test(arguments: [("same-origin", nil), ("none", nil), ("cross-site", 403), ("same-site", 403)] as [(String, Int?)])
  func `what a browser loads for another site gets no data`(site: String, expected: Int?) {
    #expect(status(Self.local, .read, [Self.host, ("Sec-Fetch-Site", site)]) == expected)
    // A link may lead here.
    #expect(status(Self.local, .page, [Self.host, ("Sec-Fetch-Site", site)]) == nil)
  }
}
