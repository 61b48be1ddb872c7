// What the compiler must refuse: each line that ends in "// refused" is an error, and no other.
import Observation
import Observing
import Synchronization

@MainActor @Observable final class Model {
  var count = 0
  var point = Point()
  init() {}
}

struct Point { var x = 0 }

final class Shared: Observable, Sendable {
  private let number = Mutex(0)
  var value: Int {
    get { number.withLock { $0 } }
    set { number.withLock { $0 = newValue } }
  }
  init() {}
}

@concurrent func use(_ binding: Binding<Int>) async { binding.wrappedValue = 2 }

@MainActor func sendsABinding(_ model: Model) {
  let binding = Binding(model, \.count)
  Task.detached { binding.wrappedValue = 1 }  // refused
}

@MainActor func sendsAShortBinding(_ model: Model) {
  let binding = model.bind(\.count)
  Task.detached { binding.wrappedValue = 1 }  // refused
}

@MainActor func sendsAMember(_ model: Model) {
  let binding = model.bind(\.point).x
  Task.detached { binding.wrappedValue = 1 }  // refused
}

@MainActor func handsItOver(_ model: Model) async {
  let binding = model.bind(\.count)
  await use(binding)  // refused
}

@MainActor func make(_ model: Model) -> Binding<Int> { model.bind(\.count) }

func takesItAway(_ model: Model) async {
  let binding = await make(model)  // refused
  binding.wrappedValue = 1
}

@MainActor final class View {
  private let binding: Binding<Int>
  init(_ model: Model) { binding = model.bind(\.count) }
  func sendsItsOwn() {
    let binding = binding
    Task.detached { binding.wrappedValue = 1 }  // refused
  }
  func keepsItsOwn() { Task { binding.wrappedValue = 1 } }
}

func binds<Root: AnyObject, Value>(
  _ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>, isolation: isolated (any Actor)? = #isolation
) -> Binding<Value> { Binding(root, keyPath, isolation: isolation) }

@MainActor func sendsWhatAHelperMade(_ model: Model) {
  let binding = binds(model, \.count)
  Task.detached { binding.wrappedValue = 1 }  // refused
}

/// A helper that has no isolation to pass on hides it: a gap that the article of `Observing` names.
func bindsNowhere<Root: AnyObject, Value>(
  _ root: Root, _ keyPath: ReferenceWritableKeyPath<Root, Value>
) -> Binding<Value> { Binding(root, keyPath) }

@MainActor func sendsThroughTheGap(_ model: Model) {
  let binding = bindsNowhere(model, \.count)
  Task.detached { binding.wrappedValue = 1 }
}

@MainActor func sendsWhatIsShared(_ shared: Shared) {
  let binding = shared.bind(\.value)
  let same = Binding(shared, \.value)
  Task.detached { binding.wrappedValue = 1 }
  Task.detached { same.wrappedValue = 1 }
}

@MainActor func staysOnTheMainActor(_ model: Model) {
  let binding = model.bind(\.count)
  Task { binding.wrappedValue = 1 }
}
