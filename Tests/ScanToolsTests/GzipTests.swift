import Foundation
import ScanTools
import Testing
import WiFi

/// Content that is compressed by gzip; the bytes are those that Python's gzip and zlib write.
@Suite struct GzipTests {
  private func bytes(_ base64: String) throws -> [UInt8] { Array(try #require(Data(base64Encoded: base64))) }

  @Test(arguments: GzipSamples.all)
  func `every kind of block is read`(name: String, compressed: String, count: Int, sum: UInt32) throws {
    let input = try bytes(compressed)
    #expect(Gzip.isCompressed(input))
    let (content, isCut) = try Gzip.expanded(input)
    #expect(!isCut)
    #expect(content.count == count && FrameCheckSequence.of(content) == sum, "\(name)")
    // What is behind the last member and is none is passed over, as gzip does.
    #expect(try Gzip.expanded(input + [1, 2, 3]).content == content)
    let twice = try Gzip.expanded(input + input)
    #expect(twice.content == content + content && !twice.isCut)
  }

  @Test(arguments: GzipSamples.all)
  func `what was cut off is read as far as it goes, and said to be`(name: String, compressed: String, count: Int, sum: UInt32) throws {
    let input = try bytes(compressed)
    let whole = try Gzip.expanded(input).content
    for length in stride(from: 0, to: input.count, by: max(1, input.count / 40)) {
      let (content, isCut) = try Gzip.expanded(Array(input[..<length]))
      #expect(isCut && whole.starts(with: content), "\(name), \(length) bytes")
    }
  }

  @Test(arguments: GzipSamples.all)
  func `what is damaged is refused or not cut to what was there`(name: String, compressed: String, count: Int, sum: UInt32) throws {
    let input = try bytes(compressed)
    let whole = try Gzip.expanded(input).content
    var refused = 0
    for place in stride(from: 10, to: input.count, by: max(1, input.count / 40)) {
      var damaged = input
      damaged[place] ^= 0x55
      // A changed bit is seen by the structure or by the checksum, or ends the input early; names in the header do not matter.
      do throws(Gzip.Failure) {
        let (content, isCut) = try Gzip.expanded(damaged)
        #expect(isCut || content == whole, "\(name), byte \(place)")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0)
  }

  @Test func `content is limited`() throws {
    let zeros = try #require(GzipSamples.all.first { $0.name == "zeros" })
    let failure = #expect(throws: Gzip.Failure.self) { try Gzip.expanded(bytes(zeros.compressed), limit: 1000) }
    #expect(failure?.description == "its content has more than 1000 bytes")
  }

  @Test func `a compressed capture is read like another`() async throws {
    let sample = try #require(GzipSamples.all.first { $0.name == "capture" })
    let folder = FileManager.default.temporaryDirectory.appending(path: "gzip-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "air.pcap.gz").path
    try Files.replace(path, with: try bytes(sample.compressed))
    let input = try RecordingInput(path)
    #expect(input.kind == .capture && !input.isCut)
    #expect(try Capture(input.rest()).frames.count == 1)
  }
}
