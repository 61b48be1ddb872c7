import Testing
import WiFi

@testable import Scanner

/// What every ``Link`` must do; each implementation has a test that calls this.
func checkLinkContract(_ make: () throws -> any Link) async throws {
  try await answersTheController(try make())
  try await refusesAnUnknownFamily(try make())
  try await keepsDeadlines(try make())
  await endsWaitingWhenCancelled(try make())
}

private func answersTheController(_ link: any Link) async throws {
  var requests = Requests()
  let name = link is RecordedLink ? NL80211.familyName : "nlctrl"
  var (bytes, exchange) = requests.one(family: NetlinkMessage.ControlType.genericController, GenericFamily.request(name: name))
  try link.send(bytes)
  var family: GenericFamily?
  var isFinished = false
  while !isFinished {
    let input = try await link.receive(until: link.bootTime + .seconds(5))
    guard case .reply(let datagram) = input else {
      Issue.record("no answer from the controller: \(String(describing: input))")
      return
    }
    for header in NetlinkWalk(datagram) {
      switch exchange.outcome(of: header, in: datagram) {
      case .part: family = GenericFamily(datagram, header.attributes)
      case .finished: isFinished = true
      case .ignored: Issue.record("a reply with a foreign sequence number")
      case .failed(let error): Issue.record("the controller refused: \(error.name)")
      }
    }
  }
  #expect((family?.id ?? 0) >= NetlinkMessage.ControlType.genericController)
  #expect(family?.groups.isEmpty == false)
}

private func refusesAnUnknownFamily(_ link: any Link) async throws {
  var requests = Requests()
  var (bytes, exchange) = requests.one(
    family: NetlinkMessage.ControlType.genericController, GenericFamily.request(name: "no-such-family"))
  try link.send(bytes)
  guard case .reply(let datagram) = try await link.receive(until: link.bootTime + .seconds(5)) else {
    Issue.record("no refusal")
    return
  }
  let outcomes = NetlinkWalk(datagram).map { exchange.outcome(of: $0, in: datagram) }
  guard case .failed(let error)? = outcomes.last else {
    Issue.record("not refused: \(outcomes)")
    return
  }
  #expect(error.number == KernelError.Number.noEntry)
}

private func keepsDeadlines(_ link: any Link) async throws {
  let before = link.bootTime
  #expect(try await link.receive(until: .zero) == nil)
  let deadline = link.bootTime + .milliseconds(20)
  #expect(try await link.receive(until: deadline) == nil)
  #expect(link.bootTime >= deadline)
  #expect(link.bootTime >= before)
}

private func endsWaitingWhenCancelled(_ link: any Link) async {
  let start = link.bootTime
  nonisolated(unsafe) let link = link
  let task = Task { unsafe try await link.receive(until: start + .seconds(60)) }
  task.cancel()
  let result = try? await task.value
  #expect(result == .some(nil))
  #expect(unsafe link.bootTime < start + .seconds(30))
}

@Suite struct LinkTests {
  @Test(arguments: [1, 2, 3, Int.max])
  func `a recorded link keeps the contract however its replies are split`(messagesPerDatagram: Int) async throws {
    let kernel = try RecordedKernel.lab()
    try await checkLinkContract { kernel.link(messagesPerDatagram: messagesPerDatagram) }
  }

  #if os(Linux) && canImport(CNetlink)
    @Test func `the live link keeps the contract with the kernel's controller`() async throws {
      try await checkLinkContract { try LiveLink() }
    }
  #endif
}
