import Models

/// No network has two rows.
struct NoRowTwice: SettingsProperty {
  static let name = "no row twice"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    var seen: Set<PanelRow.ID> = []
    for row in moment.panel.top + moment.panel.networks where !seen.insert(row.id).inserted {
      return "the row “\(row)” is there twice"
    }
    return nil
  }
}
