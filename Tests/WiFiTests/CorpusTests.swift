import Foundation
import Testing
import WiFi
import WireProperties

/// `fixtures/corpus`: the inputs that fuzzing found to reach the most code with, replayed without a fuzzer.
@Suite struct CorpusTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures")

  /// The inputs of a packed corpus: one a line, in base64.
  static func corpus(_ name: String) throws -> [[UInt8]] {
    let text = try String(contentsOf: fixtures.appending(path: "corpus/\(name).base64"), encoding: .utf8)
    return try text.split(separator: "\n").map { Array(try #require(Data(base64Encoded: String($0)))) }
  }

  @Test(arguments: ["elements", "frames", "radiotap", "captures", "messages"])
  func `what fuzzing found keeps every property`(name: String) throws {
    let inputs = try Self.corpus(name)
    #expect(!inputs.isEmpty)
    for input in inputs {
      do {
        #expect(try WireProperties.check(input))
      } catch {
        Issue.record("\(error): \(Data(input).base64EncodedString())")
      }
    }
  }

  /// The captures of a kernel: the bytes of each file.
  static let captures: [(name: String, bytes: [UInt8])] = {
    let folder = fixtures.appending(path: "captures").path
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".nl80211") }
    return names.sorted().map { ($0, Array(FileManager.default.contents(atPath: "\(folder)/\($0)") ?? Data())) }
  }()

  @Test(arguments: captures.indices)
  func `every prefix of a capture has the messages that are whole in it`(index: Int) {
    let bytes = Self.captures[index].bytes
    let (whole, error) = NetlinkMessage.messages(in: bytes)
    #expect(error == nil && !whole.isEmpty)
    let ends = NetlinkWalk(bytes).map(\.payload.upperBound)
    var complete = 0
    for count in 0..<bytes.count {
      while complete < ends.count, ends[complete] <= count { complete += 1 }
      // What is before the last whole message was read with the prefixes before.
      let first = max(0, complete - 1)
      let start = first == 0 ? 0 : min((ends[first - 1] + 3) & ~3, count)
      let (messages, error) = NetlinkMessage.messages(in: Array(bytes[start..<count]))
      if messages != Array(whole[first..<complete]) { Issue.record("\(messages.count) other messages in \(count) bytes") }
      let padded = complete == 0 ? 0 : (ends[complete - 1] + 3) & ~3
      if (error != nil) != (count > padded) { Issue.record("\(count) bytes: \(error.map { "\($0)" } ?? "no error")") }
    }
  }

  @Test(arguments: captures.indices)
  func `every prefix of every message of a capture is read as far as it goes, or refused`(index: Int) throws {
    for message in NetlinkMessage.messages(in: Self.captures[index].bytes).messages {
      let whole = (try? GenericNetlinkMessage(payload: message.payload)).flatMap { try? ScanDumpEntry($0).bss }
      let size = whole?.encode().count ?? 0
      for count in 0..<message.payload.count {
        let prefix = Array(message.payload.prefix(count))
        _ = KernelError(NetlinkMessage(type: message.type, payload: prefix))
        guard let content = try? GenericNetlinkMessage(payload: prefix) else { continue }
        _ = NL80211Event(content)
        switch content.command {
        case NL80211.Command.newScanResults:
          guard let entry = try? ScanDumpEntry(content) else { continue }
          // What is cut off is missing; what is there is the same.
          #expect(entry.bss.bssid == whole?.bssid && entry.bss.encode().count <= size)
        case NL80211.Command.newInterface: _ = Interface(content)
        case NL80211.Command.newWiphy: _ = Adapter.adapters(of: [content])
        default: _ = (RegulatoryDomain(content), Survey(content), Station(content))
        }
      }
    }
  }

  @Test func `every prefix of the elements of every capture encodes to the same content`() throws {
    var seen: Set<[UInt8]> = []
    for (name, bytes) in Self.captures {
      for message in NetlinkMessage.messages(in: bytes).messages {
        guard let content = try? GenericNetlinkMessage(payload: message.payload), let entry = try? ScanDumpEntry(content) else {
          continue
        }
        for content in [entry.bss.informationElements, entry.bss.beaconElements ?? []] where seen.insert(content).inserted {
          for count in 0...content.count {
            let prefix = Array(content.prefix(count))
            if ElementList(parsing: prefix).encoded != prefix { Issue.record("\(name): \(Hex.string(prefix))") }
          }
          #expect(throws: Never.self) { try WireProperties.checkFacts(entry.bss) }
        }
      }
    }
    #expect(seen.count > 50)
  }
}
