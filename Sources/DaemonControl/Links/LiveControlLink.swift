public import DaemonProtocols

#if os(Linux)
  internal import Dispatch
  internal import Glibc
  public import WiFi

  /// The daemons of this machine, over Unix sockets.
  ///
  /// wpa_supplicant is talked to by datagrams, from a socket that the kernel names (an abstract address), so that no
  /// file is left behind; the system bus by a stream.
  public final class LiveControlLink: ControlLink {
    /// Where the daemons listen.
    public struct Paths: Hashable, Sendable {
      /// The folder with one socket for each interface (`ctrl_interface=DIR=…`).
      public var supplicant = "/run/wpa_supplicant"
      /// The sockets of the system bus, which are tried in this order.
      public var bus = [DBusAddress.path("/run/dbus/system_bus_socket")]

      /// Where Debian has them.
      public init() {}
    }

    private struct Socket {
      var channel: ControlChannel
      var descriptor: CInt
      var isStream: Bool
    }

    private let paths: Paths
    private var sockets: [Socket] = []
    /// The two ends of a pipe: a byte in it ends a wait.
    private let wakeReader: CInt
    private let wakeWriter: CInt
    private var endsWait = false
    private let queue = DispatchQueue(label: "wifi-harness.control-link")
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    /// Which socket is looked at first, so that a chatty one does not hide the other.
    private var turn = 0

    /// Makes a link without open channels.
    ///
    /// - Throws: ``/WiFi/LinkError`` where the process has no descriptors left.
    public init(paths: Paths = Paths()) throws(LinkError) {
      self.paths = paths
      var ends: [CInt] = [-1, -1]
      let result = unsafe pipe(&ends)
      (wakeReader, wakeWriter) = (ends[0], ends[1])
      if result != 0 { throw LinkError(operation: "make a pipe", number: errno) }
      for end in ends {
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      }
    }

    deinit {
      for socket in sockets { Glibc.close(socket.descriptor) }
      Glibc.close(wakeReader)
      Glibc.close(wakeWriter)
    }

    public var bootTime: Duration {
      var time = timespec()
      unsafe clock_gettime(CLOCK_BOOTTIME, &time)
      return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: Channels

    public func open(_ channel: ControlChannel) throws(LinkError) {
      precondition(!sockets.contains { $0.channel == channel }, "LiveControlLink: \(channel) is open")
      let addresses: [DBusAddress]
      let isStream: Bool
      switch channel {
      case .supplicant(let interface):
        guard !interface.isEmpty, !interface.utf8.contains(UInt8(ascii: "/")), interface != "..", interface != "." else {
          throw LinkError(operation: "open \(channel)", number: ENOENT)
        }
        addresses = [.path("\(paths.supplicant)/\(interface)")]
        isStream = false
      case .bus:
        addresses = paths.bus
        isStream = true
      case .kernel:
        sockets.append(Socket(channel: channel, descriptor: try Self.kernelEvents(), isStream: false))
        return
      }
      var failure = LinkError(operation: "open \(channel)", number: EAFNOSUPPORT)
      for address in addresses {
        let kind = CInt((isStream ? SOCK_STREAM : SOCK_DGRAM).rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw LinkError(operation: "make a socket", number: errno) }
        do throws(LinkError) {
          if !isStream { try bindToNameOfKernel(descriptor) }
          try connect(descriptor, to: address, channel)
          sockets.append(Socket(channel: channel, descriptor: descriptor, isStream: isStream))
          return
        } catch {
          Glibc.close(descriptor)
          failure = error
        }
      }
      throw failure
    }

    /// Opens a netlink socket that hears nl80211's group `mlme` (`netlink(7)`).
    private static func kernelEvents() throws(LinkError) -> CInt {
      let genericNetlink: CInt = 16
      let kind = CInt(SOCK_RAW.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
      let descriptor = socket(AF_NETLINK, kind, genericNetlink)
      guard descriptor >= 0 else { throw LinkError(operation: "open a netlink socket", number: errno) }
      // The controller answers at once; a second is for a kernel that does not.
      var patience = timeval(tv_sec: 1, tv_usec: 0)
      unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      let request = NetlinkMessage(
        type: NetlinkMessage.ControlType.genericController, flags: NetlinkMessage.Flag.request, sequence: 1,
        payload: GenericFamily.request(name: NL80211.familyName).payload
      ).encoded
      var answer = [UInt8](repeating: 0, count: 8192)
      let sent = unsafe request.withUnsafeBytes { unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
      let count = sent < 0 ? -1 : unsafe answer.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
      guard count > 0, var group = mlmeGroup(in: Array(answer[..<count])) else {
        Glibc.close(descriptor)
        throw LinkError(operation: "find nl80211", number: ENOENT)
      }
      let netlink: CInt = 270
      let addMembership: CInt = 1
      guard unsafe setsockopt(descriptor, netlink, addMembership, &group, socklen_t(MemoryLayout<UInt32>.size)) == 0 else {
        let number = errno
        Glibc.close(descriptor)
        throw LinkError(operation: "join the events of the kernel", number: number)
      }
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      return descriptor
    }

    /// The number of the group in the controller's answer.
    private static func mlmeGroup(in bytes: [UInt8]) -> UInt32? {
      var walk = NetlinkWalk(bytes)
      let family = walk.next().flatMap { GenericFamily(bytes, $0.attributes) }
      return family?.groups.first { $0.name == "mlme" }?.number
    }

    /// Gives the socket an abstract address, which the daemon answers to (`unix(7)`, “Autobind feature”).
    private func bindToNameOfKernel(_ descriptor: CInt) throws(LinkError) {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let result = unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size))
        }
      }
      if result != 0 { throw LinkError(operation: "name a socket", number: errno) }
    }

    private func connect(_ descriptor: CInt, to place: DBusAddress, _ channel: ControlChannel) throws(LinkError) {
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      let name: String
      let bytes: [UInt8]
      switch place {
      case .path(let path): (name, bytes) = (path, Array(path.utf8) + [0])
      // A name of the abstract namespace begins with a zero byte and ends with the address (`unix(7)`).
      case .abstract(let text): (name, bytes) = (text, [0] + Array(text.utf8))
      }
      let capacity = MemoryLayout.size(ofValue: address.sun_path)
      guard bytes.count <= capacity, !name.utf8.contains(0) else {
        throw LinkError(operation: "open \(channel)", number: ENAMETOOLONG)
      }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + bytes.count)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
      while true {
        let result = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe Glibc.connect(descriptor, $0, length)
          }
        }
        if result == 0 { return }
        if errno == EINTR { continue }
        throw LinkError(operation: "open \(channel)", number: errno)
      }
    }

    public func close(_ channel: ControlChannel) {
      guard let index = sockets.firstIndex(where: { $0.channel == channel }) else { return }
      Glibc.close(sockets.remove(at: index).descriptor)
    }

    public func send(_ payload: ControlPayload, on channel: ControlChannel) throws(LinkError) {
      guard let socket = sockets.first(where: { $0.channel == channel }) else {
        throw LinkError(operation: "send to \(channel)", number: ENOTCONN)
      }
      var rest = payload.bytes[...]
      while !rest.isEmpty {
        let sent = unsafe rest.withUnsafeBytes {
          unsafe Glibc.send(socket.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        if sent >= 0 {
          rest = socket.isStream ? rest.dropFirst(sent) : []
          continue
        }
        let number = errno
        switch number {
        case EINTR: continue
        case EAGAIN:
          // The daemon reads nothing: a little patience, then an error rather than a hang.
          var polled = pollfd(fd: socket.descriptor, events: Int16(POLLOUT), revents: 0)
          guard unsafe poll(&polled, 1, 1000) > 0 else { throw LinkError(operation: "send to \(channel)", number: EAGAIN) }
        default: throw LinkError(operation: "send to \(channel)", number: number)
        }
      }
    }

    // MARK: Waiting

    public func receive(until deadline: Duration, isFinal: Bool) async throws(LinkError) -> ControlInput? {
      if let input = try take() { return input }
      let descriptors = sockets.map(\.descriptor) + (isFinal ? [] : [wakeReader])
      let queue = queue
      let wakeWriter = wakeWriter
      while isFinal || !Task.isCancelled && !endsWait {
        let remaining = deadline - bootTime
        guard remaining > .zero else { return nil }
        let milliseconds = min(remaining.wholeMilliseconds, 3_600_000) + 1
        await withTaskCancellationHandler {
          await withCheckedContinuation { continuation in
            queue.async {
              var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
              unsafe poll(&polled, nfds_t(polled.count), CInt(milliseconds))
              continuation.resume()
            }
          }
        } onCancel: {
          Self.wake(wakeWriter)
        }
        if !isFinal {
          var bytes: [UInt8] = Array(repeating: 0, count: 16)
          _ = unsafe read(wakeReader, &bytes, bytes.count)
          if Task.isCancelled || endsWait { break }
        }
        if let input = try take() { return input }
      }
      if !isFinal { endsWait = false }
      return nil
    }

    public func endWait() {
      endsWait = true
      Self.wake(wakeWriter)
    }

    private static func wake(_ writer: CInt) {
      var one: UInt8 = 1
      _ = unsafe write(writer, &one, 1)
    }

    /// What is there already; what the kernel reports first, because daemons act on the same reports and speak after
    /// them.
    private func take() throws(LinkError) -> ControlInput? {
      let kernel = sockets.firstIndex { $0.channel == .kernel }
      let others = sockets.indices.map { (turn + $0) % sockets.count }.filter { $0 != kernel }
      for index in (kernel.map { [$0] } ?? []) + others {
        let socket = sockets[index]
        repeat {
          let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(socket.descriptor, $0.baseAddress, $0.count, 0) }
          if count > 0 {
            turn = index + 1
            return .received(socket.channel, Array(buffer[..<count]))
          }
          // An empty datagram is nothing; the end of a stream is the end of the daemon.
          if count == 0, !socket.isStream { continue }
          if count < 0, errno == EAGAIN { break }
          // Events that were lost (ENOBUFS) leave the socket good.
          if count < 0, errno == EINTR || errno == ENOBUFS { continue }
          close(socket.channel)
          return .closed(socket.channel)
        } while true
      }
      return nil
    }
  }
#endif
