import CTerminal
import Dispatch
import Terminal
import WiFi

#if canImport(CNcurses)
  import CNcurses
#endif

/// The terminal as a whole screen: keys and mouse through ncurses, pictures as bytes, and given back on every way out.
@MainActor
@safe final class TerminalDevice {
  /// What came from the terminal: an event of the user, another size, or its end.
  enum Input {
    case event(InputEvent)
    case wokeUp
    case closed
  }

  /// What comes from the terminal, in order.
  let inputs: AsyncStream<Input>
  private let continuation: AsyncStream<Input>.Continuation
  private var sources: [any DispatchSourceRead] = []
  private var utf8: [UInt8] = []
  private var pasted: [UInt8]?
  private var isOpen = false

  /// The screen that others do not see, no cursor, pasted text in brackets; ncurses asks for the mouse as the terminal
  /// has it.
  private static let enter = (screen: "\u{1B}[?1049h", modes: "\u{1B}[?25l\u{1B}[2J\u{1B}[?2004h")
  private static let leave = (modes: "\u{1B}[?2004l\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h", screen: "\u{1B}[?1049l")

  init() { (inputs, continuation) = AsyncStream.makeStream() }

  /// The size of the terminal.
  var size: Size {
    StandardStreams.size.map { Size(columns: $0.columns, rows: $0.rows) } ?? Size(columns: 80, rows: 24)
  }

  /// Shows a picture's bytes.
  func write(_ bytes: [UInt8]) throws(Failure) {
    if bytes.isEmpty { return }
    cterminal_writes(1)
    defer { cterminal_writes(0) }
    try StandardStreams.write(bytes)
  }

  /// Gives the terminal back as it was.
  func close() {
    guard isOpen else { return }
    isOpen = false
    for source in sources { source.cancel() }
    // There is one way out, which a signal takes, too: ncurses would give back part of it a second time.
    cterminal_end()
    continuation.finish()
  }

  /// Takes the terminal's modes again, after the process was continued.
  func resume() {
    #if canImport(CNcurses)
      if isOpen { cncurses_resume() }
    #endif
  }

  /// Stops the process, as Control-Z does, until it is continued.
  func stop() { cterminal_stop() }

  #if canImport(CNcurses)
    private var pad: UnsafeMutablePointer<WINDOW>?

    /// Takes the terminal.
    ///
    /// - Throws: ``Failure`` where the terminal is not known to terminfo.
    func open() throws(Failure) {
      guard cncurses_is_known() != 0 else { throw Self.unknownTerminal }
      let wake = unsafe cterminal_begin(Self.enter.screen + Self.enter.modes, Self.leave.modes + Self.leave.screen)
      guard let pad = unsafe cncurses_begin() else {
        cterminal_end()
        throw Self.unknownTerminal
      }
      unsafe self.pad = pad
      // ncurses switches the keys with the cursor and the keypad to codes of their own, and may have put the window's
      // title aside.
      let enter = (Self.string("smcup") ?? Self.enter.screen) + Self.enter.modes + (Self.string("smkx") ?? "")
      let leave = Self.leave.modes + (Self.string("rmkx") ?? "") + (Self.string("rmcup") ?? Self.leave.screen)
      unsafe cterminal_describe(enter, leave)
      cterminal_handle_signals()
      isOpen = true
      read(from: 0) { [weak self] in self?.readKeys() }
      if wake >= 0 {
        read(from: wake) { [weak self] in
          var bytes = [UInt8](repeating: 0, count: 64)
          while Self.readBytes(wake, &bytes) > 0 {}
          self?.continuation.yield(.wokeUp)
        }
      }
    }

    private static var unknownTerminal: Failure {
      let name = PrintableText.escape(StandardStreams.environment("TERM") ?? "")
      return Failure(.unavailable, "the terminal “\(name)” is not known here: set TERM, such as TERM=xterm-256color, or use --linear.")
    }

    /// A string of the terminal's description, without pauses (`$<5>`), which no terminal of today needs.
    private static func string(_ name: String) -> String? {
      guard let text = unsafe cncurses_string(name) else { return nil }
      var parts = unsafe String(cString: text).split(separator: "$<", omittingEmptySubsequences: false)[...]
      var string = parts.popFirst().map(String.init) ?? ""
      for part in parts { string += part.drop { $0 != ">" }.dropFirst() }
      return string
    }

    private static func readBytes(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
      let count = bytes.count
      return unsafe Glibc.read(descriptor, &bytes, count)
    }

    private func read(from descriptor: Int32, _ body: @escaping @MainActor () -> Void) {
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      source.setEventHandler { MainActor.assumeIsolated { body() } }
      source.resume()
      sources.append(source)
    }

    private func readKeys() {
      guard let pad = unsafe pad, isOpen else { return }
      var count = 0
      while true {
        let code = unsafe cncurses_read(pad)
        if code == ERR { break }
        count += 1
        take(code)
      }
      if count == 0, isClosed { continuation.yield(.closed) }
    }

    /// Whether the other side of the terminal is gone.
    private var isClosed: Bool {
      var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&descriptor, 1, 0) > 0 else { return false }
      return descriptor.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 || descriptor.revents & Int16(POLLIN) != 0
    }

    private func take(_ code: Int32) {
      if code == CNCURSES_PASTE_BEGIN {
        pasted = []
      } else if code == CNCURSES_PASTE_END {
        continuation.yield(.event(.paste(String(decoding: pasted ?? [], as: UTF8.self))))
        pasted = nil
      } else if code < 256, pasted != nil {
        pasted?.append(UInt8(truncatingIfNeeded: code))
      } else if code == KEY_MOUSE {
        takeMouse()
      } else if let key = Self.keys[code] {
        yield(key)
      } else if code < 256 {
        take(byte: UInt8(truncatingIfNeeded: code))
      }
    }

    private func yield(_ key: Key) { continuation.yield(.event(.key(key))) }

    private func takeMouse() {
      var (column, row): (Int32, Int32) = (0, 0)
      let actions: [MouseAction?] = [nil, .press, .doublePress, .wheelUp, .wheelDown]
      let number = Int(unsafe cncurses_mouse(&column, &row))
      guard actions.indices.contains(number), let action = actions[number] else { return }
      continuation.yield(.event(.mouse(action, column: Int(column), row: Int(row))))
    }

    /// Puts the bytes of a character together.
    private func take(byte: UInt8) {
      if byte < 0x80 {
        utf8 = []
        switch byte {
        case 0x1B: yield(.escape)
        case 0x0D, 0x0A: yield(.enter)
        case 0x09: yield(.tab)
        case 0x7F, 0x08: yield(.backspace)
        case 0x01...0x1A: yield(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20...: yield(.character(Character(Unicode.Scalar(byte))))
        default: break
        }
        return
      }
      utf8.append(byte)
      if let text = String(validating: utf8, as: UTF8.self) {
        utf8 = []
        for character in text { yield(.character(character)) }
      } else if utf8.count >= 4 {
        utf8 = []
      }
    }

    private static let keys: [Int32: Key] = [
      KEY_UP: .up, KEY_DOWN: .down, KEY_LEFT: .left, KEY_RIGHT: .right, KEY_HOME: .home, KEY_END: .end, KEY_PPAGE: .pageUp,
      KEY_NPAGE: .pageDown, KEY_BACKSPACE: .backspace, KEY_DC: .delete, KEY_IC: .insert, KEY_ENTER: .enter, KEY_BTAB: .backTab,
    ]
  #else
    func open() throws(Failure) {
      throw Failure(.unavailable, "this program was built without ncurses and has no full screen. Use --linear, or --once for one picture.")
    }
  #endif
}
