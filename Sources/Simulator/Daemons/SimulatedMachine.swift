import DaemonProtocols
import WiFi

/// The daemons of a simulated machine that join networks.
///
/// It is used from the isolation of its kernel.
public final class SimulatedMachine {
  /// The kernel that the daemons use.
  public let kernel: SimulatedKernel
  /// Whether programs may talk to wpa_supplicant, and may change anything over NetworkManager and iwd.
  public var isPermitted = true
  /// How long a message of a daemon takes on the fastest of a program's links; on another up to four times as long.
  package var latency = Duration.zero
  private var linkCount = 0
  private var supplicants: [SimulatedSupplicant] = []
  /// The system bus; `nil` where it does not run.
  private(set) var bus: SimulatedBus?
  /// The NetworkManager that runs.
  public private(set) var networkManager: SimulatedNetworkManager?
  /// The iwd that runs.
  public private(set) var iwd: SimulatedIWD?

  /// A machine without daemons.
  public init(kernel: SimulatedKernel) { self.kernel = kernel }

  // MARK: wpa_supplicant

  /// Starts wpa_supplicant for an interface of the kernel.
  @discardableResult
  package func startSupplicant(interface: String, air: any JoinableAir) -> SimulatedSupplicant {
    kernel.run()
    precondition(!supplicants.contains { $0.interface == interface }, "SimulatedMachine: two supplicants of \(interface)")
    let supplicant = SimulatedSupplicant(interface: interface, kernel: kernel, air: air)
    supplicants.append(supplicant)
    if let networkManager, networkManager.interface == interface { networkManager.findSupplicant(supplicant) }
    return supplicant
  }

  /// Kills wpa_supplicant of an interface: it says nothing more, and what it held in memory is gone.
  package func killSupplicant(interface: String) {
    kernel.run()
    for supplicant in supplicants where supplicant.interface == interface { supplicant.die() }
    supplicants.removeAll { $0.interface == interface }
    if let networkManager, networkManager.interface == interface { networkManager.loseSupplicant() }
  }

  /// Ends wpa_supplicant of an interface and starts it again, with the networks that it had saved.
  package func restartSupplicant(interface: String, air: any JoinableAir) {
    let old = supplicant(of: interface)
    killSupplicant(interface: interface)
    let new = startSupplicant(interface: interface, air: air)
    if let old {
      new.savesConfiguration = old.savesConfiguration
      new.load(old.savedProfiles)
    }
  }

  /// The wpa_supplicant of an interface.
  public func supplicant(of interface: String) -> SimulatedSupplicant? { supplicants.first { $0.interface == interface } }

  // MARK: The bus

  /// The system bus, which starts where it does not run.
  private func runningBus() -> SimulatedBus {
    kernel.run()
    let running = bus ?? SimulatedBus(kernel: kernel)
    bus = running
    return running
  }

  /// Starts NetworkManager for an interface, over a wpa_supplicant of its own.
  ///
  /// - Parameter saved: what an earlier one had on disk.
  @discardableResult
  package func startNetworkManager(
    interface: String, air: any JoinableAir, saved: SimulatedNetworkManager.Disk = .init()
  ) -> SimulatedNetworkManager {
    precondition(networkManager == nil, "SimulatedMachine: two NetworkManagers")
    let supplicant = supplicant(of: interface) ?? startSupplicant(interface: interface, air: air)
    let bus = runningBus()
    let manager = SimulatedNetworkManager(interface: interface, machine: self, bus: bus, supplicant: supplicant, air: air, disk: saved)
    networkManager = manager
    bus.own(manager)
    manager.start()
    return manager
  }

  /// Kills NetworkManager: its profiles in memory are gone, and what it joined is left.
  package func killNetworkManager() {
    kernel.run()
    guard let manager = networkManager else { return }
    networkManager = nil
    manager.die()
    bus?.disown(manager)
  }

  /// Ends NetworkManager and starts it again, with what it had on disk.
  package func restartNetworkManager(air: any JoinableAir) {
    guard let old = networkManager else { return }
    killNetworkManager()
    startNetworkManager(interface: old.interface, air: air, saved: old.disk)
  }

  /// Starts iwd for an interface.
  ///
  /// - Parameter saved: what an earlier one had on disk.
  @discardableResult
  package func startIWD(interface: String, air: any JoinableAir, saved: SimulatedIWD.Disk = .init()) -> SimulatedIWD {
    precondition(iwd == nil, "SimulatedMachine: two iwds")
    let bus = runningBus()
    let daemon = SimulatedIWD(interface: interface, machine: self, bus: bus, air: air, disk: saved)
    iwd = daemon
    bus.own(daemon)
    daemon.start()
    return daemon
  }

  /// Kills iwd: what it joined is left.
  package func killIWD() {
    kernel.run()
    guard let daemon = iwd else { return }
    iwd = nil
    daemon.die()
    bus?.disown(daemon)
  }

  /// Ends iwd and starts it again, with what it had on disk.
  package func restartIWD(air: any JoinableAir) {
    guard let old = iwd else { return }
    killIWD()
    startIWD(interface: old.interface, air: air, saved: old.disk)
  }

  // MARK: Programs

  /// Opens a link of another program.
  public func link() -> SimulatedControlLink {
    linkCount += 1
    let link = SimulatedControlLink(machine: self, slowness: 1 << (linkCount % 3))
    kernel.waiters.removeAll { $0.waiter == nil }
    kernel.waiters.append(.init(waiter: link))
    return link
  }

  /// Reports a frame, or its absence, to every program that listens (nl80211, group `mlme`).
  func report(_ report: FrameNotification) {
    for entry in kernel.waiters { (entry.waiter as? SimulatedControlLink)?.deliver(report.encoded, on: .kernel, at: kernel.now) }
  }
}
