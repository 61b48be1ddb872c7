import Models

/// A sheet or page says that its network is lost while, and only while, it is.
struct SheetKnowsItsNetwork: SettingsProperty {
  static let name = "a sheet knows whether its network is there"

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard let id = moment.state.destinationID else { return nil }
    let isThere = moment.model.foundNetworks[id] != nil
    if moment.state.isLost == isThere {
      return "\(moment.state.destinationNetwork ?? "") is \(isThere ? "there" : "lost"), and its \(moment.state.destination) says otherwise"
    }
    return nil
  }
}
