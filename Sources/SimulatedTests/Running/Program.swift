import Foundation

/// Runs another program to its end.
enum Program {
  /// The status, which is negative for a signal, with what it wrote to its output and its errors.
  static func run(_ name: String, _ arguments: [String], in folder: URL) throws -> (status: Int32, output: String, errors: String) {
    let place = FileManager.default.temporaryDirectory.appending(path: "simulated-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let (output, errors) = (place.appending(path: "output"), place.appending(path: "errors"))
    let process = try start(name, arguments, in: folder, output: output, errors: errors)
    process.waitUntilExit()
    return (status(of: process), text(of: output), text(of: errors))
  }

  /// The text of a file; empty where it cannot be read.
  static func text(of file: URL) -> String { (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

  /// Starts a program whose output goes to files.
  static func start(
    _ name: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:], output: URL, errors: URL
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: name.hasPrefix("/") ? name : "/usr/bin/env")
    process.arguments = name.hasPrefix("/") ? arguments : [name] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    for file in [output, errors] { _ = FileManager.default.createFile(atPath: file.path, contents: nil) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = output == errors ? process.standardOutput : try FileHandle(forWritingTo: errors)
    try process.run()
    return process
  }

  static func status(of process: Process) -> Int32 {
    process.terminationReason == .uncaughtSignal ? -process.terminationStatus : process.terminationStatus
  }
}
