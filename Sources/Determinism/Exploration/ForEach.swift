import CDeterminism

/// Does work for each element, several at once, and takes the results in the order of elements, until the caller is
/// cancelled.
///
/// Inside of a simulation it does one after the other, as everything is on its thread.
///
/// - Parameter jobs: how many at once; `nil` for as many as there are processors.
/// - Returns: the elements whose results were taken, all of them where the caller was not cancelled.
func forEach<Elements: RandomAccessCollection & Sendable, Result: Sendable>(
  _ elements: Elements, jobs: Int?, isolation: isolated (any Actor)? = #isolation,
  _ work: @escaping @Sendable (Elements.Element) async -> Result, take: (Elements.Element, Result) async -> Void
) async -> Elements.SubSequence where Elements.Element: Sendable, Elements.Index: Sendable & Hashable {
  let limit = VirtualExecutor.current == nil ? max(jobs ?? Int(determinism_processor_count()), 1) : 1
  return await withTaskGroup(of: (Elements.Index, Result).self) { group in
    // What is captured is kept: results are taken where the caller is.
    _ = isolation
    var remaining = elements.indices[...]
    func start() {
      guard let index = remaining.popFirst() else { return }
      let element = elements[index]
      group.addTask(name: "explores \(element)") { (index, await work(element)) }
    }
    for _ in 0..<limit { start() }
    // Those that were faster than the ones before them.
    var early: [Elements.Index: Result] = [:]
    var expected = elements.startIndex
    while let (index, result) = await group.next(), !Task.isCancelled {
      start()
      early[index] = result
      while let next = early.removeValue(forKey: expected) {
        await take(elements[expected], next)
        elements.formIndex(after: &expected)
      }
    }
    return elements[..<expected]
  }
}
