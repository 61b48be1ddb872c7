import DaemonControl
import Foundation
import Testing
import WiFi

/// The properties that the fuzz target holds every conversation to, over recordings and random scripts.
@Suite struct SessionPropertiesTests {
  static let properties: SessionProperties? = try? SessionProperties(SessionProperties.recorded())

  private func index(_ name: String) throws -> UInt8 {
    let properties = try #require(Self.properties)
    return UInt8(try #require(properties.conversations.firstIndex { $0.name == name }))
  }

  @Test(arguments: RecordedJoin.all)
  func `a recorded join comes to its end under this driver, too`(join: RecordedJoin) throws {
    let outcome = try #require(Self.properties).run([0, try index(join.name), 255]) as? JoinOutcome
    switch join.expected {
    case .joined(let bssid, let isKept):
      #expect(outcome?.joined?.bssid?.description == bssid)
      #expect(outcome?.joined?.isKept == isKept)
    case .failed(let reason, let certainty, _):
      #expect(outcome?.failure?.reason == reason)
      #expect(outcome?.failure?.certainty == certainty)
    }
  }

  @Test(arguments: 0..<4)
  func `whatever comes, sessions keep their properties`(block: UInt64) throws {
    let properties = try #require(Self.properties)
    var state = block &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func next() -> UInt8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 33)
    }
    for _ in 0..<100 {
      let input = [UInt8(ascii: "s")] + (0..<Int(next())).map { _ in next() }
      do {
        #expect(try properties.check(input))
      } catch {
        Issue.record("\(error): \(Data(input).base64EncodedString())")
      }
    }
  }

  @Test func `what fuzzing found keeps every property`() throws {
    let inputs = try CorpusFile.inputs("sessions")
    #expect(!inputs.isEmpty)
    for input in inputs {
      do {
        #expect(try #require(Self.properties).check(input))
      } catch {
        Issue.record("\(error): \(Data(input).base64EncodedString())")
      }
    }
  }

  @Test func `an input of another kind is left to others`() throws {
    #expect(try #require(Self.properties).check([UInt8(ascii: "e"), 1]) == false)
  }
}

/// A part of `fixtures/corpus`, one input a line in base64.
private enum CorpusFile {
  static func inputs(_ name: String) throws -> [[UInt8]] {
    let url = RecordedJoin.folder.deletingLastPathComponent().appending(path: "corpus/\(name).base64")
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { Array(try #require(Data(base64Encoded: String($0)))) }
  }
}
