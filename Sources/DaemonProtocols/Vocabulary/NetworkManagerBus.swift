import WiFi

/// Names and numbers of NetworkManager on the system bus (`nm-dbus-interface.h`).
package enum NetworkManagerBus {
  package static let service = "org.freedesktop.NetworkManager"
  package static let path = DBusObjectPath(literal: "/org/freedesktop/NetworkManager")
  package static let settingsPath = DBusObjectPath(literal: "/org/freedesktop/NetworkManager/Settings")
  package static let deviceInterface = "org.freedesktop.NetworkManager.Device"
  package static let wirelessInterface = "org.freedesktop.NetworkManager.Device.Wireless"
  package static let accessPointInterface = "org.freedesktop.NetworkManager.AccessPoint"
  package static let activeInterface = "org.freedesktop.NetworkManager.Connection.Active"
  package static let settingsInterface = "org.freedesktop.NetworkManager.Settings"
  package static let profileInterface = "org.freedesktop.NetworkManager.Settings.Connection"

  /// The match rules for its signals, and for its end.
  package static let rules = ["type='signal',sender='\(service)'", SystemBus.ownerRule(service)]

  /// The error for an interface that NetworkManager does not know.
  package static let unknownDevice = "org.freedesktop.NetworkManager.UnknownDevice"

  /// States of a device (`NMDeviceState`).
  package enum DeviceState {
    package static let unmanaged: Int64 = 10
    package static let unavailable: Int64 = 20
    package static let disconnected: Int64 = 30
    package static let prepare: Int64 = 40
    package static let config: Int64 = 50
    package static let needAuth: Int64 = 60
    package static let ipConfig: Int64 = 70
    package static let ipCheck: Int64 = 80
    package static let secondaries: Int64 = 90
    package static let activated: Int64 = 100
    package static let deactivating: Int64 = 110
    package static let failed: Int64 = 120
  }

  /// Reasons for the state of a device (`NMDeviceStateReason`).
  package enum DeviceReason {
    package static let nowManaged: Int64 = 2
    package static let noAddress: Int64 = 5
    package static let noSecrets: Int64 = 7
    package static let supplicantDisconnected: Int64 = 8
    package static let supplicantFailed: Int64 = 10
    package static let connectionRemoved: Int64 = 38
    package static let userRequested: Int64 = 39
    package static let supplicantAvailable: Int64 = 42
    package static let ssidNotFound: Int64 = 53
    package static let newActivation: Int64 = 60

    /// What a reason is called in a sentence, or `nil` where it is not known.
    package static func name(_ reason: Int64) -> String? { names.text(reason) }

    private static let names: NumberNames = [
      0: "none", 1: "unknown", 2: "now managed", 3: "now unmanaged", 4: "configuration failed", 5: "no address",
      6: "address expired", 7: "no secrets", 8: "supplicant disconnected", 9: "supplicant configuration failed",
      10: "supplicant failed", 11: "supplicant timed out", 15: "DHCP did not start", 16: "DHCP error", 17: "DHCP failed",
      18: "sharing failed",
      19: "sharing failed", 20: "automatic address failed", 21: "automatic address failed",
      22: "automatic address failed", 35: "firmware missing", 36: "device removed", 37: "sleeping",
      38: "connection removed", 39: "user requested", 40: "carrier changed", 41: "connection assumed",
      42: "supplicant available", 50: "a connection that it depends on failed", 53: "SSID not found",
      54: "a connection beside it failed", 60: "new activation", 61: "parent changed", 62: "parent managed changed",
      64: "address used twice", 65: "IP method not supported", 67: "peer not found",
    ]
  }
}
