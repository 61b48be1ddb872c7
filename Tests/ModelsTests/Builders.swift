import Models
import Simulator
import Testing
import WiFi

/// A BSS as a kernel would give it, composed of real elements.
func makeBSS(
  _ name: String, _ number: UInt64 = 1, secured: Bool = true, akm: UInt8 = 2, signalDBm: Int32 = -50, frequencyMHz: UInt32 = 2412,
  heard: Duration
) -> BSS {
  var elements = ByteWriter()
  elements.write(0 as UInt8)
  elements.write(UInt8(name.utf8.count))
  elements.write(Array(name.utf8))
  if secured {
    elements.write(Hex.bytes("30140100000fac040100000fac040100000fac") ?? [])
    elements.write([akm, akm == 8 ? 0xC0 : 0, 0])
  }
  var bss = BSS(
    bssid: MACAddress(0x0200_0000_0000 | number), frequencyMHz: frequencyMHz, capability: secured ? 0x0411 : 0x0401,
    informationElements: elements.bytes)
  bss.signalMBm = signalDBm * 100
  let (seconds, attoseconds) = heard.components
  bss.lastSeenBootTimeNs = UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
  return bss
}

/// A scan of two seconds that ends at `end`.
func makeScan(
  _ bss: [BSS], end: Duration, completion: Scan.Completion = .complete, frequenciesKHz: [UInt32]? = nil
) -> Scan {
  Scan(
    interface: "wlan0", start: end - .seconds(2), end: end, completion: completion, frequenciesKHz: frequenciesKHz,
    bss: bss)
}

/// One word for each change, such as `found Home`.
func words(_ changes: [NetworkChange]) -> [String] {
  changes.map { change in
    switch change {
    case .found(let network): "found \(network.ssid)"
    case .changed(let network, _): "changed \(network.ssid)"
    case .lost(let network): "lost \(network.ssid)"
    }
  }
}
