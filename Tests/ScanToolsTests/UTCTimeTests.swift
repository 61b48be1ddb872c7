import Determinism
import Foundation
import ScanTools
import Testing
import WiFi

@Suite struct UTCTimeTests {
  @Test func `times end where 64 bits do`() {
    #expect(UTCTime(nanoseconds: .max).advanced(by: .seconds(1)).nanoseconds == .max)
    #expect(UTCTime(nanoseconds: .min).advanced(by: .seconds(-1)) < UTCTime(seconds: 0))
    #expect(UTCTime(nanoseconds: .max).iso8601.hasPrefix("2262-"))
    #expect(UTCTime(nanoseconds: .min).iso8601 == "1677-09-21T00:12:43.145Z")
    #expect(UTCTime(seconds: 1).advanced(by: .milliseconds(-250)).nanoseconds == 750_000_000)
  }

  @Test(
    arguments: [
      ("1970-01-01 00:00:00", 0), ("2000-02-29 23:59:59", 951_868_799), ("2026-11-22 13:00:00", 1_795_352_400),
      ("2100-03-01 00:00:00", 4_107_542_400), ("2261-12-31 23:59:59", 9_214_646_399),
    ] as [(String, Int64)])
  func `a moment is read as it is written`(text: String, seconds: Int64) {
    #expect(UTCTime(text)?.nanoseconds == seconds * 1_000_000_000)
    #expect(UTCTime(seconds: seconds).description == text)
  }

  @Test(arguments: [
    "", "2026-02-29 00:00:00", "2026-00-01 00:00:00", "2026-13-01 00:00:00", "2026-01-00 00:00:00", "2026-01-32 00:00:00",
    "2026-01-01 24:00:00", "2026-01-01 00:60:00", "2026-01-01 00:00:60", "2026-01-01T00:00:00", "2026-1-01 00:00:000",
    "1969-12-31 23:59:59",
    "２026-01-01 00:00:00", "2100-02-29 00:00:00",
  ])
  func `what is no moment is refused`(text: String) { #expect(UTCTime(text) == nil) }

  @Test func `the calendar is that of the system's library`() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
    var random = RandomStream(seed: 1, name: "times")
    for _ in 0..<2000 {
      let seconds = Int64(random.next(below: 9_214_646_399))
      let parts = calendar.dateComponents(
        [.year, .month, .day, .hour, .minute, .second], from: Date(timeIntervalSince1970: Double(seconds)))
      let numbers = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { value in
        let text = "\(value ?? -1)"
        return text.count == 1 ? "0\(text)" : text
      }
      let text = "\(parts.year ?? 0)-\(numbers[0])-\(numbers[1]) \(numbers[2]):\(numbers[3]):\(numbers[4])"
      #expect(UTCTime(seconds: seconds).description == text)
      #expect(UTCTime(text) == UTCTime(seconds: seconds))
    }
  }

  @Test func `before 1970 the calendar goes on`() {
    #expect(UTCTime(nanoseconds: -1).description == "1969-12-31 23:59:59")
    #expect(UTCTime(nanoseconds: -1_000_000).iso8601 == "1969-12-31T23:59:59.999Z")
    #expect(UTCTime(nanoseconds: 1_007_000_000).iso8601 == "1970-01-01T00:00:01.007Z")
  }
}

@Suite struct RecordingTimeTests {
  private func scan(_ end: Int) throws -> Scan {
    Scan(interface: "wlan0", start: .seconds(end - 3), end: .seconds(end), completion: .complete, bss: [])
  }

  @Test func `each scan has the time of its part of the recording`() throws {
    let began = try #require(UTCTime("2026-11-21 03:57:00"))
    let later = try #require(UTCTime("2026-11-22 10:00:00"))
    let lines = [
      Recording.line(Recording.Header(source: "a", began: began)), Recording.line(try scan(1000)), Recording.line(try scan(1010)),
      Recording.line(Recording.Header(source: "b", began: later, beganBootTime: .seconds(40))), Recording.line(try scan(50)),
      Recording.line(Recording.Header(source: "c")), Recording.line(try scan(60)),
    ]
    let contents = try Recording.read(lines.flatMap { $0 })
    #expect(contents.laterParts.map(\.firstScan) == [2, 3])
    // Without a time since boot the first scan began when the recording did.
    #expect(contents.utc(ofScan: 0, .seconds(1000)) == began.advanced(by: .seconds(3)))
    #expect(contents.utc(ofScan: 1, .seconds(1010)) == began.advanced(by: .seconds(13)))
    #expect(contents.utc(ofScan: 2, .seconds(50)) == later.advanced(by: .seconds(10)))
    #expect(contents.utc(ofScan: 3, .seconds(60)) == nil)
  }
}
