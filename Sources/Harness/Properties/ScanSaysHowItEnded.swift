import WiFi

/// A scan is complete where the kernel says so, and where nothing goes wrong it is.
struct ScanSaysHowItEnded: SettingsProperty {
  static let name = "a scan says how it ended"
  private var scans = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    defer { scans = moment.log.scans.count }
    for index in moment.log.scans.indices.dropFirst(scans) {
      let scan = moment.log.scans[index]
      guard let probed = moment.log.probed[index] else { continue }
      if case .partial(let reason) = scan.completion {
        if moment.log.isUndisturbed { return "nothing went wrong, and a scan is partial (\(reason.rawValue))" }
      } else {
        if probed.wasAborted { return "a scan counts as complete that the kernel aborted" }
        if probed.wasInterrupted { return "a scan counts as complete whose list changed while it was read" }
      }
    }
    return nil
  }
}
