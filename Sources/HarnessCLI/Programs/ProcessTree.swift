#if os(Linux)
  import Harness

  /// The processes that descend from a program, as `/proc` shows them.
  struct ProcessTree {
    /// How often each thread was given a processor, by its number; two equal pictures prove that none ran between them.
    private struct Picture: Equatable {
      var switches: [Int: String] = [:]
    }

    /// The processes that are there, without those that have ended and are not waited for.
    static func all() -> [pid_t] {
      let tree = ProcessTree()
      var found: [pid_t] = []
      var processes = tree.children(of: "self")
      while let process = processes.popLast() {
        let status = SystemFiles.text("/proc/\(process)/status") ?? ""
        if let number = pid_t(process), !status.isEmpty, !status.contains("State:\tZ") { found.append(number) }
        processes += tree.children(of: process)
      }
      return found
    }

    /// Whether every thread sleeps, and nothing but time, a signal or input from elsewhere wakes one.
    ///
    /// Two pictures one after the other are alike only where every thread slept from the first to the second, so all
    /// slept at once in between.
    func isAsleep() -> Bool {
      guard let first = picture(), let second = picture() else { return false }
      return first == second
    }

    /// What every thread does, or `nil` where one is awake or just ended.
    private func picture() -> Picture? {
      var picture = Picture()
      // Our children: the program, and processes whose parents ended.
      var processes = children(of: "self")
      while let process = processes.popLast() {
        for thread in SystemFiles.list("/proc/\(process)/task") {
          guard let status = SystemFiles.text("/proc/\(process)/task/\(thread)/status"), let number = Int(thread) else { return nil }
          var switches = ""
          for line in status.utf8.split(separator: 0x0A) {
            if line.starts(with: "State:".utf8) {
              // Sleeping, stopped, traced, or ended and not waited for.
              guard let state = line.dropFirst(7).first, "StTZXI".utf8.contains(state) else { return nil }
            } else if line.starts(with: "voluntary_ctxt_switches:".utf8) || line.starts(with: "nonvoluntary_ctxt_switches:".utf8) {
              switches += String(decoding: line.drop { $0 != 0x3A }, as: UTF8.self)
            }
          }
          picture.switches[number] = switches
          processes += children(ofThread: "/proc/\(process)/task/\(thread)")
        }
      }
      return picture
    }

    private func children(of process: String) -> [String] {
      SystemFiles.list("/proc/\(process)/task").flatMap { children(ofThread: "/proc/\(process)/task/\($0)") }
    }

    private func children(ofThread folder: String) -> [String] {
      (SystemFiles.text("\(folder)/children") ?? "").split(separator: " ").map(String.init)
    }
  }
#endif
