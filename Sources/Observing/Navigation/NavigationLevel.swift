/// What is presented over one thing, and over each of those the level above it.
final class NavigationLevel {
  private let presenter: any Presenter
  private let queue: TurnQueue
  private let slots: [NavigationSlot]
  private var token: ObservationToken?
  /// What is shown, the topmost last.
  private var shown: [Shown] = []

  private struct Shown {
    let presentation: Presentation
    let slot: Int
    let index: Int
    let over: NavigationLevel
  }

  init(_ presenter: any Presenter, in queue: TurnQueue, _ declare: (NavigationScope) -> Void) {
    self.presenter = presenter
    self.queue = queue
    let scope = NavigationScope()
    declare(scope)
    slots = scope.slots
  }

  /// Presents what the state says, now and whenever it says something else.
  func start(_ transaction: Transaction) {
    var isFirst = true
    let slots = slots
    // Also where the state is what it was: a user may have dismissed what it asks for again.
    let work = ObserverWork.always(reading: { slots.map { $0.ids() } }) { [weak self] ids, change in
      self?.bringAbout(ids, isFirst ? transaction : change)
      isFirst = false
    }
    token = Observing.start(work, in: queue, #fileID, #line)
  }

  /// Observes no more; what is shown stays.
  func stop() {
    token = nil
    for one in shown { one.over.stop() }
  }

  func dismissAll(_ transaction: Transaction) {
    while let last = shown.popLast() { dismiss(last, transaction) }
  }

  private func bringAbout(_ ids: [[AnyHashable]], _ transaction: Transaction) {
    // What goes, the topmost first: from each slot all behind the first difference.
    let stays = shown.map { one in
      shown.filter { $0.slot == one.slot && $0.index <= one.index }.allSatisfy { earlier in
        earlier.index < ids[earlier.slot].count && ids[earlier.slot][earlier.index] == earlier.presentation.itemID
      }
    }
    for index in shown.indices.reversed() where !stays[index] { dismiss(shown.remove(at: index), transaction) }
    for slot in slots.indices {
      let count = shown.count { $0.slot == slot }
      for index in ids[slot].indices.dropFirst(count) { present(ids[slot][index], slot, index, transaction) }
    }
  }

  private func present(_ id: AnyHashable, _ slot: Int, _ index: Int, _ transaction: Transaction) {
    let item = slots[slot].item(index)
    let presentation = Presentation(
      kind: slots[slot].kind, name: slots[slot].name, item: item, itemID: id,
      onDismissed: { [weak self] in self?.dismissedByUser($0) })
    let over = NavigationLevel(presenter, in: queue) { slots[slot].declare(item, $0) }
    shown.append(Shown(presentation: presentation, slot: slot, index: index, over: over))
    presenter.present(presentation, transaction)
    // It may be gone again already.
    if shown.contains(where: { $0.presentation === presentation }) { over.start(transaction) }
  }

  private func dismiss(_ one: Shown, _ transaction: Transaction) {
    one.over.stop()
    one.over.dismissAll(transaction)
    presenter.dismiss(one.presentation, transaction)
  }

  /// What a user dismissed is gone already; what lay over it, and later pages of its stack, go first.
  private func dismissedByUser(_ presentation: Presentation) {
    guard let index = shown.firstIndex(where: { $0.presentation === presentation }) else { return }
    let one = shown[index]
    for later in shown.indices.reversed() where later > index && shown[later].slot == one.slot {
      dismiss(shown.remove(at: later), Transaction())
    }
    one.over.stop()
    one.over.dismissAll(Transaction())
    shown.removeAll { $0.presentation === presentation }
    slots[one.slot].dismissed(one.index, presentation.itemID)
  }
}
