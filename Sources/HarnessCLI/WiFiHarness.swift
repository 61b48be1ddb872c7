import ArgumentParser
import Harness
import WiFi

/// The command: arguments in, exit status out.
@main
struct WiFiHarness: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "wifi-harness",
    abstract: "Scan Wi-Fi networks through nl80211, and test what is built on it.",
    discussion: """
      Reads wireless networks, decodes everything that access points announce, turns repeated scans into networks that are found, \
      changed and lost, and records what was heard. It also simulates networks, the same for the same seed, and runs scenarios of a Wi-Fi \
      settings panel on any of them.

      Networks come from an adapter (--interface wlan0), a recording (--replay FILE) or a simulated world (--simulate \
      WORLD --seed N). Results go to standard output, diagnostics to standard error.

      Exit status: 0 good; 1 a check failed; 64 usage; 65 bad data; 66 a file cannot be opened; 69 no adapter or not supported; \
      70 a bug in this program; 71 the limit of open files; 74 input or output; 75 busy, try again; 77 no permission.
      """,
    version: Release.version,
    subcommands: [
      ScanCommand.self, WatchCommand.self, RecordCommand.self, ReplayCommand.self, AuditCommand.self, DiffCommand.self, DecodeCommand.self,
      SimulateCommand.self, RunCommand.self, CheckCommand.self, ExplainCommand.self, ExploreCommand.self, JoinCommand.self,
      KnownCommand.self, RadioCommand.self, PanelCommand.self, ServeCommand.self, DoctorCommand.self,
    ])

  static func main() async {
    StandardStreams.reserveStandardStreams()
    do {
      try refuseOtherText()
      try refuseUnknownCommand()
      try refuseOldSpelling()
      try refuseEmptyPaths()
      var command = try parseAsRoot()
      try Descriptors.requireEnough()
      // Before anything is opened, and so before anything is lost.
      try NamedFiles.refuseSame(of: command)
      PrivilegedStart.restartIfNeeded(for: command)
      // What a pipe without a reader means to a program is its own affair.
      if !(command is RunCommand) { StandardStreams.ignoreBrokenPipes() }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch let failure as Failure {
      StandardStreams.say(failure.sentence)
      StandardStreams.exit(failure.status)
    } catch {
      let code = exitCode(for: error)
      if code != .success {
        let message = unknownOption(beside: error) ?? ParserMessage.inOurWords(fullMessage(for: error))
        StandardStreams.writeError(printable(message) + "\n")
        Self.exit(withError: code)
      }
      // Help and the version, which are asked for, are output like any other.
      StandardStreams.ignoreBrokenPipes()
      StandardStreams.writeOrExit(Array((fullMessage(for: error) + "\n").utf8)[...])
    }
  }

  /// Refuses arguments that are no text: what is read of them would be another name than was typed, of a network or of
  /// a file.
  private static func refuseOtherText() throws(Failure) {
    for index in 1..<max(Int(CommandLine.argc), 1) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return }
      if unsafe String(validatingCString: argument) != nil { continue }
      var bytes: [UInt8] = []
      while unsafe argument[bytes.count] != 0 { bytes.append(UInt8(bitPattern: unsafe argument[bytes.count])) }
      let shown = PrintableText.escape(bytes)
      throw Failure(
        .usage,
        "argument \(index) is no UTF-8: \(shown). Files and networks are named in UTF-8; in a network's name a byte can be typed as \\xHH.")
    }
  }

  /// Says which command was meant, where the first word is none.
  private static func refuseUnknownCommand() throws(Failure) {
    let known = configuration.subcommands.compactMap { $0.configuration.commandName }
    var words = CommandLine.arguments.dropFirst()
    if words.first == "help" { words.removeFirst() }
    guard let word = words.first, !word.isEmpty, !word.hasPrefix("-"), word != "help", !known.contains(word) else { return }
    let shown = PrintableText.escape(word)
    throw Failure(
      .usage, "there is no command “\(shown)”.\(Suggestion.sentence(word, known)) `wifi-harness --help` lists those that there are.")
  }

  /// What is spelled otherwise now, or in another command: the command, what stood on its line, and what to write.
  private static let oldSpellings = [
    ("run", "--simulate", "--world names the world of `run`: wifi-harness run --world home --seed 7 -- iw dev wlan0 scan."),
    ("simulate", "--simulate", "--world names the world of `simulate`: wifi-harness simulate --world home --seed 7."),
    ("simulate", "--", "`run` runs programs: wifi-harness run --world home --seed 7 -- iw dev wlan0 scan."),
    ("simulate", "--seeds", "`explore` runs many seeds: wifi-harness explore --seeds 0..1000."),
    ("simulate", "--verify-statistics", "`explore statistics` tests the worlds: wifi-harness explore statistics --seed 7."),
    ("simulate", "--pace", "`run` runs programs, at a pace: wifi-harness run --seed 7 --pace virtual -- iw dev wlan0 scan."),
    ("simulate", "--frames", "`run` keeps frames: wifi-harness run --seed 7 --frames air.pcapng -- iw dev wlan0 scan."),
    ("scan", "--rules", "`audit` checks rules: wifi-harness audit --rules wep, with the same sources and filters."),
    ("scan", "--known", "`audit` compares with what is known: wifi-harness audit --known trusted.ndjson."),
    ("scan", "--audit", "`audit` is a command of its own: wifi-harness audit, with the same sources and filters."),
  ]

  /// Says how something is spelled now that is no option any more.
  private static func refuseOldSpelling() throws(Failure) {
    let words = CommandLine.arguments.dropFirst()
    let options = words.prefix { $0 != "--" }
    for (command, word, sentence) in oldSpellings where words.first == command {
      let isThere = word == "--" ? words.contains("--") : options.contains { $0 == word || $0.hasPrefix(word + "=") }
      if isThere { throw Failure(.usage, "\(command) \(word): \(sentence)") }
    }
  }

  /// Refuses an empty name of a file or folder, which a variable of a shell that is not set leaves: as a folder it
  /// would be the root of all.
  private static func refuseEmptyPaths() throws(Failure) {
    let words = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })
    for (before, word) in zip([""] + words, words) where word.isEmpty || word.hasSuffix("=") {
      let option = word.isEmpty ? before : String(word.dropLast())
      guard option.hasPrefix("-"), takesPath(option, words.first) else { continue }
      throw Failure(.usage, "\(option): the name is empty; give that of a file or folder, such as ./found.")
    }
  }

  /// Whether an option of a command takes a file or a folder, by its help.
  private static func takesPath(_ option: String, _ name: String?) -> Bool {
    let commands = configuration.subcommands.filter { $0.configuration.commandName == name }
    return commands.flatMap { [$0] + $0.configuration.subcommands }.contains { command in
      helpMessage(for: command).split(separator: "\n").contains { line in
        let parts = line.drop { $0 == " " }.split(separator: " <", maxSplits: 1)
        guard parts.count == 2, parts[0].hasPrefix("-") else { return false }
        return parts[0].split(separator: ", ").contains { $0 == option } && (parts[1].hasPrefix("file") || parts[1].hasPrefix("folder"))
      }
    }
  }

  /// A message about an option that the command does not have, where the parser complains of what is missing for want
  /// of it.
  private static func unknownOption(beside error: any Error) -> String? {
    guard error is ValidationError || fullMessage(for: error).hasPrefix("Error: --") else { return nil }
    let arguments = Array(CommandLine.arguments.dropFirst().prefix { $0 != "--" })
    guard let command = configuration.subcommands.first(where: { $0.configuration.commandName == arguments.first }),
      command.configuration.subcommands.isEmpty
    else { return nil }
    let words = helpMessage(for: command).split { !($0.isLetter || $0.isNumber || $0 == "-") }
    let known = Set(words.filter { $0.hasPrefix("--") }.map(String.init))
    // What follows an option may be its value.
    for (before, argument) in zip(arguments, arguments.dropFirst()) where !before.hasPrefix("-") && argument.hasPrefix("--") {
      let name = String(argument.prefix { $0 != "=" })
      guard !known.contains(name) else { continue }
      return "Error: Unknown option '\(name)'.\(Suggestion.sentence(name, known.sorted()))\n" + usageString(for: command)
    }
    return nil
  }

  /// A message about the command line with everything that could move a cursor escaped.
  ///
  /// The lines of the message are its own: a line end that is part of an argument is escaped with the argument.
  private static func printable(_ message: String) -> String {
    var message = message
    for argument in CommandLine.arguments.dropFirst() {
      let value = argument.split(separator: "=", maxSplits: 1).dropFirst().last.map(String.init)
      for text in [argument, value ?? ""] where text.unicodeScalars.contains(where: PrintableText.mustEscape) {
        message = message.replacing(text, with: PrintableText.escape(text))
      }
    }
    return PrintableText.escapeLines(message)
  }
}
