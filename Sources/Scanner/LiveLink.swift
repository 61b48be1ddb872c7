#if os(Linux) && canImport(CNetlink)
  internal import CNetlink
  internal import Dispatch
  internal import Glibc
  public import WiFi

  /// The kernel itself, over two netlink sockets of libnl (`struct nl_sock`).
  ///
  /// libnl opens and sizes the sockets; messages are sent and received raw, because libnl turns error numbers into
  /// its own and hides extended acknowledgements.
  @safe public final class LiveLink: Link {
    private let requests: OpaquePointer
    private let events: OpaquePointer
    private let wake: CInt
    private let queue = DispatchQueue(label: "wifi-harness.link")
    private var buffer: [UInt8]

    /// Opens both sockets.
    ///
    /// - Throws: ``/WiFi/LinkError`` where the kernel has no netlink or the process no descriptors left.
    public init() throws(LinkError) {
      unsafe requests = try Self.open()
      do throws(LinkError) {
        unsafe events = try Self.open()
      } catch {
        // What is not whole has no deinit.
        unsafe nl_socket_free(requests)
        throw error
      }
      wake = eventfd(0, CInt(EFD_NONBLOCK | EFD_CLOEXEC))
      buffer = [UInt8](repeating: 0, count: 65_536)
      if wake < 0 { throw LinkError(operation: "make an event descriptor", number: errno) }
    }

    deinit {
      unsafe nl_socket_free(requests)
      unsafe nl_socket_free(events)
      close(wake)
    }

    private static func open() throws(LinkError) -> OpaquePointer {
      guard let socket = unsafe nl_socket_alloc() else {
        throw LinkError(operation: "make a netlink socket", number: ENOMEM)
      }
      errno = 0
      guard unsafe genl_connect(socket) == 0 else {
        let number = errno == 0 ? EAFNOSUPPORT : errno
        unsafe nl_socket_free(socket)
        throw LinkError(operation: "open a netlink socket", number: number)
      }
      // Room for a thousand networks and for the events of a busy system; failure leaves the default size.
      _ = unsafe nl_socket_set_buffer_size(socket, 1 << 20, 32_768)
      unsafe nl_socket_disable_seq_check(socket)
      let descriptor = unsafe nl_socket_get_fd(socket)
      var one: CInt = 1
      // Extended acknowledgements, without the echo of the request; kernels before 4.12 do without.
      unsafe setsockopt(descriptor, SOL_NETLINK, NETLINK_EXT_ACK, &one, socklen_t(MemoryLayout<CInt>.size))
      unsafe setsockopt(descriptor, SOL_NETLINK, NETLINK_CAP_ACK, &one, socklen_t(MemoryLayout<CInt>.size))
      unsafe nl_socket_set_nonblocking(socket)
      return unsafe socket
    }

    public var bootTime: Duration {
      var time = timespec()
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    public func send(_ message: [UInt8]) throws(LinkError) {
      let descriptor = unsafe nl_socket_get_fd(requests)
      while true {
        let sent = unsafe message.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
        if sent >= 0 { return }
        if errno == EINTR { continue }
        throw LinkError(operation: "send to the kernel", number: errno)
      }
    }

    public func join(group: UInt32) throws(LinkError) {
      errno = 0
      if unsafe nl_socket_add_membership(events, CInt(group)) < 0 {
        throw LinkError(operation: "join the events of the kernel", number: errno)
      }
    }

    public func receive(until deadline: Duration) async throws(LinkError) -> LinkInput? {
      if let input = try take() { return input }
      let descriptors = unsafe [nl_socket_get_fd(requests), nl_socket_get_fd(events), wake]
      let queue = queue
      let wake = wake
      while !Task.isCancelled {
        let remaining = deadline - bootTime
        guard remaining > .zero else { return nil }
        let (seconds, attoseconds) = remaining.components
        let milliseconds = min(seconds, 3600) * 1000 + attoseconds / 1_000_000_000_000_000 + 1
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            queue.async {
              var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
              unsafe poll(&polled, nfds_t(polled.count), CInt(milliseconds))
              continuation.resume()
            }
          }
        } onCancel: {
          var one: UInt64 = 1
          _ = unsafe write(wake, &one, 8)
        }
        if Task.isCancelled {
          var count: UInt64 = 0
          _ = unsafe read(wake, &count, 8)
          return nil
        }
        if let input = try take() { return input }
      }
      return nil
    }

    /// What is there already; events first, because they say that an adapter is gone.
    private func take() throws(LinkError) -> LinkInput? {
      if let (bytes, lost) = try take(from: unsafe nl_socket_get_fd(events)) {
        return lost ? .eventsLost : .event(bytes)
      }
      if let (bytes, lost) = try take(from: unsafe nl_socket_get_fd(requests)) {
        return lost ? .repliesLost : .reply(bytes)
      }
      return nil
    }

    private func take(from descriptor: CInt) throws(LinkError) -> (bytes: [UInt8], lost: Bool)? {
      while true {
        let count = unsafe buffer.withUnsafeMutableBytes {
          unsafe recv(descriptor, $0.baseAddress, $0.count, CInt(MSG_TRUNC))
        }
        if count > buffer.count {
          // The datagram was larger than the buffer and is cut off: as good as lost, and the next one will fit.
          buffer = [UInt8](repeating: 0, count: count)
          return ([], true)
        }
        if count > 0 { return (Array(buffer[..<count]), false) }
        if count == 0 { return nil }
        switch errno {
        case EINTR: continue
        case EAGAIN: return nil
        case ENOBUFS: return ([], true)
        default: throw LinkError(operation: "receive from the kernel", number: errno)
        }
      }
    }
  }
#endif
