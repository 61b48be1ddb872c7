public import Determinism
public import Testing

/// Expects a trace to be the one in the file `Golden/NAME.txt` beside the test, and records how the two differ.
///
///     let trace = try await simulate(seed: 7) { simulation in
///       …
///       return simulation.trace.lines
///     }
///     expectGolden(trace, "three laps")
///
/// With `UPDATE_GOLDEN=1` in the environment the file is written where it is missing or differs, and the test fails, so
/// that it is not left on. An expected file that is not there is an issue, too.
///
/// - Parameters:
///   - lines: what happened, a line each, without line feeds.
///   - name: the name of the file, without its extension; letters, digits, spaces, `-`, `_` and `.`.
///   - filePath: the file of the test, beside which the folder is.
public func expectGolden(
  _ lines: [String], _ name: String, filePath: StaticString = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  let file = GoldenFile(name: name, beside: "\(filePath)")
  if let sentence = file.compare(lines, updates: GoldenFile.updates) { Issue.record("\(sentence)", sourceLocation: sourceLocation) }
}

/// The same with the lines of a trace.
public func expectGolden(
  _ trace: Trace, _ name: String, filePath: StaticString = #filePath, sourceLocation: SourceLocation = #_sourceLocation
) {
  expectGolden(trace.lines, name, filePath: filePath, sourceLocation: sourceLocation)
}
