import Determinism
import Models
import ScanTools
import WiFi

/// What is written of a run in the end: recordings and tables.
enum WrittenGoals {
  static var all: [Property<SettingsSubject>] { [recordingsHoldAll, tablesSayWhen, linesSayWhatChanged] }

  /// The scans that are written: each way to end, each that says what is lost, and the last, but few of them.
  private static func chosen(_ scans: [Scan]) -> [Scan] {
    let others = scans.dropLast(2).filter { !$0.lost.isEmpty || !$0.isComplete || $0.frequenciesKHz != scans.last?.frequenciesKHz }
    return others.prefix(2) + scans.suffix(2)
  }

  /// A recording that is read again has what was recorded.
  private static var recordingsHoldAll: Property<SettingsSubject> {
    Property<SettingsSubject>("a recording has what was recorded") { settings -> String? in
      let scans = chosen(settings.world.log.scans)
      var compact = CompactScanWriter()
      return difference(scans, isCompact: false) { Recording.line($0) } ?? difference(scans, isCompact: true) { compact.line($0) }
    }
  }

  private static func difference(_ scans: [Scan], isCompact: Bool, _ line: (Scan) -> [UInt8]) -> String? {
    let bytes = Recording.line(.init(source: "exploration"), isCompact: isCompact) + scans.flatMap(line)
    let recording = isCompact ? "a compact recording" : "a recording"
    do throws(Recording.Failure) {
      let read = try Recording.read(bytes).scans
      guard read != scans else { return nil }
      let number = zip(read, scans).count { $0 == $1 } + 1
      return "the scan that ended at \(scans[min(number, scans.count) - 1].end) is read from \(recording) as another one"
    } catch {
      return "\(recording) of \(scans.count) scans cannot be read: \(error)"
    }
  }

  /// In a table a network was heard when the last of its access points was.
  private static var tablesSayWhen: Property<SettingsSubject> {
    Property<SettingsSubject>("a table says when a network was heard") { settings -> String? in
      guard let scan = settings.world.log.scans.last else { return nil }
      let report = ScanReport(scan, grouping: settings.world.grouping)
      let lines = NetworkTable(columns: [.age, .bssid]).lines(of: report).dropFirst()
      for (line, network) in zip(lines, report.networks) {
        // An access point that changed its name is listed under both.
        let name = network.ssid.isHidden ? [] : network.ssid.bytes
        let own = scan.bss.filter { bss in network.members.contains { $0.bssid == bss.bssid } }.map { PlainBSS($0) }
        // What of it is malformed says nothing of which is which.
        if own.contains(where: { PlainReading($0) == nil }) { continue }
        let ages = own.filter { $0.reading.name == name }.map { bss in
          bss.heardMillisecondsAgo.map(Int.init) ?? Int((scan.end - bss.heard(scan.end)) / .milliseconds(1))
        }
        let age = ages.min() ?? 0
        let words = age < 1000 ? "\(age) ms" : age < 60_000 ? "\(age / 1000) s" : "\(age / 60_000) min"
        let shown = line.drop { $0 == " " }
        if !shown.hasPrefix(words + " ") { return "a table says “\(shown)”; \(network.ssid) was heard \(words) before" }
      }
      return nil
    }
  }

  /// A line about a network that changed says of its bands and its access points whether they did.
  private static var linesSayWhatChanged: Property<SettingsSubject> {
    Property<SettingsSubject>("a line says what changed") { settings -> String? in
      var tracker = NetworkTracker(grouping: settings.world.grouping)
      for change in settings.world.log.scans.suffix(8).flatMap({ tracker.apply($0) }) {
        guard case .changed(let new, let old) = change else { continue }
        let line = ChangeReport(change, at: .zero).line ?? ""
        let isOfBands = new.bands != old.bands
        let isOfMembers = Set(new.members.map(\.bssid)) != Set(old.members.map(\.bssid))
        if line.contains("GHz → ") == isOfBands, line.contains(" access point") == isOfMembers { continue }
        func words(_ differ: Bool) -> String { differ ? "are others" : "are the same" }
        return "a line says “\(line)”; the bands \(words(isOfBands)), the access points \(words(isOfMembers))"
      }
      return nil
    }
  }
}
