import Testing
import WiFi

@testable import Scanner

@Suite struct ScanSessionTests {
  typealias Answer = RecordedLink.Answer

  let lab: RecordedKernel
  let wlan0: Interface

  init() throws {
    lab = try RecordedKernel.lab()
    wlan0 = try #require(
      lab.interfaces.compactMap { try? GenericNetlinkMessage(payload: $0.payload) }.compactMap(Interface.init)
        .first { $0.name == "wlan0" })
  }

  /// An acknowledged trigger, then the events of a scan: its start at once, its end `after` that.
  func scans(_ capture: String = "events-scan", after delay: Duration = .seconds(2)) throws -> [Answer] {
    let events = try RecordedKernel.scanEvents(capture, for: wlan0)
    return [Answer(.replies([RecordedKernel.acknowledgement]))]
      + events.enumerated().map { Answer(.events([$1]), after: $0 == 0 ? .zero : delay) }
  }

  func refuses(_ number: Int32) -> [Answer] { [Answer(.replies([RecordedKernel.refusal(number)]))] }

  func failure(_ kernel: RecordedKernel, _ configuration: ScanSession.Configuration = .init(interface: "wlan0")) async
    -> ScanError?
  {
    do throws(ScanError) {
      let scan = try await Scanner(link: kernel.link()).scan(configuration)
      Issue.record("a scan with \(scan.bss.count) BSSs instead of an error")
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [1, 2, 7, Int.max])
  func `a cached list is read whole however the kernel splits it`(messagesPerDatagram: Int) async throws {
    let link = lab.link(messagesPerDatagram: messagesPerDatagram)
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0", mode: .cached))
    #expect(scan.bss.count == lab.scans[0].count - 1)
    #expect(scan.completion == .cached)
    #expect(scan.unreadable == 0)
    #expect(link.joined.isEmpty)
  }

  @Test func `the groups are joined before the scan is triggered`() async throws {
    var kernel = lab
    kernel.triggers = [try scans()]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0"))
    #expect(scan.isComplete)
    #expect(scan.frequenciesKHz == [2_412_000, 2_437_000])
    #expect(scan.end - scan.start == .seconds(2))
    let trigger = try #require(link.requests.firstIndex { $0.generic.command == NL80211.Command.triggerScan && $0.message.type == 20 })
    #expect(link.joined.count == NL80211.multicastGroups.count)
    #expect(link.joined.allSatisfy { $0.requestsBefore <= trigger })
  }

  @Test func `an end that comes before the acknowledgement is not missed`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [events.map { Answer(.events([$0])) } + [Answer(.replies([RecordedKernel.acknowledgement]), after: .milliseconds(1))]]
    #expect(try await Scanner(link: kernel.link()).scan(.init(interface: "wlan0")).isComplete)
  }

  @Test func `the end of somebody else's scan is not taken for ours`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    // Somebody else's scan ends just before ours begins; ours ends three seconds later.
    kernel.triggers = [
      [
        Answer(.events([events[1]])), Answer(.replies([RecordedKernel.acknowledgement])), Answer(.events([events[0]])),
        Answer(.events([events[1]]), after: .seconds(3)),
      ]
    ]
    let scan = try await Scanner(link: kernel.link()).scan(.init(interface: "wlan0"))
    #expect(scan.end - scan.start == .seconds(3))
  }

  @Test(arguments: ["events-aborted", "events-link-down"])
  func `an aborted scan is a partial result`(capture: String) async throws {
    var kernel = lab
    kernel.triggers = [try scans(capture)]
    let scan = try await Scanner(link: kernel.link()).scan(.init(interface: "wlan0"))
    #expect(scan.completion == .partial(.aborted))
    #expect(scan.bss.count == lab.scans[0].count - 1)
  }

  @Test func `an adapter that goes away during a scan is an error`() async throws {
    var kernel = lab
    kernel.triggers = [try scans("events-unplugged")]
    #expect(await failure(kernel)?.kind == .adapterRemoved)
  }

  @Test func `a foreign scan is waited for and then served`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [
      refuses(KernelError.Number.busy) + [Answer(.events([events[1]]), after: .seconds(1))],
      try scans(),
    ]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0"))
    #expect(scan.isComplete)
    #expect(link.bootTime == .seconds(103))
  }

  @Test func `no two requests over a link have one number, whatever was given up between them`() async throws {
    var kernel = lab
    kernel.triggers = [refuses(KernelError.Number.noDevice), try scans()]
    let link = kernel.link()
    let scanner = Scanner(link: link)
    await #expect(throws: ScanError.self) { try await scanner.scan(.init(interface: "wlan0")) }
    _ = try await scanner.interfaces()
    _ = try await scanner.scan(.init(interface: "wlan0", mode: .cached))
    _ = try await scanner.interfaces()
    let numbers = link.requests.map(\.message.sequence)
    #expect(numbers.count > 8)
    #expect(Set(numbers).count == numbers.count, "\(numbers)")
  }

  @Test(arguments: [true, false])
  func `a list that was given up before its end is no scan of another program`(isScan: Bool) async throws {
    let link = OneListLink(lab.link(), cancelling: NL80211.Command.getScan)
    nonisolated(unsafe) let scanner = Scanner(link: link)
    let error = await Task { () -> ScanError? in
      do throws(ScanError) {
        _ = try await unsafe scanner.scan(.init(interface: "wlan0", mode: .cached))
        return nil
      } catch { return error }
    }.value
    #expect(error?.kind == .cancelled)
    #expect(link.isListing)
    if isScan {
      let scan = try await unsafe scanner.scan(.init(interface: "wlan0", mode: .cached))
      #expect(scan.bss.count == lab.scans[0].count - 1)
    } else {
      let interfaces = try await unsafe scanner.interfaces()
      #expect(interfaces.contains { $0.name == "wlan0" })
    }
    #expect(link.refusals == 1)
  }

  @Test func `a channel that may not be left is told from a foreign scan, after bounded attempts`() async throws {
    var kernel = lab
    kernel.triggers = [refuses(KernelError.Number.busy)]
    let link = kernel.link()
    var configuration = ScanSession.Configuration(interface: "wlan0")
    configuration.busyRetries = 3
    configuration.busyWait = .seconds(2)
    await #expect(throws: ScanError(.channelBusy, interface: "wlan0", kernel: KernelError(number: 16))) {
      try await Scanner(link: link).scan(configuration)
    }
    #expect(link.bootTime == .seconds(106))
    #expect(link.requests.count { $0.generic.command == NL80211.Command.triggerScan && $0.message.type == 20 } == 4)
  }

  @Test func `scans that others start again and again end as busy`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [refuses(KernelError.Number.busy) + events.map { Answer(.events([$0]), after: .seconds(1)) }]
    #expect(await failure(kernel)?.kind == .busy)
  }

  @Test(arguments: [
    ("error-down", ScanError.Kind.interfaceDown), ("error-not-permitted", .notPermitted),
    ("error-no-device", .adapterRemoved), ("error-not-supported", .notSupported), ("error-bad-frequency", .invalidRequest),
    ("error-long-ssid", .invalidRequest),
  ])
  func `each refusal of a real kernel has its own sentence`(name: String, kind: ScanError.Kind) async throws {
    let refusal = try #require(try capture(name).first)
    var kernel = lab
    kernel.triggers = [[Answer(.replies([refusal]))]]
    let error = await failure(kernel)
    #expect(error?.kind == kind)
    #expect(error?.description.contains("wlan0") == true)
  }

  @Test func `lost events lead to reading the list, as a partial result`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [
      [Answer(.replies([RecordedKernel.acknowledgement])), Answer(.events([events[0]])), Answer(.eventsLost, after: .seconds(1))]
    ]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0"))
    #expect(scan.completion == .partial(.eventsLost))
    #expect(scan.bss.count == lab.scans[0].count - 1)
    #expect(link.bootTime == .seconds(105))
  }

  @Test func `an end that still comes after lost events makes the scan complete`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [
      [Answer(.replies([RecordedKernel.acknowledgement])), Answer(.eventsLost), Answer(.events([events[1]]), after: .seconds(2))]
    ]
    #expect(try await Scanner(link: kernel.link()).scan(.init(interface: "wlan0")).isComplete)
  }

  @Test func `an end after events were lost before the acknowledgement is the end of the scan`() async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [
      [Answer(.eventsLost), Answer(.replies([RecordedKernel.acknowledgement])), Answer(.events([events[1]]), after: .seconds(2))]
    ]
    #expect(try await Scanner(link: kernel.link()).scan(.init(interface: "wlan0")).isComplete)
    kernel.triggers = [[Answer(.eventsLost), Answer(.events([events[1]])), Answer(.replies([RecordedKernel.acknowledgement]))]]
    let link = kernel.link()
    #expect(try await Scanner(link: link).scan(.init(interface: "wlan0")).isComplete)
    #expect(link.bootTime < .seconds(104))
  }

  @Test func `an interrupted dump is read again`() async throws {
    var interrupted = lab.scans[0]
    interrupted[2].flags |= NetlinkMessage.Flag.dumpInterrupted
    var kernel = lab
    kernel.scans = [interrupted, lab.scans[0]]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0", mode: .cached))
    #expect(scan.completion == .cached)
    #expect(scan.bss.count == lab.scans[0].count - 1)
    #expect(link.requests.count { $0.generic.command == NL80211.Command.getScan } == 2)
  }

  @Test func `a dump that is interrupted every time ends as a partial result`() async throws {
    var interrupted = lab.scans[0]
    interrupted[0].flags |= NetlinkMessage.Flag.dumpInterrupted
    var kernel = lab
    kernel.scans = [interrupted]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0", mode: .cached))
    #expect(scan.completion == .partial(.dumpInterrupted))
    #expect(link.requests.count { $0.generic.command == NL80211.Command.getScan } == 6)
  }

  @Test func `a scan that never ends is aborted at its deadline`() async throws {
    var kernel = lab
    kernel.triggers = [[Answer(.replies([RecordedKernel.acknowledgement]))]]
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0"))
    #expect(scan.completion == .partial(.deadline))
    #expect(link.bootTime == .seconds(120))
    #expect(link.requests.contains { $0.generic.command == NL80211.Command.abortScan })
  }

  @Test(arguments: [1, 2])
  func `a scan that began and was not acknowledged is given up on, and aborted while it runs`(count: Int) async throws {
    let events = try RecordedKernel.scanEvents(for: wlan0)
    var kernel = lab
    kernel.triggers = [events.prefix(count).map { Answer(.events([$0])) }]
    let link = kernel.link()
    await #expect(throws: ScanError.self) { try await Scanner(link: link).scan(.init(interface: "wlan0")) }
    #expect(link.requests.contains { $0.generic.command == NL80211.Command.abortScan } == (count == 1))
  }

  @Test func `a kernel that says nothing is given up on`() async {
    let link = RecordedLink { _ in [] }
    await #expect(throws: ScanError(.noAnswer("nl80211"))) {
      try await Scanner(link: link).scan()
    }
    #expect(link.bootTime == .seconds(105))
  }

  @Test func `a kernel without nl80211 is said so`() async {
    let link = RecordedLink { _ in [Answer(.replies([RecordedKernel.refusal(KernelError.Number.noEntry)]))] }
    await #expect(throws: ScanError(.noWireless)) { try await Scanner(link: link).scan() }
  }

  @Test func `an interface that is not there is said so by name`() async {
    #expect(await failure(lab, .init(interface: "wlan99")) == ScanError(.noSuchInterface, interface: "wlan99"))
  }

  @Test func `a hidden network is asked for by name, beside the wildcard`() async throws {
    var kernel = lab
    kernel.triggers = [try scans()]
    let link = kernel.link()
    var request = ScanRequest()
    request.ssids = [try #require(SSID(typed: "Lab Hidden"))]
    _ = try await Scanner(link: link).scan(.init(interface: "wlan0", mode: .trigger(request)))
    let sent = try #require(link.requests.first { $0.generic.command == NL80211.Command.triggerScan && $0.message.type == 20 })
    #expect(NL80211Event(sent.generic).ssids == [request.ssids[0], .wildcard])
  }

  /// Those of IEEE 802.11ah are no whole MHz; kernels of before Linux 5.8 know the other attribute alone.
  @Test func `frequencies are asked for in MHz where they are whole, else in kHz`() {
    for (frequencies, type) in [([2_412_000, 5_180_000] as [UInt32], UInt16(44)), ([902_500, 903_000], 292)] {
      var request = ScanRequest()
      request.frequenciesKHz = frequencies
      let message = request.message(interfaceIndex: 3)
      let asked = AttributeWalk(message.attributes).map(\.type).filter { [44, 292].contains($0) }
      #expect(asked == [type])
      #expect(NL80211Event(message).frequenciesKHz == frequencies)
    }
  }

  @Test func `somebody else's results can be waited for without privilege`() async throws {
    let kernel = lab
    let link = kernel.link()
    let scan = try await Scanner(link: link).scan(.init(interface: "wlan0", mode: .others))
    #expect(scan.completion == .cached)
    #expect(link.bootTime == .seconds(110))
    #expect(link.joined.count == NL80211.multicastGroups.count)
  }

  @Test func `a second scan over the same link asks for the family only once`() async throws {
    var kernel = lab
    kernel.triggers = [try scans()]
    let link = kernel.link()
    let scanner = Scanner(link: link)
    _ = try await scanner.scan(.init(interface: "wlan0"))
    _ = try await scanner.scan(.init(interface: "wlan0"))
    #expect(link.requests.count { $0.message.type == NetlinkMessage.ControlType.genericController } == 1)
    #expect(link.joined.count == NL80211.multicastGroups.count)
  }

  @Test func `a scheduled scan is asked for, its results are read, and it is ended`() async throws {
    var requests: [GenericNetlinkMessage] = []
    let kernel = lab
    let results = NL80211Event(
      command: NL80211.Command.scheduledScanResults, wiphy: wlan0.wiphy, interfaceIndex: wlan0.index)
    let inner = kernel.link()
    let link = RecordedLink { request in
      switch request.generic.command {
      case NL80211.Command.startScheduledScan, NL80211.Command.stopScheduledScan:
        requests.append(request.generic)
        return [Answer(.replies([RecordedKernel.acknowledgement]))]
      case NL80211.Command.getInterface where request.message.type != NetlinkMessage.ControlType.genericController:
        let event = NetlinkMessage(type: kernel.family, payload: results.message.payload)
        return inner.answers(to: request) + [Answer(.events([event]), after: .seconds(3))]
      default: return inner.answers(to: request)
      }
    }
    let scanner = Scanner(link: link)
    let index = try #require(wlan0.index)
    var request = ScheduledScanRequest(intervalS: 60)
    request.matches = [.init(ssid: SSID(typed: "Lab Open"), minimumSignalDBm: -70)]
    try await scanner.startScheduledScan(request, interfaceIndex: index)
    let scan = try await scanner.scan(.init(interface: "wlan0", mode: .others))
    #expect(scan.completion == .cached)
    #expect(scan.end - scan.start == .seconds(3))
    try await scanner.stopScheduledScan(interfaceIndex: index)
    #expect(requests.map(\.command) == [NL80211.Command.startScheduledScan, NL80211.Command.stopScheduledScan])
    // ifindex; plans: interval 60; match: ssid, rssi −70
    #expect(Hex.string(requests[0].attributes).hasPrefix("08000300" + "02000000" + "1000e180" + "0c000180" + "08000100" + "3c000000"))
    #expect(Hex.string(requests[0].attributes).hasSuffix("0c000100" + "4c6162204f70656e" + "08000200" + "baffffff"))
  }
}
