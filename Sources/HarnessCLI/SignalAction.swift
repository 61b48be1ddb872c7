#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the process does on a signal (`sigaction(2)`), so that it can do so again.
struct SignalAction {
  /// The signal.
  let number: CInt
  private let action: sigaction

  /// What it does now.
  init(_ number: CInt) {
    self.number = number
    var action = sigaction()
    _ = unsafe sigaction(number, nil, &action)
    self.action = action
  }

  /// Whether the signal has no effect.
  var isIgnored: Bool {
    #if canImport(Darwin)
      let handler = unsafe action.__sigaction_u.__sa_handler
    #else
      let handler = unsafe action.__sigaction_handler.sa_handler
    #endif
    return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  /// Does so again.
  func restore() {
    var action = action
    _ = unsafe sigaction(number, &action, nil)
  }
}
