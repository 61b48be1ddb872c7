import ArgumentParser
import ScanTools

/// When to colour.
enum ColourChoice: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  /// Whether to colour what goes to standard output: on a terminal, unless `NO_COLOR` is set or it is a dumb one.
  var isOn: Bool {
    switch self {
    case .always: true
    case .never: false
    case .auto: StandardStreams.canMoveCursor && StandardStreams.environment("NO_COLOR") == nil
    }
  }
}

/// How an outcome is shown.
enum OutcomeFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// How findings are shown.
enum TableFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json
}

/// How a scan is shown.
enum ScanFormat: String, ExpressibleByArgument, CaseIterable {
  case table, json, ndjson, csv, wigle, pcapng
}

/// How changes are shown.
enum ChangeFormat: String, ExpressibleByArgument, CaseIterable {
  case table, lines, ndjson, csv, wigle, pcapng, plot

  /// The file of all scans that it is; `nil` where changes are shown.
  var series: ScanSeries.Format? {
    switch self {
    case .table, .lines, .ndjson, .plot: nil
    case .csv: .csv
    case .wigle: .wigle
    case .pcapng: .pcapng
    }
  }
}
