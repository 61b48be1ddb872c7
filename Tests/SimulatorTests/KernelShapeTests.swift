import LinkContract
import Testing
import WiFi

@testable import Scanner
@testable import Simulator

/// What the simulated kernel sends, beside what a real one sent.
@Suite struct KernelShapeTests {
  let kernel: SimulatedKernel
  let link: SimulatedLink

  init() throws {
    let air = StillAir([
      .init(try .test(1), signalMBm: -4000), .init(try .test(2, channel: 13), signalMBm: -7000),
      .init(try .test(3, band: .ghz5, channel: 100, megahertz: 80, .wifi6, .wpa3Personal), signalMBm: -6000),
    ])
    kernel = SimulatedKernel(air: air, clock: JumpingClock())
    link = kernel.link()
  }

  /// Sends a request and gives every message of the answer.
  func ask(_ message: GenericNetlinkMessage, flags: UInt16, _ link: SimulatedLink? = nil) async throws -> [NetlinkMessage] {
    let link = link ?? self.link
    try link.send(
      NetlinkMessage(type: 20, flags: NetlinkMessage.Flag.request | flags, sequence: 9, payload: message.payload).encoded)
    var messages: [NetlinkMessage] = []
    while case .reply(let bytes)? = try await link.receive(until: link.bootTime) {
      messages += NetlinkMessage.messages(in: bytes).messages
    }
    return messages
  }

  func dump(_ command: UInt8, interface: UInt32? = 3) async throws -> [NetlinkMessage] {
    var writer = AttributeWriter()
    if let interface { writer.write(NL80211.Attribute.interfaceIndex, interface) }
    return try await ask(GenericNetlinkMessage(command: command, attributes: writer.bytes), flags: NetlinkMessage.Flag.dump)
  }

  /// The types of the attributes of the messages of a list, those inside `nested` included; padding is passed over.
  func types(_ messages: [NetlinkMessage], inside nested: UInt16? = nil, padding: UInt16? = nil) -> Set<UInt16> {
    var types: Set<UInt16> = []
    for message in messages where message.type >= 16 {
      let bytes = Array(message.payload.dropFirst(4))
      for attribute in AttributeWalk(bytes) {
        if let nested {
          guard attribute.type == nested else { continue }
          for inner in AttributeWalk(bytes, in: attribute.payload) where inner.type != padding { types.insert(inner.type) }
        } else {
          types.insert(attribute.type)
        }
      }
    }
    return types
  }

  @Test func `a list of BSSs has the attributes of a real one`() async throws {
    _ = try await Scanner(link: kernel.link()).scan()
    let simulated = try await dump(NL80211.Command.getScan)
    let real = try capture("lab")
    #expect(types(simulated) == types(real))
    #expect(types(simulated, inside: NL80211.Attribute.bss) == types(real, inside: NL80211.Attribute.bss, padding: 16))
    #expect(simulated.last?.type == NetlinkMessage.ControlType.done)
    #expect(simulated.last?.payload == real.last?.payload)
    #expect(Set(simulated.map(\.flags)) == Set(real.map(\.flags)))
    // Each entry is decoded and encoded to the same bytes: the order is the kernel's.
    for message in simulated.dropLast() {
      let generic = try GenericNetlinkMessage(payload: message.payload)
      #expect(try ScanDumpEntry(generic).message.attributes == generic.attributes)
    }
  }

  @Test func `a passive list has the attributes of a real one`() async throws {
    var request = ScanRequest()
    request.isPassive = true
    _ = try await Scanner(link: kernel.link()).scan(.init(mode: .trigger(request)))
    let simulated = try await dump(NL80211.Command.getScan)
    #expect(
      types(simulated, inside: NL80211.Attribute.bss)
        == types(try capture("passive"), inside: NL80211.Attribute.bss, padding: 16))
  }

  @Test func `interfaces, adapters, survey and domain have only attributes that a real kernel sends`() async throws {
    let interfaces = types(try await dump(NL80211.Command.getInterface, interface: nil))
    #expect(interfaces.isSubset(of: types(try capture("interfaces"))))
    let adapters = types(try await dump(NL80211.Command.getWiphy, interface: nil))
    #expect(adapters.isSubset(of: types(try capture("wiphy"))))
    #expect(types(try await dump(NL80211.Command.getRegulatory, interface: nil)) == types(try capture("regulatory")))
    let survey = try await dump(NL80211.Command.getSurvey)
    let realSurvey = try capture("survey")
    let info = NL80211.Attribute.surveyInfo
    #expect(types(survey) == types(realSurvey))
    #expect(types(survey, inside: info) == types(realSurvey, inside: info, padding: 10))
    kernel.setAssociation(MACAddress(0x0200_0000_1001), interface: 3)
    _ = try await Scanner(link: kernel.link()).scan()
    let stations = try await dump(NL80211.Command.getStation)
    #expect(types(stations) == types(try capture("station")))
    // One station, by its address: that of the link, another, none.
    func station(_ address: MACAddress?) async throws -> [NetlinkMessage] {
      var writer = AttributeWriter()
      writer.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
      if let address { writer.write(NL80211.Attribute.mac, address) }
      return try await ask(GenericNetlinkMessage(command: NL80211.Command.getStation, attributes: writer.bytes), flags: 0)
    }
    #expect(types(try await station(MACAddress(0x0200_0000_1001))) == types(stations))
    for (address, number) in [(MACAddress(0x0200_0000_1002), KernelError.Number.noEntry), (nil, KernelError.Number.invalid)] {
      let answer = try #require(try await station(address).first)
      #expect(answer.type == NetlinkMessage.ControlType.error && answer.payload.first == UInt8(truncatingIfNeeded: -number))
    }
    #expect(
      types(stations, inside: NL80211.Attribute.stationInfo)
        .isSubset(of: types(try capture("station"), inside: NL80211.Attribute.stationInfo)))
    #expect(types(try await dump(NL80211.Command.getScan), inside: NL80211.Attribute.bss).contains(NL80211.BSSAttribute.status))
  }

  @Test func `the scanner reads adapters, domain, survey and stations`() async throws {
    let scanner = Scanner(link: link)
    let adapter = try #require(try await scanner.adapters().first)
    #expect(adapter.frequencies.count == SimulatedChannel.germany.count)
    #expect(adapter.maximumScanSSIDs == 4 && adapter.canSetDwell && adapter.canFlush && adapter.canAbortScan && adapter.canRandomizeMAC)
    #expect(adapter.frequencies.contains { $0.needsRadarDetection && !$0.isNoIR })
    let radar = try #require(adapter.frequencies.first { $0.frequencyKHz == 5_260_000 })
    #expect(radar.isIndoorOnly && radar.dfsState == .usable && radar.dfsCACTimeMs == 60_000 && radar.dfsStateTimeMs != nil)
    #expect(try await scanner.interfaces().map(\.name) == ["wlan0"])
    let domain = try #require(try await scanner.regulatoryDomains().first)
    #expect(domain.alpha2 == "DE" && domain.rules.count == 6)
    #expect(domain.rules[2].restrictions == ["indoorOnly", "dfs", "autoBandwidth"])
    #expect(try await scanner.survey(interfaceIndex: 3).count == SimulatedChannel.germany.count)
    #expect(try await scanner.stations(interfaceIndex: 3).isEmpty)
  }

  @Test func `the events of a scan have the attributes of real ones`() async throws {
    let listener = kernel.link()
    try listener.join(group: 6)
    _ = try await Scanner(link: link).scan()
    var events: [NetlinkMessage] = []
    while case .event(let bytes)? = try await listener.receive(until: .zero) {
      events += NetlinkMessage.messages(in: bytes).messages
    }
    let real = try capture("events-scan")
    #expect(try events.map { try GenericNetlinkMessage(payload: $0.payload).command } == [33, 34])
    #expect(types(events) == types(real))
    #expect(events.map(\.flags) == real.map(\.flags) && events.map(\.sequence) == real.map(\.sequence))
  }

  @Test func `an adapter that is pulled out in a scan says what a real one says`() async throws {
    let listener = kernel.link()
    for group in [5, 6] as [UInt32] { try listener.join(group: group) }
    kernel.schedule(at: kernel.bootTime + .milliseconds(200)) { $0.unplug(wiphy: 0) }
    await #expect(throws: ScanError.self) { try await Scanner(link: link).scan() }
    var events: [NetlinkMessage] = []
    while case .event(let bytes)? = try await listener.receive(until: .zero) {
      events += NetlinkMessage.messages(in: bytes).messages
    }
    let real = try capture("events-unplugged")
    #expect(events.map { $0.payload.first } == real.map { $0.payload.first })
    for (simulated, recorded) in zip(events, real) { #expect(types([simulated]).isSubset(of: types([recorded]))) }
  }

  @Test func `events come only to who joined their group`() async throws {
    let listener = kernel.link()
    try listener.join(group: 8)
    _ = try await Scanner(link: link).scan()
    #expect(try await listener.receive(until: .zero) == nil)
    #expect(throws: LinkError.self) { try listener.join(group: 99) }
  }

  /// The refusals that were recorded, each with what makes the simulated kernel refuse in the same way.
  @Test(arguments: [
    "error-busy", "error-down", "error-not-permitted", "error-no-device", "error-bad-frequency", "error-long-ssid",
    "error-not-supported", "error-bad-attribute", "error-not-scanning",
  ])
  func `a refusal is that of a real kernel, byte for byte`(name: String) async throws {
    let real = try #require(try capture(name).first)
    // Behind the status a refusal repeats the request that it refuses.
    let status = try #require(KernelError(real))
    let echoed = Array(real.payload.dropFirst(4))
    let length = try #require(NetlinkMessage.messages(in: echoed).messages.first).payload.count + NetlinkMessage.headerSize
    var request = try #require(NetlinkMessage.messages(in: Array(echoed.prefix(length))).messages.first)
    var number: UInt32 = 3
    for attribute in AttributeWalk(Array(request.payload.dropFirst(4))) where attribute.type == NL80211.Attribute.interfaceIndex {
      number = attribute.uint32(of: Array(request.payload.dropFirst(4))) ?? 3
    }
    var adapter = SimulatedAdapter(index: name == "error-no-device" ? 3 : number)
    adapter.interfaces[0].isUp = name != "error-down"
    if name == "error-not-supported" { adapter.interfaces[0].type = .accessPoint }
    let kernel = SimulatedKernel(air: StillAir(), adapters: [adapter], clock: JumpingClock())
    let link = kernel.link()
    link.isPrivileged = name != "error-not-permitted"
    if name == "error-busy" {
      try link.send(request.encoded)
      _ = try await link.receive(until: .zero)
    }
    request.sequence = real.sequence
    try link.send(request.encoded)
    guard case .reply(let bytes)? = try await link.receive(until: .zero) else {
      Issue.record("no answer")
      return
    }
    let refusal = try #require(NetlinkMessage.messages(in: bytes).messages.first)
    #expect(KernelError(refusal) == status)
    #expect(refusal.flags == real.flags)
    #expect(refusal.payload == real.payload)
  }

  /// What the kernel says to a request: 0, or the number of its error.
  private func error(
    _ command: UInt8, type: UInt16 = 20, _ attributes: (inout AttributeWriter) -> Void
  ) async throws -> Int32? {
    var writer = AttributeWriter()
    if type == 20 { writer.write(NL80211.Attribute.interfaceIndex, 3 as UInt32) }
    attributes(&writer)
    let message = GenericNetlinkMessage(command: command, attributes: writer.bytes)
    try link.send(NetlinkMessage(type: type, flags: 5, sequence: 9, payload: message.payload).encoded)
    var last: Int32?
    while case .reply(let bytes)? = try await link.receive(until: link.bootTime) {
      for message in NetlinkMessage.messages(in: bytes).messages where message.type == NetlinkMessage.ControlType.error {
        last = KernelError(message)?.number ?? 0
      }
    }
    return last
  }

  @Test func `flags, addresses and rates that the adapter does not have are refused`() async throws {
    let (invalid, notSupported) = (KernelError.Number.invalid, KernelError.Number.notSupported)
    func scan(flags: UInt32? = nil, mac: [UInt8]? = nil, mask: [UInt8]? = nil, rates: [(UInt16, [UInt8])] = []) async throws -> Int32? {
      let result = try await error(NL80211.Command.triggerScan) { writer in
        if let flags { writer.write(NL80211.Attribute.scanFlags, flags) }
        if let mac { writer.write(NL80211.Attribute.mac, mac) }
        if let mask { writer.write(NL80211.Attribute.macMask, mask) }
        if !rates.isEmpty {
          writer.nest(NL80211.Attribute.scanSupportedRates) { writer in for (band, rates) in rates { writer.write(band, rates) } }
        }
      }
      // Let it end.
      if result == 0 { while try await link.receive(until: link.bootTime + .seconds(60)) != nil {} }
      return result
    }
    for bit in 0..<16 as Range<UInt32> {
      let expected = (4...12).contains(bit) ? notSupported : 0
      #expect(try await scan(flags: 1 << bit) == expected, "flag \(bit)")
    }
    let random = NL80211.ScanFlag.randomAddress
    let (own, all) = ([2, 0, 0, 0, 0, 1] as [UInt8], [UInt8](repeating: 255, count: 6))
    #expect(try await scan(flags: random, mac: own, mask: all) == 0)
    #expect(try await scan(flags: random, mac: own) == invalid)
    #expect(try await scan(flags: random, mask: all) == invalid)
    #expect(try await scan(flags: random, mac: [3, 0, 0, 0, 0, 1], mask: all) == invalid)
    #expect(try await scan(flags: random, mac: own, mask: [254, 255, 255, 255, 255, 255]) == invalid)
    #expect(try await scan(mac: own) == 0)
    #expect(try await scan(rates: [(0, [12, 24, 0x80 | 48]), (1, [12])]) == 0)
    #expect(try await scan(rates: [(0, [2])]) == 0)
    #expect(try await scan(rates: [(1, [2])]) == invalid)
    #expect(try await scan(rates: [(0, [])]) == invalid)
    #expect(try await scan(rates: [(2, [99])]) == 0)
    #expect(try await scan(rates: [(6, [12])]) == invalid)
    #expect(try await error(NL80211.Command.startScheduledScan) { $0.write(NL80211.Attribute.scanFlags, random) } == notSupported)
    // A random address would end a connection.
    kernel.setAssociation(try AccessPoint.test(1).bssid, interface: 3)
    #expect(try await scan(flags: random) == notSupported)
    #expect(try await scan(flags: NL80211.ScanFlag.lowPriority) == 0)
  }

  @Test func `the controller says of a wrong question what it is`() async throws {
    let controller = NetlinkMessage.ControlType.genericController
    func family(_ attributes: (inout AttributeWriter) -> Void) async throws -> Int32? { try await error(3, type: controller, attributes) }
    #expect(try await family { $0.write(2, "nl80211") } == 0)
    #expect(try await family { $0.write(1, 20 as UInt16) } == 0)
    #expect(try await family { _ in } == KernelError.Number.invalid)
    #expect(try await family { $0.write(2, Array("nl80211".utf8)) } == KernelError.Number.invalid)
    #expect(try await family { $0.write(2, "nl80212") } == KernelError.Number.noEntry)
    #expect(try await family { $0.write(1, 21 as UInt16) } == KernelError.Number.noEntry)
    #expect(
      try await family {
        $0.write(1, 20 as UInt16)
        $0.write(2, "nl80212")
      } == KernelError.Number.noEntry)
    #expect(try await family { $0.write(1, 20 as UInt8) } == KernelError.Number.range)
    #expect(try await family { $0.write(2, "a name too long for a family") } == KernelError.Number.invalid)
    // CTRL_CMD_NEWFAMILY, CTRL_CMD_GETPOLICY and one that is none.
    for command in [1, 10, 99] as [UInt8] {
      #expect(try await error(command, type: controller) { _ in } == KernelError.Number.notSupported)
    }
    #expect(try await error(3, type: 4000) { _ in } == KernelError.Number.noEntry)
    // NLMSG_NOOP
    #expect(try await error(3, type: 1) { _ in } == 0)
  }

  @Test func `a family lists its commands, and a command does what is listed of it`() async throws {
    var writer = AttributeWriter()
    writer.write(2, NL80211.familyName)
    let question = GenericNetlinkMessage(command: 3, attributes: writer.bytes)
    try link.send(NetlinkMessage(type: 16, flags: 1, sequence: 9, payload: question.payload).encoded)
    guard case .reply(let reply)? = try await link.receive(until: .zero) else { throw ProgramViolation("no answer") }
    let bytes = try GenericNetlinkMessage(payload: try #require(NetlinkMessage.messages(in: reply).messages.first).payload).attributes
    var flags: [UInt8: UInt32] = [:]
    for operations in AttributeWalk(bytes) where operations.type == 6 {
      for (index, operation) in AttributeWalk(bytes, in: operations.payload).enumerated() {
        #expect(Int(operation.type) == index + 1)
        let parts = Array(AttributeWalk(bytes, in: operation.payload))
        #expect(parts.map(\.type) == [1, 2])
        flags[UInt8(try #require(parts[0].uint32(of: bytes)))] = parts[1].uint32(of: bytes)
      }
    }
    #expect(flags.count == 15)
    #expect(flags[NL80211.Command.triggerScan] == 0x1A && flags[NL80211.Command.getScan] == 0xC && flags[NL80211.Command.getWiphy] == 0xE)
    let unprivileged = kernel.link()
    unprivileged.isPrivileged = false
    for command in 0...255 as ClosedRange<UInt8> {
      let flags = flags[command] ?? 0
      for isList in [false, true] {
        var writer = AttributeWriter()
        writer.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
        let message = GenericNetlinkMessage(command: command, attributes: writer.bytes)
        let answer = try #require(try await ask(message, flags: isList ? NetlinkMessage.Flag.dump : 4, unprivileged).first)
        let number = KernelError(answer)?.number
        if flags & (isList ? 4 : 2) == 0 {
          #expect(number == KernelError.Number.notSupported, "command \(command)")
        } else {
          #expect((number == KernelError.Number.notPermitted) == (flags & 0x10 != 0), "command \(command)")
        }
      }
    }
    // Without the header of generic netlink there is no command.
    try link.send(NetlinkMessage(type: 20, flags: 5, sequence: 9, payload: [32]).encoded)
    guard case .reply(let refusal)? = try await link.receive(until: .zero) else { throw ProgramViolation("no answer") }
    #expect(KernelError(try #require(NetlinkMessage.messages(in: refusal).messages.first))?.number == KernelError.Number.invalid)
  }

  @Test func `a list of an interface that is not there ends with an error`() async throws {
    let messages = try await dump(NL80211.Command.getScan, interface: 4242)
    #expect(messages.map(\.payload) == (try capture("error-no-device-dump")).map(\.payload))
    #expect(messages.map(\.type) == [NetlinkMessage.ControlType.done])
  }

  @Test(arguments: [NL80211.Command.getScan, NL80211.Command.getSurvey, NL80211.Command.getStation])
  func `a list that needs an interface and names none is invalid`(command: UInt8) async throws {
    let messages = try await dump(command, interface: nil)
    #expect(messages.map(\.type) == [NetlinkMessage.ControlType.done])
    #expect(messages.first?.payload == [UInt8(truncatingIfNeeded: -KernelError.Number.invalid), 255, 255, 255])
  }

  @Test(arguments: [NL80211.Command.getInterface, NL80211.Command.getWiphy])
  func `a list of interfaces or adapters is of the adapter that is named, by an interface, too`(command: UInt8) async throws {
    let adapters = [SimulatedAdapter(), SimulatedAdapter(wiphy: 1, interface: "wlan1", index: 4)]
    let link = SimulatedKernel(air: StillAir(), adapters: adapters, clock: JumpingClock()).link()
    func list(_ attributes: (inout AttributeWriter) -> Void) async throws -> [NetlinkMessage] {
      var writer = AttributeWriter()
      attributes(&writer)
      return try await ask(GenericNetlinkMessage(command: command, attributes: writer.bytes), flags: NetlinkMessage.Flag.dump, link)
    }
    func numbers(_ attributes: (inout AttributeWriter) -> Void) async throws -> [UInt32] {
      try await list(attributes).compactMap { message in
        let bytes = Array(message.payload.dropFirst(4))
        return AttributeWalk(bytes).first { $0.type == NL80211.Attribute.wiphy }?.uint32(of: bytes)
      }
    }
    #expect(try await numbers { _ in } == [0, 1])
    #expect(try await numbers { $0.write(NL80211.Attribute.wiphy, 1 as UInt32) } == [1])
    #expect(try await numbers { $0.write(NL80211.Attribute.wdev, adapters[1].interfaces[0].wdev) } == [1])
    #expect(try await numbers { $0.write(NL80211.Attribute.interfaceIndex, 4 as UInt32) } == [1])
    let absent = try await list { $0.write(NL80211.Attribute.interfaceIndex, 4242 as UInt32) }
    #expect(absent.map(\.payload) == (try capture("error-no-device-dump")).map(\.payload))
  }

  @Test(arguments: [(0, 1), (2, 1), (10, 0)])
  func `a list of addresses is of the family that is asked for`(family: UInt8, count: Int) async throws {
    let route = kernel.link(.route)
    let flags = NetlinkMessage.Flag.request | NetlinkMessage.Flag.dump
    try route.send(NetlinkMessage(type: 22, flags: flags, sequence: 9, payload: [family, 0, 0, 0, 0, 0, 0, 0]).encoded)
    var types: [UInt16] = []
    while case .reply(let bytes)? = try await route.receive(until: route.bootTime) {
      types += NetlinkMessage.messages(in: bytes).messages.map(\.type)
    }
    #expect(types == [UInt16](repeating: 20, count: count) + [NetlinkMessage.ControlType.done])
  }

  @Test func `what is no request is acknowledged where that is asked for, and has no effect`() async throws {
    var attributes = AttributeWriter()
    attributes.write(NL80211.Attribute.interfaceIndex, 3 as UInt32)
    let payload = GenericNetlinkMessage(command: NL80211.Command.triggerScan, attributes: attributes.bytes).payload
    for (flags, isAcknowledged) in [(0, false), (NetlinkMessage.Flag.acknowledge, true)] as [(UInt16, Bool)] {
      try link.send(NetlinkMessage(type: 20, flags: flags, sequence: 9, payload: payload).encoded)
      var answers: [NetlinkMessage] = []
      while case .reply(let bytes)? = try await link.receive(until: link.bootTime) {
        answers += NetlinkMessage.messages(in: bytes).messages
      }
      #expect(answers.map(\.type) == (isAcknowledged ? [NetlinkMessage.ControlType.error] : []))
      #expect(answers.allSatisfy { KernelError($0) == nil })
    }
    let scan = GenericNetlinkMessage(command: NL80211.Command.triggerScan, attributes: attributes.bytes)
    let started = try #require(try await ask(scan, flags: NetlinkMessage.Flag.acknowledge).first)
    #expect(KernelError(started) == nil)
  }

  @Test func `what is no list and names an interface that is not there is refused`() async throws {
    for command in [NL80211.Command.getWiphy, NL80211.Command.getInterface] {
      var writer = AttributeWriter()
      writer.write(NL80211.Attribute.interfaceIndex, 4242 as UInt32)
      let answer = try await ask(GenericNetlinkMessage(command: command, attributes: writer.bytes), flags: 0)
      #expect(answer.map(\.type) == [NetlinkMessage.ControlType.error])
      #expect(answer.first.flatMap { KernelError($0) }?.number == KernelError.Number.noDevice)
    }
  }
}
