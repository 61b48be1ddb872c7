import ScanTools

#if os(Linux)
  import CPrograms
  import Harness
  import Simulator
  import WiFi

  /// Runs a program on a simulated kernel: its socket, its time, its signals and its end.
  ///
  /// What is answered is ``/Simulator/ProgramServer``'s; here is what waits.
  @safe final class ProgramHost {
    /// The file of the frames that are heard, and what of it is not written yet.
    private struct FrameFile {
      let path: String
      var capture: HeardFrameCapture
    }

    private let server: ProgramServer
    private let clock: ProgramClock
    private let pace: Pace
    private let folder: ProgramFolder
    private let listener: Int32
    private let signals: Int32
    /// The time since boot at the start, and the real one in ns.
    private let start: Duration
    private let origin: Int64
    private let page: UnsafeMutableRawPointer
    private var connections: [Int32: Outbox] = [:]
    private let processes = ProcessTree()
    private var program: pid_t = 0
    private var watch: ProgramGuard?
    private var end: Int32?
    private var files: [KernelFile] = []
    /// The adapters that the files are about.
    private var adapters: [SimulatedAdapter]?
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)
    private var frameFile: FrameFile?

    /// What a connection could not take yet.
    private struct Outbox {
      var packets: [[UInt8]] = []
      var size = 0
      var lostEvents = false
    }

    /// How many files this process may open, of which so many are kept for what the guard has to look at.
    private var mostFiles = 0
    private static let keptFiles = 64
    private var hasRefused = false

    /// How many bytes wait for a program that does not read, until events are lost (`net.core.rmem_default`).
    private static let capacity = 212_992

    /// Makes a kernel for programs.
    ///
    /// - Parameter frames: where to write the frames that its adapters hear.
    init(_ source: ScenarioSource.SimulatedSource, pace: Pace, frames: String? = nil) throws(Failure) {
      self.pace = pace
      clock = ProgramClock()
      let real = Self.realNanoseconds()
      origin = real
      // Where the clocks of the program are the real ones, so is the time since boot.
      start = pace == .real ? .nanoseconds(real) : .seconds(100)
      let kernel = SimulatedWorlds.kernel(source, clock: clock, bootTime: start)
      server = ProgramServer(kernel: kernel, takesTurns: pace == .virtual)
      folder = try ProgramFolder()
      listener = try folder.openSocket()
      signals = programs_signals()
      guard signals >= 0 else { throw Failure(.inputOutput, "cannot make a pipe: \(Failure.words(of: errno)).") }
      programs_adopt()
      var speed: Int64 = 1
      if case .scaled(let factor) = pace { speed = factor }
      let boot = start.wholeNanoseconds
      let wall = SimulatedWorlds.boot(seed: source.seed).nanoseconds
      guard let page = unsafe programs_time_page(folder.path + "/time", pace.number, boot, real, speed, wall) else {
        throw Failure(.inputOutput, "cannot write to \(folder.path): \(Failure.words(of: errno)).")
      }
      unsafe self.page = page
      try writeFiles()
      if let frames { try startFrames(frames, booted: SimulatedWorlds.boot(seed: source.seed)) }
    }

    /// Runs a program until it ends, and ends as it does.
    func run(_ image: ProgramImage, arguments: [String], library: String) throws(Failure) -> Never {
      // Byte for byte: a variable need not be UTF-8.
      var environment: [[CChar]] = []
      var preloaded = library
      // A program of AddressSanitizer wants its own library to be the first, and would not start.
      var sanitizer = "verify_asan_link_order=0"
      var next = unsafe environ
      while let entry = unsafe next.pointee {
        let text = unsafe String(cString: entry)
        unsafe next += 1
        if text.hasPrefix("LD_PRELOAD=") {
          let others = text.dropFirst("LD_PRELOAD=".count)
          if !others.isEmpty { preloaded += ":\(others)" }
        } else if text.hasPrefix("ASAN_OPTIONS=") {
          sanitizer += ":" + text.dropFirst("ASAN_OPTIONS=".count)
        } else if !text.hasPrefix("WIFI_HARNESS_KERNEL=") {
          environment.append(unsafe Array(UnsafeBufferPointer(start: entry, count: strlen(entry) + 1)))
        }
      }
      let own = ["LD_PRELOAD=\(preloaded)", "WIFI_HARNESS_KERNEL=\(folder.path)", "ASAN_OPTIONS=\(sanitizer)"]
      environment += own.map { Array($0.utf8CString) }
      // The library of the program keeps its connections out of the way of the program's own descriptors.
      let most = Descriptors.raiseLimit(to: 1024)
      guard most >= 816 else {
        folder.remove()
        throw Failure(
          .systemError,
          "this process may open only \(most) files, and a program on the simulated kernel needs 816: raise the limit (ulimit -n 1024).")
      }
      try start(image.path, arguments, environment)
      // Every socket of every program is a file of this process, too; the programs have the limit from before.
      mostFiles = Descriptors.raiseLimit(to: 1 << 20)
      while end == nil { try step() }
      try endOthers()
      folder.remove()
      let status = end ?? 0
      if status & 0x7F == 0 { exit(status >> 8 & 0xFF) }
      programs_end_with_signal(status & 0x7F)
      exit(128 + status & 0x7F)
    }

    /// Ends what the program started and left behind: its kernel goes, and it is for no other one.
    private func endOthers() throws(Failure) {
      var left = ProcessTree.all()
      guard !left.isEmpty else { return }
      for process in left { processes.signal(process, SIGTERM) }
      let limit = Self.realNanoseconds() + 1_000_000_000
      while !left.isEmpty, Self.realNanoseconds() < limit {
        if !wait(nanoseconds: 10_000_000), pace == .virtual, server.hasPendingCalls { server.takeTurn() }
        try finish()
        left = ProcessTree.all()
      }
      for process in left { kill(process, SIGKILL) }
    }

    private func start(_ path: String, _ arguments: [String], _ environment: [[CChar]]) throws(Failure) {
      var arguments = unsafe arguments.map { unsafe strdup($0) } + [nil]
      var environment = unsafe environment.map { unsafe strdup($0) } + [nil]
      defer {
        unsafe arguments.forEach { unsafe free($0) }
        unsafe environment.forEach { unsafe free($0) }
      }
      var listener: Int32 = -1
      program = unsafe programs_start(path, &arguments, &environment, &listener)
      guard program > 0 else {
        let number = errno
        let reason = Failure.words(of: number)
        folder.remove()
        if program == -1 { throw Failure(.noInput, "\(PrintableText.escape(path)) cannot be started: \(reason).") }
        if number == EBUSY { throw Failure(.unavailable, "a simulation cannot run within another one. Run the program in the first one.") }
        throw Failure(
          .unavailable,
          "the kernel of this machine takes no filter that keeps a program away from real interfaces (seccomp: \(reason)). "
            + "That needs Linux 5.9 or later, and a container that lets its processes use seccomp.")
      }
      watch = ProgramGuard(listener: listener, files: folder.files, processes: processes) { [unowned self] in openRadioSwitch() }
    }

    /// Makes a connection that is the device of rfkill; returns the end of the program, or -1.
    private func openRadioSwitch() -> Int32 {
      var ends: [Int32] = [-1, -1]
      guard unsafe socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else { return -1 }
      guard hasRoom(behind: ends[0]) else {
        close(ends[0])
        close(ends[1])
        errno = ENFILE
        return -1
      }
      _ = fcntl(ends[0], F_SETFL, O_RDWR | O_NONBLOCK)
      connections[ends[0]] = Outbox()
      server.connectRadioSwitch(Int(ends[0]))
      for action in server.takeActions() { perform(action) }
      return ends[1]
    }

    // MARK: What comes

    private var idleRounds = 0

    /// Waits for something, and does what is to be done then.
    private func step() throws(Failure) {
      let didRead = wait(nanoseconds: timeout())
      if pace != .virtual {
        clock.advance(to: elapsed())
      } else if didRead {
        idleRounds = 0
      } else if processes.isAsleep(held: server.held) {
        idleRounds = 0
        // What a thread did before it fell asleep may have come in the meantime.
        if wait(nanoseconds: 0) { return try finish() }
        if server.hasPendingCalls {
          server.takeTurn()
        } else if let next = server.nextEvent {
          clock.advance(to: next - start)
          unsafe programs_set_time(page, server.kernel.bootTime.wholeNanoseconds)
        }
      } else {
        idleRounds += 1
      }
      try finish()
    }

    private func finish() throws(Failure) {
      server.advance()
      try writeFiles()
      try writeFrames()
      for action in server.takeActions() { perform(action) }
    }

    /// How long there is nothing to do; `nil` until something comes.
    private func timeout() -> Int64? {
      guard pace == .virtual else {
        guard let next = server.nextEvent else { return nil }
        let left = (next - start - elapsed()).wholeNanoseconds
        guard case .scaled(let factor) = pace else { return max(left, 0) }
        return max((left + factor - 1) / factor, 0)
      }
      guard server.hasPendingCalls || server.nextEvent != nil else { return nil }
      return idleRounds < 20 ? 20_000 : idleRounds < 100 ? 200_000 : 2_000_000
    }

    private func elapsed() -> Duration {
      let real = Self.realNanoseconds() - origin
      guard case .scaled(let factor) = pace else { return .nanoseconds(real) }
      return .nanoseconds(real * factor)
    }

    private static func realNanoseconds() -> Int64 {
      (StandardStreams.bootTime() ?? .zero).wholeNanoseconds
    }

    /// Reads all that is there; waits for it so long, or forever.
    ///
    /// - Returns: whether there was anything.
    private func wait(nanoseconds: Int64?) -> Bool {
      var descriptors = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0), pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
      if let watch, watch.listener >= 0 { descriptors.append(pollfd(fd: watch.listener, events: Int16(POLLIN), revents: 0)) }
      for (descriptor, outbox) in connections {
        descriptors.append(pollfd(fd: descriptor, events: Int16(outbox.packets.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0))
      }
      guard unsafe programs_poll(&descriptors, UInt32(descriptors.count), nanoseconds ?? -1) > 0 else { return false }
      for descriptor in descriptors where descriptor.revents != 0 {
        switch descriptor.fd {
        case listener: accept()
        case signals: readSignals()
        case watch?.listener:
          // Without POLLIN there is only that every process has ended.
          if descriptor.revents & Int16(POLLIN) != 0 { watch?.decide() } else { watch?.hangUp() }
        default:
          if descriptor.revents & Int16(POLLOUT) != 0 { flush(descriptor.fd) }
          if descriptor.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { receivePackets(descriptor.fd) }
        }
      }
      return true
    }

    private func accept() {
      while true {
        let descriptor = programs_accept(listener)
        guard descriptor >= 0 else { return }
        guard hasRoom(behind: descriptor) else {
          // To the program the connection was refused.
          close(descriptor)
          continue
        }
        connections[descriptor] = Outbox()
        server.connect(Int(descriptor), process: programs_peer(descriptor))
      }
    }

    /// Whether files are left to the guard behind a descriptor, the lowest that was free; says once where none are.
    private func hasRoom(behind descriptor: Int32) -> Bool {
      if Int(descriptor) < mostFiles - Self.keptFiles { return true }
      if !hasRefused {
        StandardStreams.say(
          "the programs have so many sockets that this process may open no more files (\(mostFiles)): a socket was refused. "
            + "Raise the limit (ulimit -n).")
      }
      hasRefused = true
      return false
    }

    private func receivePackets(_ descriptor: Int32) {
      while connections[descriptor] != nil {
        let capacity = buffer.count
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, capacity, 0) }
        if count < 0 {
          if errno == EINTR { continue }
          if errno != EAGAIN { hangUp(descriptor) }
          return
        }
        guard count > 0 else { return hangUp(descriptor) }
        server.receive(Array(buffer[..<count]), from: Int(descriptor))
      }
    }

    private func hangUp(_ descriptor: Int32) {
      guard connections.removeValue(forKey: descriptor) != nil else { return }
      server.disconnect(Int(descriptor))
      close(descriptor)
    }

    private func readSignals() {
      var bytes = [UInt8](repeating: 0, count: 2)
      while unsafe read(signals, &bytes, 2) == 2 {
        let number = Int32(bytes[0])
        if number == SIGCHLD { continue }
        // What is typed, and a new size, the terminal sends to the program, too; that it is gone, only to the first
        // process.
        if bytes[1] == 0 || number == SIGHUP { processes.signal(program, number) } else { processes.forget() }
      }
      var status: Int32 = 0
      while true {
        let process = unsafe waitpid(-1, &status, WNOHANG)
        guard process > 0 else { return }
        if process == program { end = status } else { server.end(process: UInt32(process)) }
      }
    }

    // MARK: What is heard

    private func startFrames(_ path: String, booted: UTCTime) throws(Failure) {
      try orRemoveFolder(OutputFile.refuseHeard(path, option: "--frames", mayBeCapture: true))
      frameFile = FrameFile(path: path, capture: HeardFrameCapture(booted: booted, application: "wifi-harness \(Release.version)"))
      server.kernel.onFrame = { [unowned self] frame, adapter in frameFile?.capture.append(frame, adapter: adapter) }
      try orRemoveFolder(Files.replace(path, with: frameFile?.capture.takeBytes() ?? []))
    }

    private func writeFrames() throws(Failure) {
      guard let path = frameFile?.path, let bytes = frameFile?.capture.takeBytes(), !bytes.isEmpty else { return }
      try orRemoveFolder(Files.append(bytes, to: path))
    }

    /// Does something with a file; where that fails, nothing of this program is left.
    private func orRemoveFolder(_ body: @autoclosure () throws -> Void) throws(Failure) {
      do { try body() } catch {
        folder.remove()
        throw Failure(error)
      }
    }

    // MARK: What goes

    private func perform(_ action: ProgramServer.Action) {
      switch action {
      case .answer(let packet, let connection): enqueue(packet, to: Int32(connection))
      case .deliver(let packet, let connection, let isEvent):
        let descriptor = Int32(connection)
        guard isEvent, let outbox = connections[descriptor], outbox.size + packet.count > Self.capacity else {
          return enqueue(packet, to: descriptor)
        }
        // Once for all that are lost until the program reads again.
        if outbox.lostEvents { return }
        connections[descriptor]?.lostEvents = true
        enqueue(ProgramDatagram(error: ENOBUFS).encoded, to: descriptor)
      case .signal(let number, let process):
        // Of a process that its parent waited for nothing is heard here, and its number may be that of any other.
        guard ProcessTree.contains(pid_t(bitPattern: process)) else { return server.end(process: process) }
        processes.signal(pid_t(bitPattern: process), number)
      case .close(let connection, let reason):
        StandardStreams.say("a program broke the protocol of the preload library: \(reason).")
        // It may have gone with an answer before.
        if connections.removeValue(forKey: Int32(connection)) != nil { close(Int32(connection)) }
      }
    }

    private func enqueue(_ packet: [UInt8], to descriptor: Int32) {
      guard connections[descriptor] != nil else { return }
      connections[descriptor]?.packets.append(packet)
      connections[descriptor]?.size += packet.count
      flush(descriptor)
    }

    /// Sends what a connection takes.
    private func flush(_ descriptor: Int32) {
      while let packet = connections[descriptor]?.packets.first {
        let count = unsafe packet.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count < 0, errno == EINTR { continue }
        if count < 0, errno == EAGAIN { return }
        connections[descriptor]?.packets.removeFirst()
        connections[descriptor]?.size -= packet.count
        if count < 0 { return hangUp(descriptor) }
      }
      connections[descriptor]?.lostEvents = false
    }

    /// Writes the files about interfaces, where they changed.
    private func writeFiles() throws(Failure) {
      if server.kernel.adapters == adapters { return }
      adapters = server.kernel.adapters
      let now = server.kernel.files
      try folder.replace(files, with: now)
      files = now
    }
  }
#endif
