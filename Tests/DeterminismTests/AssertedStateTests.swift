import Determinism
import DeterminismTesting
import Observation
import Synchronization
import Testing

/// Each change of a value is asserted, or fails the test.
@Suite struct AssertedStateTests {
  @MainActor @Observable final class Counter {
    var count = 0
    var name = "a"
    var isRunning = false
    private var ticks: Task<Void, Never>?

    func start() {
      isRunning = true
      ticks = Task {
        while (try? await Task.sleep(for: .seconds(1))) != nil { count += 1 }
      }
    }

    func stop() {
      isRunning = false
      ticks?.cancel()
    }
  }

  struct Shown: Equatable {
    var count: Int
    var name: String
    var isRunning: Bool

    @MainActor init(_ model: Counter) { (count, name, isRunning) = (model.count, model.name, model.isRunning) }
  }

  /// What is recorded in `body`.
  @MainActor private func issues(_ body: @escaping @MainActor @Sendable () async throws -> Void) async throws -> [Issue] {
    let issues = Mutex<[Issue]>([])
    let record: IssueHandlingTrait = .compactMapIssues { issue in
      issues.withLock { $0.append(issue) }
      return nil
    }
    try await record.provideScope(for: #require(Test.current), testCase: nil) { try await body() }
    return issues.withLock { $0 }
  }

  @Test(.simulated(seeds: 0..<10)) @MainActor func `changes that are all asserted pass`() async throws {
    let model = Counter()
    let count = try await assertingChanges(of: { Shown(model) }) { shown in
      shown.expect()
      model.start()
      shown.expect { $0.isRunning = true }
      try await Simulation.required.advance(by: .seconds(2))
      shown.expect { $0.count = 2 }
      try await Simulation.required.advance(by: .seconds(2))
      shown.expect { $0.count += 2 }
      model.stop()
      shown.expect { $0.isRunning = false }
      return model.count
    }
    #expect(count == 4)
  }

  @Test @MainActor func `a change that was not mentioned fails, and is shown by its lines`() async throws {
    let issues = try await issues {
      let model = Counter()
      assertingChanges(of: { Shown(model) }) { shown in
        model.count = 3
        model.name = "b"
        shown.expect { $0.count = 3 }
        // The next begins with what there is.
        model.count = 4
        shown.expect { $0.count = 4 }
      }
    }
    #expect(
      issues.map { $0.comments.map(\.rawValue) } == [
        [
          """
          This is not the change that was expected (- expected, + now):
            ▿ DeterminismTests.AssertedStateTests.Shown
              - count: 3
          -   - name: "a"
          +   - name: "b"
              - isRunning: false
          """
        ]
      ])
  }

  @Test @MainActor func `a change that is expected and does not come fails`() async throws {
    let issues = try await issues {
      let model = Counter()
      assertingChanges(of: { model.count }) { $0.expect { $0 = 1 } }
    }
    #expect(
      issues.map { $0.comments.map(\.rawValue) } == [["This is not the change that was expected (- expected, + now):\n- 1\n+ 0"]])
    #expect(issues.first?.sourceLocation?.line == #line - 4)
  }

  @Test @MainActor func `a change after the last expectation fails, in a synchronous body and in one that waits`() async throws {
    let issues = try await issues {
      let model = Counter()
      assertingChanges(of: { model.count }) { _ in model.count = 1 }
      await assertingChanges(of: { model.count }) { shown in
        await Task.yield()
        model.count = 2
        shown.expect { $0 = 2 }
        model.count = 3
      }
    }
    #expect(
      issues.map { $0.comments.map(\.rawValue) } == [
        ["A change after the last expectation was not asserted (- before, + now):\n- 0\n+ 1"],
        ["A change after the last expectation was not asserted (- before, + now):\n- 2\n+ 3"],
      ])
  }

  @Test @MainActor func `what the body throws is thrown, and no change is missed then`() async throws {
    struct Failed: Error {}
    let issues = try await issues {
      let model = Counter()
      #expect(throws: Failed.self) {
        try assertingChanges(of: { model.count }) { _ in
          model.count = 1
          throw Failed()
        }
      }
    }
    #expect(issues.isEmpty)
  }

  /// Two that are not equal may be described by the same words.
  private struct Secret: Equatable, CustomStringConvertible {
    var value: Int
    var description: String { "secret" }
  }

  @Test @MainActor func `what looks the same and is not equal is said`() async throws {
    let issues = try await issues {
      var secret = Secret(value: 1)
      assertingChanges(of: { secret }) { _ in secret.value = 2 }
    }
    #expect(issues.first?.comments.first?.rawValue.hasSuffix("  secret\n  The two are not equal and look the same.") == true)
  }
}
