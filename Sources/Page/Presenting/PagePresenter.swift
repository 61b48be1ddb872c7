public import Observation
public import Observing

/// Keeps what a navigation says for the page, which shows it over the list.
///
/// A view that reads ``shown`` in `observe` is notified of every change.
@Observable
public final class PagePresenter: StackPresenter {
  /// A presentation and its number.
  public struct Entry {
    /// The number, which no other presentation has.
    public let number: Int
    /// What is shown.
    public let presentation: Presentation
  }

  /// What is shown over the list now, with its numbers, the topmost last.
  public private(set) var entries: [Entry] = []

  /// Called for each presentation that begins.
  @ObservationIgnored public var onPresent: (Presentation) -> Void = { _ in }
  /// Called for each presentation that ends.
  @ObservationIgnored public var onDismiss: (Presentation) -> Void = { _ in }
  @ObservationIgnored private var count = 0

  /// A page with nothing over the list.
  public init() {}

  /// What is shown over the list now, the topmost last.
  public var shown: [Presentation] { entries.map(\.presentation) }

  public func present(_ presentation: Presentation, _ transaction: Transaction) {
    count += 1
    entries.append(Entry(number: count, presentation: presentation))
    onPresent(presentation)
  }

  /// What is on top, where it has this number.
  public func top(_ number: Int) -> Presentation? { entries.last.flatMap { $0.number == number ? $0.presentation : nil } }

  public func take(_ presentation: Presentation) {
    guard let index = entries.firstIndex(where: { $0.presentation === presentation }) else { return }
    entries.remove(at: index)
    onDismiss(presentation)
  }
}
