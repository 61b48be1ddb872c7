package import WiFi

/// Writes the scans of a recording of which most only say what changed (`wifi-harness/recording/2`).
///
/// An access point that is heard for the first time is written as in every recording, and gets the next number from 0
/// on; with `replaces` it takes the place of a number that there is. Later it is text: how far its number is behind the
/// one that follows its predecessor's in the list (nothing for 0), then what changed, as ``CompactBSS`` writes it. A
/// scan with `full` begins the numbers again, so that reading can begin there.
package struct CompactScanWriter {
  /// How many scans there are from one that is written in full to the next.
  static let period = 256

  private var entries: [CompactBSS] = []
  private var numbers: [Identity: Int] = [:]
  private var count = 0

  /// Begins with a scan in full.
  package init() {}

  /// A BSS, for which its latest bytes are kept.
  private struct Identity: Hashable {
    var bssid: MACAddress
    var ssid: SSID
  }

  /// The line of one scan, with its line end.
  package mutating func line(_ scan: Scan) -> [UInt8] {
    let isFull = count % Self.period == 0
    count += 1
    if isFull { (entries, numbers) = ([], [:]) }
    let end = scan.end.wholeNanoseconds
    var next = 0
    var ageOffsetMs: Int64?
    return FieldWriter.bytes { fields in
      // In front, so that a reader that only looks for a time need not read on.
      fields.field("startNs", scan.start.wholeNanoseconds)
      fields.field("endNs", end)
      if isFull { fields.field("full", true) }
      fields.field("interface", scan.interface)
      Recording.describeOutcome(of: scan, into: &fields)
      fields.array("bss", scan.bss) { fields, bss in
        let ssid = Recording.ssid(bss)
        let identity = Identity(bssid: bss.bssid, ssid: ssid)
        let new = CompactBSS(bytes: bss.encode(), scanEnd: end)
        let known = numbers[identity]
        // One that stands twice in a list is two.
        if let known, entries[known].scanEnd != end, let words = new.words(since: entries[known], ageOffsetMs: &ageOffsetMs) {
          let step = known - next
          fields.item((step == 0 ? "" : "\(step)") + (words.isEmpty ? "" : " " + words))
          entries[known] = new
          next = known + 1
          return
        }
        let number = known ?? entries.count
        fields.object { fields in
          fields.field("bssid", bss.bssid.description)
          fields.field("ssid", ssid.description)
          if known != nil { fields.field("replaces", number) }
          fields.field("attributes", hex: new.bytes)
        }
        if known == nil { entries.append(new) } else { entries[number] = new }
        numbers[identity] = number
        next = number + 1
      }
    }
  }
}
