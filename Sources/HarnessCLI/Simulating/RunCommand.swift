import ArgumentParser
import Harness
import Simulator

/// The command `wifi-harness run`.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run any nl80211 program on the simulated kernel of a world.",
    discussion: """
      The program sees one adapter with the access points of the world, whatever language it is written in: run --world home --seed 7 \
      -- iw dev wlan0 scan. It needs no root and touches no adapter; this command ends with its exit status.

      Exit status: 66 there is no such program; 69 the program cannot run on the simulated kernel, such as one that is linked \
      statically.
      """)

  @OptionGroup var world: SimulatedWorldOptions

  @Option(
    help: ArgumentHelp(
      "Let time pass at this pace: real, the default; a factor such as 20x; or virtual, which jumps ahead when every process waits.",
      valueName: "pace"), completion: .list(["real", "virtual", "10x"]))
  var pace: Pace?

  @Option(
    help: ArgumentHelp(
      "Write the frames that the adapters hear to this file (pcapng with radiotap), which is replaced.", valueName: "file"),
    completion: .file())
  var frames: String?

  @Argument(parsing: .postTerminator, help: ArgumentHelp("The program and its arguments.", valueName: "command"))
  var command: [String] = []

  func validate() throws {
    if command.isEmpty { throw ValidationError("which program? Give it behind --: run --world home --seed 7 -- iw dev wlan0 scan.") }
    if try world.source(otherwise: "home").world == "preview" {
      throw ValidationError("a program needs a world with a kernel, which the preview has not. Give another --world, such as home.")
    }
  }

  func run() throws {
    #if os(Linux)
      var source = try world.source(otherwise: "home")
      // A program is over soon: what begins at a time begins with it, unless another is given.
      for index in source.faults.indices { source.faults[index].at = source.faults[index].at ?? .zero }
      let image = try ProgramImage(named: command[0])
      let library = try PreloadLibrary.path()
      try ProgramHost(source, pace: pace ?? .real, frames: frames).run(image, arguments: command, library: library)
    #else
      throw Failure(.unavailable, "programs run on the simulated kernel under Linux alone.")
    #endif
  }
}

extension RunCommand: WritesFiles {
  func namedFiles() -> NamedFiles {
    // What is found by its name alone is a program of the machine.
    NamedFiles(written: [("--frames", frames)], read: [("the program", command.first.flatMap { $0.contains("/") ? $0 : nil })])
  }
}
