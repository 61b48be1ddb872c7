import Isolations
import Models
import Observing
import Testing
import WiFi

/// The models belong to no actor: the same types on the main actor, on others, and in many tasks at once.
@Suite(.timeLimit(.minutes(10))) struct ManyAtOnceTests {
  /// One visit of the panel: found, wrong password, right password, forgotten; returns what was seen.
  static func visit(_ number: UInt64, isolation: isolated (any Actor)? = #isolation) async throws -> [String] {
    let bss = makeBSS("Home \(number)", number, heard: .seconds(2))
    let model = WiFiSettingsModel(
      source: ListSource([makeScan([bss], end: .seconds(2))]), joiner: QuickJoiner(), onIssue: { _ in })
    let turn = ObservationTurn()
    var log: [String] = []
    let token = observe(in: turn) { log.append(Panel(model).description) }
    try await model.followNetworks()
    let id = try #require(model.foundNetworks.ids.first)
    model.networkTapped(id)
    let sheet = try #require(model.destination?.connect)
    sheet.password = "nope"
    await sheet.joinButtonTapped()?.run()
    #expect(sheet.incorrectPasswordAlertIsPresented)
    sheet.password = "blob"
    await sheet.joinButtonTapped()?.run()
    #expect(model.selectedNetworkID == id)
    turn.end()
    model.networkTapped(id)
    model.destination?.detail?.forgetButtonTapped()
    model.destination?.detail?.confirmForgetButtonTapped()
    turn.end()
    token.cancel()
    return log
  }

  static func expected(_ number: UInt64) -> [String] {
    [
      "top\n  Wi-Fi: on",
      "top\n  Wi-Fi: on\n  Home \(number): 4 bars, 83 %, secured, selected",
      "top\n  Wi-Fi: on\nnetworks\n  Home \(number): 4 bars, 83 %, secured",
    ]
  }

  @Test @MainActor func `on the main actor`() async throws {
    #expect(try await Self.visit(1) == Self.expected(1))
  }

  @Test(arguments: Ground.allCases) func `on any actor`(ground: Ground) async {
    await ground.run { isolation in
      let log = try? await Self.visit(2, isolation: isolation)
      #expect(log == Self.expected(2))
    }
  }

  @Test func `in many tasks at once`() async throws {
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 1...200 as ClosedRange<UInt64> {
        group.addTask { try await Self.visit(number) == Self.expected(number) }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }
}
