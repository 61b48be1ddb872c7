import ArgumentParser
import Harness
import ScanTools
import WiFi

/// Which networks are shown, and in which order.
struct QueryOptions: ParsableArguments, Sendable {
  @OptionGroup(title: "Filters") var filter: FilterOptions

  @Option(
    help: ArgumentHelp(
      "Sort by this key: signal, the default, has the strongest first, security the weakest protection.", valueName: "key"))
  var sort: ReportOrder?

  @Flag(help: "Reverse the order.")
  var reverse = false

  /// The first option that says how to sort, where one was given.
  var givenOrder: String? { sort != nil ? "--sort" : reverse ? "--reverse" : nil }

  /// What to sort by.
  var order: ReportOrder { sort ?? .signal }
}

/// The columns of a table.
struct ColumnOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "With a table: show these columns, in this order: \(NetworkTable.Column.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "list"), completion: .list(NetworkTable.Column.allCases.map(\.rawValue)))
  var columns: String?

  func validate() throws { _ = try chosen() }

  /// The columns that were named, or `nil` for those that suit.
  func chosen() throws -> [NetworkTable.Column]? {
    var seen: Set<NetworkTable.Column> = []
    return try columns?.split(separator: ",", omittingEmptySubsequences: false).map { text in
      guard let column = NetworkTable.Column(rawValue: text.lowercased()) else {
        let all = NetworkTable.Column.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("--columns: there is no column “\(text)”; choose from \(all).")
      }
      guard seen.insert(column).inserted else { throw ValidationError("--columns: “\(text)” is there twice.") }
      return column
    }
  }
}

/// How names are written for WiGLE.
struct DefuseOptions: ParsableArguments {
  @Flag(help: "With --format wigle: put an apostrophe before names that a spreadsheet would take for formulas, as csv always does.")
  var defuse = false
}

/// Whether makers are shown.
struct MakerOptions: ParsableArguments {
  @Flag(help: "Show who registered each address, from the list of Debian's package ieee-data, in tables, JSON and CSV.")
  var makers = false

  /// Who registered which addresses; `nil` where it was not requested.
  func registry(_ columns: [NetworkTable.Column]? = nil) throws(Failure) -> AddressRegistry? {
    guard makers || columns?.contains(.maker) == true else { return nil }
    do throws(FileFailure) { return try AddressRegistry.installed() } catch {
      throw error.isNoInput
        ? Failure(.unavailable, "the list of makers is not there (\(AddressRegistry.path)). Install it: apt install ieee-data.")
        : Failure(error)
    }
  }
}

extension AddressRegistry {
  /// The list of Debian's package `ieee-data`.
  static func installed() throws(FileFailure) -> AddressRegistry { AddressRegistry(try Files.read(path, limit: 64 << 20)) }
}

/// A time as users write it: `2` or `2s`, `500ms`, `10m`, `2h`.
struct TimeOption: ExpressibleByArgument, Sendable, CustomStringConvertible {
  var duration: Duration
  var description: String
  /// Whether it was typed; a default is not.
  let isGiven: Bool

  init(seconds: Int) {
    duration = .seconds(seconds)
    description = "\(seconds)s"
    isGiven = false
  }

  init?(argument: String) {
    // A number alone is seconds.
    let isNumber = argument.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E } && !argument.isEmpty
    guard let duration = ScenarioReader.duration(isNumber ? argument + "s" : argument) else { return nil }
    self.duration = duration
    description = argument
    isGiven = true
  }

  var defaultValueDescription: String { description }

  /// The help of `--interval`, where scans go on.
  static let intervalHelp = ArgumentHelp(
    "Pause this long between scans, such as 2 or 2s, 500ms, 1m; at most an hour.", valueName: "time")

  /// Refuses a pause between scans that is no pause, or where the source has times of its own.
  ///
  /// - Parameter isView: whether the command is a view, which shows the pause and lets a user change it.
  func checkInterval(with source: SourceOptions, isView: Bool = false) throws {
    guard duration <= .seconds(3600) else { throw ValidationError("--interval \(self): at most an hour.") }
    guard isGiven else { return }
    if source.replay != nil {
      throw ValidationError("--replay has scans of the times at which they were made, so --interval has nothing to apply to.")
    }
    if source.simulate == "preview", !isView {
      throw ValidationError("--simulate preview has a scan each second, so --interval has nothing to apply to.")
    }
  }
}

/// How many times as fast: `10x`, or `10`.
struct SpeedOption: ExpressibleByArgument, Sendable {
  var factor: Double

  init?(argument: String) {
    guard let factor = Double(argument.hasSuffix("x") ? argument.dropLast() : argument[...]) else { return nil }
    self.factor = factor
  }
}

/// A time on a channel: `100ms`, or a number of TU.
struct DwellOption: ExpressibleByArgument, Sendable {
  /// TU of 1024 µs, the nearest whole number of them.
  var units: UInt16

  init?(argument: String) {
    let time = argument.utf8.allSatisfy { (0x30...0x39).contains($0) } ? nil : TimeOption(argument: argument)
    guard let units = time.map({ UInt16(exactly: ($0.duration.wholeNanoseconds + 512_000) / 1_024_000) }) ?? UInt16(argument),
      units > 0
    else { return nil }
    self.units = units
  }
}
