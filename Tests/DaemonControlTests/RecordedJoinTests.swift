import DaemonControl
import DaemonProtocols
import LinkContract
import Testing
import WiFi

extension RecordedJoin: CustomTestStringConvertible {
  var testDescription: String { name }
}

@Suite struct RecordedJoinTests {
  @Test func `every recording is replayed by a test`() {
    #expect(RecordedJoin.names == RecordedJoin.all.map(\.name).sorted())
  }

  @Test(arguments: RecordedJoin.all)
  func `a recorded join comes to the same end`(join: RecordedJoin) async throws {
    let link = RecordedControlLink(try RecordedJoin.recording(join.name))
    var steps: [JoinStep] = []
    let outcome = await Joiner(link: link).join(join.request, over: join.daemon) { steps.append($0.step) }
    #expect(link.difference == nil)
    switch (join.expected, outcome.result) {
    case (.joined(let bssid, let isKept), .success(let joined)):
      #expect(joined.bssid?.description == bssid)
      #expect(joined.isKept == isKept)
      #expect(!steps.isEmpty)
    case (.failed(let reason, let certainty, let aftermath), .failure(let failure)):
      #expect(failure.reason == reason)
      #expect(failure.certainty == certainty)
      #expect(failure.aftermath == aftermath)
      if [.wrongPassword, .outOfRange].contains(reason) { #expect(!failure.evidence.isEmpty) }
    default: Issue.record("\(outcome)")
    }
    if let password = join.password { #expect(!"\(outcome)".contains(password)) }
  }

  @Test(arguments: RecordedJoin.names)
  func `every datagram and message of a daemon encodes to itself, and no recording holds a password`(name: String) throws {
    let recording = try RecordedJoin.recording(name)
    #expect(try ControlRecording(recording.text) == recording)
    var stream = DBusStream()
    var expected: [UInt8] = []
    var encoded: [UInt8] = []
    var lines: [UInt8] = []
    var isStream = false
    for entry in recording.entries {
      guard case .received(let bytes) = entry.content else { continue }
      switch entry.channel {
      case .supplicant:
        let message = ControlMessage(bytes)
        #expect(message.encoded == bytes)
        if case .reply(.text(let text)) = message, text.contains(UInt8(ascii: "=")) { #expect(try ControlStatus(text).encoded == text) }
        if let networks = try? ControlNetwork.list(bytes) { #expect(ControlNetwork.encode(networks) == bytes) }
      case .kernel: break
      case .bus:
        if isStream {
          stream.append(bytes)
          expected += bytes
        } else {
          lines += bytes
          while let line = try DBusAuthenticationLine.take(from: &lines) {
            if case .ok = line { isStream = true }
          }
        }
        while let message = try stream.next() { encoded += message.encoded }
      }
    }
    #expect(encoded == Array(expected.dropLast(stream.pending)))
    let all = recording.entries.flatMap { entry -> [UInt8] in
      switch entry.content {
      case .sent(let bytes), .received(let bytes): bytes
      default: []
      }
    }
    for password in [RecordedJoin.right, RecordedJoin.wrong] {
      #expect(!all.holds(Array(password.utf8)))
      #expect(!all.holds(Array(Hex.string(Array(password.utf8)).utf8)))
    }
  }

  /// What happens to the daemon in the middle.
  enum Mishap: CaseIterable, Sendable { case fallsSilent, closes, isCancelled, repeatsItself }

  @Test(arguments: RecordedJoin.all, Mishap.allCases)
  func `whatever happens to the daemon at any step, the join ends in time`(join: RecordedJoin, mishap: Mishap) async throws {
    let recording = try RecordedJoin.recording(join.name)
    // Every step where little is recorded, every seventh where much is.
    for count in stride(from: 0, through: recording.entries.count, by: recording.entries.count > 120 ? 7 : 1) {
      var cut = ControlRecording(Array(recording.entries[..<count]))
      let channel = cut.entries.last?.channel ?? recording.entries[0].channel
      switch mishap {
      case .fallsSilent: break
      case .closes:
        if let last = cut.entries.last { cut.entries.append(.init(time: last.time, channel: channel, content: .closed)) }
      case .repeatsItself:
        if let last = cut.entries.last, case .received = last.content { cut.entries.append(last) }
        cut.entries += recording.entries[count...]
      case .isCancelled: break
      }
      let link = RecordedControlLink(cut)
      let start = link.bootTime
      var session = join.daemon.session(join.request)
      var outcome: JoinOutcome?
      if mishap == .isCancelled {
        outcome = try await cancelled(&session, link)
      } else {
        outcome = await Joiner(link: link).run(session)
      }
      let ended = try #require(outcome)
      #expect(link.bootTime - start < .seconds(130), "\(count): \(ended)")
      if case .joined = join.expected, mishap == .fallsSilent, count < recording.entries.count / 2 {
        #expect(ended.failure != nil, "\(count)")
      }
    }
  }

  /// Drives a session over a link until the link has nothing more, then cancels it and gives it nothing more to wait for.
  private func cancelled(_ session: inout any JoinSession, _ link: RecordedControlLink) async throws -> JoinOutcome? {
    var inputs: [JoinInput] = [.start]
    var deadline = link.bootTime
    var isCancelled = false
    while !inputs.isEmpty {
      let input = inputs.removeFirst()
      for action in session.handle(input, at: link.bootTime) {
        switch action {
        case .open(let channel):
          do throws(LinkError) {
            try link.open(channel)
            inputs.append(.opened(channel))
          } catch { inputs.append(.refused(channel, error)) }
        case .send(let payload, let channel): try? link.send(payload, on: channel)
        case .close(let channel): link.close(channel)
        case .wait(let until): deadline = until
        case .progress, .report: break
        case .finish(let outcome): return outcome
        }
      }
      guard inputs.isEmpty else { continue }
      switch link.isFinished || link.difference != nil ? nil : try await link.receive(until: deadline, isFinal: true) {
      case .received(let channel, let bytes)?: inputs.append(.received(channel, bytes))
      case .closed(let channel)?: inputs.append(.closed(channel))
      case nil where !isCancelled && !link.isFinished && link.difference == nil: inputs.append(.timedOut)
      case nil:
        inputs.append(isCancelled ? .abandoned : .cancelled)
        isCancelled = true
      }
    }
    return nil
  }
}

extension [UInt8] {
  /// Whether these bytes stand anywhere in it.
  func holds(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains { self[$0] == part[0] && self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
