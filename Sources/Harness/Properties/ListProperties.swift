import Determinism
import Models
import WiFi

/// Properties of the list and of what lies over it.
enum ListProperties {
  /// What lies over the list is what the models say, and the list is the one of the models: no update was missed, none
  /// is needless, and what is on top goes first.
  static var screenAgrees: SettingsProperty {
    SettingsProperty("the screen agrees with the models") { moment -> String? in
      let expected = moment.state.shown
      if let blunder = moment.blunder { return blunder }
      if moment.shown != expected { return "over the list lies \(moment.shown), the models say \(expected)" }
      if !moment.listHasChanged || listsAgree(moment) { return nil }
      let panel = Panel(moment.model)
      guard moment.panel != panel else { return nil }
      let difference = LineDifference.text(
        expected: panel.description.split(separator: "\n").map(String.init),
        actual: moment.panel.description.split(separator: "\n").map(String.init))
      return "the list on the screen is not that of the models (- models, + screen):\n"
        + difference.map { "  \($0)" }.joined(separator: "\n")
    }
  }

  /// The list is only worked out again where something that it reads has changed.
  static var nothingNeedless: SettingsProperty {
    var seen = 0
    return SettingsProperty("nothing is worked out again without need") { moment -> String? in
      defer { seen = moment.needlessRuns }
      return moment.needlessRuns > seen ? "the list was worked out again though nothing that it shows had changed" : nil
    }
  }

  /// Whether the list is that of the models row by row, which is looked at before any list is made anew.
  fileprivate static func listsAgree(_ moment: SettingsMoment) -> Bool {
    guard moment.model.isOn else { return false }
    var top: [PanelRow] = [.wifi(isOn: true)]
    if let network = moment.model.selectedNetwork {
      top.append(
        .network(NetworkRow(network, isSelected: true, isOutOfRange: moment.model.selectedNetworkIsOutOfRange)))
    }
    guard moment.panel.top == top, moment.panel.networks.count == moment.rows.count else { return false }
    var next = 0
    for place in moment.networks.indices where moment.networks[place].id != moment.model.selectedNetworkID {
      guard next < moment.rows.count, moment.rows[next] == NetworkRow(moment.networks[place]) else { return false }
      next += 1
    }
    return next == moment.rows.count
  }

  /// No network has two rows: not by its identity and, where BSSs are put together, not by its name and security
  /// either.
  static var noRowTwice: SettingsProperty {
    SettingsProperty("no row twice") { moment -> String? in
      guard moment.listHasChanged else { return nil }
      var seen = Set<PanelRow.ID>(minimumCapacity: moment.rows.count + 2)
      for row in moment.panel.top + moment.panel.networks where !seen.insert(row.id).inserted {
        return "the row “\(row)” is there twice"
      }
      return moment.grouping == .network ? nameTwice(moment) : nil
    }
  }

  fileprivate static func nameTwice(_ moment: SettingsMoment) -> String? {
    // Where each is known by its name and security, those are twice where the row is.
    if moment.networks.allSatisfy({ $0.ssid.isHidden || $0.id == .network($0.ssid, $0.security.family) }) { return nil }
    var seen: Set<NetworkID> = []
    for row in moment.rows {
      guard let network = moment.model.foundNetworks[row.id]?.network, !network.ssid.isHidden else { continue }
      if !seen.insert(.network(network.ssid, network.security.family)).inserted {
        return "two rows are called “\(row.name)” and are secured alike"
      }
    }
    return nil
  }

  /// The selected network has its row at the top and none among the rest.
  static var selectedStandsApart: SettingsProperty {
    SettingsProperty("the selected network is not among the rest") { moment -> String? in
      guard moment.state.isOn, moment.listHasChanged else { return nil }
      if let selected = moment.model.selectedNetworkID {
        if let row = moment.rows.first(where: { $0.id == selected }) { return "“\(row)” is selected and among the rest" }
        if moment.model.selectedNetwork != nil, moment.selectedRow?.id != selected {
          return "the selected network \(selected) has no row at the top"
        }
      } else if let row = moment.selectedRow {
        return "“\(row)” stands at the top and is not selected"
      }
      if let row = moment.rows.first(where: { $0.isSelected }) { return "“\(row)” is marked as selected among the rest" }
      return nil
    }
  }

  /// While Wi-Fi is off there is the switch and nothing else.
  static var offShowsOnlyTheSwitch: SettingsProperty {
    SettingsProperty("Wi-Fi off shows only the switch") { moment -> String? in
      guard !moment.state.isOn else { return nil }
      if moment.panel.top.count != 1 || !moment.panel.networks.isEmpty {
        return "Wi-Fi is off and \(moment.panel.top.count + moment.panel.networks.count) rows are shown"
      }
      if !moment.shown.isEmpty { return "Wi-Fi is off and \(moment.shown) lies over the list" }
      if moment.state.isConnecting { return "Wi-Fi is off and a join runs" }
      return nil
    }
  }

  /// A row whose network stays is updated and moved, and never taken away and put back.
  static var rowsStay: SettingsProperty {
    SettingsProperty("a row that stays is never removed and inserted") { moment -> String? in
      // Of several things that happen at once one may take a row away, and another bring it back.
      guard moment.actions.count < 2 else { return nil }
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

  /// A BSS that is listed by its name is not listed without a name as well.
  static var namedIsNotHidden: SettingsProperty {
    SettingsProperty("a named network is not hidden as well") { moment -> String? in
      guard moment.listHasChanged else { return nil }
      let networks = moment.networks
      var hidden: Set<MACAddress> = []
      for network in networks where network.ssid.isHidden { hidden.formUnion(network.members.map(\.bssid)) }
      if hidden.isEmpty { return nil }
      for network in networks where !network.ssid.isHidden {
        if let member = network.members.first(where: { hidden.contains($0.bssid) }) {
          return "\(member.bssid) is listed as “\(network.ssid)” and as a hidden network"
        }
      }
      return nil
    }
  }

  /// Rows stand in the order that the policy says.
  static var rowsAreInOrder: SettingsProperty {
    var memory = RowOrder()
    return SettingsProperty("rows are in order") { memory.violation($0) }
  }

  /// A tap shows the selected network, asks for the password of a secured one, and selects an open one; info shows any.
  static var tapLeadsWhereItShould: SettingsProperty {
    var memory = Taps()
    return SettingsProperty("a tap leads where it should") { memory.violation($0) }
  }

  /// Forget is offered for the selected network and for no other.
  static var forgetOnlyTheSelected: SettingsProperty {
    SettingsProperty("Forget is offered for the selected network only") { moment -> String? in
      guard moment.state.destination == "detail" else { return nil }
      let isSelected = moment.state.destinationID == moment.state.selectedID
      guard moment.state.canForget != isSelected else { return nil }
      let name = moment.state.destinationNetwork ?? ""
      return isSelected ? "\(name) is selected, and Forget is not offered" : "\(name) is not selected, and Forget is offered"
    }
  }
}

/// Rows stand in the order that the policy says.
private struct RowOrder {
  private struct Place {
    var id: NetworkID
    /// As which it was found.
    var number: Int
  }

  /// The networks that are there, in the order of the models.
  private var found: [Place] = []
  private var count = 0

  mutating func violation(_ moment: SettingsMoment) -> String? {
    guard moment.state.isOn, moment.listHasChanged else { return nil }
    if moment.order == .found { return foundOrder(moment) }
    let rows = moment.rows
    for (row, next) in zip(rows, rows.dropFirst()) where !Self.mayPrecede(row, next) {
      return "“\(row)” stands before “\(next)”"
    }
    return nil
  }

  /// Secured first, then the strongest in bars, then by name, then by identity.
  private static func mayPrecede(_ row: NetworkRow, _ next: NetworkRow) -> Bool {
    if row.isSecured != next.isSecured { return row.isSecured }
    if row.bars != next.bars { return row.bars > next.bars }
    return true
  }

  /// What came later stands later; what was gone and is back came anew.
  private mutating func foundOrder(_ moment: SettingsMoment) -> String? {
    let known = found
    var next = 0
    found = moment.networks.map { network in
      if let place = Self.place(of: network.id, in: known, &next) { return place }
      defer { count += 1 }
      return Place(id: network.id, number: count)
    }
    next = 0
    var before: (row: NetworkRow, number: Int)?
    for row in moment.rows {
      let number = Self.place(of: row.id, in: found, &next)?.number ?? 0
      if let before, before.number > number { return "“\(before.row)” was found after “\(row)” and stands before it" }
      before = (row, number)
    }
    return nil
  }

  /// Looks for a network from `next` on, where it stands unless something is wrong, and then before.
  private static func place(of id: NetworkID, in places: [Place], _ next: inout Int) -> Place? {
    guard let index = (next..<places.count).first(where: { places[$0].id == id }) ?? (0..<next).first(where: { places[$0].id == id })
    else { return nil }
    next = index + 1
    return places[index]
  }
}

/// A tap shows the selected network, asks for the password of a secured one, and selects an open one; info shows any.
private struct Taps {
  /// What the rows of the moment before were.
  private var rows: [NetworkRow] = []
  private var selectedRow: NetworkRow?

  mutating func violation(_ moment: SettingsMoment) -> String? {
    defer {
      rows = moment.rows
      selectedRow = moment.selectedRow
    }
    // Of several things at once the last counts, and which that is depends on what became of the others.
    guard let previous = moment.previous, previous.shown.isEmpty, previous.isOn, moment.actions.count == 1 else { return nil }
    let state = moment.state
    switch moment.actions[0] {
    case .tapNetwork(let reference):
      guard let row = row(reference) else { return nil }
      if row.isSelected { return state.isAt("detail", row) ? nil : "“\(row)” was tapped, and its page is not there" }
      if row.isSecured { return state.isAt("connect", row) ? nil : "“\(row)” was tapped, and nothing asks for its password" }
      if state.destination != "none" { return "“\(row)” was tapped, and a \(state.destination) lies over the list" }
      return state.selectedID == row.id ? nil : "“\(row)” was tapped, and is not selected"
    case .info(let reference):
      guard let row = row(reference) else { return nil }
      if state.selectedID != previous.selectedID { return "info of “\(row)” was tapped, and the selection is another" }
      return state.isAt("detail", row) ? nil : "info of “\(row)” was tapped, and its page is not there"
    default: return nil
    }
  }

  private func row(_ reference: NetworkReference) -> NetworkRow? {
    let name = PrintableText.escape(Array(reference.name.utf8))
    let named = ((selectedRow.map { [$0] } ?? []) + rows).filter { $0.name == name }
    let index = (reference.number ?? 1) - 1
    return named.indices.contains(index) && (reference.number != nil || named.count == 1) ? named[index] : nil
  }
}

extension SettingsState {
  fileprivate func isAt(_ destination: String, _ row: NetworkRow) -> Bool {
    self.destination == destination && destinationID == row.id
  }
}
