import Determinism
import Foundation
import Testing

@testable import DeterminismTesting

/// Traces that are kept in files beside a test.
@Suite struct GoldenTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("golden-\(UUID().uuidString)")

  private func file(_ name: String = "a run") throws -> GoldenFile {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return GoldenFile(name: name, beside: folder.appendingPathComponent("Tests.swift").path)
  }

  @Test func `a file that is missing is said, written on request, and then compared`() throws {
    let golden = try file()
    defer { try? FileManager.default.removeItem(at: folder) }
    let lines = ["0.000 begins", "1.000 “ends”"]
    #expect(golden.compare(lines, updates: false)?.contains("UPDATE_GOLDEN=1 to write it") == true)
    #expect(!FileManager.default.fileExists(atPath: golden.path))
    #expect(golden.compare(lines, updates: true)?.contains("was written") == true)
    #expect(try String(contentsOfFile: golden.path, encoding: .utf8) == "0.000 begins\n1.000 “ends”\n")
    #expect(golden.compare(lines, updates: false) == nil)
    #expect(golden.compare(lines, updates: true) == nil)
    let files = try FileManager.default.contentsOfDirectory(atPath: golden.folder)
    #expect(files == ["a run.txt"])
  }

  @Test func `what differs is shown line by line, and changed on request only`() throws {
    let golden = try file()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = golden.compare(["a", "b", "c"], updates: true)
    let difference = try #require(golden.compare(["a", "x", "c"], updates: false))
    #expect(difference.contains("- b\n+ x"), "\(difference)")
    #expect(golden.compare(["a", "b"], updates: false) != nil)
    #expect(golden.compare(["a", "b", "c", ""], updates: false) != nil)
    #expect(golden.compare([], updates: false) != nil)
    #expect(golden.compare(["a", "x", "c"], updates: true)?.contains("was changed") == true)
    #expect(golden.compare(["a", "x", "c"], updates: false) == nil)
  }

  @Test(arguments: ["", "../x", "a/b", ".hidden", "a\nb", "a\0b"]) func `a name that is no name is refused`(name: String) throws {
    let golden = try file(name)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(golden.compare(["a"], updates: true)?.contains("is no name of a golden file") == true)
    #expect(!FileManager.default.fileExists(atPath: golden.folder))
  }

  @Test func `a line that ends in a carriage return is as it was`() throws {
    let golden = try file()
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = golden.compare(["a\r", "b"], updates: true)
    #expect(golden.compare(["a\r", "b"], updates: false) == nil)
    #expect(golden.compare(["a", "b"], updates: false) != nil)
  }

  @Test func `a line with a line feed is refused`() throws {
    let golden = try file()
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(golden.compare(["a", "b\nc"], updates: true)?.hasPrefix("Line 2 has a line feed") == true)
  }

  @Test func `what cannot be written is a sentence`() throws {
    let golden = GoldenFile(name: "a", beside: "/proc/no/such/Tests.swift")
    #expect(golden.compare(["a"], updates: true)?.hasPrefix("/proc/no/such/Golden/a.txt cannot be written: ") == true)
  }
}
