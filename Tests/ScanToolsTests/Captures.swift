import Foundation
import ScanTools
import WiFi

/// The folder `fixtures` of this repository.
let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .appending(path: "fixtures")

/// The captures in `fixtures/captures`, raw messages of a real kernel.
enum Captures {
  private static let folder = fixtures.appending(path: "captures")

  /// The names of all captures, in order.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return files.filter { $0.hasSuffix(".nl80211") }.map { String($0.dropLast(8)) }.sorted()
  }()

  /// The bytes of a capture.
  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "\(name).nl80211")))
  }

  /// The messages of a capture that are of generic netlink.
  static func messages(_ name: String) throws -> [GenericNetlinkMessage] {
    NetlinkMessage.messages(in: try bytes(name)).messages.compactMap {
      $0.type >= 16 ? try? GenericNetlinkMessage(payload: $0.payload) : nil
    }
  }

  /// The BSSs of a capture, none where it is no answer to `GET_SCAN`.
  static func bss(_ name: String) throws -> [BSS] {
    try messages(name).compactMap { $0.command == NL80211.Command.newScanResults ? try? ScanDumpEntry($0).bss : nil }
  }

  /// The captures that list BSSs.
  static let scans: [String] = names.filter { ((try? bss($0)) ?? []).isEmpty == false }

  /// The captures that list BSSs for tests that take long; in debug without those of one session that are much alike.
  static let distinctScans = distinct(scans)

  /// All captures for tests that take long; in debug without those of one session that are much alike.
  static let distinctNames = distinct(names)

  private static func distinct(_ names: [String]) -> [String] {
    #if DEBUG
      names.filter { !$0.hasPrefix("session-") || $0 == "session-14" }
    #else
      names
    #endif
  }

  /// The scan of a capture.
  static func scan(_ name: String) throws -> Scan {
    Scan(interface: "wlan0", start: .seconds(997), end: .seconds(1000), completion: .complete, bss: try bss(name))
  }
}
