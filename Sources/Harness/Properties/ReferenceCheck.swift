import Determinism

/// Holds everything that can be seen against the reference, at each moment of rest of one run.
final class ReferenceCheck {
  private var reference: SettingsReference?
  private var views = ViewReference()
  /// The moment that was looked at last, and what is not as it should be then.
  private var seen: (moment: SettingsMoment, difference: ReferenceDifference?)?

  /// The properties of one run, one for each part of the settings.
  static var properties: [SettingsProperty] {
    let check = ReferenceCheck()
    return ReferenceDifference.Part.allCases.map { part in
      SettingsProperty(part.rawValue) { moment -> String? in
        check.difference(at: moment).flatMap { $0.part == part ? $0.sentence : nil }
      }
    }
  }

  private func difference(at moment: SettingsMoment) -> ReferenceDifference? {
    if let seen, seen.moment === moment { return seen.difference }
    let difference = look(at: moment)
    seen = (moment, difference)
    return difference
  }

  private func look(at moment: SettingsMoment) -> ReferenceDifference? {
    let events = moment.log.takeEvents()
    // Nothing passed, so the rows are as they were.
    let rowsMayDiffer = reference == nil || !events.isEmpty || moment.listHasChanged
    var now = reference ?? SettingsReference(moment)
    reference = nil
    defer { reference = now }
    var switchWasMoved = false
    for event in events {
      now.take(event, moment.log)
      if case .input(.switchWiFi) = event { switchWasMoved = true }
    }
    if let difference = now.difference(from: moment, rowsMayDiffer: rowsMayDiffer) { return difference }
    guard rowsMayDiffer, let viewer = moment.viewer else { return nil }
    let difference =
      views.difference(from: viewer, moment.page, now, switchWasMoved: switchWasMoved) ?? moment.page.flatMap { now.difference(from: $0) }
      ?? moment.picture.flatMap { now.difference(from: TerminalLines($0), viewer, seen: views.rows) }
    return difference.map { ReferenceDifference(.view, $0) }
  }
}
