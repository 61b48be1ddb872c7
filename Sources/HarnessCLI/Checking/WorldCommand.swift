#if os(Linux)
  import Harness
  import WiFi

  /// A program that does to the access points around the machine what a scenario says of its world.
  ///
  /// It is run with the event as its arguments: `lose NAME`, `find NAME`, or `join NAME` and then how joins end from
  /// then on: `password`, `rejected`, `outOfRange` or `timedOut`. It has to end once that is done, with status 0.
  struct WorldCommand {
    /// The program.
    var path: String

    /// Runs it and waits for its end.
    ///
    /// - Throws: ``/Harness/WorldCannot`` where there is no such event for it, or it fails.
    func run(_ event: ScenarioAction.WorldEvent) throws(WorldCannot) {
      let words: [String]
      switch event {
      case .lose(let network): words = ["lose", network.name]
      case .find(let network): words = ["find", network.name]
      case .join(let network, let answer): words = ["join", network.name, answer.failure?.rawValue ?? "password"]
      case .link(.dismissed(let reason)): words = ["dismiss", "\(reason)"]
      case .link(.roams): words = ["roam"]
      case .known, .radio: throw WorldCannot(sentence: "what other programs do is not done on a real machine.")
      }
      let status = Self.status(of: [path] + words)
      guard status == 0 else { throw WorldCannot(sentence: "\(path) \(words.joined(separator: " ")) ended with status \(status).") }
    }

    /// Runs a program with its arguments; 127 where it cannot be started.
    private static func status(of arguments: [String]) -> Int32 {
      var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
      unsafe pointers.append(nil)
      defer { unsafe pointers.forEach { unsafe free($0) } }
      var process: pid_t = 0
      guard unsafe posix_spawnp(&process, arguments[0], nil, nil, pointers, environ) == 0 else { return 127 }
      var status: Int32 = 0
      while unsafe waitpid(process, &status, 0) < 0 { if errno != EINTR { return 127 } }
      return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    }
  }
#endif
