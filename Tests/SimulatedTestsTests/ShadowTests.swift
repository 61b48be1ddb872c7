import Foundation
import Testing

@testable import SimulatedTests

@Suite struct ShadowTests {
  private static let files = FileManager.default

  private static func write(_ text: String, to file: URL) throws {
    try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }

  private static func text(_ file: URL) -> String? { try? String(contentsOf: file, encoding: .utf8) }

  @Test func `a file or a link of a package that became a folder is one in the next copy, too`() throws {
    let place = Self.files.temporaryDirectory.appending(path: "shadow-\(UUID().uuidString)")
    defer { try? Self.files.removeItem(at: place) }
    let (package, other) = (place.appending(path: "package"), place.appending(path: "other"))
    try Self.write("", to: package.appending(path: "Package.swift"))
    try Self.write("mine", to: other.appending(path: "kept"))
    let (file, link) = (package.appending(path: "file"), package.appending(path: "link"))
    try Self.write("a file", to: file)
    try Self.files.createSymbolicLink(atPath: link.path, withDestinationPath: other.path)
    let shadow = try Shadow(of: package, library: place)
    try shadow.mirror()
    #expect(Self.text(shadow.folder.appending(path: "file")) == "a file")
    #expect(Self.text(shadow.folder.appending(path: "link/kept")) == "mine")

    for item in [file, link] {
      try Self.files.removeItem(at: item)
      try Self.write("in a folder", to: item.appending(path: "inner"))
    }
    try shadow.mirror()
    #expect(Self.text(shadow.folder.appending(path: "file/inner")) == "in a folder")
    #expect(Self.text(shadow.folder.appending(path: "link/inner")) == "in a folder")
    #expect(Self.text(other.appending(path: "kept")) == "mine")
    #expect(Self.text(other.appending(path: "inner")) == nil)
  }
}
