import Foundation
import Testing

@testable import SimulatedTests

@Suite struct TestProgramTests {
  /// A test program that records each test as passed, and ends by a signal where it would run `bad`.
  private static let script = #"""
    #!/bin/sh
    IFS=,
    for test in $1; do
      [ "$test" = M.C/bad ] && kill -SEGV $$
      printf '%s\t\t\tbegun\t\t0\t0\t\t\n%s\t\t\tpassed\t\t0\t0\t\t\n' "$test" "$test" >>"$SIMULATED_SUITES_RECORD"
    done
    """#

  @Test func `a test that ends the process without a record is found, and those behind it run`() throws {
    let place = FileManager.default.temporaryDirectory.appending(path: "test-program-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: place) }
    let folder = place.appending(path: "copy")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let binary = folder.appending(path: "program")
    try Self.script.write(to: binary, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: binary.path)
    let tests = ["a", "bad", "c", "d"].map { TestProgram.Test(name: "M.C/\($0)", library: .xctest) }
    let runs = try TestProgram(folder: folder, binary: binary).run(tests, .init()).runs
    let outcomes = tests.map { test in (runs[test] ?? []).map(\.outcome.rawValue).joined(separator: ", ") }
    #expect(outcomes == ["passed", "trapped", "passed", "passed"])
    #expect(runs[tests[1]]?.first?.words == "the process ended with signal 11")
  }
}
