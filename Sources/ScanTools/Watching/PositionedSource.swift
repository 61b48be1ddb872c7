public import WiFi

/// Scans of a source, each with where the machine was when it ended.
public final class PositionedSource: NetworkSource {
  private let source: any NetworkSource
  private let positions: any PositionSource

  /// Asks `positions` after each scan of `source`.
  public init(_ source: any NetworkSource, positions: any PositionSource) {
    self.source = source
    self.positions = positions
  }

  public func nextScan() async throws -> Scan? {
    guard var scan = try await source.nextScan() else { return nil }
    scan.position = await positions.position()
    return scan
  }
}
