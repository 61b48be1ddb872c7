import Models
import Observing
import Simulator
import Terminal
import Testing
import ViewFixture
import WiFi

@Suite struct LinearPanelTests {
  /// A panel line by line over a fixture.
  final class Fixture {
    let fixture = PanelFixture()
    private(set) var attempts = 0
    private var panel: LinearPanel?

    init(hears: [(AccessPoint, Double)] = SampleAir.home) {
      panel = LinearPanel(
        fixture.viewer, presenter: fixture.presenter, onAttempt: { [weak self] _, _ in self?.attempts += 1 }, onScanNow: {})
      if !hears.isEmpty { fixture.hear(hears) }
    }

    func say(_ line: String) -> LinearPanel.Answer { fixture.turn { panel?.handle(line) ?? LinearPanel.Answer() } }
    var news: [String] { fixture.turn { panel?.news() ?? [] } }
    var wantsPassword: Bool { panel?.wantsPassword ?? false }
  }

  @Test func `changes are sentences, told once`() {
    let linear = Fixture()
    #expect(
      linear.news.sorted() == [
        "+10.0 s found Attic 6E, WPA3-Personal, -63 dBm.", "+10.0 s found Blob House, WPA3-Personal, -48 dBm.",
        "+10.0 s found Nacho Wi-Fi, WPA2-Personal, -71 dBm.", "+10.0 s found Old Printer, Open, -88 dBm.",
      ])
    #expect(linear.news.isEmpty)
    for _ in 0..<4 { linear.fixture.hear(Array(SampleAir.home.prefix(2))) }
    #expect(linear.news.contains("+50.0 s lost Old Printer."))
  }

  @Test func `a recording is played and held on, not scanned`() {
    let fixture = PanelFixture()
    let scans = (1...3).map { number in
      Scan(interface: "wlan0", start: .seconds(number * 10 - 2), end: .seconds(number * 10), completion: .complete, bss: [])
    }
    let player = RecordingPlayer(scans, in: fixture.viewer) { fixture.viewer.settings }
    let panel = LinearPanel(
      fixture.viewer, presenter: fixture.presenter, player: player, onAttempt: { _, _ in }, onScanNow: { Issue.record("it scans") })
    func say(_ line: String) -> [String] { fixture.turn { panel.handle(line) }.lines }
    _ = say("pause")
    #expect(fixture.viewer.playback?.isPlaying == false)
    #expect(say("resume") == ["Goes on."])
    #expect(fixture.viewer.playback?.isPlaying == true)
    for line in ["scan", "wifi off", "wifi on"] {
      #expect(say(line) == ["This is a recording; next, back, first, last and resume go through it."])
    }
    #expect(fixture.viewer.settings.isOn)
    // Nor is another scan offered on the whole terminal.
    #expect(fixture.shows("No network was heard in this scan") && !fixture.shows("Scan again"))
  }

  @Test func `the first sentence is that it scans, and a problem is told with what helps`() {
    let linear = Fixture(hears: [])
    #expect(linear.news == ["Scanning."])
    linear.fixture.viewer.sourceFailed("wlan0 is down. Bring it up with `ip link set wlan0 up`.")
    #expect(linear.news == ["wlan0 is down. Bring it up with `ip link set wlan0 up`."])
  }

  @Test func `a list has numbers, and commands take numbers and names`() {
    let linear = Fixture()
    #expect(linear.say("list").lines.first == "1 Blob House, -48 dBm, 4 bars, WPA3-Personal, channel 36")
    #expect(linear.say("details 2").lines.first == "Attic 6E")
    #expect(linear.say("details nacho").lines.first == "Nacho Wi-Fi")
    #expect(linear.say("details zzz").lines == ["No network is called zzz; list shows which there are."])
    #expect(linear.say("details").lines == ["Say which: a number of the list, or a name."])
    #expect(linear.say("filter blob").lines.count == 1)
    #expect(linear.say("filter").lines.count == 4)
    #expect(linear.say("band 6").lines == ["1 Attic 6E, -63 dBm, 3 bars, WPA3-Personal, channel 37"])
    #expect(linear.say("band all").lines.count == 4)
    #expect(linear.say("sort name").lines.first?.hasPrefix("1 Attic") == true)
    #expect(linear.say("\u{1B}[2Jfoo").lines == ["There is no command \\x1b[2jfoo; help lists them."])
    #expect(linear.say("quit").effect == .quit)
  }

  @Test func `a number means the network that had it in the list that was printed last`() {
    let linear = Fixture()
    #expect(linear.say("join 1").lines == ["A number is that of a list; list prints one."])
    #expect(linear.say("list").lines.map { String($0.prefix(6)) } == ["1 Blob", "2 Atti", "3 Nach", "4 Old "])
    // Others are stronger now, and one is gone for good.
    let now = [3, 4, 0, 1].map { SampleAir.home[$0] }
    for _ in 0..<12 { linear.fixture.hear(now.map { ($0.0, $0.0.ssid.description == "Old Printer" ? -30.0 : -80.0) }) }
    #expect(linear.fixture.viewer[row: 0].network.ssid.description == "Old Printer")
    #expect(linear.say("details 1").lines.first == "Blob House")
    #expect(linear.say("details 4").lines.first == "Old Printer")
    #expect(linear.say("details 3").lines == ["The network with number 3 is not there any more; list shows which are."])
    // What a filter prints is a list as well.
    _ = linear.say("filter printer")
    #expect(linear.say("details 1").lines.first == "Old Printer")
    #expect(linear.say("details 2").lines == ["The list that was printed last has no 2; its numbers go to 1."])
  }

  @Test func `a number is no part of a name, and a part of a name is one network's alone`() {
    let linear = Fixture(hears: [
      (AccessPoint("Cafe 9", bssid: 1, security: .open), -50), (AccessPoint("Home", bssid: 2), -60), (AccessPoint("home", bssid: 3), -61),
      (AccessPoint("Home 2", bssid: 4), -62), (AccessPoint("2600", bssid: 5), -63), (AccessPoint("3", bssid: 6), -64),
    ])
    _ = linear.news
    _ = linear.say("list")
    for number in ["9", "0", "007", "99999999999999999999", " 9 "] {
      #expect(linear.say("join \(number)").lines.first?.hasPrefix("The list that was printed last has no ") == true, "\(number)")
    }
    #expect(linear.fixture.viewer.settings.selectedNetworkID == nil)
    #expect(linear.say("details Home").lines.first == "Home")
    #expect(linear.say("details home").lines.first == "home")
    #expect(linear.say("details HOME").lines == ["2 networks are called HOME; give a number of the list."])
    #expect(linear.say("details hom").lines == ["3 networks are called hom; give a number of the list."])
    #expect(linear.say("details 2600").lines.first == "2600")
    #expect(linear.say("details 3").lines.first?.hasPrefix("3 is a number of the list, and another network is called so") == true)
    #expect(linear.say("details 6").lines.first == "3")
    #expect(linear.say("join cafe").lines.isEmpty)
    #expect(linear.news.contains { $0.hasSuffix("joined Cafe 9.") })
  }

  @Test func `nothing is joined where that cannot be, such as in a recording`() {
    let linear = Fixture()
    linear.fixture.viewer.joinHint = "A recording has no networks to join."
    for name in ["blob", "printer"] { #expect(linear.say("join \(name)").lines == ["A recording has no networks to join."]) }
    #expect(!linear.wantsPassword && linear.fixture.viewer.settings.selectedNetworkID == nil)
    linear.fixture.press(.down, .enter)
    #expect(linear.fixture.presenter.shown.isEmpty && linear.fixture.shows("A recording has no networks to join."))
  }

  @Test func `a scan that is asked for while it is paused is not promised`() {
    let linear = Fixture()
    #expect(linear.say("scan").lines == ["Scanning as soon as the adapter can."])
    _ = linear.say("pause")
    #expect(linear.say("scan").lines == ["Paused: nothing is scanned until it goes on."])
  }

  @Test func `the history is written to the file that is named, or else to the one of the command line`() {
    let linear = Fixture()
    #expect(linear.say("export").exportPath == nil)
    #expect(linear.say("export  my history.csv ").exportPath == "my history.csv")
    #expect(linear.say("export x").effect == .export)
  }

  @Test func `a join asks for a password, and says what came of it`() {
    let linear = Fixture()
    _ = linear.news
    #expect(linear.say("join blob").lines == ["Password for Blob House, or an empty line to cancel:"])
    #expect(linear.wantsPassword)
    // What is typed now is a password, whatever it looks like.
    #expect(linear.say("quit").lines == ["Joining Blob House."])
    #expect(!linear.wantsPassword)
    #expect(linear.attempts == 1)
    linear.fixture.turn { linear.fixture.sheet?.cancelButtonTapped() }
    linear.fixture.turn { linear.fixture.sheet?.incorrectPasswordAlertIsPresented = true }
    #expect(linear.news == ["Blob House does not accept this password. Type join again to try another."])
    #expect(linear.fixture.presenter.shown.isEmpty)
    _ = linear.say("list")
    _ = linear.say("join 1")
    #expect(linear.say("").lines == ["Cancelled."])
  }

  @Test func `a password whose sheet is gone is neither used nor printed`() {
    for (line, answer) in [("blobby boots", "Blob House is not to be joined any more; the line was not used."), ("", "Cancelled.")] {
      let linear = Fixture()
      _ = linear.say("join blob")
      linear.fixture.turn { linear.fixture.viewer.settings.wifiToggled(to: false) }
      #expect(linear.fixture.presenter.shown.isEmpty && linear.wantsPassword)
      #expect(linear.say(line).lines == [answer])
      #expect(linear.attempts == 0 && !linear.wantsPassword)
      // What comes next is a command again.
      #expect(linear.say("signal 5").lines == ["signal takes -100 to -30, or all."])
    }
  }

  @Test func `an open network is joined at once and can be forgotten`() {
    let linear = Fixture()
    _ = linear.news
    #expect(linear.say("join printer").lines.isEmpty)
    #expect(linear.news == ["+10.0 s joined Old Printer."])
    #expect(linear.say("forget").lines == ["Forgotten; its password is asked for the next time."])
    #expect(linear.news == ["+10.0 s left Old Printer."])
  }

  @Test func `where an open network is asked about, yes alone joins it`() {
    let fixture = PanelFixture(hearing: SampleAir.home)
    let viewer = Viewer(fixture.viewer.settings, joinsOpenNetworks: true)
    var attempts = 0
    let panel = LinearPanel(viewer, presenter: fixture.presenter, onAttempt: { _, _ in attempts += 1 }, onScanNow: {})
    func say(_ line: String) -> [String] { fixture.turn { panel.handle(line) }.lines }
    for answer in ["no", "n", "", "quit"] {
      #expect(say("join printer") == ["Type yes to join without protection, or an empty line to cancel:"])
      // There is nothing to hide.
      #expect(!panel.wantsPassword)
      #expect(say(answer) == ["Cancelled."])
      #expect(attempts == 0 && fixture.presenter.shown.isEmpty)
    }
    _ = say("join printer")
    #expect(say("yes") == ["Joining Old Printer."])
    #expect(attempts == 1)
  }

  @Test func `no line holds a control character, whatever networks are called`() {
    let linear = Fixture(hears: SampleAir.hostile)
    var lines = linear.news + linear.say("list").lines + linear.say("channels").lines + linear.say("events").lines
    #expect(linear.say("list").lines.count == SampleAir.hostile.count)
    for number in 1...SampleAir.hostile.count { lines += linear.say("details \(number)").lines }
    #expect(lines.count > 40)
    for line in lines { #expect(!line.unicodeScalars.contains(where: PrintableText.mustEscape), "\(line)") }
  }
}
