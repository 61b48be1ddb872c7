/// Names of iwd on the system bus (`doc/` of its sources).
package enum IWDBus {
  package static let service = "net.connman.iwd"
  package static let managerPath = DBusObjectPath(literal: "/net/connman/iwd")
  package static let agentInterface = "net.connman.iwd.Agent"
  package static let agentManagerInterface = "net.connman.iwd.AgentManager"
  package static let deviceInterface = "net.connman.iwd.Device"
  package static let stationInterface = "net.connman.iwd.Station"
  package static let networkInterface = "net.connman.iwd.Network"
  package static let knownInterface = "net.connman.iwd.KnownNetwork"

  /// The number that the kernel gave to the interface of a device: the last part of its path (measured with 2.3).
  package static func interfaceIndex(of device: DBusObjectPath) -> UInt32? {
    device.description.split(separator: "/").last.flatMap { UInt32($0) }
  }
}
