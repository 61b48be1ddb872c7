import Foundation
import Models
import WiFi

/// What real kernels sent, from `fixtures/captures`.
enum Sample {
  /// The BSSs of a capture.
  static func capture(_ name: String) -> [BSS] {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    guard let data = try? Data(contentsOf: folder.appending(path: "fixtures/captures/\(name).nl80211")) else {
      fatalError("There is no fixtures/captures/\(name).nl80211.")
    }
    return NetlinkMessage.messages(in: Array(data)).messages.compactMap { message in
      guard let content = try? GenericNetlinkMessage(payload: message.payload) else { return nil }
      return try? ScanDumpEntry(content).bss
    }
  }

  /// The elements of every access point of the lab, which hostapd sends.
  static let elementLists: (bytes: [UInt8], ranges: [Range<Int>]) = {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for bss in capture("lab") {
      ranges.append(bytes.count..<bytes.count + bss.informationElements.count)
      bytes += bss.informationElements
    }
    return (bytes, ranges)
  }()

  /// A Wi-Fi 6 access point with three names, of the usual size.
  static let modern: BSS = {
    guard let bss = capture("modern").first(where: { BSSFacts($0).ssid.description == "Blob Annex" }) else {
      fatalError("There is no Blob Annex in the capture.")
    }
    return bss
  }()

  /// The attributes of as many BSSs as are wished for, those of the lab with other addresses.
  static func dump(count: Int) -> [[UInt8]] {
    let lab = capture("lab")
    return (0..<count).map { index in
      var bss = lab[index % lab.count]
      bss.bssid = MACAddress(0x0200_0000_0000 + UInt64(index))
      return bss.encode()
    }
  }
}

/// A list of networks of which one at a time is found, changed and lost.
final class ChangingList {
  private let model: FoundNetworksModel
  private var now = Duration.seconds(10)
  private let count: Int

  init(count: Int) {
    self.count = count
    model = FoundNetworksModel(grouping: .bss)
    model.apply(scan((0..<count).map { bss($0, signalMBm: -3000 - Int32($0 * 7 % 6000)) }))
    precondition(model.count == count)
  }

  private func bss(_ index: Int, signalMBm: Int32) -> BSS {
    var bss = BSS(
      bssid: MACAddress(0x0200_0000_0000 + UInt64(index)), frequencyMHz: 2412, capability: 1,
      informationElements: [0, 4, 66, UInt8(index >> 16 & 255), UInt8(index >> 8 & 255), UInt8(index & 255)])
    bss.signalMBm = signalMBm
    return bss
  }

  private func scan(_ list: [BSS], lost: [MACAddress] = []) -> Scan {
    now += .milliseconds(1)
    var scan = Scan(interface: "wlan0", start: now, end: now, completion: .partial(.aborted), bss: list)
    scan.lost = lost
    return scan
  }

  /// Makes one change and says how many rows it changed.
  func change(_ index: Int) -> Int {
    let changes: [NetworkChange]
    switch index % 3 {
    case 0: changes = model.apply(scan([bss(count, signalMBm: -5000)])).networks
    case 1: changes = model.apply(scan([bss(count, signalMBm: -7000)])).networks
    default: changes = model.apply(scan([], lost: [MACAddress(0x0200_0000_0000 + UInt64(count))])).networks
    }
    return changes.count
  }
}
