public import Determinism
import Models
import WiFi

/// Something that holds of the Wi-Fi settings whenever everything is at rest.
public typealias SettingsProperty = Property<SettingsMoment>

/// The properties that come with the harness.
public enum SettingsProperties {
  /// Those that hold at every moment, whatever goes wrong: the nearer to a cause the earlier.
  public static var safety: [SettingsProperty] {
    [screenIsHandledWell, nothingNeedless, rowsStay, scanSaysHowItEnded, attemptBeginsAnew] + ReferenceCheck.properties
  }

  /// The name of what is violated where an observation goes on that was ended.
  package static let endedObservation = "an observation ends with its token"

  /// What is on top goes first, and no row is moved to where it stands.
  private static var screenIsHandledWell: SettingsProperty {
    SettingsProperty("the screen changes only what has to change") { $0.blunder }
  }

  /// The list is only worked out again where something that it reads has changed.
  private static var nothingNeedless: SettingsProperty {
    var seen = 0
    return SettingsProperty("nothing is worked out again without need") { moment -> String? in
      defer { seen = moment.needlessRuns }
      return moment.needlessRuns > seen ? "the list was worked out again though nothing that it shows had changed" : nil
    }
  }

  /// A row whose network stays is updated and moved, and never taken away and put back.
  private static var rowsStay: SettingsProperty {
    SettingsProperty("a row that stays is never removed and inserted") { moment -> String? in
      // Of several things that happen at once one may take a row away, and another bring it back.
      guard moment.causes < 2 else { return nil }
      var removed: Set<PanelRow.ID> = []
      for change in moment.changes {
        switch change {
        case .remove(let id): removed.insert(id)
        case .insert(let row, _): if removed.contains(row.id) { return "“\(row)” was removed and inserted" }
        case .move, .update: break
        }
      }
      return nil
    }
  }

  /// Of an attempt that runs nothing is said of why the one before failed.
  private static var attemptBeginsAnew: SettingsProperty {
    SettingsProperty("an attempt begins without the failure of the one before") { moment -> String? in
      let log = moment.log
      guard let last = log.attempts.last, last.end == nil, log.runningCount == 1, let failure = log.lastFailure() else { return nil }
      return "an attempt to join runs, and what is said of it is of the one before: \(failure)"
    }
  }

  /// A scan is complete where the kernel says so, and where nothing goes wrong it is; then the first after Wi-Fi was
  /// switched on takes no longer than another.
  private static var scanSaysHowItEnded: SettingsProperty {
    var scans = 0
    var pace = ScanPace()
    return SettingsProperty("a scan says how it ended") { moment -> String? in
      defer { scans = moment.log.scans.count }
      if moment.log.isPrompt, let sentence = pace.violation(moment, moment.log.scans[scans...]) { return sentence }
      for index in moment.log.scans.indices.dropFirst(scans) {
        let scan = moment.log.scans[index]
        guard let probed = moment.log.probed[index] else { continue }
        if case .partial(let reason) = scan.completion {
          if probed.hasLostReplies, probed.readings < 2 { return "a list of which an answer was lost was not read again" }
          if moment.log.isUndisturbed { return "nothing went wrong, and a scan is partial (\(reason.rawValue))" }
          if reason == .deadline, let end = probed.end, scan.end - end > .seconds(1) {
            return "a scan counts as too long that had ended, as the kernel said, \(scan.end - end) before"
          }
        } else {
          if probed.wasAborted { return "a scan counts as complete that the kernel aborted" }
          if probed.hasLostReplies { return "a scan counts as complete of whose list an answer was lost" }
          if probed.wasInterrupted { return "a scan counts as complete whose list changed while it was read" }
        }
      }
      return nil
    }
  }
}

/// The time from the end of a scan to the end of the next, where nothing goes wrong: also after Wi-Fi was
/// switched on.
private struct ScanPace {
  private var longest: Duration?
  private var lastEnd: Duration?
  private var onSince: Duration?

  mutating func violation(_ moment: SettingsMoment, _ scans: ArraySlice<Scan>) -> String? {
    if let previous = moment.previous, moment.state.isOn != previous.isOn {
      (onSince, lastEnd) = (moment.state.isOn ? moment.time : nil, nil)
    }
    defer {
      for scan in scans {
        if let lastEnd { longest = max(longest ?? .zero, scan.end - lastEnd) }
        lastEnd = scan.end
      }
    }
    guard let since = onSince, !scans.isEmpty else { return nil }
    onSince = nil
    guard let longest, moment.time - since > longest + .milliseconds(500) else { return nil }
    return "the first scan after Wi-Fi was switched on ended \(moment.time - since) later; others are at most \(longest) apart"
  }
}
