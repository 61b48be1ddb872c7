import Determinism
import Dispatch
import Foundation
import Synchronization
import Testing

/// Each way out of a simulation is reported, by task, place and what it did, every time.
@Suite(.serialized) struct WayOutTests {
  @Test(arguments: WayOut.allCases) func `each way out is reported, 1,000 of 1,000 times`(way: WayOut) async {
    var count = 0
    for _ in 0..<1000 {
      let escapes = await escapes(.unhurried) { simulation in
        await simulation.task("leaves") { await way.leave() }.finished()
      }
      let escape = escapes.first { $0.action == way.action }
      let isNamed = escape?.function?.contains("WayOut") == true && escape?.place?.hasPrefix("WayOut.swift:") == true
      if escape?.task == "leaves", escape?.origin?.contains("WayOutTests.swift") == true, isNamed {
        count += 1
      } else {
        Issue.record("\(escapes)")
        break
      }
    }
    #expect(count == 1000)
  }
}
