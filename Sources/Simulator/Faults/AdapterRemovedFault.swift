/// An adapter is pulled out, and plugged in again after a while.
public struct AdapterRemovedFault: FaultRule {
  public let name = "adapter removed"
  /// The adapter.
  public var wiphy: UInt32
  /// When, as time since boot.
  public var time: Duration
  /// How long it is gone; `nil` forever, or until the faults stop.
  public var duration: Duration?

  private var removed: Removed?

  private final class Removed {
    var adapter: SimulatedAdapter?
  }

  /// Makes a rule from its parts.
  public init(wiphy: UInt32 = 0, at time: Duration, for duration: Duration? = nil) {
    self.wiphy = wiphy
    self.time = time
    self.duration = duration
  }

  public mutating func begin(_ kernel: SimulatedKernel) {
    let removed = Removed()
    self.removed = removed
    let wiphy = wiphy
    kernel.schedule(at: time) { [weak removed] kernel in
      // A rule that stopped before its time takes nothing away.
      guard let removed else { return }
      removed.adapter = kernel.adapters.first { $0.wiphy == wiphy }
      kernel.unplug(wiphy: wiphy)
    }
    guard let duration else { return }
    kernel.schedule(at: time + duration) { [weak removed] kernel in
      if let removed { Self.plugIn(removed, kernel) }
    }
  }

  public mutating func end(_ kernel: SimulatedKernel) {
    if let removed { Self.plugIn(removed, kernel) }
    removed = nil
  }

  private static func plugIn(_ removed: Removed, _ kernel: SimulatedKernel) {
    guard var adapter = removed.adapter else { return }
    removed.adapter = nil
    for index in adapter.interfaces.indices {
      adapter.interfaces[index].associated = nil
      // What manages the network brings a new interface up, whatever the old one was when it went.
      adapter.interfaces[index].isUp = true
    }
    kernel.plugIn(adapter)
  }
}
