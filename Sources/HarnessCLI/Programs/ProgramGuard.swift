#if os(Linux)
  import CPrograms
  import Simulator
  import WiFi

  /// Decides about the system calls of a program that wait at the filter (`Sources/CPrograms/Guard.c`).
  ///
  /// A call passes, is served with a file of the simulated kernel, or is refused: then a sentence on standard error
  /// says what was refused, once for each program and kind of call.
  @safe final class ProgramGuard {
    /// `O_PATH`, which is no constant that Swift imports.
    private static let onlyPath: Int32 = 0o10_000_000

    private typealias Call = programs_call

    /// Where calls wait; -1 when every process of the program has ended.
    private(set) var listener: Int32
    /// The root of the files that stand in for the kernel's.
    private let root: Int32
    private let files: String
    /// Opens the device of rfkill.
    private let openRadioSwitch: () -> Int32
    private let processes: ProcessTree
    private var said: Set<String> = []

    /// Decides about the calls at a listener.
    ///
    /// - Parameter files: the folder of the files that stand in for the kernel's.
    init(listener: Int32, files: String, processes: ProcessTree, openRadioSwitch: @escaping () -> Int32) {
      self.listener = listener
      self.files = files
      self.openRadioSwitch = openRadioSwitch
      self.processes = processes
      root = unsafe open(files, Self.onlyPath | O_DIRECTORY | O_CLOEXEC)
    }

    /// Decides about a call that waits.
    func decide() {
      var call = Call()
      if unsafe programs_next_call(listener, &call) { decide(call) }
    }

    /// Every process has ended.
    func hangUp() {
      close(listener)
      listener = -1
    }

    private func decide(_ call: Call) {
      if call.is_foreign {
        if programs_is_waiting(listener, call.id) { kill(call.process, SIGKILL) }
        return refuse(call, ENOSYS, "is a program for another architecture than the preload library", "it was ended")
      }
      let shape = programs_shape(call.number)
      let arguments = Self.arguments(call)
      switch UInt32(shape.kind) {
      case PROGRAMS_SOCKET.rawValue: refuseSocket(call, arguments)
      case PROGRAMS_IOCTL.rawValue: refuseRequest(call, arguments[1] & 0xFFFF_FFFF)
      case PROGRAMS_SOCKET_OPTION.rawValue: decideOption(call, arguments)
      case PROGRAMS_CONNECT.rawValue:
        decideAddresses(call, [(arguments[Int(shape.out)], Int(truncatingIfNeeded: arguments[Int(shape.size)]))])
      case PROGRAMS_MESSAGES.rawValue: decideAddresses(call, addresses(call, shape, arguments))
      case PROGRAMS_IO_URING.rawValue: refuse(call, ENOSYS, "asked for io_uring, whose operations pass the preload library")
      case PROGRAMS_MACHINE.rawValue: refuse(call, EPERM, "wanted to change the machine (system call \(call.number))")
      case PROGRAMS_CLOCK.rawValue:
        // What changes nothing reads (`modes` of struct timex).
        if memory(call, arguments[Int(shape.out)], 4)?.allSatisfy({ $0 == 0 }) == true { return pass(call) }
        refuse(call, EPERM, "wanted to set the clock of the machine")
      case PROGRAMS_REMOVE.rawValue: decideRemoval(call, shape, arguments)
      case PROGRAMS_SIGNAL.rawValue: decideSignal(call, shape, arguments)
      case PROGRAMS_PROCESS.rawValue: decideProcess(call, Int32(truncatingIfNeeded: arguments[Int(shape.out)]))
      default: decidePath(call, shape, arguments)
      }
    }

    // MARK: Paths

    private func decidePath(_ call: Call, _ shape: programs_shape, _ arguments: [UInt64]) {
      let kind = UInt32(shape.kind)
      let isMounts = kind == PROGRAMS_MOUNTS.rawValue
      if kind == PROGRAMS_MOUNT.rawValue || isMounts {
        if SystemFiles.link("/proc/\(call.process)/ns/mnt") == SystemFiles.link("/proc/self/ns/mnt"), shape.path >= 0 {
          return refuse(call, EPERM, "wanted to change what is mounted in the machine")
        }
        if !isMounts, isMountOfKernelFiles(call, shape, arguments) {
          return refuse(call, EPERM, "wanted to mount files of the machine's kernel")
        }
      }
      guard shape.path >= 0 else { return pass(call) }
      guard var bytes = self.path(call, arguments[Int(shape.path)]) else { return unreadable(call, arguments[Int(shape.path)]) }
      var flags = shape.flags >= 0 ? Int32(truncatingIfNeeded: arguments[Int(shape.flags)]) : 0
      var hasOwnRoot = false
      if kind == PROGRAMS_OPEN2.rawValue {
        guard let how = memory(call, arguments[Int(shape.out)], 24) else { return unreadable(call, arguments[Int(shape.out)]) }
        flags = Int32(truncatingIfNeeded: Self.number(how[..<8]))
        // RESOLVE_IN_ROOT
        hasOwnRoot = how[16] & 0x10 != 0
      }
      let directory = shape.directory >= 0 ? Int32(truncatingIfNeeded: arguments[Int(shape.directory)]) : AT_FDCWD
      // Of an empty path the file is the descriptor, which was looked at when it was opened; a change looks again.
      let isDescriptor = bytes.count == 1
      if isDescriptor {
        guard isMounts || kind == PROGRAMS_CHANGE.rawValue, directory >= 0 else { return pass(call) }
        bytes = Array("/proc/self/fd/\(directory)".utf8CString)
      }
      let follows = isDescriptor || self.follows(kind, call, flags)
      let path = resolve(bytes, call.process, directory, follows: follows, hasOwnRoot: hasOwnRoot)
      let text = Self.repaired(bytes)
      // What is mounted for the caller alone has another path here.
      let name = isDescriptor ? path.text : text.hasPrefix("/") ? text : "\(text) (\(path.text))"
      if path.isOfKernel { return serve(call, shape, path, name, flags, arguments) }
      // The mode and owner of a daemon's socket say who may talk with it.
      if kind == PROGRAMS_CHANGE.rawValue, holdsSocketOfMachine(path.text) {
        return refuse(call, EACCES, "wanted to change \(shown(name)) of the machine")
      }
      pass(call)
    }

    /// Whether a call follows a link at the end of its path.
    private func follows(_ kind: UInt32, _ call: Call, _ flags: Int32) -> Bool {
      switch kind {
      case PROGRAMS_OPEN.rawValue, PROGRAMS_OPEN2.rawValue: flags & O_NOFOLLOW == 0
      case PROGRAMS_STATUS.rawValue, PROGRAMS_ACCESS.rawValue, PROGRAMS_CHANGE.rawValue, PROGRAMS_ATTRIBUTES.rawValue,
        PROGRAMS_ATTRIBUTE_NAMES.rawValue:
        flags & AT_SYMLINK_NOFOLLOW == 0 && !programs_is_of_link(call.number)
      case PROGRAMS_LINK.rawValue: false
      default: true
      }
    }

    /// Where a path of a process leads; nowhere that the kernel keeps where it is an ordinary one.
    private func resolve(_ path: [CChar], _ process: Int32, _ directory: Int32, follows: Bool, hasOwnRoot: Bool = false) -> KernelPath {
      let text = Self.repaired(path)
      if text.hasPrefix("/"), !hasOwnRoot, Self.isPlain(text) { return KernelPath(text) }
      let (kind, target) = Self.place(path, process, directory, follows: follows, hasOwnRoot: hasOwnRoot)
      if kind == PROGRAMS_RADIO_SWITCH { return KernelPath("/dev/rfkill") }
      return kind == PROGRAMS_KERNEL_FILE ? kernelPath(target) : KernelPath(target)
    }

    /// Whether a path of the kernel means what it says: no part leads up, or to a folder, a root or a descriptor of a
    /// process.
    private static func isPlain(_ text: String) -> Bool {
      let leading: Set<Substring> = ["..", "cwd", "root", "fd", "exe", "map_files"]
      return KernelPath(text).isOfKernel && !text.utf8.split(separator: 0x2F).contains { leading.contains(Substring($0)) }
    }

    private static func place(_ path: [CChar], _ process: Int32, _ directory: Int32, follows: Bool, hasOwnRoot: Bool = false)
      -> (programs_place, String)
    {
      unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16384) { buffer in
        guard let start = buffer.baseAddress else { return (PROGRAMS_NOWHERE, "") }
        let kind = unsafe programs_place(process, directory, path, follows, hasOwnRoot, start, buffer.count)
        return (kind, unsafe String(cString: start))
      }
    }

    /// The path in sysfs or procfs of what is at a path, which may be of one that is mounted elsewhere.
    private func kernelPath(_ target: String) -> KernelPath {
      let parts = target.split(separator: "/")
      let start = parts.lastIndex { $0 == "sys" || $0 == "proc" }
      // Of a file system with another name, every file may be about interfaces.
      guard let start = parts.first == "sys" || parts.first == "proc" ? 0 : start else { return KernelPath("/sys/class/net/\(target)") }
      return KernelPath("/" + parts[start...].joined(separator: "/"))
    }

    private func serve(_ call: Call, _ shape: programs_shape, _ path: KernelPath, _ name: String, _ flags: Int32, _ arguments: [UInt64]) {
      let kind = UInt32(shape.kind)
      let isOpen = kind == PROGRAMS_OPEN.rawValue || kind == PROGRAMS_OPEN2.rawValue
      let isChange =
        kind == PROGRAMS_CHANGE.rawValue || kind == PROGRAMS_MOUNTS.rawValue
        || isOpen && flags & Self.onlyPath == 0 && (flags & O_ACCMODE != O_RDONLY || flags & (O_TRUNC | O_CREAT) != 0)
      switch path.verdict(isChange: isChange) {
      case .pass:
        if isOfProcessOutside(path, of: call.process, isChange: isChange) {
          return refuse(call, EACCES, "wanted \(shown(name)) of a process outside of the simulation")
        }
        pass(call)
      case .absent: refuse(call, ENOENT, "asked for \(shown(name)), which the simulated kernel does not have")
      case .readOnly: refuse(call, EROFS, "wanted to write \(shown(name)) of the machine")
      case .radioSwitch:
        guard isOpen else { return serveFile(call, shape, "/dev/rfkill", name, flags, arguments) }
        let descriptor = openRadioSwitch()
        guard descriptor >= 0 else { return programs_answer(listener, call.id, Int64(-errno)) }
        if flags & O_NONBLOCK != 0 { _ = fcntl(descriptor, F_SETFL, O_RDWR | O_NONBLOCK) }
        programs_give(listener, call.id, descriptor, flags & O_CLOEXEC != 0)
        close(descriptor)
      case .standIn(let place): serveFile(call, shape, place, name, flags, arguments)
      }
    }

    /// Serves a call with a file of the simulated kernel.
    private func serveFile(_ call: Call, _ shape: programs_shape, _ place: String, _ name: String, _ flags: Int32, _ arguments: [UInt64]) {
      let kind = UInt32(shape.kind)
      let isOpen = kind == PROGRAMS_OPEN.rawValue || kind == PROGRAMS_OPEN2.rawValue
      let noFollow = follows(kind, call, flags) ? 0 : O_NOFOLLOW
      // A descriptor of a path alone cannot be given away; one that reads is as good.
      let descriptor = unsafe programs_open_inside(root, place, isOpen ? flags & ~Self.onlyPath : Self.onlyPath | noFollow)
      guard descriptor >= 0 else { return programs_answer(listener, call.id, Int64(-errno)) }
      defer { close(descriptor) }
      switch kind {
      case PROGRAMS_OPEN.rawValue, PROGRAMS_OPEN2.rawValue: programs_give(listener, call.id, descriptor, flags & O_CLOEXEC != 0)
      case PROGRAMS_STATUS.rawValue, PROGRAMS_LINK.rawValue:
        programs_answer(listener, call.id, unsafe withUnsafePointer(to: call) { unsafe programs_perform($0, descriptor) })
      case PROGRAMS_ACCESS.rawValue:
        let mode = Int32(truncatingIfNeeded: arguments[Int(shape.path) + 1])
        let isWritable = mode & W_OK == 0 || place.hasPrefix("/proc/sys/")
        let error = unsafe isWritable && access("/proc/self/fd/\(descriptor)", mode) == 0 ? 0 : EACCES
        programs_answer(listener, call.id, Int64(-error))
      case PROGRAMS_ATTRIBUTES.rawValue: programs_answer(listener, call.id, Int64(-ENODATA))
      case PROGRAMS_ATTRIBUTE_NAMES.rawValue: programs_answer(listener, call.id, 0)
      case PROGRAMS_ENTER.rawValue:
        refuse(call, EACCES, "wanted \(shown(name)) as its folder or to watch it, past the preload library")
      default: programs_answer(listener, call.id, Int64(-EROFS))
      }
    }

    /// Whether a mount would show files of the machine's kernel elsewhere, or hide them.
    private func isMountOfKernelFiles(_ call: Call, _ shape: programs_shape, _ arguments: [UInt64]) -> Bool {
      guard shape.path >= 0 else { return text(call, arguments[0]).map(Self.kernelFileSystems.contains) ?? false }
      let path = self.path(call, arguments[1]) ?? [0]
      let target = Self.repaired(path)
      if let name = text(call, arguments[2]), Self.kernelFileSystems.contains(name) {
        // At their usual places they are served whichever mount they are of.
        return !(name == "proc" && target == "/proc" || name == "sysfs" && target == "/sys")
      }
      // Of /, a private mount of the whole tree, nothing is shown elsewhere.
      if target != "/", resolve(path, call.process, AT_FDCWD, follows: true).isOfKernel, arguments[3] & UInt64(MS_PRIVATE | MS_SLAVE) == 0 {
        return true
      }
      guard arguments[3] & UInt64(MS_BIND | MS_MOVE) != 0, let source = self.path(call, arguments[0]) else { return false }
      let place = resolve(source, call.process, AT_FDCWD, follows: true)
      return place.isOfKernel || place.text == "/" || holdsSocketOfMachine(place.text)
    }

    /// File systems that show the machine's kernel, and the one that shows others in layers.
    private static let kernelFileSystems: Set<String> = ["sysfs", "proc", "debugfs", "tracefs", "bpf", "devtmpfs", "overlay"]

    /// Nothing takes the socket of a daemon of the machine away, or the device of rfkill, or puts another in its place.
    private func decideRemoval(_ call: Call, _ shape: programs_shape, _ arguments: [UInt64]) {
      for (path, directory) in [(shape.path, shape.directory), (shape.out, shape.size)] where path >= 0 {
        guard let bytes = self.path(call, arguments[Int(path)]) else { continue }
        let text = Self.repaired(bytes)
        let folder = directory >= 0 ? Int32(truncatingIfNeeded: arguments[Int(directory)]) : AT_FDCWD
        let (kind, target) = Self.place(bytes, call.process, folder, follows: false)
        let isRadioSwitch = kind == PROGRAMS_RADIO_SWITCH || target == "/dev/rfkill"
        if isRadioSwitch || holdsSocketOfMachine(target) {
          return refuse(
            call, EACCES, "wanted to take \(shown(text.hasPrefix("/") ? text : target)) of the machine away or to give it another name")
        }
      }
      pass(call)
    }

    // MARK: Processes

    private func decideSignal(_ call: Call, _ shape: programs_shape, _ arguments: [UInt64]) {
      // No signal only asks whether the process is there.
      if shape.flags >= 0, arguments[Int(shape.flags)] & 0xFFFF_FFFF == 0 { return pass(call) }
      var number = shape.out >= 0 ? Int32(truncatingIfNeeded: arguments[Int(shape.out)]) : 0
      if shape.directory >= 0 {
        let descriptor = Int32(truncatingIfNeeded: arguments[Int(shape.directory)])
        // A folder of procfs does as well as a descriptor of a process.
        let folder = SystemFiles.link("/proc/\(call.process)/fd/\(descriptor)")?.split(separator: "/").last.flatMap { Int32($0) }
        number = ProcessTree.value("Pid:", in: "/proc/\(call.process)/fdinfo/\(descriptor)") ?? folder ?? 0
      }
      // F_SETOWN_EX has a kind and a number in memory, F_SETOWN a negative number for a group.
      if shape.size >= 0, arguments[Int(shape.size)] & 0xFFFF_FFFF == 15 {
        let owner = memory(call, arguments[Int(shape.out)], 8) ?? [UInt8](repeating: 0, count: 8)
        number = Int32(truncatingIfNeeded: Self.number(owner[4...])) * (owner[0] == 2 ? -1 : 1)
      }
      let isOwn = number == 0 ? getpgid(call.process) == getpgrp() : number == -getpgrp() && isInSameNameSpace(call.process)
      if isOwn, shape.directory < 0, shape.size < 0 {
        return signalGroup(call, Int32(truncatingIfNeeded: arguments[Int(shape.flags)]))
      }
      // PIDFD_SIGNAL_PROCESS_GROUP, which programs do without before Linux 6.9.
      if shape.directory >= 0, arguments[3] & 4 != 0 { return programs_answer(listener, call.id, Int64(-EINVAL)) }
      guard number != 0, isOutside(number, of: call.process) else {
        processes.forget()
        return pass(call)
      }
      refuse(call, EPERM, "wanted to signal \(number == -1 ? "every process" : "process \(abs(number))"), outside of the simulation")
    }

    /// Sends a signal to the group that this process and what started it are in: only what is inside has it.
    private func signalGroup(_ call: Call, _ signal: Int32) {
      // Where signals end the wait of a call, it would begin again.
      let isHeld = programs_holds_signals()
      if !isHeld { programs_answer(listener, call.id, 0) }
      for process in ProcessTree.all() where getpgid(process) == getpgrp() { processes.signal(process, signal) }
      if isHeld { programs_answer(listener, call.id, 0) }
    }

    private func decideProcess(_ call: Call, _ number: Int32) {
      guard isOutside(number, of: call.process) else { return pass(call) }
      refuse(call, EPERM, "wanted to trace or change process \(number), outside of the simulation")
    }

    /// Whether a path is that of the memory of a process outside, or of anything of it that is to be changed.
    private func isOfProcessOutside(_ path: KernelPath, of process: Int32, isChange: Bool) -> Bool {
      let parts = path.text.split(separator: "/")
      guard parts.count > 2, parts[0] == "proc", isChange || parts.last == "mem", let number = Int32(parts[1]) else { return false }
      return isOutside(number, of: process)
    }

    /// Whether a process, or a group where the number is negative, does not belong to the simulation, by the number
    /// that another process has for it.
    private func isOutside(_ number: Int32, of process: Int32) -> Bool {
      if !isInSameNameSpace(process) { return false }
      if number == -1 { return true }
      if SystemFiles.text("/proc/\(abs(number))/status") == nil {
        // A process that has ended is not outside; a group may outlive its leader.
        return number < 0 && !ProcessTree.all().contains { getpgid($0) == -number }
      }
      return !ProcessTree.contains(abs(number))
    }

    /// Whether a process has the same numbers for others as this one: in a name space of processes that the simulation
    /// made, all are of the simulation.
    private func isInSameNameSpace(_ process: Int32) -> Bool {
      SystemFiles.link("/proc/\(process)/ns/pid") == SystemFiles.link("/proc/self/ns/pid")
    }

    // MARK: Sockets

    private func refuseRequest(_ call: Call, _ request: UInt64) {
      let types = request == UInt64(TIOCSTI) || request == 0x541C  // TIOCLINUX
      if types { return refuse(call, EPERM, "wanted to type into a terminal") }
      refuse(call, EOPNOTSUPP, "made the request 0x\(String(request, radix: 16)) about an interface of the machine")
    }

    private func refuseSocket(_ call: Call, _ arguments: [UInt64]) {
      let family = Int32(truncatingIfNeeded: arguments[0])
      let number = Int32(truncatingIfNeeded: arguments[2])
      // getaddrinfo(3) of the C library asks for the machine's addresses with such a socket, and does without where it
      // gets none.
      let isOfLibrary =
        family == AF_NETLINK && number == 0 && arguments[1] == UInt64(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue)
        && isInLibrary(call.instruction, of: call.process)
      // Programs that write to the log of audits (NETLINK_AUDIT) do without where there is none.
      if isOfLibrary || family == AF_NETLINK && number == 9 { return programs_answer(listener, call.id, Int64(-EAFNOSUPPORT)) }
      let what =
        switch family {
        case AF_NETLINK: "opened a netlink socket (protocol \(number)) that the simulated kernel does not have, or past the preload library"
        case AF_PACKET: "opened a packet socket past the preload library"
        case AF_INET: "opened a packet socket of the old kind (SOCK_PACKET)"
        default: "opened a socket of family \(family), which could reach interfaces of the machine"
        }
      refuse(call, EAFNOSUPPORT, what)
    }

    /// Whether an address is of the C library of a process that has the preload library.
    private func isInLibrary(_ address: UInt64, of process: Int32) -> Bool {
      let maps = SystemFiles.text("/proc/\(process)/maps") ?? ""
      guard maps.contains("/\(PreloadLibrary.name)") else { return false }
      return maps.split(separator: "\n").contains { line in
        let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt64($0, radix: 16) }
        return range.count == 2 && range[0]..<range[1] ~= address && (line.contains("/libc.so") || line.contains("/libc-2"))
      }
    }

    private func decideOption(_ call: Call, _ arguments: [UInt64]) {
      let option = Int32(truncatingIfNeeded: arguments[2])
      guard Int32(truncatingIfNeeded: arguments[1]) == SOL_SOCKET else {
        return refuse(call, EPERM, "wanted packet filters or routes of multicast of the machine")
      }
      let value = memory(call, arguments[3], min(Int(truncatingIfNeeded: arguments[4] & 0xFFFF), 16)) ?? []
      let name = String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)
      // The loopback is the same in a simulation, and no name is no interface.
      if option == SO_BINDTODEVICE, name.isEmpty || name == "lo" { return pass(call) }
      if option != SO_BINDTODEVICE, value.allSatisfy({ $0 == 0 }) || value.first == 1 && value.dropFirst().allSatisfy({ $0 == 0 }) {
        return pass(call)
      }
      refuse(call, ENODEV, "wanted to bind a socket to an interface of the machine")
    }

    private func decideAddresses(_ call: Call, _ addresses: [(place: UInt64, size: Int)]) {
      for address in addresses {
        guard let daemon = daemon(call, address.place, size: address.size) else { continue }
        return refuse(call, ECONNREFUSED, "wanted to talk with a daemon of the machine at \(shown(daemon))")
      }
      pass(call)
    }

    /// The addresses of `struct msghdr`, or of several `struct mmsghdr`.
    private func addresses(_ call: Call, _ shape: programs_shape, _ arguments: [UInt64]) -> [(place: UInt64, size: Int)] {
      let count = shape.size < 0 ? 1 : min(arguments[Int(shape.size)], 1024)
      let stride = unsafe UInt64(MemoryLayout<msghdr>.stride) + (shape.size < 0 ? 0 : 8)
      return (0..<count).compactMap { index in
        guard let header = memory(call, arguments[Int(shape.out)] &+ index * stride, 12) else { return nil }
        return (Self.number(header[..<8]), Int(Self.number(header[8...11])))
      }
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
      bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The socket of a daemon of the machine that an address is of.
    private func daemon(_ call: Call, _ address: UInt64, size: Int) -> String? {
      if address == 0 { return nil }
      guard let bytes = memory(call, address, min(size, MemoryLayout<sockaddr_un>.size)), bytes.count > 2,
        Int32(bytes[0]) | Int32(bytes[1]) << 8 == AF_UNIX
      else { return nil }
      guard bytes[2] != 0 else {
        let name = "@" + String(decoding: bytes.dropFirst(3), as: UTF8.self)
        return DaemonSocket.isOfMachine(name) && !isOfSimulation(name) ? name : nil
      }
      let path = bytes.dropFirst(2).prefix { $0 != 0 }.map { CChar(bitPattern: $0) } + [0]
      let (kind, resolved) = Self.place(path, call.process, AT_FDCWD, follows: true)
      return kind != PROGRAMS_MISSING && DaemonSocket.isOfMachine(resolved) && !isOfSimulation(resolved) ? resolved : nil
    }

    /// The Unix sockets that have a path or name, with that, as links of descriptors name them.
    private func sockets() -> [(path: Substring, link: String)] {
      (SystemFiles.text("/proc/net/unix") ?? "").split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ", maxSplits: 7, omittingEmptySubsequences: true)
        return words.count == 8 ? (words[7], "socket:[\(words[6])]") : nil
      }
    }

    /// Whether a path is that of a socket of a daemon of the machine, or of a folder that holds one.
    private func holdsSocketOfMachine(_ path: String) -> Bool {
      sockets().contains { socket in
        let bound = socket.path.hasPrefix("/var/run/") ? socket.path.dropFirst(4) : socket.path
        guard bound == path || bound.hasPrefix(path + "/") else { return false }
        return DaemonSocket.isOfMachine(String(bound)) && !isOfSimulation(String(bound))
      }
    }

    /// Whether a process of the simulation bound a socket.
    private func isOfSimulation(_ path: String) -> Bool {
      let name = path.split(separator: "/").last
      let inodes = Set(
        sockets().filter { socket in
          if socket.path == path { return true }
          // The text is that of the program: of its folder, or behind links.
          guard !path.hasPrefix("@"), socket.path.split(separator: "/").last == name else { return false }
          let bytes = Array(String(socket.path).utf8CString)
          return !socket.path.hasPrefix("/") || Self.place(bytes, getpid(), AT_FDCWD, follows: false).1 == path
        }.map(\.link))
      guard !inodes.isEmpty else { return false }
      return ProcessTree.all().contains { process in
        SystemFiles.list("/proc/\(process)/fd").contains { SystemFiles.link("/proc/\(process)/fd/\($0)").map(inodes.contains) == true }
      }
    }

    // MARK: Answers

    private func pass(_ call: Call) { programs_pass(listener, call.id) }

    private func refuse(_ call: Call, _ error: Int32, _ what: String, _ consequence: String = "it was refused, as a simulation is closed") {
      programs_answer(listener, call.id, Int64(-error))
      let name = SystemFiles.line("/proc/\(call.process)/comm") ?? "a program"
      guard said.count < 10_000, said.insert("\(name) \(what)").inserted else { return }
      StandardStreams.say("\(shown(name)) \(what): \(consequence).")
    }

    /// Memory that the process itself cannot read is an error of its call; any other is one that nothing can be decided
    /// about.
    private func unreadable(_ call: Call, _ address: UInt64) {
      var byte: UInt8 = 0
      if unsafe programs_read_memory(call.process, address, &byte, 1) < 0, errno == EFAULT { return pass(call) }
      if errno == ENAMETOOLONG { return programs_answer(listener, call.id, Int64(-ENAMETOOLONG)) }
      refuse(call, EACCES, "made a call that cannot be examined (\(Failure.words(of: errno)))")
    }

    private func shown(_ text: String) -> String { PrintableText.escape(text) }

    private func text(_ call: Call, _ address: UInt64) -> String? { path(call, address).map(Self.repaired) }

    /// A path to be compared and shown, in which what is not UTF-8 is replaced.
    private static func repaired(_ path: [CChar]) -> String {
      String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of a path, which need not be UTF-8, with the zero at its end.
    private func path(_ call: Call, _ address: UInt64) -> [CChar]? {
      if address == 0 { return nil }
      return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
        guard let start = buffer.baseAddress else { return nil }
        let count = unsafe programs_read_text(call.process, address, start, 4096)
        guard count >= 0 else { return nil }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count)) + [0]
      }
    }

    private func memory(_ call: Call, _ address: UInt64, _ size: Int) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: max(size, 0))
      guard size > 0, unsafe programs_read_memory(call.process, address, &bytes, size) == size else { return nil }
      return bytes
    }

    private static func arguments(_ call: Call) -> [UInt64] {
      let six = call.arguments
      return [six.0, six.1, six.2, six.3, six.4, six.5]
    }
  }
#endif
