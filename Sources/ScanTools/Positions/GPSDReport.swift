public import WiFi

/// What gpsd says in one line of JSON (`gpsd_json(5)`), as far as a position needs it.
public enum GPSDReport: Hashable, Sendable {
  /// `VERSION`, the greeting: the version of the program and that of the protocol.
  case version(release: String, major: Int)
  /// `POLL`, the answer to ``GPSDReport/poll``: what the receivers said last.
  case fixes([Fix])
  /// `ERROR`: a request was not understood.
  case error(String)
  /// Anything else.
  case other

  /// What a receiver said last (`TPV`).
  public struct Fix: Hashable, Sendable {
    /// The receiver, such as `/dev/ttyUSB0`.
    public var device: String?
    /// When, as the receiver wrote it.
    public var time: String?
    /// Where; `nil` where it has no fix (`mode` 0 and 1).
    public var position: Position?
    /// How long before the answer it was, where both clocks are known; one of them may be wrong, or an old track may be
    /// replayed.
    public var age: Duration?
  }

  /// The request that makes the receivers report.
  public static let watch = Array("?WATCH={\"enable\":true};\n".utf8)
  /// The request for what the receivers said last.
  public static let poll = Array("?POLL;\n".utf8)
  /// The longest line; a `POLL` with the satellites of some receivers has some thousand bytes
  /// (`GPS_JSON_RESPONSE_MAX`).
  package static let maximumLineLength = 65_536

  /// Reads a line; `nil` where it is no report.
  public init?(line: some Sequence<UInt8>) {
    guard let value = JSONValue(line), let kind = value["class"]?.text else { return nil }
    switch kind {
    case "VERSION": self = .version(release: value["release"]?.text ?? "", major: value["proto_major"]?.integer ?? 0)
    case "POLL":
      let now = value["time"]?.text.flatMap { Self.seconds($0) }
      self = .fixes(
        (value["tpv"]?.items ?? []).map { item in
          var fix = Self.fix(item)
          if let now, let then = fix.time.flatMap({ Self.seconds($0) }) { fix.age = .milliseconds(Int((now - then) * 1000)) }
          return fix
        })
    case "ERROR": self = .error(value["message"]?.text ?? "")
    default: self = .other
    }
  }

  /// A moment such as `2026-11-23T23:45:52.000Z` in seconds since 1970; `nil` where it is none.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: "T")
    guard parts.count == 2, parts[1].last == "Z" else { return nil }
    let date = parts[0].split(separator: "-").compactMap { Int($0) }
    let time = parts[1].dropLast().split(separator: ":")
    guard date.count == 3, time.count == 3, let hour = Int(time[0]), let minute = Int(time[1]), let second = Double(time[2]),
      1...9999 ~= date[0], 1...12 ~= date[1], 1...31 ~= date[2], 0...23 ~= hour, 0...59 ~= minute, 0..<61 ~= second
    else { return nil }
    let days = Int(UTCTime.day(Int64(date[0]), Int64(date[1]), Int64(date[2])))
    return Double(days * 86_400 + hour * 3600 + minute * 60) + second
  }

  private static func fix(_ value: JSONValue) -> Fix {
    var fix = Fix(device: value["device"]?.text, time: value["time"]?.text)
    guard let mode = value["mode"]?.integer, mode >= 2, let latitude = value["lat"]?.number, let longitude = value["lon"]?.number else {
      return fix
    }
    // Without a third dimension the altitude is an old one. `alt` is that of gpsd before 3.20.
    let altitude = mode >= 3 ? value["altHAE"]?.number ?? value["alt"]?.number : nil
    fix.position = Position(
      latitudeDegrees: latitude, longitudeDegrees: longitude, altitudeM: altitude, accuracyM: horizontalError(value))
    return fix
  }

  /// The error on the ground in metres: as it was estimated, or from those in both directions.
  private static func horizontalError(_ value: JSONValue) -> Double? {
    if let error = value["eph"]?.number { return error }
    guard let east = value["epx"]?.number, let north = value["epy"]?.number else { return nil }
    return (east * east + north * north).squareRoot()
  }
}
