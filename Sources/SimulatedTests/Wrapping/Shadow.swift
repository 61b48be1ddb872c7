import Foundation

/// A copy of a package beside its build folder, with its tests wrapped.
struct Shadow {
  /// The folder of the copy.
  let folder: URL
  let original: URL
  private let library: URL
  private let files = FileManager.default

  /// - Parameter library: the folder of the package that this program is part of.
  init(of original: URL, library: URL) throws(Failure) {
    self.original = original
    self.library = library
    guard files.fileExists(atPath: original.appending(path: "Package.swift").path) else {
      throw Failure(66, "there is no package in \(original.path): give the folder that has a Package.swift.")
    }
    folder = original.appending(path: ".build/simulated-tests/\(original.lastPathComponent)")
  }

  private var support: URL { folder.deletingLastPathComponent().appending(path: "simulated-suites-support") }

  /// Copies the package, wraps the tests of its test targets, and returns the names of these.
  func prepare(targets wanted: [String]) throws -> [String] {
    try mirror()
    try write(Self.supportManifest(library: library.path), to: support.appending(path: "Package.swift"))
    try write("@_exported import SimulatedSuites\n", to: support.appending(path: "Sources/SimulatedSuitesSupport/Support.swift"))
    // Beside the manifest there may be others for some versions of the compiler.
    let names = try files.contentsOfDirectory(atPath: original.path)
    for name in names where name.hasPrefix("Package") && name.hasSuffix(".swift") {
      let text = try String(contentsOf: original.appending(path: name), encoding: .utf8)
      try write(text + Self.addition(to: text, original: original.path, support: support.path), to: folder.appending(path: name))
    }
    let targets = try testTargets().filter { wanted.isEmpty || wanted.contains($0.name) }
    guard !targets.isEmpty else {
      throw Failure(65, wanted.isEmpty ? "the package has no test target." : "there is no test target \(wanted.joined(separator: " or ")).")
    }
    for target in targets { try wrap(target) }
    return targets.map(\.name)
  }

  // MARK: The manifest

  static func supportManifest(library: String) -> String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "simulated-suites-support",
      platforms: [.macOS(.v15), .iOS(.v18)],
      products: [.library(name: "SimulatedSuitesSupport", targets: ["SimulatedSuitesSupport"])],
      dependencies: [.package(name: "wifi-harness", path: \(library.debugDescription), traits: [])],
      targets: [
        .target(
          name: "SimulatedSuitesSupport", dependencies: [.product(name: "SimulatedSuites", package: "wifi-harness")])
      ])

    """
  }

  /// What is added to a manifest: the dependency, and the folder that its paths were relative to.
  static func addition(to manifest: String, original: String, support: String) -> String {
    let folder = "\(original)/".debugDescription
    let paths = """

      package.dependencies = package.dependencies.map { dependency in
        guard case .fileSystem(let name, let path) = dependency.kind, !path.hasPrefix("/") else { return dependency }
        return name.map { .package(name: $0, path: \(folder) + path) } ?? .package(path: \(folder) + path)
      }
      """
    // Manifests of tools version 5.5 cannot do that, and hardly ever have to.
    let hasPaths = manifest.contains(/\.package\([^)]*\bpath:/)
    return """


      // Added by simulated-tests.\(hasPaths ? paths : "")
      package.dependencies.append(.package(path: \(support.debugDescription)))
      for target in package.targets where target.type == .test {
        target.dependencies.append(.product(name: "SimulatedSuitesSupport", package: "simulated-suites-support"))
      }

      """
  }

  private struct Manifest: Decodable {
    struct Target: Decodable {
      var name: String
      var type: String
      var path: String?
      var exclude: [String]?
    }
    var targets: [Target]
  }

  private func testTargets() throws -> [Manifest.Target] {
    let (status, output, errors) = try Program.run("swift", ["package", "dump-package"], in: folder)
    guard status == 0, let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(output.utf8)) else {
      throw Failure(
        65,
        "the manifest cannot be extended; it needs `let package = Package(…)` and tools version 5.6 or later.\n\(errors.suffix(2000))")
    }
    return manifest.targets.filter { $0.type == "test" }
  }

  // MARK: Files

  private func wrap(_ target: Manifest.Target) throws {
    let candidates = [target.path, "Tests/\(target.name)", "Sources/\(target.name)", "Source/\(target.name)", target.name]
    guard
      let path = candidates.compactMap({ $0 }).first(where: { files.fileExists(atPath: folder.appending(path: $0).path) })
    else { throw Failure(65, "the sources of the test target \(target.name) are not found.") }
    let root = folder.appending(path: path)
    var usesXCTest = false
    for file in files.enumerator(atPath: root.path)?.allObjects as? [String] ?? [] where file.hasSuffix(".swift") {
      if (target.exclude ?? []).contains(where: { file == $0 || file.hasPrefix($0 + "/") }) { continue }
      guard let source = try? String(contentsOf: root.appending(path: file), encoding: .utf8) else { continue }
      let wrapped = WrappedSource(source)
      usesXCTest = usesXCTest || (wrapped.isChanged && wrapped.text.contains("SuiteWrappedTestCase"))
      if wrapped.isChanged { try write(wrapped.text, to: root.appending(path: file)) }
    }
    if usesXCTest { try write(Self.members, to: root.appending(path: "SimulatedSuiteMembers.swift")) }
  }

  /// What the module of the tests has in the place of a function of XCTest that cannot be overridden.
  static let members = """
    import SimulatedSuitesSupport
    import XCTest

    extension XCTestCase {
      func addTeardownBlock(_ block: @Sendable @escaping () async throws -> Void) {
        SuiteWrappedTestCase.addTeardown(self, block)
      }
    }

    """

  /// Makes the copy equal to the package, but for its build folder and its history.
  ///
  /// Files that are equal stay as they are, so that a second build is short.
  func mirror() throws {
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    let skipped: Set = [".build", ".git", ".swiftpm"]
    let names = Set(try files.contentsOfDirectory(atPath: original.path)).subtracting(skipped)
    for name in try files.contentsOfDirectory(atPath: folder.path) where !names.contains(name) && !skipped.contains(name) {
      if !name.hasSuffix(".resolved") { try files.removeItem(at: folder.appending(path: name)) }
    }
    for name in names.sorted() {
      try copy(original.appending(path: name), to: folder.appending(path: name))
    }
  }

  private func copy(_ source: URL, to target: URL) throws {
    if isFolder(source) {
      // What was a link would be written through, into a folder that is no copy.
      if !isFolder(target) { try? files.removeItem(at: target) }
      try files.createDirectory(at: target, withIntermediateDirectories: true)
      let names = Set(try files.contentsOfDirectory(atPath: source.path))
      for name in try files.contentsOfDirectory(atPath: target.path) where !names.contains(name) {
        try files.removeItem(at: target.appending(path: name))
      }
      for name in names { try copy(source.appending(path: name), to: target.appending(path: name)) }
      return
    }
    if files.contentsEqual(atPath: source.path, andPath: target.path) { return }
    try? files.removeItem(at: target)
    try files.copyItem(at: source, to: target)
  }

  /// Whether there is a folder, and not a link to one.
  private func isFolder(_ item: URL) -> Bool {
    (try? files.attributesOfItem(atPath: item.path))?[.type] as? FileAttributeType == .typeDirectory
  }

  private func write(_ text: String, to file: URL) throws {
    if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
    try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
  }
}
