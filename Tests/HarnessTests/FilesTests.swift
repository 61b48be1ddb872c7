import Foundation
import Testing

@testable import Harness

#if canImport(Glibc)
  import Glibc
#endif

/// Files that outputs are put in the place of.
@Suite struct FilesTests {
  private func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "wifi-harness-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  @Test func `a file keeps its mode, and a link what it leads to`() throws {
    try withFolder { folder in
      let (file, link) = ("\(folder)/secret.xml", "\(folder)/link.xml")
      #expect(FileManager.default.createFile(atPath: file, contents: Data("old".utf8), attributes: [.posixPermissions: 0o600]))
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
      try Files.replace(link, with: Array("new".utf8))
      #expect(try String(contentsOfFile: file, encoding: .utf8) == "new")
      #expect(try mode(file) == 0o600)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["link.xml", "secret.xml"])
      #expect(Files.isSame(link, file))
      #expect(!Files.isSame(link, "\(folder)/none"))
    }
  }

  @Test func `a pipe stays one, and its reader gets what is written`() throws {
    try withFolder { folder in
      let pipe = "\(folder)/pipe"
      let status = unsafe mkfifo(pipe, 0o600)
      try #require(status == 0)
      // Open for both, so that neither side waits.
      let descriptor = unsafe open(pipe, O_RDWR | O_NONBLOCK)
      defer { close(descriptor) }
      try Files.replace(pipe, with: Array("page".utf8))
      var buffer = [UInt8](repeating: 0, count: 16)
      let count = unsafe read(descriptor, &buffer, 16)
      #expect(String(decoding: buffer[..<max(count, 0)], as: UTF8.self) == "page")
      #expect(try FileManager.default.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType != .typeRegular)
    }
  }

  @Test func `a folder that is not there is no missing input`() {
    do {
      try Files.replace("/nonexistent/page.html", with: [])
      Issue.record("it was written")
    } catch {
      #expect(error.number == ENOENT)
      #expect(!error.isNoInput)
    }
    #expect(FileFailure(operation: "open", path: "x", number: ENOENT).isNoInput)
  }
}
