import ScanTools
import WiFi

/// A connection to gpsd over TCP.
///
/// Nothing waits long for it: an answer that does not come within a second is no position. A connection that breaks is
/// said once, and opened again when it is asked the next time.
final class GPSDConnection: PositionSource {
  /// Why there is no connection.
  struct Problem: Error {
    /// Without a full stop.
    var sentence: String
  }

  private static let answerLimit = Duration.seconds(1)
  private static let connectLimit = Duration.seconds(3)

  private let address: GPSDAddress
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var descriptor: Int32 = -1
  private var session = GPSDSession()
  private var isSaid = false

  init(_ address: GPSDAddress) {
    self.address = address
    start = clock.now
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Connects and hears the greeting.
  func open() async throws(Problem) {
    session = GPSDSession()
    descriptor = try await connected()
    do throws(Problem) {
      try request(session.greeting)
      // An answer shows that it is gpsd; whether it has a fix is another question.
      _ = try await ask()
    } catch {
      hangUp()
      throw error
    }
  }

  func position() async -> Position? {
    do throws(Problem) {
      if descriptor < 0 { try await open() }
      let position = try await ask()
      if isSaid { StandardStreams.say("gpsd at \(address) answers again.") }
      isSaid = false
      return position
    } catch {
      hangUp()
      if !isSaid {
        StandardStreams.say("gpsd at \(address): \(error.sentence); scans have no position until it answers.")
      }
      isSaid = true
      return nil
    }
  }

  private func hangUp() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }

  private func request(_ bytes: [UInt8]) throws(Problem) {
    let count = unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Self.noSignal) }
    if count != bytes.count { throw Problem(sentence: count < 0 ? Failure.words(of: errno) : "it takes no request") }
  }

  /// Asks for the position and waits for the answer.
  private func ask() async throws(Problem) -> Position? {
    try request(GPSDReport.poll)
    let end = clock.now + Self.answerLimit
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let capacity = buffer.count
      let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, capacity, 0) }
      if count == 0 { throw Problem(sentence: "it closed the connection") }
      // Also where something comes all the time that is no answer.
      guard clock.now < end else { throw Problem(sentence: "it does not answer") }
      if count < 0 {
        guard errno == EAGAIN || errno == EINTR else { throw Problem(sentence: Failure.words(of: errno)) }
        try await wait()
        continue
      }
      for event in session.receive(buffer[..<count], now: clock.now - start) {
        switch event {
        case .position(let position): return position
        case .failed(let sentence): throw Problem(sentence: sentence)
        }
      }
    }
  }

  /// Lets others run for some ms.
  private func wait() async throws(Problem) {
    do { try await clock.sleep(for: .milliseconds(5)) } catch { throw Problem(sentence: "the wait for it was cancelled") }
  }

  // MARK: Calls of POSIX

  /// A connected socket that does not block.
  private func connected() async throws(Problem) -> Int32 {
    var problem = Problem(sentence: "the host has no address")
    for candidate in try candidates() {
      do throws(Problem) { return try await connected(candidate) } catch { problem = error }
    }
    throw problem
  }

  private struct Candidate {
    var family: Int32
    var address: [UInt8]
  }

  /// The addresses of the host.
  private func candidates() throws(Problem) -> [Candidate] {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Self.stream
    var list: UnsafeMutablePointer<addrinfo>?
    let status = unsafe getaddrinfo(address.host, "\(address.port)", &hints, &list)
    guard status == 0 else { throw Problem(sentence: unsafe String(cString: gai_strerror(status))) }
    defer { unsafe freeaddrinfo(list) }
    var candidates: [Candidate] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ai_addr {
        let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(entry.pointee.ai_addrlen))
        candidates.append(Candidate(family: unsafe entry.pointee.ai_family, address: unsafe Array(bytes)))
      }
      unsafe next = entry.pointee.ai_next
    }
    return candidates
  }

  private func connected(_ candidate: Candidate) async throws(Problem) -> Int32 {
    let descriptor = socket(candidate.family, Self.stream, 0)
    guard descriptor >= 0 else { throw Problem(sentence: Failure.words(of: errno)) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    do throws(Problem) {
      let status = unsafe candidate.address.withUnsafeBytes { bytes in
        unsafe bytes.withMemoryRebound(to: sockaddr.self) { unsafe connect(descriptor, $0.baseAddress, socklen_t(bytes.count)) }
      }
      if status == 0 { return descriptor }
      guard errno == EINPROGRESS else { throw Problem(sentence: Failure.words(of: errno)) }
      let end = clock.now + Self.connectLimit
      var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      while unsafe poll(&entry, 1, 0) == 0 {
        guard clock.now < end else { throw Problem(sentence: "no connection within \(Self.connectLimit.components.seconds) s") }
        try await wait()
      }
      var (number, length) = (Int32(0), socklen_t(4))
      _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
      guard number == 0 else { throw Problem(sentence: Failure.words(of: number)) }
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  #if canImport(Glibc)
    private static let stream = Int32(SOCK_STREAM.rawValue)
  #else
    private static let stream = SOCK_STREAM
  #endif

  #if os(Linux)
    private static let noSignal = CInt(MSG_NOSIGNAL)
  #else
    private static let noSignal: CInt = 0
  #endif
}
