package import WiFi

/// A kernel that answers nl80211 with real messages about simulated adapters: the other end of ``SimulatedLink``.
///
/// It does what Linux 6 does, as far as scanning is concerned: the controller of generic netlink, interfaces, adapters,
/// scans with their events, the table of BSSs with its ageing, the regulatory domain, survey, stations, scheduled
/// scans, and the refusals of each. What it hears comes from an ``Air``.
///
/// Time is that of a clock. Nothing happens in the background: whatever is due happens, at its own time, when the
/// kernel is next looked at, so what it answers depends on the times of the requests alone.
///
/// A kernel belongs to its creator: it and its links are used from one isolation.
public final class SimulatedKernel {
  /// How the kernel behaves.
  public struct Configuration: Hashable, Sendable {
    /// How lists are split into datagrams.
    public var split = DatagramSplit()
    /// How long an active scan stays on a channel (`IEEE80211_CHANNEL_TIME`, HZ/33).
    package var activeDwell: Duration = .milliseconds(30)
    /// How long a passive scan stays on a channel (`IEEE80211_PASSIVE_CHANNEL_TIME`, HZ/9).
    package var passiveDwell: Duration = .microseconds(111_100)
    /// The number of the nl80211 family.
    public var family: UInt16 = 20
    /// The country of the regulatory domain.
    public var country = "DE"

    /// The behaviour of a Linux kernel with a scan in software.
    public init() {}
  }

  /// How the kernel behaves.
  public let configuration: Configuration

  /// What its adapters hear.
  public let air: any Air

  /// Called with every frame that an adapter hears, in the order in which the kernel takes them over.
  public var onFrame: ((HeardFrame, SimulatedAdapter) -> Void)?

  /// The adapters, in the order they were plugged in.
  public private(set) var adapters: [SimulatedAdapter]

  let clock: BootClock
  var tables: [UInt32: BSSTable] = [:]
  var scans: [RunningScan] = []
  var scheduledScans: [RunningScheduledScan] = []
  var links: [WeakLink] = []
  var scanCount: UInt64 = 0
  var faults = Faults()
  var faultGeneration = 0
  var ports: UInt32 = 1000
  var generation: UInt32 = 1
  private var timers: [(time: Duration, body: (SimulatedKernel) -> Void)] = []
  /// The time of what happens now: that of a timer while it fires, else that of the clock.
  private var moment: Duration?

  struct WeakLink {
    weak var link: SimulatedLink?
  }

  struct WeakWaiter {
    weak var waiter: (any TimeWaiter)?
  }
  /// What waits beside the links.
  var waiters: [WeakWaiter] = []

  /// A kernel with adapters that hear `air`, on the time of `clock`.
  ///
  /// - Parameter bootTime: the time since boot at the present instant of the clock.
  public init(
    air: any Air, adapters: [SimulatedAdapter] = [SimulatedAdapter()], clock: any Clock<Duration>,
    bootTime: Duration = .seconds(100), configuration: Configuration = .init()
  ) {
    self.air = air
    self.adapters = adapters
    self.configuration = configuration
    self.clock = BootClock(clock, bootTime: bootTime)
    for adapter in adapters { tables[adapter.wiphy] = BSSTable(adapter.channels) }
  }

  /// The time since boot.
  public var bootTime: Duration { clock.now }

  /// Opens the sockets of another program.
  public func link() -> SimulatedLink { link(.generic) }

  /// Opens a socket to a part of the kernel.
  func link(_ family: NetlinkProtocol) -> SimulatedLink {
    ports += 1
    let link = SimulatedLink(kernel: self, port: ports, family: family)
    links.removeAll { $0.link == nil }
    links.append(WeakLink(link: link))
    return link
  }

  // MARK: Time

  /// The time of what happens now.
  var now: Duration { moment ?? clock.now }

  /// When something happens next without a request.
  var nextTimer: Duration? { timers.first?.time }

  /// Lets something happen at a time since boot: a switch is thrown, an adapter is pulled out.
  ///
  /// What is due in the past happens when the kernel is next looked at.
  package func schedule(at time: Duration, _ body: @escaping (SimulatedKernel) -> Void) {
    timers.insert((time, body)) { $0.time }
    // A waiting task must not wait longer than until then.
    for link in links { link.link?.interrupt() }
    for entry in waiters { entry.waiter?.interrupt() }
  }

  /// Lets everything happen that is due.
  func run() {
    guard moment == nil else { return }
    let now = clock.now
    while let timer = timers.first, timer.time <= now {
      timers.removeFirst()
      moment = timer.time
      timer.body(self)
      moment = nil
    }
  }

  // MARK: What happens to adapters

  /// Plugs an adapter in.
  package func plugIn(_ adapter: SimulatedAdapter) {
    run()
    precondition(!adapters.contains { $0.wiphy == adapter.wiphy }, "SimulatedKernel: two adapters with number \(adapter.wiphy)")
    adapters.append(adapter)
    tables[adapter.wiphy] = BSSTable(adapter.channels)
    generation &+= 1
    announce(adapter, command: NL80211.Command.newWiphy)
    for interface in adapter.interfaces {
      announceLink(interface.index)
      announce(interface, of: adapter, command: NL80211.Command.newInterface)
    }
  }

  /// Pulls an adapter out: a running scan is aborted, then its interfaces and it are gone.
  package func unplug(wiphy: UInt32) {
    run()
    guard let index = adapters.firstIndex(where: { $0.wiphy == wiphy }) else { return }
    // As where its interfaces go down (cfg80211_leave).
    stopScheduledScans { $0.wiphy == wiphy }
    abortScans { $0.wiphy == wiphy }
    let links = networkInterfaces.filter { $0.wiphy == wiphy }
    let adapter = adapters.remove(at: index)
    generation &+= 1
    for interface in adapter.interfaces { announce(interface, of: adapter, command: NL80211.Command.deleteInterface) }
    for link in links { announce(link, RouteMessage.deleteLink) }
    announce(adapter, command: NL80211.Command.deleteWiphy)
    tables[wiphy] = nil
  }

  /// Brings an interface up or down; down aborts its scan.
  ///
  /// What was heard is remembered for 30 s, as ever.
  public func setInterface(_ index: UInt32, isUp: Bool) {
    run()
    update(index) { $0.isUp = isUp }
    if !isUp {
      update(index) { $0.associated = nil }
      stopScheduledScans { $0.interface.index == index }
      abortScans { $0.interface.index == index }
    }
    announceLink(index)
  }

  /// Switches the radio of an adapter off or on, as `rfkill` does; off brings its interfaces down, on does not bring
  /// them up.
  package func setRFKill(wiphy: UInt32, isBlocked: Bool) {
    run()
    guard let place = adapters.firstIndex(where: { $0.wiphy == wiphy }) else { return }
    adapters[place].isRFKilled = isBlocked
    guard isBlocked else { return }
    for interface in adapters[place].interfaces { setInterface(interface.index, isUp: false) }
  }

  /// Switches the radio of an adapter as ``setRFKill(wiphy:isBlocked:)``; on brings its interfaces up, as a network
  /// manager does.
  package func setRadio(_ isOn: Bool, wiphy: UInt32) {
    setRFKill(wiphy: wiphy, isBlocked: !isOn)
    guard isOn, let adapter = adapters.first(where: { $0.wiphy == wiphy }) else { return }
    for interface in adapter.interfaces { setInterface(interface.index, isUp: true) }
  }

  package func interface(named name: String) -> SimulatedInterface? {
    adapters.lazy.flatMap { $0.interfaces }.first { $0.name == name }
  }

  /// The adapter of an interface, by name.
  package func adapter(named interface: String) -> SimulatedAdapter? {
    adapters.first { $0.interfaces.contains { $0.name == interface } }
  }

  /// Says which BSS an interface is associated with, or that it is with none.
  package func setAssociation(_ bssid: MACAddress?, interface index: UInt32) {
    run()
    update(index) { $0.associated = bssid }
    announceLink(index)
  }

  private func update(_ index: UInt32, _ body: (inout SimulatedInterface) -> Void) {
    for adapter in adapters.indices {
      for place in adapters[adapter].interfaces.indices where adapters[adapter].interfaces[place].index == index {
        body(&adapters[adapter].interfaces[place])
      }
    }
  }

  func adapter(of interfaceIndex: UInt32) -> SimulatedAdapter? {
    adapters.first { $0.interfaces.contains { $0.index == interfaceIndex } }
  }

  // MARK: Events

  /// Sends an event to every link that joined the group.
  func emit(_ group: MulticastGroup, command: UInt8, _ body: (inout MessageBuilder) -> Void) {
    var builder = MessageBuilder()
    builder.generic(family: configuration.family, flags: 0, command: command, body)
    send(&builder, to: group.number, of: .generic, isLost: isEventLost(command))
  }

  /// Gives what was written to every link of a family that joined the group, or says that it was lost.
  func send(_ builder: inout MessageBuilder, to group: UInt32, of family: NetlinkProtocol, isLost: Bool = false) {
    builder.flush()
    for datagram in builder.datagrams {
      for link in links {
        guard let link = link.link, link.family == family, link.isMember(of: group) else { continue }
        link.deliver(isLost ? .eventsLost : .event(datagram), at: now, group: group)
      }
    }
  }

  func hasGroup(_ number: UInt32, of family: NetlinkProtocol) -> Bool {
    switch family {
    // Those of rtnetlink (RTNLGRP_LINK and others), of which only that of links has events.
    case .route: (1...36).contains(number)
    // As many as there is room for: those that no family has may be joined, too.
    case .generic: (1...64).contains(number)
    }
  }

  private func announce(_ adapter: SimulatedAdapter, command: UInt8) {
    emit(.config, command: command) { writeIdentity(of: adapter, into: &$0) }
  }

  private func announce(_ interface: SimulatedInterface, of adapter: SimulatedAdapter, command: UInt8) {
    emit(.config, command: command) { writeInterface(interface, of: adapter, into: &$0) }
  }
}

/// The multicast groups of nl80211 (`nl80211_mcgrps`).
enum MulticastGroup: String, CaseIterable {
  case config
  case scan
  case regulatory
  case mlme
  case vendor
  case nan

  /// The number of the group; the kernel gives them out one by one, as families register.
  var number: UInt32 { 5 + UInt32(Self.allCases.firstIndex(of: self) ?? 0) }
}

/// Waits on the time of a kernel, and has to look again when something is to happen earlier.
protocol TimeWaiter: AnyObject {
  func interrupt()
}
