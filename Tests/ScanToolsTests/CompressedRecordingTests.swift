#if canImport(CZstd)
  import CZstd
  import Determinism
  import Foundation
  import Scanner
  import Simulator
  import Testing
  import WiFi

  @testable import Harness
  @testable import ScanTools
  @testable import StrictFormats

  @Suite struct CompressedRecordingTests {
    let header = Recording.Header(source: "simulation home, seed 7", began: UTCTime("2026-11-21 03:57:00"), beganBootTime: .zero)

    /// Scans of a simulated world, as the scanner reads them from the simulated kernel.
    static func scans(_ world: String = "home", seed: UInt64 = 7, count: Int) async throws -> [Scan] {
      try await Determinism.simulate(seed: seed, limits: .endless) { simulation in
        let world = SimulatedWorlds.make(
          ScenarioSource.SimulatedSource(world: world, seed: seed), networks: [], clock: simulation.clock)
        var scans: [Scan] = []
        while scans.count < count, let scan = try await world.source.nextScan() { scans.append(scan) }
        return scans
      }
    }

    func withFile(_ name: String = "air.ndjson.zst", _ body: (String) async throws -> Void) async throws {
      let folder = FileManager.default.temporaryDirectory.appending(path: "wifi-harness-\(UInt64.random(in: 0 ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try await body(folder.appending(path: name).path)
    }

    func write(_ scans: [Scan], to path: String) throws {
      let file = try RecordingFile(path: path, header: header)
      for scan in scans { try file.append(scan) }
    }

    func streamed(_ path: String) async throws -> (scans: [Scan], cutLines: Int) {
      let stream = try RecordingStream(RecordingInput(path))
      var scans: [Scan] = []
      while let scan = try await stream.nextScan() { scans.append(scan) }
      return (scans, stream.cutLines)
    }

    @Test(arguments: ["home", "street"])
    func `a compressed recording gives the same scans, and is at most a tenth`(world: String) async throws {
      let scans = try await Self.scans(world, count: 20)
      try await withFile { path in
        try write(scans, to: path)
        let bytes = try Files.read(path)
        #expect(Zstandard.isCompressed(bytes))
        #expect(try Recording.read(bytes) == Recording.Contents(header: header, scans: scans))
        let (again, cutLines) = try await streamed(path)
        #expect(again == scans)
        #expect(cutLines == 0)
        #expect(scans.reduce(0) { $0 + Recording.line($1).count } > 10 * bytes.count)
      }
    }

    @Test(arguments: Captures.scans)
    func `what a real kernel sent comes back, byte for byte, whatever the scan before was`(name: String) async throws {
      var writer = CompactScanWriter()
      var changes: CompactScanReader? = CompactScanReader()
      let first = try Captures.scan(name)
      var second = first
      second.end += .milliseconds(7321)
      for index in second.bss.indices {
        second.bss[index].tsfUs? &+= 7_654_321
        second.bss[index].signalMBm? -= Int32(index)
        second.bss[index].lastSeenBootTimeNs? &+= 7_000_000_123
        second.bss[index].informationElements.reverse()
      }
      second.bss.reverse()
      let third = try Captures.scan("lab")
      for (number, scan) in [first, second, third, first].enumerated() {
        let line = writer.line(scan).dropLast()
        #expect(try JSONSchema(file: "recording-2.json").violations(of: StrictJSON(Array(line))) == [])
        #expect(try Recording.scan(line, number: number, changes: &changes).bss.map { $0.encode() } == scan.bss.map { $0.encode() })
      }
    }

    @Test func `a recorder that is killed at any byte loses the running scan at most, and the next one goes on`() async throws {
      let scans = try await Self.scans(count: 5)
      try await withFile { path in
        var ends: [Int] = []
        do {
          let file = try RecordingFile(path: path, header: header)
          for scan in scans {
            try file.append(scan)
            ends.append(try Files.read(path).count)
          }
        }
        let whole = try Files.read(path)
        #expect(whole.count == ends[4] + 3)
        for length in stride(from: ends[0] - 40, to: whole.count, by: 61) {
          let kept = ends.count { $0 <= length }
          try Files.replace(path, with: Array(whole[..<length]))
          let (cut, cutLines) = try await streamed(path)
          #expect(cut == Array(scans.prefix(kept)), "\(length) bytes")
          // Three bytes end the frame; nothing is missing without them.
          #expect(cutLines == (ends.contains(length) || length > ends[4] && cutLines == 0 ? 0 : 1))
          try write([scans[4]], to: path)
          let (again, _) = try await streamed(path)
          #expect(again == Array(scans.prefix(kept)) + [scans[4]], "\(length) bytes")
        }
      }
    }

    @Test func `compression is found by its first bytes, and a recording stays what it is`() async throws {
      let scans = try await Self.scans(count: 4)
      try await withFile("plain.ndjson") { path in
        try write(scans, to: path)
        try FileManager.default.moveItem(atPath: path, toPath: path + ".zst")
        try write(scans, to: path + ".zst")
        #expect(!Zstandard.isCompressed(try Files.read(path + ".zst")))
        #expect(try await streamed(path + ".zst").scans == scans + scans)
        try write(scans, to: path + "2.zst")
        try FileManager.default.moveItem(atPath: path + "2.zst", toPath: path + "2")
        try write(scans, to: path + "2")
        #expect(Zstandard.isCompressed(try Files.read(path + "2")))
        #expect(try await streamed(path + "2").scans == scans + scans)
      }
    }

    @Test(arguments: ["air.ndjson", "air.ndjson.zst"])
    func `a recording goes on under a later header, whose scans count on none before it`(name: String) async throws {
      let scans = try await Self.scans(count: 4)
      let later = Recording.Header(source: header.source, began: UTCTime("2026-11-22 10:00:00"), beganBootTime: .seconds(40))
      try await withFile(name) { path in
        do {
          let file = try RecordingFile(path: path, header: header)
          for scan in scans.prefix(2) { try file.append(scan) }
          try file.append(later)
          for scan in scans.suffix(2) { try file.append(scan) }
        }
        let contents = try Recording.read(Files.read(path))
        #expect(contents.header == header)
        #expect(contents.scans == scans)
        #expect(contents.laterParts.map(\.firstScan) == [2])
        #expect(contents.laterParts.map(\.header) == [later])
        let stream = try RecordingStream(RecordingInput(path))
        var (numbers, headers): ([Int], [Recording.Header]) = ([], [])
        while try await stream.nextScan() != nil {
          numbers.append(stream.partNumber)
          headers.append(stream.partHeader)
        }
        #expect(numbers == [0, 0, 1, 1])
        #expect(headers == [header, header, later, later])
      }
    }

    @Test func `passing over scans decodes only those that the first wanted one is written upon`() async throws {
      let scans = try await Self.scans(count: 12)
      try await withFile { path in
        try write(scans, to: path)
        let stream = try RecordingStream(RecordingInput(path))
        try stream.skip { _, end in end < scans[7].end }
        #expect(try await stream.nextScan() == scans[7])
        #expect(stream.utc(.seconds(60))?.description == "2026-11-21 03:58:00")
        #expect(try await stream.nextScan() == scans[8])
        let last = try RecordingStream(RecordingInput(path)).scan(number: nil)
        #expect(last.scan == scans[11])
        #expect(try RecordingStream(RecordingInput(path)).scan(number: 3).scan == scans[2])
        #expect(try RecordingStream(RecordingInput(path)).scan(number: 13).count == 12)
      }
    }

    @Test func `what expands without end is refused, and so is what is damaged`() async throws {
      let content = [UInt8](repeating: 0x20, count: 1 << 20)
      var compressor = try ZstandardCompressor()
      let bomb = try compressor.flush(content) + compressor.finish()
      #expect(bomb.count < 1000)
      #expect { try Zstandard.expanded(bomb, limit: 1 << 19) } throws: { "\($0)".hasPrefix("it expands to more than 0 MiB") }
      var line = try ZstandardCompressor()
      var endless = try line.flush(Recording.line(header, isCompact: true))
      for _ in 0...65 { endless += try line.flush(content) }
      try await withFile { path in
        try Files.replace(path, with: endless)
        let stream = try? RecordingStream(RecordingInput(path))
        #expect(stream == nil)
        #expect { try RecordingStream(RecordingInput(path)) } throws: {
          "\($0)" == "line 2: it is longer than 64 MiB, which is not read"
        }
        var damaged = try Files.read(path)
        damaged[4] = 0xFF
        try Files.replace(path, with: damaged)
        #expect { try RecordingInput(path) } throws: { "\($0)".contains("its Zstandard content is damaged (libzstd: ") }
      }
    }

    @Test func `a file that is cut within its first block is not called empty`() async throws {
      var compressor = try ZstandardCompressor()
      let whole = try compressor.flush(Recording.line(header, isCompact: true)) + compressor.finish()
      try await withFile { path in
        for length in [4, 5, 9, 20] {
          try Files.replace(path, with: Array(whole.prefix(length)))
          #expect { try RecordingInput(path) } throws: { "\($0)" == "\(path): it was cut off before anything that could be read" }
        }
      }
    }

    @Test func `compressed content that lacks its end is cut off, between its blocks, too`() throws {
      var compressor = try ZstandardCompressor()
      let blocks = [try compressor.flush(Array("Roof".utf8)), try compressor.flush(Array("Attic".utf8)), try compressor.finish()]
      let whole = blocks.flatMap { $0 }
      for length in 4...whole.count {
        #expect(try Zstandard.expanded(Array(whole.prefix(length))).isCut == (length < whole.count), "\(length) bytes")
      }
      #expect(try Zstandard.expanded(blocks[0] + blocks[1]).content == Array("RoofAttic".utf8))
    }

    @Test(arguments: [
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], "xz", "xz -dc FILE"),
      ([0x50, 0x4B, 0x03, 0x04, 0x14], "ZIP", nil),
    ])
    func `files of other formats are called by their name`(bytes: [UInt8], name: String, advice: String?) async throws {
      try await withFile { path in
        try Files.replace(path, with: bytes)
        #expect { try RecordingInput(path) } throws: {
          "\($0)".hasPrefix("\(path) is \(name), ") && advice.map("\($0)".contains) ?? !"\($0)".contains("-dc")
        }
      }
    }

    @Test(arguments: [
      (
        #"{"startNs":0,"endNs":1,"full":true,"interface":"w","completion":"complete","bss":[" 1"]}"#,
        "bss 0: it changes number 0, and there are 0"
      ),
      (#"{"startNs":0,"endNs":1,"interface":"w","completion":"complete","bss":["x"]}"#, "bss 0: “x” is no number"),
      (
        #"{"startNs":0,"endNs":1,"interface":"w","completion":"complete","bss":[{"attributes":"0a0001000200000000010000"},"-1 9"]}"#,
        "bss 1: there is no such attribute to change"
      ),
      (
        #"{"startNs":0,"endNs":1,"interface":"","completion":"complete","bss":[{"attributes":"0a00010002000000000100"},"-1      9:0000000000"]}"#,
        "bss 1: “9:0000000000” changes no bytes that there are"
      ),
      (
        #"{"startNs":0,"endNs":1,"interface":"w","completion":"complete","bss":[{"attributes":"","replaces":7}]}"#,
        "bss 0: it replaces number 7, and there are 0"
      ),
    ])
    func `what is wrong with a change is said with its line`(text: String, reason: String) {
      let bytes = Recording.line(header, isCompact: true) + Array(text.utf8) + [0x0A]
      #expect { try Recording.read(bytes) } throws: { "\($0)" == "line 2: \(reason)" }
    }

    @Test func `a few bytes that stand for many access points are refused`() {
      let bss = String(repeating: "00", count: 30_000)
      let changes = [String](repeating: "\"-1\"", count: 3000).joined(separator: ",")
      let scan = #"{"startNs":0,"endNs":1,"interface":"w","completion":"complete","bss":[{"attributes":"\#(bss)"},\#(changes)]}"#
      let bytes = Recording.line(header, isCompact: true) + Array(scan.utf8) + [0x0A]
      #expect { try Recording.read(bytes) } throws: { "\($0)".hasSuffix("its scan has more than 64 MiB of attributes, which is not read") }
    }

    @Test func `numbers at their limits change without a trap`() throws {
      let extreme = "\(Int64.max) \(Int64.min) \(Int64.max),\(Int64.min) \(Int64.min) \(Int64.max)"
      var bss = BSS(bssid: MACAddress(1), frequencyMHz: 2412, capability: 0, informationElements: [])
      (bss.lastSeenBootTimeNs, bss.tsfUs, bss.beaconTSFUs, bss.seenMsAgo, bss.signalMBm) = (.max, .max, .max, .max, .min)
      bss.beaconElements = []
      var compact = CompactBSS(bytes: bss.encode(), scanEnd: .max)
      var offset: Int64?
      let words = extreme.split(separator: " ")
      #expect(compact.apply(words[...], scanEnd: .min, ageOffsetMs: &offset) == nil)
      // And what was made is written and read like anything else.
      let old = CompactBSS(bytes: bss.encode(), scanEnd: .max)
      var (writing, reading): (Int64?, Int64?)
      let text = try #require(compact.words(since: old, ageOffsetMs: &writing))
      var again = old
      #expect(again.apply(text.split(separator: " ", omittingEmptySubsequences: false)[...], scanEnd: .min, ageOffsetMs: &reading) == nil)
      #expect(again == compact)
    }
  }
#endif
