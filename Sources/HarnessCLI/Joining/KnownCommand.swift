import ArgumentParser
import WiFi

/// The command `wifi-harness known`.
struct KnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "known", abstract: "List and change the networks that a daemon knows.",
    discussion: """
      Asks the daemon that owns the interface: NetworkManager, iwd or wpa_supplicant. A profile that is not named stays \
      as it is, and no password is read back from a daemon or printed. A new password is read from the terminal without \
      echo, from a file or from standard input.

      iwd learns a network by joining it and has no priorities: over iwd networks can be listed and forgotten, and joining them \
      automatically can be switched on and off.

      Exit status: 0 it is done; 1 the daemon refused, or does not know the network; 69 no daemon runs, there is no such interface, or the \
      daemon cannot do it; 75 the daemon is busy, try again; 77 this user may not control the daemon.
      """,
    subcommands: [
      ListKnownCommand.self, AddKnownCommand.self, EditKnownCommand.self, DuplicateKnownCommand.self, ForgetKnownCommand.self,
    ],
    defaultSubcommand: ListKnownCommand.self)
}

/// The command `wifi-harness known list`.
struct ListKnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "list", abstract: "List the networks that a daemon knows.")

  @OptionGroup var options: KnownOptions

  func run() async throws {
    try await options.run { _ in .list }
  }
}

/// The command `wifi-harness known add`.
struct AddKnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a network for the daemon to join, without joining it now.")

  @Argument(help: ArgumentHelp("The name of the network; \\xHH stands for a byte.", valueName: "name"))
  var name: String

  @Option(help: "Add it with this security: psk is WPA2, sae WPA3, personal either of them.")
  var security = KnownSecurityChoice.personal

  @OptionGroup var fields: KnownFieldOptions
  @OptionGroup var secret: PasswordOptions
  @OptionGroup var options: KnownOptions

  func validate() throws {
    try KnownOptions.check(name: name)
    try secret.validate(with: security.value)
  }

  func run() async throws {
    let security = security.value
    try await options.run { _ throws(Failure) in
      let ssid = try KnownOptions.ssid(name)
      var draft = KnownNetworkDraft(ssid: ssid, security: security, isHidden: fields.hidden ?? false)
      draft.priority = fields.priority ?? 0
      draft.joinsAutomatically = fields.autoconnect ?? true
      if security.needsPassword { draft.password = try secret.password(for: ssid.description) }
      return .add(draft)
    }
  }
}

/// The command `wifi-harness known edit`.
struct EditKnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change fields of a known network; the others stay as they are.")

  @OptionGroup var chosen: KnownNameOptions

  @Option(help: ArgumentHelp("Give it this name.", valueName: "name"))
  var rename: String?

  @OptionGroup var edit: KnownEditOptions
  @OptionGroup var options: KnownOptions

  func validate() throws {
    try KnownOptions.check(name: chosen.name)
    if let rename { try KnownOptions.check(name: rename) }
    if rename == nil, edit.isEmpty {
      throw ValidationError(
        "edit changes nothing: give --rename, --security, --password, --priority, --autoconnect, --no-autoconnect, --hidden or --no-hidden."
      )
    }
  }

  func run() async throws {
    try await options.run { networks throws(Failure) in
      let network = try chosen.network(among: networks)
      return .edit(network.id, try edit.edit(network, rename: rename))
    }
  }
}

/// The command `wifi-harness known duplicate`.
struct DuplicateKnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicate", abstract: "Copy a known network, with other values for some fields.",
    discussion: """
      wpa_supplicant copies the password without showing it. NetworkManager would have to show it, so over NetworkManager the copy of \
      a secured network needs a new password.
      """)

  @OptionGroup var chosen: KnownNameOptions

  @Option(name: .customLong("as"), help: ArgumentHelp("The name of the copy; the default is the same.", valueName: "name"))
  var copyName: String?

  @OptionGroup var edit: KnownEditOptions
  @OptionGroup var options: KnownOptions

  func validate() throws {
    try KnownOptions.check(name: chosen.name)
    if let copyName { try KnownOptions.check(name: copyName) }
  }

  func run() async throws {
    try await options.run { networks throws(Failure) in
      let network = try chosen.network(among: networks)
      return .duplicate(network.id, try edit.edit(network, rename: copyName))
    }
  }
}

/// The command `wifi-harness known forget`.
struct ForgetKnownCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Forget a known network and its password.",
    discussion: "Asks for confirmation on the terminal, without which --yes is needed. A network that is joined is left.")

  @OptionGroup var chosen: KnownNameOptions

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @OptionGroup var options: KnownOptions

  func validate() throws {
    try KnownOptions.check(name: chosen.name)
    if !yes, !StandardStreams.isInputInteractive || !StandardStreams.isErrorInteractive {
      throw ValidationError("forget asks for confirmation, and there is no terminal; give --yes.")
    }
  }

  func run() async throws {
    try await options.run { networks throws(Failure) in
      let network = try chosen.network(among: networks)
      if !yes {
        StandardStreams.writeError("Forget \(network.ssid) and its password? [y/N] ")
        guard let answer = readLine(), ["y", "yes"].contains(answer.lowercased()) else {
          throw Failure(.checkFailed, "nothing was forgotten.")
        }
      }
      return .forget(network.id)
    }
  }
}

extension AddKnownCommand: WritesFiles {
  func namedFiles() -> NamedFiles { options.daemonOptions.namedFiles(with: secret) }
}

extension EditKnownCommand: WritesFiles {
  func namedFiles() -> NamedFiles { options.daemonOptions.namedFiles(with: edit.secret) }
}

extension DuplicateKnownCommand: WritesFiles {
  func namedFiles() -> NamedFiles { options.daemonOptions.namedFiles(with: edit.secret) }
}
