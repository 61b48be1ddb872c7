import DaemonControl
import DaemonProtocols
import Foundation
import WiFi

extension JoinDaemon {
  /// The daemon that a recording of this name is of.
  init(ofRecording name: String) {
    self = name.hasPrefix("supplicant") ? .supplicant : name.hasPrefix("iwd") ? .iwd : .networkManager
  }
}

/// A join as it was recorded from a real daemon, and what it must come to when it is replayed.
struct RecordedJoin: Sendable {
  enum Expected: Sendable {
    case joined(String?, isKept: Bool)
    case failed(JoinFailure.Reason, Certainty, JoinFailure.Aftermath)
  }

  var name: String
  var ssid: String
  var security: JoinRequest.Security
  var password: String?
  var isKept = true
  var isHidden = false
  var needsAddress = false
  var expected: Expected

  var daemon: JoinDaemon { JoinDaemon(ofRecording: name) }

  var request: JoinRequest {
    var request = JoinRequest(
      interface: "wlan0", ssid: SSID(Array(ssid.utf8)) ?? .wildcard, security: security, password: password.map { Secret($0) })
    request.isKept = isKept
    request.isHidden = isHidden
    request.needsAddress = needsAddress
    return request
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures/joins")

  static func recording(_ name: String) throws -> ControlRecording {
    try ControlRecording(String(contentsOf: folder.appending(path: "\(name).control"), encoding: .utf8))
  }

  static let names: [String] =
    (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?
    .filter { $0.hasSuffix(".control") }.map { String($0.dropLast(8)) }.sorted() ?? []

  static let right = "blobby boots"
  static let wrong = "wrong boots"

  static let all = [
    RecordedJoin(
      name: "supplicant-sae-wrong", ssid: "Lab SAE", security: .sae, password: wrong + "!",
      expected: .failed(.wrongPassword, .likely, .returning)),
    RecordedJoin(
      name: "supplicant-sae-right", ssid: "Lab SAE", security: .sae, password: right,
      expected: .joined("02:00:00:00:05:00", isKept: true)),
    RecordedJoin(
      name: "supplicant-transition-wrong", ssid: "Lab Transition", security: .pskOrSAE, password: wrong,
      expected: .failed(.wrongPassword, .likely, .returning)),
    RecordedJoin(
      name: "supplicant-transition-right", ssid: "Lab Transition", security: .pskOrSAE, password: right,
      expected: .joined("02:00:00:00:05:01", isKept: true)),
    RecordedJoin(
      name: "supplicant-psk-wrong", ssid: "Lab WPA2", security: .psk, password: wrong,
      expected: .failed(.wrongPassword, .certain, .returning)),
    RecordedJoin(
      name: "supplicant-psk-right", ssid: "Lab WPA2", security: .psk, password: right,
      expected: .joined("02:00:00:00:03:00", isKept: true)),
    RecordedJoin(
      name: "supplicant-owe", ssid: "Lab OWE", security: .owe, expected: .joined("02:00:00:00:05:02", isKept: true)),
    RecordedJoin(
      name: "supplicant-nowhere", ssid: "Lab Nowhere", security: .psk, password: wrong,
      expected: .failed(.outOfRange, .certain, .returning)),
    RecordedJoin(
      name: "supplicant-psk-known", ssid: "Lab WPA2", security: .psk, expected: .joined("02:00:00:00:03:00", isKept: true)),
    RecordedJoin(
      name: "supplicant-not-kept", ssid: "Lab FT WPS", security: .psk, password: right, isKept: false,
      expected: .joined("02:00:00:00:03:01", isKept: false)),
    // The access point asks for SAE: to a station that wants OWE there is no such network.
    RecordedJoin(
      name: "supplicant-unknown", ssid: "Lab SAE", security: .owe, expected: .failed(.outOfRange, .certain, .returning)),
    RecordedJoin(
      name: "supplicant-gone", ssid: "Lab SAE", security: .sae, password: right,
      expected: .failed(.lost(.authenticating), .likely, .nothingBefore)),
    RecordedJoin(
      name: "supplicant-no-daemon", ssid: "Lab SAE", security: .sae, password: right,
      expected: .failed(.noDaemon, .certain, .nothingBefore)),
    // WPA3 that wants hash-to-element alone.
    RecordedJoin(
      name: "supplicant-hash-to-element", ssid: "Join H2E", security: .sae, password: right, isKept: false,
      expected: .joined("02:00:00:00:02:06", isKept: false)),
    // While an address is waited for, the access point goes, or another program joins another network.
    RecordedJoin(
      name: "supplicant-gone-address", ssid: "Join Leaving", security: .psk, password: right, isKept: false, needsAddress: true,
      expected: .failed(.lost(.address), .certain, .returning)),
    RecordedJoin(
      name: "supplicant-other-join", ssid: "Join Leaving", security: .psk, password: right, isKept: false, needsAddress: true,
      expected: .failed(.superseded, .certain, .notReturning)),
    // NetworkManager gives these as missing secrets, as a network that was not found, and as no address.
    RecordedJoin(
      name: "networkmanager-dismissed", ssid: "Join Scripted", security: .psk, password: right, isKept: false,
      expected: .failed(.dismissed(.handshake, reason: 5), .certain, .nothingBefore)),
    RecordedJoin(
      name: "networkmanager-silent", ssid: "Join Scripted", security: .psk, password: right, isKept: false,
      expected: .failed(.lost(.authenticating), .likely, .nothingBefore)),
    RecordedJoin(
      name: "networkmanager-gone-address", ssid: "Join Leaving", security: .psk, password: right, isKept: false,
      expected: .failed(.lost(.address), .certain, .returning)),
    RecordedJoin(
      name: "networkmanager-rfkill", ssid: "Lab WPA2", security: .psk, password: right, isKept: false,
      expected: .failed(.interfaceDown, .likely, .nothingBefore)),
    RecordedJoin(
      name: "networkmanager-sae-wrong", ssid: "Lab SAE", security: .sae, password: wrong + "!", isKept: false,
      expected: .failed(.wrongPassword, .likely, .nothingBefore)),
    RecordedJoin(
      name: "networkmanager-sae-right", ssid: "Lab SAE", security: .sae, password: right,
      expected: .joined("02:00:00:00:05:00", isKept: true)),
    RecordedJoin(
      name: "networkmanager-transition-wrong", ssid: "Lab Transition", security: .pskOrSAE, password: wrong, isKept: false,
      expected: .failed(.wrongPassword, .likely, .returning)),
    RecordedJoin(
      name: "networkmanager-psk-wrong", ssid: "Lab WPA2", security: .psk, password: wrong, isKept: false,
      expected: .failed(.wrongPassword, .certain, .returning)),
    RecordedJoin(
      name: "networkmanager-nowhere", ssid: "Lab Nowhere", security: .psk, password: wrong, isKept: false,
      expected: .failed(.outOfRange, .certain, .returning)),
    // An older profile of the network had another password: one is left, with the new one where that is right.
    RecordedJoin(
      name: "networkmanager-psk-replaced", ssid: "Lab WPA2", security: .psk, password: right,
      expected: .joined("02:00:00:00:03:00", isKept: true)),
    RecordedJoin(
      name: "networkmanager-psk-not-replaced", ssid: "Lab WPA2", security: .psk, password: wrong + "!",
      expected: .failed(.wrongPassword, .certain, .nothingBefore)),
    RecordedJoin(name: "iwd-psk-replaced", ssid: "Lab WPA2", security: .psk, password: right, expected: .joined(nil, isKept: true)),
    // wpa_supplicant ends while it associates, and NetworkManager stays.
    RecordedJoin(
      name: "networkmanager-supplicant-killed", ssid: "Join Scripted", security: .psk, password: right, isKept: false,
      expected: .failed(.supplicantLost, .certain, .notReturning)),
    RecordedJoin(
      name: "networkmanager-supplicant-restarted", ssid: "Join Scripted", security: .psk, password: right, isKept: false,
      expected: .failed(.supplicantLost, .certain, .returning)),
    RecordedJoin(
      name: "iwd-sae-wrong", ssid: "Lab SAE", security: .sae, password: wrong + "!",
      expected: .failed(.wrongPassword, .likely, .nothingBefore)),
    RecordedJoin(name: "iwd-sae-right", ssid: "Lab SAE", security: .sae, password: right, expected: .joined(nil, isKept: true)),
    RecordedJoin(
      name: "iwd-psk-wrong", ssid: "Lab WPA2", security: .psk, password: wrong,
      expected: .failed(.wrongPassword, .certain, .returning)),
    // iwd says “Failed” of these, too; the kernel reports that nothing answered, or that nothing was tried.
    RecordedJoin(
      name: "iwd-gone", ssid: "Lab SAE", security: .sae, password: right,
      expected: .failed(.lost(.authenticating), .certain, .notReturning)),
    RecordedJoin(
      name: "iwd-gone-again", ssid: "Lab SAE", security: .sae, password: right,
      expected: .failed(.lost(.searching), .likely, .nothingBefore)),
    RecordedJoin(
      name: "iwd-gone-handshake", ssid: "Join Scripted", security: .psk, password: right, isKept: false,
      expected: .failed(.lost(.handshake), .certain, .returning)),
    RecordedJoin(
      name: "iwd-other-join", ssid: "Join Scripted", security: .psk, password: right, isKept: false, isHidden: true,
      expected: .failed(.superseded, .certain, .notReturning)),
    RecordedJoin(name: "iwd-psk-known", ssid: "Lab WPA2", security: .psk, expected: .joined(nil, isKept: true)),
    RecordedJoin(name: "iwd-owe", ssid: "Lab OWE", security: .owe, expected: .joined(nil, isKept: true)),
    RecordedJoin(
      name: "iwd-nowhere", ssid: "Lab Nowhere", security: .psk, password: wrong,
      expected: .failed(.outOfRange, .certain, .stayed)),
    RecordedJoin(
      name: "iwd-no-daemon", ssid: "Lab SAE", security: .sae, password: right,
      expected: .failed(.noDaemon, .certain, .nothingBefore)),
  ]
}
