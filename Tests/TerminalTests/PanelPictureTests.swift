import Foundation
import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewStage
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

  static func stage(_ subject: Subject, _ size: Size) -> PanelStage {
    let stage = PanelStage(
      size: subject == .tooSmall ? Size(columns: 30, rows: 8) : size, isOn: subject != .off, known: SampleKnown.drafts)
    switch subject {
    case .scanning, .off: break
    case .problem: stage.viewer.sourceFailed("wlan0 is switched off by rfkill. Switch it on with `rfkill unblock wifi`.")
    case .nothing: stage.hear([])
    case .one: stage.hear([SampleAir.home[2]])
    case .hostile: stage.hear(SampleAir.hostile)
    case .thousand:
      stage.hear(SampleAir.many(1000))
      stage.press(.end)
      stage.press(.up, .up)
    case .lost:
      stage.hear(SampleAir.home)
      for _ in 0..<4 { stage.hear(Array(SampleAir.home.prefix(2))) }
    default:
      stage.hear(SampleAir.home)
      stage.hear(SampleAir.home.map { ($0.0, $0.1 - 3) })
      stage.press(.down)
    }
    switch subject {
    case .filtered: stage.type("/blob")
    case .sheet:
      stage.press(.enter)
      stage.type("secret")
    case .failure:
      stage.turn {
        stage.viewer.settings.destination = stage.viewer.cursor.flatMap { stage.viewer[$0]?.network }.map {
          .connect(stage.viewer.settings.connectModel(to: $0, password: "secret", failure: .timedOut))
        }
      }
    case .question:
      stage.turn { stage.viewer.settings.selectedNetworkID = stage.viewer.cursor }
      stage.press(.character("i"), .character("x"))
    case .page: stage.press(.character("i"))
    case .channels: stage.press(.character("c"))
    case .events: stage.press(.character("e"))
    case .help: stage.press(.character("?"))
    case .known, .knownFailed, .edit, .add, .forgetKnown: openKnown(subject, stage)
    default: break
    }
    return stage
  }

  /// The known networks as they are when they have been listed.
  private static func openKnown(_ subject: Subject, _ stage: PanelStage) {
    stage.known.setJoined(SampleKnown.drafts[0].ssid)
    let networks = stage.known.networks
    stage.turn {
      stage.viewer.settings.destination = stage.viewer.settings.knownNetworksModel(
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
    let stage = Self.stage(subject, try #require(Size(size)))
    let actual = stage.picture.description
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
    let stage = Self.stage(subject, try #require(Size(size)))
    let picture = stage.picture
    #expect(picture.lines.count == stage.size.rows)
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
    let stage = PanelStage()
    stage.hear(SampleAir.many(1000))
    #expect(stage.picture.lines.contains { $0.contains("↓") })
    #expect(stage.shows("1000 networks"))
  }

  @Test func `the first picture says that it scans`() {
    #expect(PanelStage().shows("Scanning…"))
    #expect(PanelStage().shows("scanning…"))
  }

  @Test func `every line of the help can be seen in the smallest size`() {
    let stage = PanelStage(size: Size(columns: 40, rows: 15))
    stage.hear(SampleAir.home)
    stage.press(.character("?"))
    #expect(stage.shows("highlight a row") && stage.shows("↑↓ scroll") && !stage.shows("back; clear"))
    var seen: [String] = []
    for _ in 0..<60 {
      seen += stage.picture.lines
      stage.press(.down)
    }
    for word in ["decoded element", "scanned", "least generation", "CSV file", "back; clear the", "quit"] {
      #expect(seen.contains { $0.contains(word) }, "\(word)")
    }
    #expect(stage.shows("back; clear the") && !stage.shows("highlight a row"))
    stage.press(.up, .pageUp, .pageUp, .pageUp, .pageUp, .pageUp)
    #expect(stage.shows("highlight a row"))
    // Where all of it is seen nothing scrolls.
    stage.size = Size(columns: 200, rows: 60)
    stage.press(.down)
    #expect(stage.shows("highlight a row") && stage.shows("back; clear the filter"))
  }

  @Test func `where the terminal is too small, keys quit and change nothing that is not seen`() {
    let stage = PanelStage()
    stage.hear(SampleAir.home)
    stage.press(.down, .enter)
    stage.type("blob")
    stage.size = Size(columns: 30, rows: 10)
    #expect(stage.shows("quits."))
    stage.type("xyz")
    stage.send(.paste("more"))
    #expect(stage.press(.enter, .escape, .tab) == nil)
    #expect(stage.attempts.isEmpty && stage.sheet?.password == "blob")
    #expect(stage.press(.character("q")) == .quit)
    #expect(stage.press(.control("c")) == .quit)
    stage.size = Size(columns: 80, rows: 24)
    stage.type("q")
    #expect(stage.sheet?.password == "blobq")
  }

  @Test(arguments: ["👍🏽", "1\u{FE0F}\u{20E3}", "#\u{20E3}", "a\u{20DD}", "🏽", "a\u{115F}", "\u{3164}b"])
  func `what terminals disagree about is escaped`(name: String) {
    let stage = PanelStage()
    stage.hear([(AccessPoint(name, bssid: 1), -50)])
    let escaped = PrintableText.escape(Array(name.utf8))
    #expect(escaped != name && PrintableText.bytes(unescaping: escaped) == Array(name.utf8))
    #expect(stage.shows(escaped))
    for line in stage.picture.lines {
      #expect(!line.unicodeScalars.contains { $0.properties.isEmojiModifier || $0 == "\u{20E3}" || $0 == "\u{20DD}" || $0 == "\u{FE0F}" })
    }
  }

  @Test func `what keeps it from scanning is said with the command that helps`() {
    #expect(Self.stage(.problem, Size(columns: 80, rows: 24)).shows("rfkill unblock wifi"))
    #expect(Self.stage(.off, Size(columns: 80, rows: 24)).shows("Press w to turn it on."))
  }

  @Test func `without an adapter Wi-Fi is not shown as on, and no key moves the switch`() {
    let stage = PanelStage(size: Size(columns: 80, rows: 24))
    stage.turn { stage.viewer.sourceFailed("There is no Wi-Fi adapter. `--simulate home --seed 7` shows a home.", hasAdapter: false) }
    #expect(stage.shows("Wi-Fi [none]") && stage.shows("no adapter") && !stage.shows("0 networks"))
    #expect(stage.shows("--simulate home"))
    stage.type("w")
    #expect(stage.viewer.settings.isOn && stage.state.message?.contains("--simulate") == true)
    stage.hear(SampleAir.home)
    #expect(stage.shows("Wi-Fi [on]") && stage.shows("4 networks"))
  }

  @Test func `nothing is told by colour alone`() {
    let stage = Self.stage(.lost, Size(columns: 100, rows: 30))
    #expect(stage.line("  Old Printer")?.contains("lost") == true)
    let home = Self.stage(.home, Size(columns: 100, rows: 30))
    #expect(home.line("  Old Printer")?.contains("open") == true)
    #expect(home.shows("▌ Blob House"))
  }
}
