import Models
public import Observing

/// Chooses one of several values through a binding.
public struct Segments<Value: Equatable> {
  /// The chosen value.
  public let value: Binding<Value>
  /// All values, in order.
  public let choices: [Value]

  /// A choice among values.
  public init(_ value: Binding<Value>, _ choices: [Value]) {
    self.value = value
    self.choices = choices
  }

  /// Chooses the value that is so many further on; behind the last comes the first where that is wanted.
  public func step(_ steps: Int, wraps: Bool = false) {
    guard !choices.isEmpty else { return }
    let index = choices.firstIndex(of: value.wrappedValue) ?? 0
    let next = wraps ? (index + steps % choices.count + choices.count) % choices.count : min(max(index + steps, 0), choices.count - 1)
    if choices[next] != value.wrappedValue { value.wrappedValue = choices[next] }
  }

  /// Chooses a value by its number.
  public func choose(_ index: Int) {
    if choices.indices.contains(index), choices[index] != value.wrappedValue { value.wrappedValue = choices[index] }
  }
}

/// Moves a number in a range through a binding; below the range it is `nil`, which stands for no limit.
public struct Slider {
  /// The number.
  public let value: Binding<Int?>
  /// The least and the greatest number.
  public let range: ClosedRange<Int>
  /// How far one key moves it.
  public let step: Int

  /// A slider over a number.
  public init(_ value: Binding<Int?>, in range: ClosedRange<Int>, step: Int) {
    self.value = value
    self.range = range
    self.step = step
  }

  /// Moves it by so many steps.
  public func move(_ steps: Int) {
    let now = value.wrappedValue ?? range.lowerBound
    let next = now + steps * step
    let new = next <= range.lowerBound ? nil : min(next, range.upperBound)
    if new != value.wrappedValue { value.wrappedValue = new }
  }
}

/// Steps a duration through the values that make sense, through a binding.
public struct Stepper {
  /// The duration.
  public let value: Binding<Duration>
  /// All values, in order.
  public let choices: [Duration]

  /// A stepper over a duration.
  public init(_ value: Binding<Duration>, _ choices: [Duration]) {
    self.value = value
    self.choices = choices
  }

  /// Takes the next value that is greater, or less where `steps` is negative.
  public func step(_ steps: Int) {
    let now = value.wrappedValue
    let next = steps > 0 ? choices.first { $0 > now } : choices.last { $0 < now }
    if let next { value.wrappedValue = next }
  }
}

/// Switches something on and off through a binding.
public struct Switch {
  /// Whether it is on.
  public let isOn: Binding<Bool>

  /// A switch over a truth value.
  public init(_ isOn: Binding<Bool>) { self.isOn = isOn }

  /// Moves it to the other side.
  public func toggle() { isOn.wrappedValue = !isOn.wrappedValue }
}

extension Viewer {
  /// The bands of the filter, as segments.
  var bandSegments: Segments<NetworkFilter.Bands> { Segments(bind(\.filter).bands, BandSegments.choices.map(\.bands)) }
  /// The least signal of the filter, as a slider.
  var signalSlider: Slider { Slider(bind(\.filter).minimumSignalDBm, in: NetworkFilter.signalRange, step: 5) }
  /// The pause between scans, as a stepper.
  var intervalStepper: Stepper { Stepper(bind(\.interval), [1, 2, 5, 10, 15, 30, 60, 120, 300].map { .seconds($0) }) }
}
