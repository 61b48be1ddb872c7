import ArgumentParser
import Harness
import ScanTools
import WiFi

/// The command `wifi-harness explain`.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Explain a scenario step by step: the actions, the changes, and what the user saw.",
    discussion: """
      Prints for each step its time, the action, the events in the world, the scanner, the models and on the screen, \
      what the user saw, and what failed. If a golden trace or a similar passing run is known, prints the first \
      difference, too.

      The run goes to standard output, or with --output to a self-contained HTML page. With --replay, --interface or \
      --simulate the networks come from there.

      Exit status: 0 the run was explained, whether it passes or not; 65 the scenario cannot be read or contradicts itself, or the capture \
      that it replays is damaged; 66 a file cannot be opened: the scenario, or the recording that it names.
      """)

  @Argument(help: ArgumentHelp("A scenario file, such as one that `explore` wrote.", valueName: "fixture"), completion: .file())
  var fixture: String

  @Option(
    name: [.customShort("o"), .customLong("output"), .customLong("html")],
    help: ArgumentHelp("Write an HTML page to this file; - is standard output.", valueName: "file"), completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("Colour the text; auto does so on a terminal.", valueName: "when"))
  var color: ColourChoice = .auto

  @OptionGroup(title: "Source") var source: SourceOptions

  func validate() throws {
    try SourceOptions.check(inputs: [fixture, source.replay])
    if output != nil, color == .always { throw ValidationError("--color colours the text; a page (--output) has its own colours.") }
  }

  func run() async throws {
    if output != "-" { try OutputFile.refuseUnwritable(output, option: "--output") }
    let explanation = try await explanation()
    guard let output else { return try StandardStreams.write(explanation.text(isColoured: color.isOn)) }
    let page = Array(explanation.page.utf8)
    if output == "-" { return try StandardStreams.write(page) }
    try Failure.wrap(Files.replace(output, with: page))
  }

  private func explanation() async throws -> Explanation {
    if Files.names(in: fixture) != nil {
      throw Failure(.noInput, "\(PrintableText.escape(fixture)) is a folder; name one scenario file in it.")
    }
    let text = try Failure.wrap(Files.read(fixture))
    let source = try source.scenarioSource()
    let refusal = AdapterRefusal()
    do throws(ScenarioProblem) {
      let explanation = try await Explanation(
        ScenarioCheck(path: fixture, text: text), source: source
      ) { try ScenarioFiles.openAdapter($0, $1, refusal: refusal) }
      if let error = refusal.error { throw ScenarioProblem(file: fixture, error) }
      return explanation
    } catch {
      error.write()
      StandardStreams.exit(error.status)
    }
  }
}

extension ExplainCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    NamedFiles(
      written: [("--output", output == "-" ? nil : output)],
      read: [
        ("what is read", fixture), ("what is read", source.replay), ("a golden trace", ScenarioCheck.tracePath(of: fixture)),
      ])
  }
}
