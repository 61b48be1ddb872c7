import Isolations
import Models
import Testing
import WiFi

@Suite(.timeLimit(.minutes(10))) @MainActor struct ConnectToNetworkModelTests {
  final class Calls {
    var joined = 0
    var cancelled = 0
  }

  let calls = Calls()
  let joiner = HandJoiner()

  func makeSheet(_ network: Network = makeNetwork("Home"), password: String = "blob") -> ConnectToNetworkModel {
    let calls = calls
    return ConnectToNetworkModel(
      network: network, password: password, joiner: joiner, onJoined: { _ in calls.joined += 1 },
      onCancelled: { _ in calls.cancelled += 1 })
  }

  func start(_ sheet: ConnectToNetworkModel) async -> Task<Void, Never> {
    let task = Task { if let attempt = sheet.joinButtonTapped() { await attempt.run() } }
    await endTurn()
    return task
  }

  @Test func `it connects from the tap on, before anything runs`() async throws {
    let sheet = makeSheet()
    let attempt = try #require(sheet.joinButtonTapped())
    #expect(sheet.isConnecting)
    #expect(sheet.joinButtonTapped() == nil)
    let task = Task { await attempt.run() }
    await endTurn()
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(!sheet.isConnecting)
    #expect(calls.joined == 1)
  }

  @Test func `an attempt runs once, and not at all after the sheet went`() async throws {
    let sheet = makeSheet()
    let first = try #require(sheet.joinButtonTapped())
    sheet.dismissed()
    await first.run()
    #expect(joiner.attempts.isEmpty)
    let second = try #require(sheet.joinButtonTapped())
    let task = Task { await second.run() }
    await endTurn()
    await second.run()
    await first.run()
    #expect(joiner.attempts.count == 1)
    joiner.attempts[0].finish(nil)
    await task.value
    await second.run()
    #expect(joiner.attempts.count == 1)
    #expect(calls.joined == 1)
  }

  @Test func `the password is the one at the tap, whatever is typed before the attempt runs`() async throws {
    let sheet = makeSheet(password: "blob")
    let attempt = try #require(sheet.joinButtonTapped())
    sheet.password = "something else"
    let task = Task { await attempt.run() }
    await endTurn()
    #expect(joiner.attempts.map(\.password) == ["blob"])
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(sheet.password == "something else")
  }

  @Test func `an open network needs no password`() async {
    let sheet = makeSheet(makeNetwork("Café", secured: false))
    let task = await start(sheet)
    #expect(joiner.attempts[0].password == nil)
    joiner.attempts[0].finish(nil)
    await task.value
  }

  @Test func `a second tap while it connects does nothing`() async {
    let sheet = makeSheet()
    let task = await start(sheet)
    await start(sheet).value
    #expect(joiner.attempts.count == 1)
    #expect(sheet.isConnecting)
    joiner.attempts[0].finish(nil)
    await task.value
    #expect(calls.joined == 1)
  }

  @Test func `a wrong password is an alert, and the sheet and what was typed stay`() async {
    let sheet = makeSheet(password: "nope")
    let task = await start(sheet)
    joiner.attempts[0].finish(.wrongPassword)
    await task.value
    #expect(sheet.incorrectPasswordAlertIsPresented)
    #expect(sheet.failure == nil)
    #expect(!sheet.isConnecting)
    #expect(sheet.password == "nope")
    #expect(calls.joined == 0 && calls.cancelled == 0)
    let again = await start(sheet)
    #expect(!sheet.incorrectPasswordAlertIsPresented)
    joiner.attempts[1].finish(nil)
    await again.value
    #expect(calls.joined == 1)
  }

  @Test(arguments: [
    (JoinError.timedOut, ConnectToNetworkModel.Failure.timedOut), (.outOfRange, .outOfRange),
    (.rejected(status: 17), .rejected(status: 17)),
  ])
  func `each other reason is its own failure`(error: JoinError, failure: ConnectToNetworkModel.Failure) async {
    let sheet = makeSheet()
    let task = await start(sheet)
    joiner.attempts[0].finish(error)
    await task.value
    #expect(sheet.failure == failure)
    #expect(!sheet.isConnecting && !sheet.incorrectPasswordAlertIsPresented)
    #expect(calls.joined == 0)
    let again = await start(sheet)
    #expect(sheet.failure == nil)
    joiner.attempts[1].finish(.cancelled)
    await again.value
    #expect(sheet.failure == nil && !sheet.isConnecting)
  }

  @Test(arguments: [nil, JoinError.wrongPassword, .timedOut, .outOfRange, .rejected(status: 1), .cancelled], [true, false])
  func `after it was cancelled or dismissed no result changes anything`(result: JoinError?, cancelled: Bool) async {
    let sheet = makeSheet()
    let task = await start(sheet)
    if cancelled { sheet.cancelButtonTapped() } else { sheet.dismissed() }
    #expect(!sheet.isConnecting)
    joiner.attempts[0].finish(result)
    await task.value
    #expect(!sheet.isConnecting && !sheet.incorrectPasswordAlertIsPresented)
    #expect(sheet.failure == nil)
    #expect(sheet.password == "blob")
    #expect(calls.joined == 0 && calls.cancelled == 0)
  }

  @Test func `the result of an earlier attempt is not that of the next`() async {
    let sheet = makeSheet()
    let first = await start(sheet)
    sheet.cancelButtonTapped()
    let second = await start(sheet)
    joiner.attempts[0].finish(nil)
    await first.value
    #expect(sheet.isConnecting)
    #expect(calls.joined == 0)
    joiner.attempts[1].finish(.timedOut)
    await second.value
    #expect(sheet.failure == .timedOut)
    #expect(calls.joined == 0)
  }
}
