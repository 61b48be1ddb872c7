import DaemonProtocols
import Testing
import WiFi

@Suite struct NetworkManagerProfileTests {
  private let security = NetworkManagerProfile.wirelessSecurity

  /// A profile whose password a program of its user keeps, and `psk-flags` says so.
  private func keptByAgent() throws -> NetworkManagerProfile {
    var profile = NetworkManagerProfile(ssid: try #require(SSID(Array("Home".utf8))))
    profile.setSecurity(.psk)
    profile[security, "psk-flags"] = .uint32(1)
    return profile
  }

  @Test func `a password that an edit sets is kept by NetworkManager itself`() throws {
    var profile = try keptByAgent()
    profile.apply(KnownNetworkEdit(password: Secret("blob-blob")))
    #expect(profile[security, "psk"] == .string("blob-blob"))
    #expect(profile[security, "psk-flags"] == nil)
  }

  @Test func `an edit without a password leaves open who keeps it`() throws {
    var profile = try keptByAgent()
    profile.apply(KnownNetworkEdit(priority: 3))
    #expect(profile[security, "psk-flags"] == .uint32(1))
  }
}
