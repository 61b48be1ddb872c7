import Foundation
import Testing
import WiFi

@testable import Scanner

/// The messages of a capture in `fixtures/captures`.
func capture(_ name: String) throws -> [NetlinkMessage] {
  let url = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/captures/\(name).nl80211")
  let (messages, error) = NetlinkMessage.messages(in: Array(try Data(contentsOf: url)))
  try #require(error == nil)
  return messages
}

extension RecordedKernel {
  /// The lab of `fixtures/captures`: wlan0 scans channel 1 and 11 and hears every access point.
  static func lab() throws -> RecordedKernel {
    var kernel = RecordedKernel()
    kernel.interfaces = try capture("interfaces")
    kernel.adapters = try capture("wiphy")
    kernel.scans = [try capture("lab")]
    return kernel
  }

  /// What the kernel sends on the socket for events while `wlan0` scans, begin and end.
  ///
  /// The capture was made on another interface, so who it is about is replaced.
  static func scanEvents(_ name: String = "events-scan", for interface: Interface) throws -> [NetlinkMessage] {
    try capture(name).map { message in
      var event = NL80211Event(try GenericNetlinkMessage(payload: message.payload))
      if event.wiphy != nil { event.wiphy = interface.wiphy }
      if event.interfaceIndex != nil { event.interfaceIndex = interface.index }
      if event.wdev != nil { event.wdev = interface.wdev }
      var result = message
      result.payload = event.message.payload
      return result
    }
  }
}
