/// What can be presented over one thing: over the root, or over a sheet or page.
public final class NavigationScope {
  var slots: [NavigationSlot] = []

  init() {}

  /// A sheet while there is a model; another model is another sheet.
  ///
  /// - Parameters:
  ///   - declare: declares what can be presented over the sheet.
  ///   - onDismiss: called after the sheet is gone, whether the state or the user dismissed it.
  public func sheet<Item: AnyObject>(
    _ name: String, _ item: Binding<Item?>, _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in },
    onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    sheet(name, item, id: { ObjectIdentifier($0) }, declare, onDismiss: onDismiss)
  }

  /// A sheet while there is an item; an item of another identity is another sheet.
  ///
  /// - Parameter onDismiss: called after the sheet is gone, whether the state or the user dismissed it.
  public func sheet<Item, ID: Hashable>(
    _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }, onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    add(.sheet, name, item, id: id, declare, onDismiss)
  }

  /// A page while there is a model; another model is another page.
  ///
  /// - Parameter onDismiss: called after the page is gone, whether the state or the user dismissed it.
  public func push<Item: AnyObject>(
    _ name: String, _ item: Binding<Item?>, _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in },
    onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    push(name, item, id: { ObjectIdentifier($0) }, declare, onDismiss: onDismiss)
  }

  /// A page while there is an item; an item of another identity is another page.
  ///
  /// - Parameter onDismiss: called after the page is gone, whether the state or the user dismissed it.
  public func push<Item, ID: Hashable>(
    _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }, onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    add(.push, name, item, id: id, declare, onDismiss)
  }

  /// A popover while there is a model; another model is another popover.
  ///
  /// - Parameter onDismiss: called after the popover is gone, whether the state or the user dismissed it.
  public func popover<Item: AnyObject>(
    _ name: String, _ item: Binding<Item?>, _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in },
    onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    popover(name, item, id: { ObjectIdentifier($0) }, declare, onDismiss: onDismiss)
  }

  /// A popover while there is an item; an item of another identity is another popover.
  ///
  /// - Parameter onDismiss: called after the popover is gone, whether the state or the user dismissed it.
  public func popover<Item, ID: Hashable>(
    _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }, onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    add(.popover, name, item, id: id, declare, onDismiss)
  }

  /// A popover while a flag is set.
  ///
  /// - Parameter onDismiss: called after the popover is gone, whether the state or the user dismissed it.
  public func popover(
    _ name: String, isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void = { _ in },
    onDismiss: @escaping () -> Void = {}
  ) {
    add(.popover, name, isPresented, declare, onDismiss)
  }

  /// An alert while there is an item, such as the reason of a failure.
  public func alert<Item: Hashable>(_ name: String, _ item: Binding<Item?>) {
    add(.alert, name, item) { SlotItem(id: AnyHashable($0), presented: $0) }
  }

  /// An alert while a flag is set.
  public func alert(_ name: String, _ isPresented: Binding<Bool>) { add(.alert, name, isPresented, { _ in }, {}) }

  /// An alert while there is a question; a question of another `id` is another alert.
  ///
  /// - Parameter answer: called with what the chosen button means, after the question is gone from the state.
  public func alert<Answer>(_ name: String, _ question: Binding<Question<Answer>?>, answer: @escaping (Answer) -> Void) {
    ask(.alert, name, question, answer)
  }

  /// A confirmation while there is a question: shown at the place that asked, where the view can.
  ///
  /// - Parameter answer: called with what the chosen button means, after the question is gone from the state.
  public func confirmation<Answer>(_ name: String, _ question: Binding<Question<Answer>?>, answer: @escaping (Answer) -> Void) {
    ask(.confirmation, name, question, answer)
  }

  /// A sheet while a flag is set.
  ///
  /// - Parameter onDismiss: called after the sheet is gone, whether the state or the user dismissed it.
  public func sheet(
    _ name: String, isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void = { _ in },
    onDismiss: @escaping () -> Void = {}
  ) {
    add(.sheet, name, isPresented, declare, onDismiss)
  }

  /// A stack of pages: one for each element of a path, the last on top.
  ///
  /// Pages that stay at the beginning of the path stay. A page that the user goes back from is taken from the path, and
  /// all that come after it. A page that is pushed costs one comparison of identities for each page below it.
  ///
  /// - Parameter onDismiss: called after a page is gone, whether the state or the user dismissed it.
  public func stack<Element, ID: Hashable>(
    _ name: String, path: Binding<[Element]>, id: @escaping (Element) -> ID,
    _ declare: @escaping (Element, NavigationScope) -> Void = { _, _ in },
    onDismiss: @escaping (Element) -> Void = { _ in }
  ) {
    slots.append(
      NavigationSlot(
        .push, name, items: { path.wrappedValue }, cut: { index in path.wrappedValue = Array(path.wrappedValue[..<index]) }
      ) { element in
        SlotItem(id: AnyHashable(id(element)), presented: element, declare: { declare(element, $0) }, onDismiss: { onDismiss(element) })
      })
  }

  private func ask<Answer>(
    _ kind: Presentation.Kind, _ name: String, _ question: Binding<Question<Answer>?>,
    _ answer: @escaping (Answer) -> Void
  ) {
    add(kind, name, question) { question in
      SlotItem(
        id: AnyHashable(question.id), presented: question, question: { question.numbered },
        answer: { button in if let chosen = question.buttons[button].answer { answer(chosen) } })
    }
  }

  private func add<Item, ID: Hashable>(
    _ kind: Presentation.Kind, _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void, _ onDismiss: @escaping (Item) -> Void
  ) {
    add(kind, name, item) { item in
      SlotItem(id: AnyHashable(id(item)), presented: item, declare: { declare(item, $0) }, onDismiss: { onDismiss(item) })
    }
  }

  /// One while there is an item.
  private func add<Item>(_ kind: Presentation.Kind, _ name: String, _ item: Binding<Item?>, _ slotItem: @escaping (Item) -> SlotItem) {
    slots.append(
      NavigationSlot(kind, name, items: { item.wrappedValue.map { [$0] } ?? [] }, cut: { _ in item.wrappedValue = nil }, slotItem))
  }

  /// One while a flag is set.
  private func add(
    _ kind: Presentation.Kind, _ name: String, _ isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void,
    _ onDismiss: @escaping () -> Void
  ) {
    slots.append(
      NavigationSlot(
        kind, name, items: { isPresented.wrappedValue ? [true] : [] }, cut: { _ in isPresented.wrappedValue = false }
      ) { (isOn: Bool) in SlotItem(id: AnyHashable(isOn), presented: nil, declare: declare, onDismiss: onDismiss) })
  }
}
