import ScanTools

#if os(Linux)
  import CPrograms
  import Harness
  import WiFi

  /// A program that is to use the simulated kernel: where it is, and whether the preload library can stand before its C
  /// library.
  struct ProgramImage {
    /// The path of the file.
    var path: String

    /// Finds a program as a shell does.
    ///
    /// - Throws: ``Failure`` where it is not there, or cannot be helped.
    init(named name: String) throws(Failure) {
      path = try Self.find(name)
      try Self.check(path, depth: 0)
    }

    private static func find(_ name: String) throws(Failure) -> String {
      let shown = PrintableText.escape(name)
      if name.contains("/") {
        if isProgram(name) { return name }
        guard unsafe access(name, F_OK) == 0 else { throw Failure(.noInput, "there is no program \(shown).") }
        throw Failure(.noInput, "\(shown) is not a program that you may run.")
      }
      let folders = StandardStreams.environment("PATH") ?? "/usr/local/bin:/usr/bin:/bin"
      // Programs of administrators are found, too, for every user.
      for folder in "\(folders):/usr/sbin:/sbin".split(separator: ":") {
        let path = "\(folder)/\(name)"
        if isProgram(path) { return path }
      }
      throw Failure(.noInput, "there is no program \(shown) in the folders of PATH. Install it, or give its path.")
    }

    private static func isProgram(_ path: String) -> Bool {
      var status = stat()
      return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }

    private static func check(_ path: String, depth: Int) throws(Failure) {
      let shown = PrintableText.escape(path)
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { throw Failure(.noInput, "there is no program \(shown).") }
      // A program that takes the rights of another user gets none in a simulation; with file capabilities, its loader
      // takes no library.
      if geteuid() != 0, unsafe programs_gives_capabilities(path) {
        throw Failure(
          .unavailable,
          "\(shown) has capabilities, so the system lets no library stand before its own. "
            + "Run a copy without them (cp \(shown) .): the simulated kernel asks for none.")
      }
      guard let start = try? Files.read(path, limit: 1 << 30) else { return }
      if start.starts(with: [0x23, 0x21]) {
        let line = start.dropFirst(2).prefix(255).prefix { $0 != 0x0A }
        guard depth < 4, let interpreter = line.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).first else { return }
        return try check(String(decoding: interpreter, as: UTF8.self), depth: depth + 1)
      }
      guard let image = ELFHeader(start) else { return }
      if image.machine != ELFHeader.own {
        throw Failure(.unavailable, "\(shown) is for another processor than the preload library. Run a build of it for this one.")
      }
      guard let interpreter = image.interpreter else {
        throw Failure(
          .unavailable,
          "\(shown) is linked statically: no library can stand between it and the kernel of the machine. "
            + "Run a build of it that is linked dynamically.")
      }
      if interpreter.contains("ld-musl") {
        throw Failure(
          .unavailable, "\(shown) is linked with musl, and the preload library with glibc. Run a build of it that is linked with glibc.")
      }
    }
  }

  /// What of an ELF file says how it is started (elf(5)).
  struct ELFHeader {
    /// The class and the machine (`EI_CLASS`, `e_machine`).
    var machine: UInt32
    /// The dynamic linker (`PT_INTERP`); `nil` in a static program.
    var interpreter: String?

    /// The class and the machine of this program.
    static var own: UInt32 {
      #if arch(x86_64)
        2 << 16 | 62
      #elseif arch(arm64)
        2 << 16 | 183
      #else
        0
      #endif
    }

    /// Reads a file; `nil` where it is none that this reads: 64 bits wide and little-endian, or another machine's.
    init?(_ bytes: [UInt8]) {
      guard bytes.count >= 20, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return nil }
      func number(_ offset: Int, _ width: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - width else { return nil }
        var value: UInt64 = 0
        for index in (0..<width).reversed() { value = value << 8 | UInt64(bytes[offset + index]) }
        return Int(exactly: value)
      }
      machine = UInt32(bytes[4]) << 16 | UInt32(bytes[18]) | UInt32(bytes[19]) << 8
      guard bytes[4] == 2, bytes[5] == 1, let table = number(32, 8), let size = number(54, 2), let count = number(56, 2) else { return }
      for index in 0..<count {
        let (entry, overflow) = table.addingReportingOverflow(index * size)
        guard !overflow, number(entry, 4) == 3, let offset = number(entry + 8, 8), let length = number(entry + 32, 8) else { continue }
        guard offset <= bytes.count, length <= bytes.count - offset else { continue }
        interpreter = String(decoding: bytes[offset..<offset + length].prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }
#endif
