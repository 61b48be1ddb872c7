/// An interface is brought down for a while.
public struct InterfaceDownFault: FaultRule {
  public let name = "interface down"
  /// The number of the interface.
  public var interfaceIndex: UInt32
  /// When, as time since boot.
  public var time: Duration
  /// How long; `nil` forever, or until the faults stop.
  public var duration: Duration?

  private var switched: TimedSwitch?

  /// Makes a rule from its parts.
  public init(interfaceIndex: UInt32 = 3, at time: Duration, for duration: Duration? = nil) {
    self.interfaceIndex = interfaceIndex
    self.time = time
    self.duration = duration
  }

  public mutating func begin(_ kernel: SimulatedKernel) {
    let interfaceIndex = interfaceIndex
    switched = TimedSwitch(kernel, at: time, for: duration) { kernel, isOn in
      kernel.setInterface(interfaceIndex, isUp: !isOn)
    }
  }

  public mutating func end(_ kernel: SimulatedKernel) {
    switched?.end(kernel)
    switched = nil
  }
}
