/// What can be presented over one thing: over the root, or over a sheet or page.
public final class NavigationScope {
  var slots: [any NavigationSlot] = []

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
    add(.sheet, name, .optional(item, id: id), declare, onDismiss)
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
    add(.push, name, .optional(item, id: id), declare, onDismiss)
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
    add(.popover, name, .optional(item, id: id), declare, onDismiss)
  }

  /// A popover while a flag is set.
  ///
  /// - Parameter onDismiss: called after the popover is gone, whether the state or the user dismissed it.
  public func popover(
    _ name: String, isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void = { _ in },
    onDismiss: @escaping () -> Void = {}
  ) {
    add(.popover, name, .flag(isPresented), { _, scope in declare(scope) }, { _ in onDismiss() })
  }

  /// An alert while there is an item, such as the reason of a failure.
  public func alert<Item: Hashable>(_ name: String, _ item: Binding<Item?>) {
    add(.alert, name, .optional(item, id: { $0 }))
  }

  /// An alert while a flag is set.
  public func alert(_ name: String, _ isPresented: Binding<Bool>) { add(.alert, name, .flag(isPresented)) }

  /// An alert while there is a question; a question of another `id` is another alert.
  ///
  /// - Parameter answer: called with what the chosen button means, after the question is gone from the state.
  public func alert<Answer>(
    _ name: String, _ question: Binding<Question<Answer>?>, answer: @escaping (Answer) -> Void
  ) {
    ask(.alert, name, question, answer)
  }

  /// A confirmation while there is a question: shown at the place that asked, where the view can.
  ///
  /// - Parameter answer: called with what the chosen button means, after the question is gone from the state.
  public func confirmation<Answer>(
    _ name: String, _ question: Binding<Question<Answer>?>, answer: @escaping (Answer) -> Void
  ) {
    ask(.confirmation, name, question, answer)
  }

  /// A sheet while a flag is set.
  ///
  /// - Parameter onDismiss: called after the sheet is gone, whether the state or the user dismissed it.
  public func sheet(
    _ name: String, isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void = { _ in },
    onDismiss: @escaping () -> Void = {}
  ) {
    add(.sheet, name, .flag(isPresented), { _, scope in declare(scope) }, { _ in onDismiss() })
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
    add(.push, name, .path(path, id: id), declare, onDismiss)
  }

  private func ask<Answer>(
    _ kind: Presentation.Kind, _ name: String, _ question: Binding<Question<Answer>?>,
    _ answer: @escaping (Answer) -> Void
  ) {
    var parts = ItemSlot<Question<Answer>, String>.Parts.optional(question, id: \.id)
    parts.question = { $0.numbered }
    parts.answer = { question, button in if let chosen = question.buttons[button].answer { answer(chosen) } }
    slots.append(ItemSlot(kind, name, parts))
  }

  private func add<Item, ID: Hashable>(
    _ kind: Presentation.Kind, _ name: String, _ parts: ItemSlot<Item, ID>.Parts,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }, _ onDismiss: @escaping (Item) -> Void = { _ in }
  ) {
    var parts = parts
    parts.declare = declare
    parts.onDismiss = onDismiss
    slots.append(ItemSlot(kind, name, parts))
  }
}
