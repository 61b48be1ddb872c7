/// The presentations over one thing, and the level above each of them.
final class NavigationLevel {
  private let presenter: any Presenter
  private let queue: TurnQueue
  private let slots: [NavigationSlot]
  private var token: ObservationToken?
  /// What is shown, the topmost last.
  private var shown: [Shown] = []
  /// Whether the state still presents what this level lies over.
  private var isWanted: () -> Bool = { true }

  private struct Shown {
    let presentation: Presentation
    let slot: Int
    let index: Int
    let over: NavigationLevel
    let onDismiss: () -> Void
  }

  init(_ presenter: any Presenter, in queue: TurnQueue, _ declare: (NavigationScope) -> Void) {
    self.presenter = presenter
    self.queue = queue
    let scope = NavigationScope()
    declare(scope)
    slots = scope.slots
  }

  /// Presents what the state describes, now and after each change.
  func start(_ transaction: Transaction) {
    if slots.isEmpty { return }
    var isFirst = true
    let slots = slots
    // Also where the state is what it was: the user may have dismissed what it asks for again.
    let work = ObserverWork.always(reading: { for slot in slots { slot.read() } }) { [weak self] _, change in
      self?.bringAbout(isFirst ? transaction : change)
      isFirst = false
    }
    token = Observing.start(work, in: queue, #fileID, #line)
  }

  /// Observes no more; what is shown stays.
  func stop() {
    token = nil
    for one in shown { one.over.stop() }
  }

  func dismissAll(_ transaction: Transaction) { while let last = shown.last { dismiss(last, transaction) } }

  private func bringAbout(_ transaction: Transaction) {
    defer { for one in shown { one.presentation.lookAtButtons() } }
    // What goes, the topmost first: from each slot all behind the first difference.
    let kept = slots.map { $0.keptCount() }
    if slots.indices.contains(where: { kept[$0] < slots[$0].shownCount }) {
      while let last = shown.last(where: { kept[$0.slot] <= $0.index }) { dismiss(last, transaction) }
    }
    for (number, slot) in slots.enumerated() {
      // What a presenter dismisses at once ends the loop: the state says something else then, and is read again.
      for index in kept[number]..<max(kept[number], slot.wantedCount) where index == slot.shownCount && index < slot.wantedCount {
        present(index, number, transaction)
      }
    }
  }

  private func present(_ index: Int, _ number: Int, _ transaction: Transaction) {
    let slot = slots[number]
    let item = slot.item(index)
    let id = slot.show(index)
    let presentation = Presentation(
      kind: slot.kind, name: slot.name, item: item?.presented, itemID: id, question: { slot.question(index, id) },
      onDismissed: { [weak self] in self?.dismissedByUser($0, button: $1) })
    let over = NavigationLevel(presenter, in: queue, item?.declare ?? { _ in })
    over.isWanted = { [weak self] in self?.isWanted() == true && slot.isWanted(index, id) }
    shown.append(Shown(presentation: presentation, slot: number, index: index, over: over, onDismiss: item?.onDismiss ?? {}))
    presenter.present(presentation, transaction)
    // It may be gone again already.
    if shown.last(where: { $0.presentation === presentation }) != nil { over.start(transaction) }
  }

  private func dismiss(_ one: Shown, _ transaction: Transaction) {
    takeAway(one)
    one.over.stop()
    one.over.dismissAll(transaction)
    presenter.dismiss(one.presentation, transaction)
    one.onDismiss()
  }

  private func takeAway(_ one: Shown) {
    if let index = shown.lastIndex(where: { $0.presentation === one.presentation }) { shown.remove(at: index) }
    one.presentation.keepQuestion()
    slots[one.slot].takeAway(from: one.index)
  }

  /// What the user dismissed is gone already; what lay over it, and later pages of its stack, go first.
  private func dismissedByUser(_ presentation: Presentation, button: Int?) {
    guard let one = shown.last(where: { $0.presentation === presentation }) else { return }
    while let later = shown.last(where: { $0.slot == one.slot && $0.index > one.index }) { dismiss(later, Transaction()) }
    one.over.stop()
    one.over.dismissAll(Transaction())
    let isSeen = button.map(presentation.isSeen) ?? true
    takeAway(one)
    // The turn that has changed the buttons presents it again.
    if !isSeen { return }
    let slot = slots[one.slot]
    let answer = isWanted() ? button.flatMap { slot.answer(one.index, presentation.itemID, button: $0) } : nil
    let write = { slot.dismissed(one.index, presentation.itemID) }
    // This level knows of the change: what the answer changes in the same turn comes with its own transaction.
    if let token { token.observer.absorb(write, isSettled: { self.isSettled }) } else { write() }
    answer?()
    one.onDismiss()
  }

  /// Whether what is shown is what is wanted, as of the last reading.
  private var isSettled: Bool {
    slots.allSatisfy { slot in
      let kept = slot.keptCount()
      return kept == slot.shownCount && kept == slot.wantedCount
    }
  }
}
