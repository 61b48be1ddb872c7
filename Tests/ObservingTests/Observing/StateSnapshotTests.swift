import Observation
import Observing
import Testing

@Observable private final class Sheet {
  var password = ""
  private var attempts = 0
  @ObservationIgnored var onJoined: () -> Void = {}
  weak var parent: Settings?
  init() {}
  func join() { attempts += 1 }
}

private final class Service {
  var secret = 1
  init() {}
}

private struct Row: Equatable {
  var name: String
  var bars: Int?
}

private enum Destination {
  case sheet(Sheet)
  case page(Int)
}

@Observable private final class Settings {
  var isOn = true
  var rows = [Row(name: "Home", bars: 3)]
  var destination: Destination?
  var known: [String: Int] = ["b": 2, "a": 1]
  var tags: Set<String> = ["y", "x"]
  @ObservationIgnored let service = Service()
  init() {}
}

/// Describes itself, and leaves a field out of it.
private struct Address: CustomStringConvertible {
  var host: String
  var port: Int
  var description: String { host }
}

private enum Phase {
  case idle
  case connecting(Address)
  case waiting(Task<Void, Never>)
}

@Observable private final class Poller {
  var address = Address(host: "router", port: 80)
  var phase = Phase.idle
  /// Unknown; known to be none; or a number.
  var choice: Int??
  var task: Task<Void, Never>?
  var tasks: [String: Task<Void, any Error>] = [:]
  init() {}
}

@Suite struct StateSnapshotTests {
  @Test func `a task is what a model uses`() async {
    let poller = Poller()
    let before = StateSnapshot(of: poller)
    #expect(before.fields.map(\.path) == ["address", "phase", "choice"])
    let task = Task {}
    (poller.task, poller.tasks) = (task, ["poll": Task {}])
    #expect(StateSnapshot(of: poller) == before)
    #expect(StateSnapshot(of: poller).description == "address: router\nphase: idle\nchoice: nil")
    poller.phase = .waiting(task)
    #expect(StateSnapshot(of: poller).changes(since: before) == ["phase: idle → waiting"])
    await task.value
  }

  @Test func `says what changed where a description does not show it`() {
    let poller = Poller()
    let before = StateSnapshot(of: poller)
    poller.address.port = 8080
    #expect(StateSnapshot(of: poller) != before)
    #expect(StateSnapshot(of: poller).changes(since: before) == ["address.port: 80 → 8080"])
    poller.address.host = "access point"
    #expect(StateSnapshot(of: poller).changes(since: before) == ["address: router → access point"])
    poller.phase = .connecting(poller.address)
    let connecting = StateSnapshot(of: poller)
    poller.phase = .connecting(Address(host: "access point", port: 81))
    #expect(StateSnapshot(of: poller).changes(since: connecting) == ["phase.connecting.port: 8080 → 81"])
  }

  @Test func `tells an optional that holds nil from nil`() {
    let poller = Poller()
    let before = StateSnapshot(of: poller)
    poller.choice = .some(nil)
    #expect(StateSnapshot(of: poller).changes(since: before) == ["choice: nil → .some(nil)"])
    poller.choice = 3
    #expect(StateSnapshot(of: poller).changes(since: before) == ["choice: nil → 3"])
  }

  @Test func `holds every stored field by its path, in order`() {
    #expect(
      StateSnapshot(of: Settings()).description == """
        isOn: true
        rows[0].name: "Home"
        rows[0].bars: 3
        destination: nil
        known["a"]: 1
        known["b"]: 2
        tags: ["x", "y"]
        """)
  }

  @Test func `says what changed, and nothing else`() {
    let settings = Settings()
    let before = StateSnapshot(of: settings)
    #expect(StateSnapshot(of: settings).changes(since: before).isEmpty)
    settings.isOn = false
    settings.rows.append(Row(name: "Work"))
    settings.rows[0].bars = nil
    settings.known["b"] = nil
    settings.service.secret = 2
    #expect(
      StateSnapshot(of: settings).changes(since: before) == [
        "isOn: true → false", "rows[0].bars: 3 → nil", #"rows[1].name: – → "Work""#, "rows[1].bars: – → nil",
        #"known["b"]: 2 → –"#,
      ])
  }

  @Test func `goes into models that are shown, private fields and all, and round no circle`() {
    let (settings, sheet) = (Settings(), Sheet())
    sheet.parent = settings
    settings.destination = .sheet(sheet)
    let before = StateSnapshot(of: settings)
    #expect(before.fields.contains { $0.path == "destination.sheet.parent" && $0.value == "(the same model)" })
    sheet.join()
    sheet.password = "blob"
    #expect(
      StateSnapshot(of: settings).changes(since: before) == [
        #"destination.sheet.password: "" → "blob""#, "destination.sheet.attempts: 0 → 1",
      ])
    settings.destination = .page(2)
    #expect(StateSnapshot(of: settings).changes(since: before).first == "destination: sheet → page(2)")
  }

  @Test func `is not observed`() {
    let settings = Settings()
    let turn = ObservationTurn()
    var runs = 0
    let token = observe(in: turn) {
      _ = StateSnapshot(of: settings)
      runs += 1
    }
    turn { settings.isOn = false }
    #expect(runs == 1)
    token.cancel()
  }
}
