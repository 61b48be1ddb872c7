import DaemonControl
import DaemonProtocols
import LinkContract
import Testing
import WiFi

#if os(Linux)
  import Foundation
  import Glibc
#endif

@Suite struct ControlLinkTests {
  static let present = ControlChannel.supplicant(interface: "wlan0")
  static let missing = ControlChannel.supplicant(interface: "wlan9")

  @Test func `a recorded link keeps the contract`() async throws {
    let ping = ControlCommand.ping.encoded
    func entry(_ content: ControlRecording.Content, _ channel: ControlChannel = Self.present) -> ControlRecording.Entry {
      .init(time: .zero, channel: channel, content: content)
    }
    let exchange = [entry(.sent(ping)), entry(.received(ControlReply.pong.encoded))]
    var made = 0
    try await ControlLinkContract.check(present: Self.present, missing: Self.missing) {
      made += 1
      switch made {
      case 1: return RecordedControlLink(ControlRecording([entry(.opened)] + exchange + exchange + exchange))
      case 3: return RecordedControlLink(ControlRecording([entry(.refused(2), Self.missing)]))
      case 6: return RecordedControlLink(ControlRecording([entry(.opened)] + exchange))
      default: return RecordedControlLink(ControlRecording([entry(.opened)]))
      }
    }
    #expect(made == 6)
  }

  @Test(arguments: [
    "0.000000 open", "0.0 open bus", "-1.000000 open bus", "0.000000 < bus 0", "0.000000 > bus secret x", "0.000000 open moon",
    "0.000000 refused bus", "x",
  ])
  func `a recording that is malformed says where`(line: String) {
    #expect(throws: WireError(offset: 25, reason: .invalid("malformed line of a recording"))) {
      try ControlRecording("# one\n\n1.000000 open bus\n" + line)
    }
  }

  @Test func `what is written down holds no secret, and replays`() async throws {
    let text = "0.000000 open supplicant/wlan0\n0.000000 > supplicant/wlan0 secret 4\n0.500000 < supplicant/wlan0 4f4b0a\n"
    let inner = RecordedControlLink(try ControlRecording(text))
    let link = RecordingControlLink(inner)
    try link.open(Self.present)
    try link.send(ControlPayload(Array("blob".utf8), isSecret: true), on: Self.present)
    #expect(try await link.receive(until: .seconds(1000), isFinal: false) == .received(Self.present, Array("OK\n".utf8)))
    #expect(link.recording.text == text)
    #expect(inner.isFinished && inner.difference == nil)
    try link.send(ControlPayload(Array("blob".utf8)), on: Self.present)
    #expect(inner.difference?.contains("nothing more") == true)
  }

  #if os(Linux)
    /// Something that answers PING, on a socket in a folder of its own.
    final class Daemon: Sendable {
      let folder: String
      private let descriptor: CInt

      init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "control-\(getpid())-\(UInt32.random(in: 0 ... .max))").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue), 0)
        self.descriptor = descriptor
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array("\(folder)/wlan0".utf8)) }
        let result = unsafe withUnsafePointer(to: &address) { pointer in
          unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
          }
        }
        try #require(result == 0)
        Thread.detachNewThread {
          var buffer = [UInt8](repeating: 0, count: 4096)
          while true {
            var sender = sockaddr_un()
            var length = socklen_t(MemoryLayout<sockaddr_un>.size)
            let count = unsafe withUnsafeMutablePointer(to: &sender) { pointer in
              unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe recvfrom(descriptor, &buffer, 4096, 0, $0, &length)
              }
            }
            guard count >= 0 else { return }
            guard buffer[..<count].elementsEqual("PING".utf8) else { continue }
            _ = unsafe withUnsafePointer(to: &sender) { pointer in
              unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(descriptor, "PONG\n", 5, 0, $0, length)
              }
            }
          }
        }
      }

      func stop() {
        shutdown(descriptor, CInt(SHUT_RDWR))
        close(descriptor)
        try? FileManager.default.removeItem(atPath: folder)
      }
    }

    @Test func `the live link keeps the contract`() async throws {
      let daemon = try Daemon()
      defer { daemon.stop() }
      try await ControlLinkContract.check(present: Self.present, missing: Self.missing) {
        var paths = LiveControlLink.Paths()
        paths.supplicant = daemon.folder
        return try LiveControlLink(paths: paths)
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: daemon.folder) == ["wlan0"])
    }

    @Test func `the bus is opened at the first of its addresses that answers, in the abstract namespace, too`() throws {
      let name = "wifi-harness-test-\(getpid())"
      let listener = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
      try #require(listener >= 0)
      defer { close(listener) }
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.dropFirst().copyBytes(from: name.utf8) }
      let length = socklen_t(MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + 1 + name.utf8.count)
      let bound = unsafe withUnsafePointer(to: &address) {
        unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, length) }
      }
      try #require(bound == 0 && listen(listener, 1) == 0)
      var paths = LiveControlLink.Paths()
      paths.bus = [.path("/nonexistent/bus"), .abstract(name)]
      try LiveControlLink(paths: paths).open(.bus)
      paths.bus.removeLast()
      #expect(throws: LinkError.self) { try LiveControlLink(paths: paths).open(.bus) }
      paths.bus = []
      #expect(throws: LinkError.self) { try LiveControlLink(paths: paths).open(.bus) }
    }

    @Test(arguments: ["", ".", "..", "../wlan0", "wlan0/x"])
    func `a name of an interface cannot reach another folder`(name: String) throws {
      let link = try LiveControlLink()
      #expect(throws: LinkError.self) { try link.open(.supplicant(interface: name)) }
    }
  #endif
}
