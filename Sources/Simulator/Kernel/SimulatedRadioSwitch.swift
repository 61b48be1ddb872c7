public import WiFi

/// The radio switch of a simulated kernel: off takes the interfaces of the adapter down, and on takes them up again, as
/// the daemon would.
public final class SimulatedRadioSwitch: RadioSwitch {
  private let kernel: SimulatedKernel
  private let interface: String
  private let isPermitted: () -> Bool

  /// Switches the adapter of an interface.
  ///
  /// - Parameter isPermitted: whether this user may.
  public init(kernel: SimulatedKernel, interface: String = "wlan0", isPermitted: @escaping () -> Bool = { true }) {
    self.kernel = kernel
    self.interface = interface
    self.isPermitted = isPermitted
  }

  public func setRadio(on isOn: Bool) async throws(RadioError) {
    guard isPermitted() else { throw .notPermitted }
    guard let adapter = kernel.adapter(named: interface) else { throw .noSwitch }
    kernel.setRadio(isOn, wiphy: adapter.wiphy)
  }

  /// Looks once a second, as a program does that is not let read `/dev/rfkill`.
  public func followRadio(_ take: (Bool) async -> Void) async {
    repeat {
      if let adapter = kernel.adapter(named: interface) { await take(!adapter.isRFKilled) }
    } while await kernel.clock.waits(until: kernel.clock.now + .seconds(1))
  }
}
