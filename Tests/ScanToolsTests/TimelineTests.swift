import ScanTools
import Testing
import WiFi

@Suite struct TimelineTests {
  func scan(_ start: Int, _ end: Int) -> Scan {
    Scan(interface: "wlan0", start: .seconds(start), end: .seconds(end), completion: .complete, bss: [])
  }

  @Test func `time counts from the start of the first scan`() {
    var line = Timeline()
    #expect(line.place(scan(100, 103)) == Timeline.Place(time: .seconds(3), isRestart: false))
    #expect(line.place(scan(110, 113)) == Timeline.Place(time: .seconds(13), isRestart: false))
  }

  @Test func `a machine that was started again goes on where the line ended`() {
    var line = Timeline()
    _ = line.place(scan(1000, 1003))
    #expect(line.place(scan(20, 24)) == Timeline.Place(time: .seconds(7), isRestart: true))
    #expect(line.place(scan(30, 34)) == Timeline.Place(time: .seconds(17), isRestart: false))
  }

  @Test func `a scan that ends before it starts takes no time`() {
    var line = Timeline()
    #expect(line.place(scan(10, 5)).time == .zero)
    #expect(line.place(scan(9, 4)) == Timeline.Place(time: .zero, isRestart: true))
  }
}
