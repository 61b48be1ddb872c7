/// Something that a rule switches on at a time and off again later, or when the rule ends.
final class TimedSwitch {
  private let change: (SimulatedKernel, Bool) -> Void
  private var isOn = false

  init(_ kernel: SimulatedKernel, at time: Duration, for duration: Duration?, _ change: @escaping (SimulatedKernel, Bool) -> Void) {
    self.change = change
    kernel.schedule(at: time) { [weak self] kernel in self?.set(true, kernel) }
    if let duration { kernel.schedule(at: time + duration) { [weak self] kernel in self?.set(false, kernel) } }
  }

  func end(_ kernel: SimulatedKernel) { set(false, kernel) }

  private func set(_ value: Bool, _ kernel: SimulatedKernel) {
    guard value != isOn else { return }
    isOn = value
    change(kernel, value)
  }
}
