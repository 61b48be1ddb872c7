import Determinism
import Observation
import Observing
import Testing

@Observable private final class Field {
  var value = 0
  init() {}
}

/// Many tasks change, many observers look, and the seed decides who is next.
@Suite struct ObserveInSimulationTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `whatever the interleaving, no run is missed, none is in vain, and all are in order`(seed: UInt64) async throws {
    try await simulate(seed: seed) { simulation in
      var stream = simulation.stream("observers")
      let fields = (0..<6).map { _ in Field() }
      let turn = ObservationTurn()
      // What each reads: the second field only while the first is odd.
      let pairs = (0..<12).map { _ in (fields[Int(stream.next(below: 6))], fields[Int(stream.next(below: 6))]) }
      let read = { (number: Int) in
        let (first, second) = pairs[number]
        return first.value % 2 == 1 ? [first.value, second.value] : [first.value]
      }
      // What each saw last, and who ran since the last look, in order.
      var seen: [[Int]] = []
      var order: [Int] = []
      var tokens: [ObservationToken] = []
      for number in 0..<12 {
        seen.append([])
        tokens.append(
          observe(in: turn) {
            let values = read(number)
            #expect(seen[number] != values, "observer \(number) ran in vain")
            seen[number] = values
            order.append(number)
          })
      }
      for task in 0..<4 {
        var stream = simulation.stream("task \(task)")
        simulation.task("change \(task)") {
          for _ in 0..<50 {
            try await simulation.clock.sleep(for: .milliseconds(Int64(stream.next(below: 3))))
            for _ in 0..<stream.next(below: 4) { fields[Int(stream.next(below: 6))].value += 1 }
          }
        }
      }
      for _ in 0..<150 {
        await simulation.advance(by: .milliseconds(1))
        #expect(seen == (0..<12).map(read))
      }
      await simulation.run()
      order = []
      for field in fields { field.value += 2 }
      await simulation.settle()
      #expect(order == Array(0..<12))
      for token in tokens { token.cancel() }
    }
  }
}
