import Foundation
import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

/// Pictures of the panel, compared with those in `fixtures/pictures/panel`.
///
/// `WIFI_HARNESS_UPDATE_PICTURES=1` writes them anew: look at the difference before it is committed.
@Suite struct PanelPictureTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "fixtures/pictures/panel")
  static let sizes = ["80x24", "100x30", "200x60", "40x15"]

  /// A state that is worth a picture.
  enum Subject: String, CaseIterable, CustomStringConvertible {
    case scanning, nothing, off, problem, one, home, hostile, thousand, lost, filtered, sheet, failure, question, page, channels, events,
      help, known, knownFailed, edit, add, forgetKnown, tooSmall

    var description: String { rawValue }
  }

  static func fixture(_ subject: Subject, _ size: Size) -> PanelFixture {
    let fixture = PanelFixture(
      size: subject == .tooSmall ? Size(columns: 30, rows: 8) : size, isOn: subject != .off, known: SampleKnown.drafts)
    switch subject {
    case .scanning, .off: break
    case .problem: fixture.viewer.sourceFailed("wlan0 is switched off by rfkill. Switch it on with `rfkill unblock wifi`.")
    case .nothing: fixture.hear([])
    case .one: fixture.hear([SampleAir.home[2]])
    case .hostile: fixture.hear(SampleAir.hostile)
    case .thousand:
      fixture.hear(SampleAir.many(1000))
      fixture.press(.end)
      fixture.press(.up, .up)
    case .lost:
      fixture.hear(SampleAir.home)
      for _ in 0..<4 { fixture.hear(Array(SampleAir.home.prefix(2))) }
    default:
      fixture.hear(SampleAir.home)
      fixture.hear(SampleAir.home.map { ($0.0, $0.1 - 3) })
      fixture.press(.down)
    }
    switch subject {
    case .filtered: fixture.type("/blob")
    case .sheet:
      fixture.press(.enter)
      fixture.type("secret")
    case .failure:
      fixture.turn {
        fixture.viewer.settings.destination = fixture.viewer.cursor.flatMap { fixture.viewer[$0]?.network }.map {
          .connect(fixture.viewer.settings.connectModel(to: $0, password: "secret", failure: .timedOut))
        }
      }
    case .question:
      fixture.turn { fixture.viewer.settings.selectedNetworkID = fixture.viewer.cursor }
      fixture.press(.character("i"), .character("x"))
    case .page: fixture.press(.character("i"))
    case .channels: fixture.press(.character("c"))
    case .events: fixture.press(.character("e"))
    case .help: fixture.press(.character("?"))
    case .known, .knownFailed, .edit, .add, .forgetKnown: openKnown(subject, fixture)
    default: break
    }
    return fixture
  }

  /// The known networks as they are when they have been listed.
  private static func openKnown(_ subject: Subject, _ fixture: PanelFixture) {
    fixture.known.setJoined(SampleKnown.drafts[0].ssid)
    let networks = fixture.known.networks
    fixture.turn {
      fixture.viewer.settings.destination = fixture.viewer.settings.knownNetworksModel(
        networks: subject == .knownFailed ? [] : networks, failure: subject == .knownFailed ? .noPermission : nil,
        path: { model in
          switch subject {
          case .edit: [model.editModel(of: networks[1], priority: 7, failure: .impossiblePassword(.tooShort(count: 3, minimum: 8)))]
          case .forgetKnown: [model.editModel(of: networks[0], forgetAlertIsPresented: true)]
          default: []
          }
        }, sheet: { subject == .add ? $0.addModel(name: "Attic", password: "blob blob") : nil }
      ).map { .known($0) }
    }
  }

  @Test(arguments: Subject.allCases, sizes)
  func `the picture of a state is what it was`(subject: Subject, size: String) throws {
    let fixture = Self.fixture(subject, try #require(Size(size)))
    let actual = fixture.picture.description
    let file = Self.folder.appending(path: "\(subject)-\(size).txt")
    if ProcessInfo.processInfo.environment["WIFI_HARNESS_UPDATE_PICTURES"] != nil {
      try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
      try Data(actual.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(actual == expected, "fixtures/pictures/panel/\(subject)-\(size).txt shows something else")
  }

  @Test(arguments: Subject.allCases, sizes)
  func `a picture fills its size exactly and holds no control character`(subject: Subject, size: String) throws {
    let fixture = Self.fixture(subject, try #require(Size(size)))
    let picture = fixture.picture
    #expect(picture.lines.count == fixture.size.rows)
    for row in 0..<picture.size.rows {
      var column = 0
      while column < picture.size.columns {
        let cell = picture[column, row]
        #expect(cell.width > 0 && !cell.character.unicodeScalars.contains(where: PrintableText.mustEscape))
        #expect(DisplayWidth.columns(cell.character) <= Int(cell.width))
        column += max(Int(cell.width), 1)
      }
      #expect(column == picture.size.columns)
    }
    if let cursor = picture.cursor {
      #expect(picture.area.contains(column: cursor.column, row: cursor.row))
    }
  }

  @Test func `a picture costs the visible rows, not all networks`() {
    let fixture = PanelFixture(hearing: SampleAir.many(1000))
    #expect(fixture.picture.lines.contains { $0.contains("↓") })
    #expect(fixture.shows("1000 networks"))
  }

  @Test(arguments: [(0, 0), (0, 24), (80, 0), (1, 1), (2, 1), (65_535, 65_535)])
  func `a terminal may claim any size`(columns: Int, rows: Int) {
    let fixture = PanelFixture(size: Size(columns: columns, rows: rows), hearing: SampleAir.home)
    #expect(fixture.picture.size == Size(columns: min(columns, 1000), rows: min(rows, 1000)))
  }

  @Test func `the first picture says that it scans`() {
    #expect(PanelFixture().shows("Scanning…"))
    #expect(PanelFixture().shows("scanning…"))
  }

  @Test func `every line of the help can be seen in the smallest size`() {
    let fixture = PanelFixture(size: Size(columns: 40, rows: 15), hearing: SampleAir.home)
    fixture.press(.character("?"))
    #expect(fixture.shows("highlight a row") && fixture.shows("↑↓ scroll") && !fixture.shows("back; clear"))
    var seen: [String] = []
    for _ in 0..<60 {
      seen += fixture.picture.lines
      fixture.press(.down)
    }
    for word in ["decoded element", "scanned", "least generation", "CSV file", "back; clear the", "quit"] {
      #expect(seen.contains { $0.contains(word) }, "\(word)")
    }
    #expect(fixture.shows("back; clear the") && !fixture.shows("highlight a row"))
    fixture.press(.up, .pageUp, .pageUp, .pageUp, .pageUp, .pageUp)
    #expect(fixture.shows("highlight a row"))
    // Where all of it is seen nothing scrolls.
    fixture.size = Size(columns: 200, rows: 60)
    fixture.press(.down)
    #expect(fixture.shows("highlight a row") && fixture.shows("back; clear the filter"))
  }

  @Test func `the highest question leaves the keys of the lowest terminal`() throws {
    let fixture = PanelFixture(size: PanelLayout.minimum)
    // A byte that is no text takes four columns, and words of these widths the most lines.
    let bytes = "X XXXXXXXXX XXXXXXXXX XXXXXXXXXX".utf8.map { $0 == UInt8(ascii: "X") ? 0xFF : $0 }
    var accessPoint = AccessPoint("x", bssid: 1)
    accessPoint.ssid = try #require(SSID(bytes))
    fixture.hear([(accessPoint, -40)])
    fixture.press(.down)
    fixture.turn { fixture.viewer.settings.selectedNetworkID = fixture.viewer.cursor }
    fixture.press(.character("i"), .character("x"))
    let lines = fixture.picture.lines
    for words in ["Forget “", "for the next ", " time. ", "[ Cancel ]"] { #expect(fixture.shows(words), "\(lines)") }
    #expect(lines.last?.contains("choose") == true, "\(lines)")
  }

  @Test func `where the terminal is too small, keys quit and change nothing that is not seen`() {
    let fixture = PanelFixture(hearing: SampleAir.home)
    fixture.press(.down, .enter)
    fixture.type("blob")
    fixture.size = Size(columns: 30, rows: 10)
    #expect(fixture.shows("quits."))
    fixture.type("xyz")
    fixture.send(.paste("more"))
    #expect(fixture.press(.enter, .escape, .tab) == nil)
    #expect(fixture.attempts.isEmpty && fixture.sheet?.password == "blob")
    #expect(fixture.press(.character("q")) == .quit)
    #expect(fixture.press(.control("c")) == .quit)
    fixture.size = Size(columns: 80, rows: 24)
    fixture.type("q")
    #expect(fixture.sheet?.password == "blobq")
  }

  @Test(arguments: ["👍🏽", "1\u{FE0F}\u{20E3}", "#\u{20E3}", "a\u{20DD}", "🏽", "a\u{115F}", "\u{3164}b"])
  func `what terminals disagree about is escaped`(name: String) {
    let fixture = PanelFixture(hearing: [(AccessPoint(name, bssid: 1), -50)])
    let escaped = PrintableText.escape(name)
    #expect(escaped != name && PrintableText.bytes(unescaping: escaped) == Array(name.utf8))
    #expect(fixture.shows(escaped))
    for line in fixture.picture.lines {
      #expect(!line.unicodeScalars.contains { $0.properties.isEmojiModifier || $0 == "\u{20E3}" || $0 == "\u{20DD}" || $0 == "\u{FE0F}" })
    }
  }

  @Test(arguments: ["80x24", "40x15"])
  func `why a join failed is shown whole, however long that is`(size: String) throws {
    let fixture = Self.fixture(.failure, try #require(Size(size)))
    let sentence = "The password that the daemon has saved is wrong, and it did not ask for another; forget the network and join it again."
    fixture.turn { fixture.viewer.joinNote = sentence }
    let lines = fixture.picture.lines
    let top = try #require(lines.firstIndex { $0.contains("Join “") })
    let bottom = try #require(lines.firstIndex { $0.contains("[ Join ]") })
    // The sheet lies between two borders.
    let inside = lines[top...bottom].map { line in line.split(separator: "│", omittingEmptySubsequences: false).dropLast().last ?? "" }
    let words = inside.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    #expect(words.contains(sentence), "\(words)")
  }

  @Test func `what keeps it from scanning is said with the command that helps`() {
    #expect(Self.fixture(.problem, Size(columns: 80, rows: 24)).shows("rfkill unblock wifi"))
    #expect(Self.fixture(.off, Size(columns: 80, rows: 24)).shows("Press w to turn it on."))
  }

  @Test func `without an adapter Wi-Fi is not shown as on, and no key moves the switch`() {
    let fixture = PanelFixture(size: Size(columns: 80, rows: 24))
    fixture.turn { fixture.viewer.sourceFailed("There is no Wi-Fi adapter. `--simulate home --seed 7` shows a home.", hasAdapter: false) }
    #expect(fixture.shows("Wi-Fi [none]") && fixture.shows("no adapter") && !fixture.shows("0 networks"))
    #expect(fixture.shows("--simulate home"))
    fixture.type("w")
    #expect(fixture.viewer.settings.isOn && fixture.state.message?.contains("--simulate") == true)
    fixture.hear(SampleAir.home)
    #expect(fixture.shows("Wi-Fi [on]") && fixture.shows("4 networks"))
  }

  @Test func `nothing is told by colour alone`() {
    let fixture = Self.fixture(.lost, Size(columns: 100, rows: 30))
    #expect(fixture.line("  Old Printer")?.contains("lost") == true)
    let home = Self.fixture(.home, Size(columns: 100, rows: 30))
    #expect(home.line("  Old Printer")?.contains("open") == true)
    #expect(home.shows("▌ Blob House"))
  }

  @Test(arguments: [
    (AccessPointSecurity.open, true), (.wep, true), (.wpaPersonal, true), (.wpaWPA2Personal, true), (.wpa2Personal, false), (.owe, false),
  ])
  func `a protection that is broken or absent is a warning`(security: AccessPointSecurity, isWarned: Bool) throws {
    let fixture = PanelFixture(size: Size(columns: 100, rows: 30))
    // The row of the cursor has the colours of a selection.
    fixture.hear([(AccessPoint("Attic", bssid: 2), -40), (AccessPoint("Blob House", bssid: 1, security: security), -50)])
    let row = try #require(fixture.picture.lines.firstIndex { $0.contains("Blob House") })
    let isWarning = (0..<100).contains { fixture.picture[$0, row].style.ink == .warning }
    #expect(isWarning == isWarned)
  }
}
