import ArgumentParser
import ScanTools
import WiFi

/// Where positions come from.
struct GPSDOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Ask gpsd where the machine is after each scan: a host, host:port or [address]:port; the port of gpsd is 2947.",
      valueName: "host:port"))
  var gpsd: GPSDAddress?

  /// Refuses positions for scans that were made elsewhere.
  func validate(with source: SourceOptions) throws {
    guard gpsd != nil, source.replay != nil else { return }
    throw ValidationError("--gpsd says where the machine is now; --replay keeps the positions that stand in the recording.")
  }

  /// Refuses positions in a format that has no place for them; besides CSV and WiGLE a kind of JSON has.
  func validate(format: String, json: String) throws {
    if gpsd == nil || [json, "csv", "wigle"].contains(format) { return }
    throw ValidationError("--gpsd goes with --format \(json), csv and wigle: \(format) has no place for positions.")
  }

  /// gpsd, connected; `nil` where it was not asked for.
  func positions() async throws(Failure) -> GPSDConnection? {
    guard let gpsd else { return nil }
    let connection = GPSDConnection(gpsd)
    do throws(GPSDConnection.Problem) { try await connection.open() } catch {
      throw Failure(.unavailable, "gpsd at \(gpsd): \(error.sentence). Is it running, and does it listen there?")
    }
    return connection
  }

  /// The source with positions where they were asked for.
  func positioned(_ source: any NetworkSource) async throws(Failure) -> any NetworkSource {
    guard let connection = try await positions() else { return source }
    return PositionedSource(source, positions: connection)
  }
}

/// The address of gpsd as users write it: `localhost`, `localhost:2947`, `[::1]:2947`, `::1`.
struct GPSDAddress: ExpressibleByArgument, Hashable, Sendable, CustomStringConvertible {
  static let port: UInt16 = 2947

  var host: String
  var port: UInt16

  init?(argument: String) {
    let text = argument.hasPrefix("gpsd://") ? String(argument.dropFirst(7)) : argument
    var (host, port) = (text[...], text[text.endIndex...])
    if text.hasPrefix("[") {
      guard let end = text.firstIndex(of: "]") else { return nil }
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
      port = rest.dropFirst()
      if !rest.isEmpty, port.isEmpty { return nil }
    } else if let colon = text.lastIndex(of: ":"), text.firstIndex(of: ":") == colon {
      host = text[..<colon]
      port = text[text.index(after: colon)...]
      if port.isEmpty { return nil }
    }
    guard !host.isEmpty, host.utf8.count < 256, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    guard port.isEmpty || port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard let number = port.isEmpty ? Self.port : UInt16(port), number > 0 else { return nil }
    self.host = String(host)
    self.port = number
  }

  var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
