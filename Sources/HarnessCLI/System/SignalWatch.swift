import Dispatch

/// Does something on a queue whenever one of some signals comes, instead of what it does otherwise.
final class SignalWatch {
  private let pipe: SignalPipe?
  private let source: (any DispatchSourceRead)?

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - numbers: the signals; one that the process ignores is left alone.
  ///   - evenIgnored: those of them that are watched although the process ignores them.
  init(_ numbers: [CInt], evenIgnored: Set<CInt> = [], on queue: DispatchQueue, perform: @escaping (CInt) -> Void) {
    guard let pipe = SignalPipe(numbers, evenIgnored: evenIgnored) else {
      (self.pipe, source) = (nil, nil)
      return
    }
    let source = DispatchSource.makeReadSource(fileDescriptor: pipe.reader, queue: queue)
    source.setEventHandler { while let number = pipe.next() { perform(number) } }
    // Only then the pipe has no reader any more.
    source.setCancelHandler { pipe.recycle() }
    source.resume()
    (self.pipe, self.source) = (pipe, source)
  }

  /// Lets the signals do what they did before.
  func end() {
    pipe?.restore()
    source?.cancel()
  }
}
