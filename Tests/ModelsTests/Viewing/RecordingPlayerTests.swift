import Models
import Testing
import WiFi

@Suite struct RecordingPlayerTests {
  func settings() -> WiFiSettingsModel { WiFiSettingsModel(source: ListSource(), joiner: QuickJoiner(), onIssue: { _ in }) }

  /// Ten scans, ten seconds apart; network `Nk` is heard from scan k on, `N1` in the first only.
  let scans = (1...10).map { index -> Scan in
    let end = Duration.seconds(100 + 10 * index)
    let numbers = index == 1 ? [1] : Array(2...index)
    return makeScan(numbers.map { makeBSS("N\($0)", UInt64($0), signalDBm: -40, heard: end) }, end: end)
  }

  func play() -> (viewer: Viewer, player: RecordingPlayer) {
    let viewer = Viewer(settings(), isPaused: true)
    return (viewer, RecordingPlayer(scans, in: viewer) { settings() })
  }

  @Test func `it begins with the first scan and goes scan by scan`() {
    let (viewer, player) = play()
    #expect(viewer.ids.count == 1)
    #expect(viewer.playback == Playback(position: 1, count: 10, time: .zero, duration: .seconds(90), isPlaying: false))
    player.step(by: 1)
    #expect(viewer.ids.count == 2)
    #expect(player.timeToNext == .seconds(10))
    player.step(by: 100)
    #expect(player.position == 10)
    #expect(player.timeToNext == nil)
    #expect(viewer.status.phase == .ended)
  }

  @Test func `a step back shows what was shown then, and keeps what the user has chosen`() {
    let (viewer, player) = play()
    player.go(to: 6)
    let then = (viewer.ids, viewer.events, viewer.history, viewer.now, viewer.status)
    viewer.highlight(viewer.ids[2])
    viewer.filter.text = "n"
    player.go(to: 10)
    player.go(to: 6)
    #expect(viewer.ids == then.0)
    #expect(viewer.events == then.1)
    #expect(viewer.history == then.2)
    #expect(viewer.now == then.3)
    #expect(viewer.status.lastEnd == then.4.lastEnd)
    #expect(viewer.cursor == viewer.ids[2])
    #expect(viewer.filter.text == "n")
  }

  @Test func `where a clock steps back the line of time goes on`() {
    let back = [scans[2], scans[3], scans[0], scans[1]]
    let viewer = Viewer(settings(), isPaused: true)
    let player = RecordingPlayer(back, in: viewer) { settings() }
    var times: [String] = []
    for number in 1...4 {
      player.go(to: number)
      times.append(viewer.timeStyle.text(back[number - 1].end))
      #expect(viewer.playback?.time == .seconds([0, 10, 10, 20][number - 1]) && viewer.playback?.duration == .seconds(20))
    }
    #expect(times == ["+0.0 s", "+10.0 s", "+10.0 s", "+20.0 s"])
  }

  @Test func `playing says so until the end`() {
    let (viewer, player) = play()
    player.play(true)
    #expect(viewer.playback?.isPlaying == true)
    player.go(to: 10)
    #expect(viewer.playback?.isPlaying == false)
    #expect(viewer.isPaused)
    // Playing what was played to its end begins again.
    player.play(true)
    #expect(viewer.playback?.isPlaying == true)
    #expect(player.position == 1)
  }
}
