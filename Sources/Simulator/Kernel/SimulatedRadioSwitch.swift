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
    guard let adapter = kernel.adapters.first(where: { $0.interfaces.contains { $0.name == interface } }) else { throw .noSwitch }
    kernel.setRFKill(wiphy: adapter.wiphy, isBlocked: !isOn)
    if isOn { for interface in adapter.interfaces { kernel.setInterface(interface.index, isUp: true) } }
  }
}
