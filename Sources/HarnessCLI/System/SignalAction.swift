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

  /// Does what the process does on the signal now, before it returns.
  ///
  /// A signal that is sent to the process waits for whichever of its threads takes it, and threads of Dispatch block
  /// signals: the calling thread would go on meanwhile.
  static func raise(_ number: CInt) {
    var wanted = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&wanted)
    unsafe sigaddset(&wanted, number)
    unsafe pthread_sigmask(SIG_UNBLOCK, &wanted, &before)
    pthread_kill(pthread_self(), number)
    unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  /// Ends the process by the signal, so that the parent process sees which one it was.
  static func end(by number: CInt) {
    _ = signal(number, SIG_DFL)
    raise(number)
  }
}
