/// What can be presented over one thing: over the root, or over a sheet or page.
public final class NavigationScope {
  var slots: [NavigationSlot] = []

  init() {}

  /// A sheet while there is a model; another model is another sheet.
  ///
  /// - Parameter declare: declares what can be presented over the sheet.
  public func sheet<Item: AnyObject>(
    _ name: String, _ item: Binding<Item?>, _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }
  ) {
    sheet(name, item, id: { ObjectIdentifier($0) }, declare)
  }

  /// A sheet while there is an item; an item of another identity is another sheet.
  public func sheet<Item, ID: Hashable>(
    _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }
  ) {
    slots.append(.optional(.sheet, name, item, id: id, declare))
  }

  /// A page while there is a model; another model is another page.
  public func push<Item: AnyObject>(
    _ name: String, _ item: Binding<Item?>, _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }
  ) {
    push(name, item, id: { ObjectIdentifier($0) }, declare)
  }

  /// A page while there is an item; an item of another identity is another page.
  public func push<Item, ID: Hashable>(
    _ name: String, _ item: Binding<Item?>, id: @escaping (Item) -> ID,
    _ declare: @escaping (Item, NavigationScope) -> Void = { _, _ in }
  ) {
    slots.append(.optional(.push, name, item, id: id, declare))
  }

  /// An alert while there is an item, such as the reason of a failure.
  public func alert<Item: Hashable>(_ name: String, _ item: Binding<Item?>) {
    slots.append(.optional(.alert, name, item, id: { $0 }, { _, _ in }))
  }

  /// An alert while a flag is set.
  public func alert(_ name: String, _ isPresented: Binding<Bool>) {
    slots.append(.flag(.alert, name, isPresented, { _ in }))
  }

  /// A sheet while a flag is set.
  public func sheet(
    _ name: String, isPresented: Binding<Bool>, _ declare: @escaping (NavigationScope) -> Void = { _ in }
  ) {
    slots.append(.flag(.sheet, name, isPresented, declare))
  }

  /// A stack of pages: one for each element of a path, the last on top.
  ///
  /// Pages that stay at the beginning of the path stay. A page that a user goes back from is taken from the path, and
  /// all that come after it.
  public func stack<Element, ID: Hashable>(
    _ name: String, path: Binding<[Element]>, id: @escaping (Element) -> ID,
    _ declare: @escaping (Element, NavigationScope) -> Void = { _, _ in }
  ) {
    slots.append(.stack(name, path, id: id, declare))
  }
}
