import ArgumentParser
import Determinism
import Harness
import Scanner
import WiFi

/// The command `wifi-harness explain`.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Tell a scenario step by step: what was done, what changed, what somebody saw.",
    discussion: """
      For each step: the time, what was done, what happened in the world, the scanner, the models and on the screen, what \
      somebody saw, and what was wrong where it was. Where a golden trace, or a run that is nearly the same and good, is \
      known, also where this run first differs from it.

      The run goes to standard output, or with --output to a file as one HTML page that needs nothing else. With \
      --replay, --interface or --simulate the networks come from there. Exit status: 0 the run was told, however it \
      ends; 65 the scenario cannot be read; 66 it is not there.
      """)

  @Argument(help: ArgumentHelp("A scenario file, such as one that `explore` wrote.", valueName: "fixture"))
  var fixture: String

  @Option(
    name: [.customShort("o"), .customLong("output"), .customLong("html")],
    help: ArgumentHelp("Write the run to this file as an HTML page; - is standard output.", valueName: "file"))
  var output: String?

  @Option(help: ArgumentHelp("Colour the text: auto, always or never.", valueName: "when"))
  var color: ColourChoice = .auto

  @OptionGroup var source: SourceOptions

  func run() async throws {
    Terminal.ignoreBrokenPipes()
    let explanation = try await explanation()
    guard let output else { return try Terminal.write(explanation.text(isColoured: color.isOn)) }
    let page = Array(explanation.page.utf8)
    if output == "-" { return try Terminal.write(page) }
    do { try Files.replace(output, with: page) } catch { throw Failure(error) }
  }

  private func explanation() async throws -> Explanation {
    if Files.names(in: fixture) != nil {
      throw Failure(.usage, "\(PrintableText.escape(Array(fixture.utf8))) is a folder; name one scenario file in it.")
    }
    let text: [UInt8]
    do { text = try Files.read(fixture) } catch { throw Failure(error) }
    let source = try source.scenarioSource()
    do throws(ScenarioProblem) {
      return try await Explanation(
        ScenarioCheck(path: fixture, text: text), source: source, openAdapter: ScenarioFiles.openAdapter)
    } catch {
      throw Failure(error.isMissingInput ? .noInput : .dataError, "\(error)")
    }
  }
}
