import Determinism
import Observation
import Observing
import OpenCombine
import Testing

/// What a sheet that joins a network shows and takes, in every version of the model.
@MainActor private protocol JoinSheet: AnyObject {
  var password: String { get set }
  var message: String { get }
  var isJoining: Bool { get }
  func joinButtonTapped()
  func cancelButtonTapped()
}

/// The sheet as one writes it today.
@MainActor @Observable private final class ObservableSheet: JoinSheet {
  var password = ""
  private(set) var message = "Enter the password"
  private(set) var isJoining = false
  private var join: Task<Void, Never>?

  func joinButtonTapped() {
    isJoining = true
    message = "Joining"
    join = Task {
      do { try await Task.sleep(for: .seconds(2)) } catch { return }
      isJoining = false
      message = password == "blob" ? "Joined" : "Wrong password"
    }
  }

  func cancelButtonTapped() {
    join?.cancel()
    isJoining = false
    message = "Enter the password"
  }
}

/// The same sheet as it was written before there was `@Observable`.
@MainActor private final class LegacySheet: ObservableObject, JoinSheet {
  @Published var password = ""
  @Published private(set) var message = "Enter the password"
  @Published private(set) var isJoining = false
  private var join: Task<Void, Never>?

  func joinButtonTapped() {
    isJoining = true
    message = "Joining"
    join = Task {
      do { try await Task.sleep(for: .seconds(2)) } catch { return }
      isJoining = false
      message = password == "blob" ? "Joined" : "Wrong password"
    }
  }

  func cancelButtonTapped() {
    join?.cancel()
    isJoining = false
    message = "Enter the password"
  }
}

/// A view of a legacy model: it is rendered after a turn in which the model was about to change.
@MainActor private final class LegacyView {
  private var subscription: AnyCancellable?
  private var isStale = false
  private let render: () -> Void

  init(_ model: LegacySheet, render: @escaping () -> Void) {
    self.render = render
    render()
    subscription = model.objectWillChange.sink { [weak self] in self?.changes() }
  }

  func close() { subscription = nil }

  private func changes() {
    if isStale { return }
    isStale = true
    Task {
      isStale = false
      render()
    }
  }
}

@Suite struct TwinTests {
  @MainActor private static func use(_ sheet: some JoinSheet, _ simulation: Simulation) async -> [String] {
    sheet.password = "nope"
    await simulation.settle()
    sheet.joinButtonTapped()
    await simulation.advance(by: .seconds(1))
    sheet.cancelButtonTapped()
    await simulation.advance(by: .seconds(5))
    sheet.joinButtonTapped()
    await simulation.advance(by: .seconds(3))
    sheet.password = "blob"
    sheet.joinButtonTapped()
    await simulation.run()
    return simulation.trace.lines
  }

  @MainActor private static func record(_ sheet: some JoinSheet, _ simulation: Simulation) {
    simulation.trace.record("\(sheet.message)\(sheet.isJoining ? "…" : ""), “\(sheet.password)”")
  }

  private static func observableTrace(seed: UInt64) async throws -> [String] {
    try await simulate(seed: seed) { @MainActor simulation in
      let sheet = ObservableSheet()
      let token = observe { record(sheet, simulation) }
      defer { token.cancel() }
      return await use(sheet, simulation)
    }
  }

  private static func legacyTrace(seed: UInt64) async throws -> [String] {
    try await simulate(seed: seed) { @MainActor simulation in
      let sheet = LegacySheet()
      let view = LegacyView(sheet) { record(sheet, simulation) }
      defer { view.close() }
      return await use(sheet, simulation)
    }
  }

  @Test func `a model on ObservableObject has the trace of its twin on Observable`() async throws {
    let expected = [
      "0.000 Enter the password, “”", "0.000 Enter the password, “nope”", "0.000 Joining…, “nope”",
      "1.000 Enter the password, “nope”", "6.000 Joining…, “nope”", "8.000 Wrong password, “nope”", "9.000 Joining…, “blob”",
      "11.000 Joined, “blob”",
    ]
    for seed in 0..<100 as Range<UInt64> {
      #expect(try await Self.observableTrace(seed: seed) == expected)
      #expect(try await Self.legacyTrace(seed: seed) == expected)
    }
  }
}
