import Observing
import WiFi

/// Follows a model and says what changed of its panel, at a cost in proportion to the change.
///
/// ```swift
/// let tracker = PanelTracker(model)
/// token = observe {
///   tracker.revision
/// } perform: { _ in
///   for change in tracker.update() { view.apply(change) }
/// }
/// ```
///
/// ``update()`` may be observed itself, but then each row that it looks at is, the first time every one.
/// Belongs to the owner of the model.
public final class PanelTracker {
  private let model: WiFiSettingsModel
  private var hasSwitch = false
  private var isOn = false
  private var foundRevision = 0
  private var selectedRow: NetworkRow?
  /// The rows of section *networks*, as they are shown.
  private var listed = SortedList<NetworkOrderKey, NetworkRow>()
  private var changes: [PanelDiff] = []

  /// Begins with a panel without rows.
  public init(_ model: WiFiSettingsModel) { self.model = model }

  /// What the panel depends on: another value where it may have changed.
  public struct Revision: Hashable, Sendable {
    var isOn: Bool
    var selectedID: NetworkID?
    var selectedRow: NetworkRow?
    var found: Int
  }

  /// What the panel depends on now, to observe.
  public var revision: Revision {
    guard model.isOn else { return Revision(isOn: false, found: 0) }
    return Revision(
      isOn: true, selectedID: model.selectedNetworkID, selectedRow: model.selectedRow, found: model.foundNetworks.revision)
  }

  /// What changed since the last time; the first time, that every row came.
  public func update() -> [PanelDiff] {
    changes = []
    let wasOn = isOn
    isOn = model.isOn
    if !hasSwitch {
      hasSwitch = true
      changes.append(.insert(.wifi(isOn: isOn), at: .init(.top)))
    } else if wasOn != isOn {
      changes.append(.update(.wifi(isOn: isOn)))
    }
    let found = model.foundNetworks
    let oldSelection = selectedRow?.id
    if isOn {
      // The old selection goes before the new one comes.
      if let oldSelection { place(oldSelection) }
      if let selection = model.selectedNetworkID, selection != oldSelection { place(selection) }
      if wasOn, let touched = found.touched(since: foundRevision) {
        for id in touched { place(id) }
      } else {
        for id in listed.ids + found.ids { place(id) }
      }
      foundRevision = found.revision
    } else if wasOn {
      let ids = [selectedRow?.id].compactMap(\.self) + listed.ids
      changes += ids.map { PanelDiff.remove(.network($0)) }
      selectedRow = nil
      listed = SortedList()
    }
    return changes
  }

  /// Brings the row of one network where it belongs.
  private func place(_ id: NetworkID) {
    if id == model.selectedNetworkID {
      if let row = model.selectedRow { select(id, row) } else { remove(id) }
    } else if let key = model.foundNetworks.orderKey(of: id), let network = model.foundNetworks[id]?.network {
      list(NetworkRow(network), at: key)
    } else {
      remove(id)
    }
  }

  private func remove(_ id: NetworkID) {
    if listed.remove(id) != nil {
      changes.append(.remove(.network(id)))
    } else if selectedRow?.id == id {
      selectedRow = nil
      changes.append(.remove(.network(id)))
    }
  }

  /// Brings a row to section *top*.
  private func select(_ id: NetworkID, _ row: NetworkRow) {
    guard row != selectedRow else { return }
    if listed.remove(id) != nil {
      changes += [.move(.network(id), to: .init(.top)), .update(.network(row))]
    } else if selectedRow?.id == id {
      changes.append(.update(.network(row)))
    } else {
      changes.append(.insert(.network(row), at: .init(.top)))
    }
    selectedRow = row
  }

  /// Brings a row to its place in section *networks*.
  private func list(_ row: NetworkRow, at key: NetworkOrderKey) {
    for change in listed.set(row, at: key) {
      switch change {
      case .insert(_, let next) where selectedRow?.id == row.id:
        // It was in section *top*.
        selectedRow = nil
        changes += [.move(.network(row.id), to: place(before: next)), .update(.network(row))]
      case .insert(let row, let next): changes.append(.insert(.network(row), at: place(before: next)))
      case .move(let id, let next): changes.append(.move(.network(id), to: place(before: next)))
      case .update(let row): changes.append(.update(.network(row)))
      case .remove(let id): changes.append(.remove(.network(id)))
      }
    }
  }

  private func place(before next: NetworkID?) -> PanelDiff.Place { .init(.networks, before: next.map { .network($0) }) }
}
