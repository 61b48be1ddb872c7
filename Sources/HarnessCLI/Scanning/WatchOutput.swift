import ArgumentParser

/// How changes are shown.
struct WatchOutput: ParsableArguments {
  @OptionGroup var query: QueryOptions

  @Option(
    help: ArgumentHelp(
      "Print changes as table, lines or ndjson, or everything that is heard as csv, wigle or pcapng; the default is a table on a terminal and lines elsewhere."
    ))
  var format: ChangeFormat?

  @Flag(help: "The same as --format ndjson.")
  var json = false

  @Flag(help: "Print one row, or line, for each BSS instead of one for each network.")
  var bss = false

  @Flag(
    help:
      "Begin each line with the time of day (ISO 8601), in the local time zone with its offset from UTC, or in UTC for a simulated world.")
  var absoluteTime = false

  @OptionGroup var table: ColumnOptions
  @OptionGroup var making: MakerOptions
  @OptionGroup var defusing: DefuseOptions

  /// Refuses a plot of what has no end.
  func validateIsNoPlot() throws {
    if format == .plot { throw ValidationError("--format plot goes with replay and simulate, which have an end.") }
  }

  @Option(help: ArgumentHelp("Colour the table; auto does so on a terminal.", valueName: "when"))
  var color = ColourChoice.auto

  @Option(
    help: ArgumentHelp(
      "After each scan, replace this file with figures for Prometheus; the textfile collector of node_exporter reads names that end in .prom.",
      valueName: "file"), completion: .file(extensions: ["prom"]))
  var metrics: String?

  func validate() throws {
    if defusing.defuse, format != .wigle { throw ValidationError("--defuse goes with --format wigle; csv does so always.") }
    if absoluteTime, chosenFormat != .lines {
      throw ValidationError("--absolute-time goes with --format lines; the other formats have the time of day, or no times of events.")
    }
    if json, let format, format != .ndjson { throw ValidationError("--json and --format \(format.rawValue) exclude each other.") }
    let without = format == nil && !json ? "; without a terminal the default is lines" : ""
    if making.makers, chosenFormat != .table, chosenFormat != .csv {
      throw ValidationError("--makers goes with --format table and csv\(without).")
    }
    let colour = color == .always ? "--color always" : nil
    if chosenFormat != .table, let option = query.givenOrder ?? table.columns.map({ _ in "--columns" }) ?? colour {
      throw ValidationError("\(option) goes with --format table\(without).")
    }
  }

  /// The format that was asked for; a table on a terminal, lines elsewhere.
  var chosenFormat: ChangeFormat { json ? .ndjson : format ?? (StandardStreams.canMoveCursor ? .table : .lines) }
}
