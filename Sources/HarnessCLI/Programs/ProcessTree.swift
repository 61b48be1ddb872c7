#if os(Linux)
  /// The processes that descend from a program, as `/proc` shows them.
  final class ProcessTree {
    /// How often each thread was given a processor, by its number; two equal pictures prove that none ran between them.
    private struct Picture: Equatable {
      var switches: [Int: String] = [:]
      /// Processes that need not be looked at again.
      var asleep: [pid_t: Int] = [:]
    }

    /// Processes that were found asleep, each with the call that it waited for, or 0 for one that has ended.
    private var asleep: [pid_t: Int] = [:]

    /// The processes that are there, without those that have ended and are not waited for.
    static func all() -> [pid_t] {
      var found: [pid_t] = []
      var processes = children(of: "self")
      while let process = processes.popLast() {
        let status = SystemFiles.text("/proc/\(process)/status") ?? ""
        if let number = pid_t(process), !status.isEmpty, !status.contains("State:\tZ") { found.append(number) }
        processes += children(of: process)
      }
      return found
    }

    /// Whether a process descends from this one; one whose parent has ended is a child of it.
    static func contains(_ process: pid_t) -> Bool {
      var ancestor = process
      var lost: pid_t = 0
      while ancestor > 1, ancestor != getpid() {
        if let parent = value("PPid:", in: "/proc/\(ancestor)/status") {
          ancestor = parent
          continue
        }
        // One that ended has left its children to another; one that is lost twice is hidden from this user.
        if ancestor == process || ancestor == lost { return false }
        lost = ancestor
        ancestor = process
      }
      return ancestor == getpid() && process != getpid()
    }

    /// The number that follows a name in a file of procfs.
    static func value(_ name: String, in path: String) -> pid_t? {
      let line = (SystemFiles.text(path) ?? "").split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { pid_t($0.dropFirst(name.count).filter { !$0.isWhitespace }) }
    }

    /// Whether every thread sleeps, and nothing but time, a signal or input from elsewhere wakes one.
    ///
    /// Two pictures one after the other are alike only where every thread slept from the first to the second, so all
    /// slept at once in between. A process of one thread and without children that slept then, and still waits for the
    /// same answer, is not looked at again: only a signal wakes it. Nor is one that has ended.
    ///
    /// - Parameter held: the processes that wait for an answer alone, each with the call
    ///   (``/Simulator/ProgramServer/held``).
    func isAsleep(held: [UInt32: Int]) -> Bool {
      asleep = asleep.filter { $0.value == 0 || held[UInt32(bitPattern: $0.key)] == $0.value }
      guard let first = picture(held), let second = picture(held), first == second else { return false }
      asleep = first.asleep
      return true
    }

    /// Sends a signal to a process.
    func signal(_ process: pid_t, _ number: Int32) {
      forget()
      kill(process, number)
    }

    /// A signal goes to a process: it may wake.
    func forget() { asleep = [:] }

    /// What every other thread does, or `nil` where one is awake or just ended.
    private func picture(_ held: [UInt32: Int]) -> Picture? {
      var picture = Picture()
      // A thread that waits for a new child (vfork) cannot be stopped, and is asleep where the child is stopped.
      var stopped: Set<String> = []
      var parents: [[String]] = []
      // Our children: the program, and processes whose parents ended.
      var processes = Self.children(of: "self")
      while let process = processes.popLast() {
        guard let own = pid_t(process) else { continue }
        if let call = asleep[own] {
          picture.asleep[own] = call
          continue
        }
        let threads = SystemFiles.list("/proc/\(process)/task")
        for thread in threads {
          guard let status = SystemFiles.text("/proc/\(process)/task/\(thread)/status"), let number = Int(thread) else { return nil }
          let children = Self.children(ofThread: "/proc/\(process)/task/\(thread)")
          var switches = ""
          for line in status.utf8.split(separator: 0x0A) {
            if line.starts(with: "State:".utf8) {
              // Sleeping, stopped, traced, or ended and not waited for.
              switch line.dropFirst(7).first {
              case 0x53: if threads.count == 1, children.isEmpty { picture.asleep[own] = held[UInt32(bitPattern: own)] }  // S
              case 0x54, 0x74: stopped.insert(process)  // T, t
              case 0x44: parents.append(children)  // D
              case 0x5A, 0x58: if threads.count == 1 { picture.asleep[own] = 0 }  // Z, X
              case 0x49: break  // I
              default: return nil
              }
            } else if line.starts(with: "voluntary_ctxt_switches:".utf8) || line.starts(with: "nonvoluntary_ctxt_switches:".utf8) {
              switches += String(decoding: line.drop { $0 != 0x3A }, as: UTF8.self)
            }
          }
          picture.switches[number] = switches
          processes += children
        }
      }
      return parents.allSatisfy { !stopped.isDisjoint(with: $0) } ? picture : nil
    }

    private static func children(of process: String) -> [String] {
      SystemFiles.list("/proc/\(process)/task").flatMap { children(ofThread: "/proc/\(process)/task/\($0)") }
    }

    private static func children(ofThread folder: String) -> [String] {
      (SystemFiles.text("\(folder)/children") ?? "").split(separator: " ").map(String.init)
    }
  }
#endif
