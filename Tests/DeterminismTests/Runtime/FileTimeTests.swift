import Determinism
import DeterminismTesting
import Foundation
import Testing

/// The times of files that a run writes.
struct FileTimeTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "file-times-\(UUID().uuidString)")

  /// A file that is made in some way.
  enum Way: String, CaseIterable {
    case data, atomic, empty, handle, stream, streamLeft, appended, opened

    func make(_ url: URL) throws {
      switch self {
      case .data: try Data("x".utf8).write(to: url)
      case .atomic: try Data("x".utf8).write(to: url, options: .atomic)
      case .empty: _ = FileManager.default.createFile(atPath: url.path, contents: nil)
      case .handle, .appended:
        _ = FileManager.default.createFile(atPath: url.path, contents: nil)
        let handle = try FileHandle(forWritingTo: url)
        try handle.write(contentsOf: Data("x".utf8))
        try handle.close()
      case .opened: close(unsafe open(url.path, O_CREAT | O_WRONLY, 0o600))
      case .stream, .streamLeft:
        guard let stream = unsafe fopen(url.path, "w") else { throw CocoaError(.fileWriteUnknown) }
        unsafe fputs("x", stream)
        unsafe fflush(stream)
        if self == .streamLeft { unsafe fputs("y", stream) }
        unsafe fclose(stream)
      }
    }
  }

  private func time(of url: URL) throws -> Date {
    try #require(try FileManager.default.attributesOfItem(atPath: url.path)[.modificationDate] as? Date)
  }

  @Test(.simulated(seed: 7), arguments: Way.allCases) func `a file that a run writes has the time of the run`(_ way: Way) async throws {
    // What is random is the same in each of them.
    let folder = folder.appendingPathExtension(way.rawValue)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "file")
    try await Task.sleep(for: .seconds(5))
    try way.make(url)
    #expect(try time(of: url) == Date())
    try await Task.sleep(for: .seconds(86_400))
    #expect(try Date().timeIntervalSince(time(of: url)) == 86_400)
    if way == .appended {
      let handle = try FileHandle(forWritingTo: url)
      try handle.seekToEnd()
      #expect(try Date().timeIntervalSince(time(of: url)) == 86_400, "opening changes nothing")
      try handle.write(contentsOf: Data("y".utf8))
      #expect(try time(of: url) == Date())
    }
  }

  /// Copies bytes of a file to another, by a call of this name; gives how many.
  private static func copy(by name: String, from: Int32, to: Int32, _ count: Int) -> Int {
    if name == "sendfile" { return sendfile(to, from, nil, count) }
    typealias Call = @convention(c) (Int32, UnsafeMutablePointer<Int64>?, Int32, UnsafeMutablePointer<Int64>?, Int, UInt32) -> Int
    return unsafe unsafeBitCast(dlsym(nil, name), to: Call.self)(from, nil, to, nil, count, 0)
  }

  @Test(.simulated(seed: 7), arguments: ["sendfile", "copy_file_range"])
  func `a file to which nothing is copied keeps its time`(_ name: String) async throws {
    let folder = folder.appendingPathExtension(name)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (source, url) = (folder.appending(path: "source"), folder.appending(path: "file"))
    for file in [source, url] { try Data("x".utf8).write(to: file) }
    let (from, to) = unsafe (open(source.path, O_RDONLY), open(url.path, O_WRONLY))
    defer { for descriptor in [from, to] { close(descriptor) } }
    try await Task.sleep(for: .seconds(86_400))
    #expect(Self.copy(by: name, from: from, to: to, 0) == 0)
    #expect(try Date().timeIntervalSince(time(of: url)) == 86_400)
    #expect(Self.copy(by: name, from: from, to: to, 9) == 1)
    #expect(try time(of: url) == Date())
    try await Task.sleep(for: .seconds(86_400))
    // At its end there is no more.
    #expect(Self.copy(by: name, from: from, to: to, 9) == 0)
    #expect(try Date().timeIntervalSince(time(of: url)) == 86_400)
  }

  @Test func `a file that a run only reads keeps its time`() async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "read")
    try Data("x".utf8).write(to: url)
    let before = try time(of: url)
    #expect(before.timeIntervalSinceNow > -60, "outside of runs nothing is changed")
    try await simulate(seed: 7) { _ in
      let (data, read) = (try Data(contentsOf: url), try time(of: url))
      #expect(data == Data("x".utf8) && read == before)
      close(unsafe open(url.path, O_RDWR | O_CREAT, 0o600))
      let opened = try time(of: url)
      #expect(opened == before)
    }
  }
}
