import Determinism
import ScanTools
import Testing
import WiFi
import WireProperties

@Suite struct GPSDTests {
  static let greeting = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"

  /// What gpsd 3.22 answers of a receiver with a fix in three dimensions.
  static func poll(mode: Int = 3, time: String = "2010-04-30T11:48:20.100Z", more: String = "") -> String {
    #"{"class":"POLL","time":"2010-04-30T11:48:22.011Z","active":1,"tpv":[{"class":"TPV","device":"/dev/pts/5","mode":\#(mode),"#
      + #""time":"\#(time)","ept":0.005,"lat":46.498203637,"lon":7.568074350,"altHAE":1327.780,"alt":1280.1,"epx":3,"epy":4,"epv":124.6\#(more)}],"#
      + #""gst":[],"sky":[{"class":"SKY","satellites":[{"PRN":23,"el":6,"az":84,"ss":0,"used":false}]}]}"# + "\r\n"
  }

  func events(_ texts: String..., apart: Duration = .seconds(1)) -> [GPSDSession.Event] {
    var session = GPSDSession()
    var events = session.receive(Self.greeting.utf8, now: .zero)
    for (index, text) in texts.enumerated() { events += session.receive(text.utf8, now: apart * index) }
    return events
  }

  @Test func `an answer with a fix is a position`() {
    let position = Position(latitudeDegrees: 46.498203637, longitudeDegrees: 7.56807435, altitudeM: 1327.78, accuracyM: 5)
    #expect(events(Self.poll()) == [.position(position)])
    #expect(position?.fields == ["46.498203637", "7.56807435", "1327.78", "5"])
  }

  @Test func `the error that gpsd estimates stands before those of both directions`() {
    guard case .position(let position?)? = events(Self.poll(more: #","eph":9.25"#)).first else {
      Issue.record("no position")
      return
    }
    #expect(position.accuracyM == 9.25)
  }

  @Test func `in two dimensions there is no altitude`() {
    let position = Position(latitudeDegrees: 46.498203637, longitudeDegrees: 7.56807435, accuracyM: 5)
    #expect(events(Self.poll(mode: 2)) == [.position(position)])
  }

  @Test(arguments: [0, 1])
  func `without a fix there is no position`(mode: Int) { #expect(events(Self.poll(mode: mode)) == [.position(nil)]) }

  @Test func `without a receiver there is no position`() {
    #expect(events(#"{"class":"POLL","time":"2010-04-30T11:48:22.011Z","active":0,"tpv":[],"gst":[],"sky":[]}"# + "\n") == [.position(nil)])
  }

  @Test func `a receiver that says nothing new for more than ten seconds has no position`() {
    let texts = (0...11).map { _ in Self.poll() }
    var session = GPSDSession()
    _ = session.receive(Self.greeting.utf8, now: .zero)
    let events = texts.enumerated().flatMap { session.receive($1.utf8, now: .seconds($0)) }
    #expect(events.dropLast().allSatisfy { $0 != .position(nil) })
    #expect(events.last == .position(nil))
    #expect(session.receive(Self.poll(time: "2010-04-30T11:48:31.000Z").utf8, now: .seconds(12)) != [.position(nil)])
  }

  @Test(arguments: [
    ("2010-04-30T11:47:37.000Z", false), ("2010-04-30T11:48:13.000Z", true), ("2001-01-01T00:00:00.000Z", true), ("never", true),
  ])
  func `the first answer is of a receiver that speaks, unless it is seconds old already`(time: String, isNow: Bool) {
    #expect((events(Self.poll(time: time)) != [.position(nil)]) == isNow)
    // One that goes on speaking is heard at the next look, whatever its clock says.
    #expect(events(Self.poll(time: time), Self.poll(time: "2010-04-30T11:47:38.000Z")).last != .position(nil))
  }

  @Test func `of two receivers the more accurate one counts`() {
    let far = #"{"class":"TPV","mode":3,"lat":1.0,"lon":2.0,"eph":50}"#
    let near = #"{"class":"TPV","mode":3,"lat":1.5,"lon":2.5,"eph":2}"#
    let none = #"{"class":"TPV","mode":1}"#
    let text = #"{"class":"POLL","active":3,"tpv":[\#(far),\#(near),\#(none)]}"# + "\n"
    #expect(events(text) == [.position(Position(latitudeDegrees: 1.5, longitudeDegrees: 2.5, accuracyM: 2))])
  }

  /// The more accurate one says the same for ever; then the other is as accurate now and then.
  @Test(arguments: [["5"], ["1", "5"]]) func `a receiver that fell silent does not hide another`(errors: [String]) {
    var session = GPSDSession()
    _ = session.receive(Self.greeting.utf8, now: .zero)
    let silent = #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2010-04-30T11:48:20.000Z","lat":1.0,"lon":2.0,"eph":2}"#
    for second in 0..<60 {
      let (error, time) = (errors[second % errors.count], "2010-04-30T11:49:\(second < 10 ? "0" : "")\(second).000Z")
      let other = #"{"class":"TPV","device":"/dev/b","mode":3,"time":"\#(time)","lat":1.5,"lon":2.5,"eph":\#(error)}"#
      let events = session.receive((#"{"class":"POLL","tpv":[\#(silent),\#(other)]}"# + "\n").utf8, now: .seconds(second))
      guard second > 10 else { continue }
      let accuracy = errors.count == 1 || second % 2 == 1 ? 5.0 : 1
      #expect(events == [.position(Position(latitudeDegrees: 1.5, longitudeDegrees: 2.5, accuracyM: accuracy))], "\(second)")
    }
  }

  @Test func `other reports are passed over, in pieces of any size`() {
    let text = #"{"class":"DEVICES","devices":[]}"# + "\n" + #"{"class":"WATCH","enable":true}"# + "\n" + Self.poll()
    let whole = events(text)
    #expect(whole.count == 1)
    for size in [1, 7, 100] {
      var session = GPSDSession()
      let bytes = Array((Self.greeting + text).utf8)
      let pieces = stride(from: 0, to: bytes.count, by: size).flatMap {
        session.receive(bytes[$0..<min($0 + size, bytes.count)], now: .zero)
      }
      #expect(pieces == whole)
    }
  }

  static let foreign: [(String, String)] = [
    ("HTTP/1.1 400 Bad Request\r\n", "what answers is not gpsd: “HTTP/1.1 400 Bad Request\\x0d”"),
    (#"{"class":"VERSION","release":"2.39","proto_major":2}"# + "\n", "gpsd 2.39 speaks protocol 2, not 3"),
    (#"{"class":"ERROR","message":"Unrecognized request"}"# + "\n", "it refused a request: Unrecognized request"),
    (String(repeating: "x", count: 70_000), "it sent a line of more than 65536 bytes"),
  ]

  @Test(arguments: foreign)
  func `what is not gpsd is called that`(text: String, sentence: String) {
    var session = GPSDSession()
    #expect(session.receive(text.utf8, now: .zero) == [.failed(sentence)])
  }

  @Test func `any bytes keep every property, as far as they come`() throws {
    let strange = #"{"class":"POLL","tpv":[{"mode":9,"lat":1e999,"lon":[]}]}"# + "\n"
    let text = Array((Self.greeting + Self.poll() + Self.poll(mode: 1) + strange).utf8)
    var random = SplitMix64(state: 7)
    for count in 0...text.count { try WireProperties.checkGPSD(Array(text[..<count])) }
    for _ in 0..<2000 {
      var damaged = text
      for _ in 0...random.below(8) { damaged[random.below(damaged.count)] = UInt8(random.below(256)) }
      try WireProperties.checkGPSD(damaged)
    }
  }

  @Test(arguments: [(91.0, 0.0), (-90.5, 0), (0, 180.5), (.nan, 0), (0, .infinity)])
  func `there is no such place`(latitude: Double, longitude: Double) {
    #expect(Position(latitudeDegrees: latitude, longitudeDegrees: longitude) == nil)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (1, "1"), (-0.5, "-0.5"), (0.000_000_001, "0.000000001"), (-0.000_000_000_4, "0"), (179.999_999_999_9, "180"),
    (-33.859_972, "-33.859972"), (1e-300, "0"), (.nan, "0"), (1e300, "0"),
  ])
  func `degrees are written without an exponent`(value: Double, text: String) { #expect(FixedPlaces.text(value, places: 9) == text) }
}
