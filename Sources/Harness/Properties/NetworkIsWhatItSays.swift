import Models
import WiFi

/// What is listed of a BSS follows from its elements, read a second time in the plainest way.
///
/// Only what leaves no doubt is asked: one SSID element, and one RSN element that is well formed and asks for a password.
struct NetworkIsWhatItSays: SettingsProperty {
  static let name = "a network is what its access point says"

  private var scans = 0
  private var seen: [MACAddress: [UInt8]] = [:]
  /// What scans say and the models have not taken in yet.
  private var unread: [MACAddress: [UInt8]] = [:]

  mutating func violation(_ moment: SettingsMoment) -> String? {
    for bss in moment.log.fresh[scans...].joined() { unread[bss.bssid] = bss.informationElements }
    scans = moment.log.scans.count
    // What is listed comes from scans: a network that is as it was, of which they say what they said, was read before.
    if let sentence = read(moment.freshNetworks, moment) { return sentence }
    if unread.isEmpty { return nil }
    unread = unread.filter { seen[$0] != $1 }
    if unread.isEmpty { return nil }
    return read(moment.networks.filter { $0.members.contains { unread[$0.bssid] != nil } }, moment)
  }

  private mutating func read(_ networks: [Network], _ moment: SettingsMoment) -> String? {
    for network in networks {
      for facts in moment.model.foundNetworks.facts(of: network.id) {
        let elements = facts.bss.informationElements
        if seen.updateValue(elements, forKey: facts.bss.bssid) == elements { continue }
        let names = Self.bodies(of: 0, in: elements)
        if names.count == 1, (1...32).contains(names[0].count), names[0].contains(where: { $0 != 0 }),
          !names[0].elementsEqual(facts.ssid.bytes)
        {
          let name = PrintableText.escape(names[0])
          return "\(facts.bss.bssid) says that it is called “\(name)”, and is listed as “\(facts.ssid)”"
        }
        let rsn = Self.bodies(of: 48, in: elements)
        if rsn.count == 1, Self.asksForPassword(Array(rsn[0])), facts.security.family != .personal {
          return "\(facts.bss.bssid) says that it takes a password, and is listed as \(facts.security.family)"
        }
      }
    }
    return nil
  }

  private static func bodies(of id: UInt8, in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var offset = 0
    while offset + 2 <= bytes.count {
      let end = offset + 2 + Int(bytes[offset + 1])
      guard end <= bytes.count else { break }
      if bytes[offset] == id { result.append(bytes[offset + 2..<end]) }
      offset = end
    }
    return result
  }

  /// Whether an RSN element has CCMP and a PSK or SAE alone (IEEE 802.11-2020 9.4.2.24).
  private static func asksForPassword(_ body: [UInt8]) -> Bool {
    let begin: [UInt8] = [1, 0, 0, 0x0F, 0xAC, 4, 1, 0, 0, 0x0F, 0xAC, 4]
    guard body.count >= 20, body.starts(with: begin), body[13] == 0 else { return false }
    let count = Int(body[12])
    // The capabilities, then nothing, or no PMKID, or that and a cipher for management frames.
    let rest = body.dropFirst(14 + 4 * count + 2)
    guard (1...2).contains(count), body.count >= 14 + 4 * count + 2, [0, 2, 6].contains(rest.count),
      rest.prefix(2).allSatisfy({ $0 == 0 })
    else { return false }
    return (0..<count).allSatisfy { index in
      let suite = body[(14 + 4 * index)..<(18 + 4 * index)]
      return suite.elementsEqual([0, 0x0F, 0xAC, 2]) || suite.elementsEqual([0, 0x0F, 0xAC, 8])
    }
  }
}
