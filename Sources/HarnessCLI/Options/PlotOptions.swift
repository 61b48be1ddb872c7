import ArgumentParser
import ScanTools

/// Where what was heard is drawn to.
struct PlotOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw networks, signals and channels in use into this SVG file, too; --format plot draws them in the terminal.",
      valueName: "file.svg"), completion: .file(extensions: ["svg"]))
  var plot: String?

  func validate() throws {
    if let plot, !plot.lowercased().hasSuffix(".svg") {
      throw ValidationError("--plot \(plot): it draws SVG, so give a file whose name ends in .svg; --format plot draws in the terminal.")
    }
  }

  /// Refuses a file that could not be written at the end.
  func refuseUnwritable() throws(Failure) { try OutputFile.refuseUnwritable(plot, option: "--plot") }

  /// Writes the file that was asked for.
  func write(_ history: AirHistory, name: String) throws(Failure) {
    guard let plot else { return }
    try Failure.wrap(Files.replace(plot, with: SVGPlot(history, name: name).bytes))
  }

  /// Draws on standard output, as wide as the terminal.
  static func draw(_ history: AirHistory) throws(Failure) {
    let plot = TextPlot(history, columns: StandardStreams.size?.columns ?? 80)
    try StandardStreams.write(plot.lines.map { $0 + "\n" }.joined())
  }
}
