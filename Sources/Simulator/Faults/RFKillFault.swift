/// The radio of an adapter is switched off for a while, and with it its interfaces go down.
public struct RFKillFault: FaultRule {
  public let name = "rfkill"
  /// The adapter.
  public var wiphy: UInt32
  /// When, as time since boot.
  public var time: Duration
  /// How long; `nil` forever, or until the faults stop.
  public var duration: Duration?

  private var switched: TimedSwitch?

  /// Makes a rule from its parts.
  public init(wiphy: UInt32 = 0, at time: Duration, for duration: Duration? = nil) {
    self.wiphy = wiphy
    self.time = time
    self.duration = duration
  }

  public mutating func begin(_ kernel: SimulatedKernel) {
    let wiphy = wiphy
    switched = TimedSwitch(kernel, at: time, for: duration) { kernel, isOn in
      kernel.setRFKill(wiphy: wiphy, isBlocked: isOn)
      // Unblocking the radio brings the interfaces up again, as a network manager does.
      guard !isOn, let adapter = kernel.adapters.first(where: { $0.wiphy == wiphy }) else { return }
      for interface in adapter.interfaces { kernel.setInterface(interface.index, isUp: true) }
    }
  }

  public mutating func end(_ kernel: SimulatedKernel) {
    switched?.end(kernel)
    switched = nil
  }
}
