import Isolations
import Observation
import Observing
import Testing

@Observable private final class Light {
  var red = 0
  var green = 0
  init() {}
}

private enum Loudness: TransactionKey { static let defaultValue = 1 }

@Suite(.timeLimit(.minutes(10))) struct TransactionTests {
  @Test(arguments: Ground.allCases)
  func `a transaction is seen in the run that its change causes, and only there`(ground: Ground) async {
    await ground.run { _ in
      let light = Light()
      var causes: [String?] = []
      var others: [String?] = []
      let token = observe { transaction in
        _ = light.red
        causes.append(transaction.cause)
      }
      let other = observe { transaction in
        _ = light.green
        others.append(transaction.cause)
      }
      withTransaction(\.cause, "tap") { light.red = 1 }
      light.green = 1
      await endTurn()
      light.red = 2
      await endTurn()
      #expect(causes == [nil, "tap", nil])
      #expect(others == [nil, nil])
      withExtendedLifetime((token, other)) {}
    }
  }

  @Test(arguments: Ground.allCases)
  func `of two changes in one turn the first gives the transaction, for each observer its own`(ground: Ground) async {
    await ground.run { _ in
      let light = Light()
      var log: [String] = []
      let both = observe { transaction in log.append("both \(light.red) \(light.green) \(transaction.cause ?? "-")") }
      let green = observe { transaction in log.append("green \(light.green) \(transaction.cause ?? "-")") }
      log = []
      withTransaction(\.cause, "first") { light.red = 1 }
      withTransaction(\.cause, "second") { light.green = 1 }
      await endTurn()
      #expect(log == ["both 1 1 first", "green 1 second"])
      log = []
      light.red = 2
      withTransaction(\.cause, "late") { light.red = 3 }
      await endTurn()
      #expect(log == ["both 3 1 -"])
      withExtendedLifetime((both, green)) {}
    }
  }

  @Test(arguments: Ground.allCases)
  func `what a run changes begins with the empty transaction`(ground: Ground) async {
    await ground.run { _ in
      let light = Light()
      var seen: [Bool] = []
      let token = observe {
        light.red
      } perform: {
        light.green = $0
      }
      let other = observe { transaction in
        _ = light.green
        seen.append(transaction.isEmpty)
      }
      withTransaction(\.cause, "tap") { light.red = 1 }
      await endTurn()
      #expect(seen == [true, true])
      withExtendedLifetime((token, other)) {}
    }
  }

  @Test(arguments: Ground.allCases)
  func `the current transaction can be read where a change is made, and is empty in a run that it causes`(ground: Ground) async {
    await ground.run { _ in
      let light = Light()
      var log: [String] = []
      withTransaction(\.cause, "registration") { log.append("around \(Transaction.current.cause ?? "-")") }
      let turn = ObservationTurn()
      let kept = withTransaction(\.cause, "registration") {
        observe(in: turn) { log.append("\(light.red) \(Transaction.current.cause ?? "-")") }
      }
      withTransaction(\.cause, "tap") {
        light.red = 1
        withAnimation { log.append("\(Transaction.current.cause ?? "-") \(Transaction.current.animation?.name ?? "-")") }
      }
      await endTurn()
      #expect(log == ["around registration", "0 registration", "tap default", "1 -"])
      #expect(Transaction.current.isEmpty)
      withExtendedLifetime(kept) {}
    }
  }

  @Test func `keys are typed, and inner transactions win key by key`() {
    let light = Light()
    let turn = ObservationTurn()
    var seen: [Transaction] = []
    let token = observe(in: turn) { transaction in
      _ = light.red
      seen.append(transaction)
    }
    var loud = Transaction(animation: .default)
    loud[Loudness.self] = 7
    turn {
      withTransaction(loud) {
        withAnimation(nil) { withTransaction(\.cause, "tap") { light.red = 1 } }
      }
    }
    #expect(seen.map { $0[Loudness.self] } == [1, 7])
    #expect(seen.last?.animation == nil)
    #expect(seen.last?.cause == "tap")
    #expect(seen.first?.isEmpty == true)
    token.cancel()
  }
}
