import DaemonControl
import DaemonProtocols
import Testing
import WiFi

/// Which daemon owns an interface, where daemons hang or answer what nobody expects.
@Suite struct OwnerSessionTests {
  typealias Bus = ScriptedBus<OwnerSession>

  static let noOwner = Bus.Answer.error("org.freedesktop.DBus.Error.ServiceUnknown")
  static let device = Bus.Answer.body([.objectPath(NetworkManagerSessionTests.Desk.device)])

  private static func owner(
    hasSupplicant: Bool = false, device: Bus.Answer = noOwner, managed: Bus.Answer = noOwner, objects: Bus.Answer = noOwner
  ) -> (Result<JoinDaemon, JoinFailure>?, members: [String]) {
    var bus = Bus(OwnerSession(interface: "wlan0"), hasSupplicant: hasSupplicant) { call in
      switch call.member {
      case "GetDeviceByIpIface": device
      case "Get": managed
      default: objects
      }
    }
    return (bus.run(), bus.members)
  }

  private static func reason(_ outcome: Result<JoinDaemon, JoinFailure>?) -> JoinFailure.Reason? {
    if case .failure(let failure)? = outcome { failure.reason } else { nil }
  }

  @Test func `only a name that nobody owns means that no daemon runs`() {
    #expect(Self.reason(Self.owner().0) == .noDaemon)
    #expect(Self.reason(Self.owner(device: .error("org.freedesktop.NetworkManager.UnknownDevice")).0) == .noInterface)
    #expect(Self.reason(Self.owner(device: .error("net.example.Strange", "not today")).0) == .daemonRefused("not today"))
    #expect(Self.reason(Self.owner(device: .error("org.freedesktop.DBus.Error.NoReply")).0) == .daemonLost)
    #expect(Self.reason(Self.owner(device: .body([.uint32(7)])).0) == .daemonRefused("GetDeviceByIpIface gave an unexpected answer"))
    #expect(Self.reason(Self.owner(device: Self.device, managed: .body([.variant(.boolean(false))])).0) == .notManaged)
    #expect(Self.reason(Self.owner(objects: .error("net.example.Strange", "not today")).0) == .daemonRefused("not today"))
    #expect(Self.reason(Self.owner(objects: .body([])).0) == .daemonRefused("it does not list its objects"))
  }

  @Test func `a daemon that hangs is told as that, after the others were asked`() {
    let hung = [Self.owner(device: .silence), Self.owner(device: Self.device, managed: .silence), Self.owner(objects: .silence)]
    for (outcome, members) in hung {
      #expect(Self.reason(outcome) == .daemonSilent)
      #expect(members.last == "GetManagedObjects")
    }
    #expect(Self.owner(hasSupplicant: true, device: .silence, objects: .silence).0 == .success(.supplicant))
  }
}
