import Foundation
import ScanTools
import Testing
import WiFi

/// The messages of a capture in `fixtures/captures`.
func capture(_ name: String) throws -> [NetlinkMessage] {
  let (messages, error) = NetlinkMessage.messages(in: try Captures.bytes(name))
  try #require(error == nil)
  return messages
}

/// The scan whose list a capture holds.
func capturedScan(_ name: String, end: Duration = .seconds(1000)) throws -> Scan {
  let list = try capture(name).compactMap { message -> BSS? in
    guard message.type >= 16 else { return nil }
    return try ScanDumpEntry(try GenericNetlinkMessage(payload: message.payload)).bss
  }
  return Scan(interface: "wlan0", start: end - .seconds(3), end: end, completion: .complete, bss: list)
}

@Suite struct RecordingTests {
  let header = Recording.Header(source: "interface wlan0", began: UTCTime("2026-11-21 03:57:00"))

  /// A file in a folder of its own that goes with the test.
  func withFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wifi-harness-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appending(path: "air.ndjson").path)
  }

  @Test func `a scan of a real kernel comes back as it was`() throws {
    let scan = try capturedScan("lab")
    let contents = try Recording.read(Recording.line(header) + Recording.line(scan))
    #expect(contents == Recording.Contents(header: header, scans: [scan], cutLines: 0))
  }

  @Test func `a clock that steps back is noticed, and a machine that was started again is none`() async throws {
    let scans = [1000, 1010, 900].map { Scan(interface: "w", start: .seconds($0 - 3), end: .seconds($0), completion: .complete, bss: []) }
    let (head, lines) = (Recording.line(header), scans.map { Recording.line($0) })
    for (bytes, stepsBack) in [
      (head + lines[0] + lines[1], false), (head + lines[0] + lines[1] + lines[2], true), (head + lines[1] + head + lines[2], false),
    ] {
      #expect(try Recording.read(bytes).stepsBack == stepsBack)
      try withFile { file in
        try Files.replace(file, with: bytes)
        let stream = try RecordingStream(try RecordingInput(file))
        #expect(try stream.scan(number: nil).scan != nil)
        #expect(stream.stepsBack == stepsBack)
      }
    }
  }

  @Test(arguments: [
    Scan.Completion.complete, .cached, .partial(.aborted), .partial(.eventsLost), .partial(.deadline),
    .partial(.dumpInterrupted),
  ])
  func `how far a scan came is kept`(completion: Scan.Completion) throws {
    var scan = Scan(
      interface: "w\"1", start: .seconds(1), end: .seconds(2), completion: completion,
      frequenciesKHz: [2_412_000, 902_500], bss: [])
    scan.lost = [MACAddress(7)]
    scan.unreadable = 2
    scan.position = Position(latitudeDegrees: -33.859972, longitudeDegrees: 151.2111121, altitudeM: 12.5, accuracyM: 3.25)
    #expect(try Recording.read(Recording.line(header) + Recording.line(scan)).scans == [scan])
  }

  @Test func `a file that was cut off anywhere loses at most its last line`() throws {
    let scans = [try capturedScan("hidden-found"), try capturedScan("hidden-found", end: .seconds(1010))]
    let head = Recording.line(header)
    let lines = scans.map { Recording.line($0) }
    let whole = head + lines.flatMap { $0 }
    for length in stride(from: head.count, through: whole.count, by: 7) {
      let contents = try Recording.read(Array(whole[..<length]))
      let expected = length >= whole.count - 1 ? 2 : length >= head.count + lines[0].count - 1 ? 1 : 0
      #expect(contents.scans.count == expected, "\(length) bytes")
      #expect(contents.cutLines <= 1)
    }
  }

  @Test func `a killed recording is appended to, and its cut line stays alone lost`() throws {
    let scan = try capturedScan("hidden-found")
    try withFile { path in
      let line = Recording.line(scan)
      try Data(Recording.line(header) + line + line.prefix(100)).write(to: URL(filePath: path))
      let file = try RecordingFile(path: path, header: header)
      try file.append(scan)
      let contents = try Recording.read(Files.read(path))
      #expect(contents.scans == [scan, scan])
      #expect(contents.cutLines == 1)
    }
  }

  @Test(arguments: [
    ("blob\nmore", "blob"), ("blob", "blob"), ("\nblob\n", ""), ("", ""), ("0123456789\n", nil as String?), ("01234567\n", "01234567"),
  ])
  func `the first line of a file is read, without its end and up to a limit`(content: String, line: String?) throws {
    try withFile { path in
      try content.write(toFile: path, atomically: true, encoding: .utf8)
      do throws(FileFailure) {
        #expect(try Files.readLine(path, limit: 8) == line.map { Array($0.utf8) })
      } catch {
        #expect(line == nil)
        #expect("\(error)".hasSuffix("File too large, more than 8 bytes"))
      }
    }
    #expect(throws: FileFailure.self) { try Files.readLine("/nonexistent/password", limit: 8) }
  }

  @Test func `a foreign file is refused and left as it was`() throws {
    try withFile { path in
      let text = "my thesis\n"
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      #expect(throws: RecordingFile.Failure.self) { try RecordingFile(path: path, header: header) }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test func `a file that is being recorded to is left to its writer`() throws {
    try withFile { path in
      let first = try RecordingFile(path: path, header: header)
      let before = try Files.read(path)
      #expect(throws: RecordingFile.Failure.inUse(path: path)) { try RecordingFile(path: path, header: header) }
      #expect(try Files.read(path) == before)
      try first.append(try capturedScan("hidden-found"))
      #expect(try Recording.read(Files.read(path)).scans.count == 1)
    }
  }

  @Test func `a recording of another version is left as it was`() throws {
    try withFile { path in
      let text = #"{"format":"wifi-harness/recording/3","source":"x"}"# + "\n"
      try text.write(toFile: path, atomically: false, encoding: .utf8)
      #expect(throws: RecordingFile.Failure.self) { try RecordingFile(path: path, header: header) }
      #expect(try Files.read(path) == Array(text.utf8))
    }
  }

  @Test func `the recording of a simulation makes room for the next, and for nothing else`() throws {
    try withFile { path in
      let simulation = Recording.Header(source: "simulation home, seed 7")
      func write(_ header: Recording.Header) throws {
        let file = try RecordingFile(path: path, header: header, mayReplace: { $0.source.hasPrefix("simulation ") })
        try file.append(Captures.scan("lab"))
      }
      try write(simulation)
      let once = try Files.read(path)
      try write(simulation)
      #expect(try Files.read(path) == once)
      try Files.replace(path, with: Recording.line(header))
      let error = RecordingFile.Failure.otherSource(path: path, source: "interface wlan0")
      #expect(throws: error) { try write(simulation) }
      #expect("\(error)".hasSuffix("is there already, a recording of interface wlan0; it was left as it is. Give another name."))
      #expect(try Files.read(path) == Recording.line(header))
    }
  }

  @Test(arguments: [
    ("simulation home, seed 7", "simulation office, seed 4"), ("simulation home, seed 7", "interface wlan0"),
    ("interface wlan0", "simulation home, seed 7"),
  ])
  func `a recording of a simulation is not mixed with another`(first: String, second: String) throws {
    try withFile { path in
      func append(_ source: String) throws { _ = try RecordingFile(path: path, header: Recording.Header(source: source)) }
      try append(first)
      try append(first)
      let before = try Files.read(path)
      #expect(throws: RecordingFile.Failure.otherSource(path: path, source: first)) { try append(second) }
      #expect(try Files.read(path) == before)
    }
  }

  @Test func `a file is not put where there is no folder, unless the folder is wanted, too`() throws {
    try withFile { path in
      let inside = path + ".folder/report.xml"
      let error = #expect(throws: FileFailure.self) { try Files.replace(inside, with: [1]) }
      #expect(error?.number == ENOENT)
      try Files.replace(inside, with: [1], makesFolder: true)
      #expect(try Files.read(inside) == [1])
    }
  }

  @Test func `folders above the one that is wanted are made, too, whatever stands between them`() throws {
    try withFile { path in
      for inside in ["a/b/report.xml", "c//d/../e/report.xml", "./f/g/h/report.xml"] {
        let file = "\(path).folder/\(inside)"
        try Files.replace(file, with: [1], makesFolder: true)
        #expect(try Files.read(file) == [1])
        _ = try LockedFile("\(path).locked/\(inside)")
        #expect(try Files.read("\(path).locked/\(inside)").isEmpty)
      }
    }
  }

  @Test func `a folder and a missing file are no input, and what has no end is too large`() {
    for path in ["/", "/no/such/file", "/dev/null/x"] {
      let error = #expect(throws: FileFailure.self) { try Files.read(path) }
      #expect(error?.isNoInput == true, "\(path)")
    }
    let error = #expect(throws: FileFailure.self) { try Files.read("/dev/zero", limit: 1000) }
    #expect(error?.number == EFBIG)
  }

  @Test func `a full disk is an error and leaves what was there`() throws {
    guard FileManager.default.fileExists(atPath: "/dev/full") else { return }
    #expect { try RecordingFile(path: "/dev/full", header: header) } throws: { error in
      guard case .file(let failure)? = error as? RecordingFile.Failure else { return false }
      return "\(failure)" == "cannot write to /dev/full: No space left on device"
    }
  }

  /// In a process of its own, whose files may not grow further than some bytes behind what is there.
  @Test func `a recording to which nothing can be appended stays as it was`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appendingPathComponent("air.zst").path
    do {
      let file = try RecordingFile(path: path, header: header)
      try file.append(makeScan([try makeBSS(1, "Home")]))
    }
    let before = try Files.read(path)
    let limit = UInt64(before.count + 10)
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String, limit = limit as UInt64] in
      signal(SIGXFSZ, SIG_IGN)
      var most = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
      guard unsafe setrlimit(__rlimit_resource_t(1), &most) == 0 else { exit(1) }
      do { _ = try RecordingFile(path: path, header: Recording.Header(source: "wlan0")) } catch { exit(7) }
    }
    #expect(try Files.read(path) == before)
  }

  @Test(arguments: [
    ("", "line 1: the file is empty"),
    ("hello\n", "line 1: not a recording: the first line has no \"format\" of wifi-harness/recording"),
    ("{\"format\":\"tar/1\"}\n", "line 1: not a recording, but tar/1"),
    ("{\"format\":\"wifi-harness/recording/3\"}\n", "line 1: a recording of version 3; this program reads versions 1 and 2"),
    ("{\"format\":\"wifi-harness/recording/1\"}\nnonsense\n", "line 2: not a scan: it is not JSON"),
    ("{\"format\":\"wifi-harness/recording/1\"}\n{\"interface\":\"w\"}\n", "line 2: not a scan: \"startNs\" is missing"),
    (
      "{\"format\":\"wifi-harness/recording/1\"}\n{\"interface\":\"w\",\"startNs\":0,\"endNs\":1,\"completion\":\"perfect\",\"bss\":[]}\n",
      "line 2: no such completion: perfect"
    ),
    (
      "{\"format\":\"wifi-harness/recording/1\"}\n{\"interface\":\"w\",\"startNs\":0,\"endNs\":1,\"completion\":\"complete\",\"bss\":[{\"attributes\":\"0x\"}]}\n",
      "line 2: bss 0: \"attributes\" is not hexadecimal"
    ),
  ])
  func `what is wrong with a file is said with its line`(text: String, message: String) {
    #expect { try Recording.read(Array(text.utf8)) } throws: { "\($0)" == message }
  }
}
