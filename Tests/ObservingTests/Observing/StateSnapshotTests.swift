import Foundation
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
  case trying(task: Task<Void, Never>)
  case retrying(Task<Void, Never>, attempt: Int)
  case showing(sheet: Sheet)
}

/// Two cases, and two networks of 100 bytes, that read the same.
private enum Effort: CustomStringConvertible {
  case first
  case second
  var description: String { "busy" }
}

private struct Station: Hashable, CustomStringConvertible {
  var name: String
  var channel: Int
  var description: String { name }
}

@Observable private final class Roaming {
  var effort = Effort.first
  var frame = Data(repeating: 0, count: 100)
  var heard: Set<Station> = [Station(name: "Home", channel: 1)]
  var levels = [Station(name: "Home", channel: 1): 3, Station(name: "Home", channel: 6): 2]
  var place = (2, room: "hall")
  @ObservationIgnored lazy var reports = 0
  @ObservationIgnored var onRoam: ((Int) -> Void)?
  @ObservationIgnored var listeners: [() -> Void] = []
  @ObservationIgnored var services: [String: Service] = [:]
  @ObservationIgnored var service: Service?
  @ObservationIgnored var tasks: ContiguousArray<Task<Void, Never>> = []
  init() {}
}

@Observable private class Joiner {
  private var attempts = 1
  init() {}
  func retry() { attempts += 1 }
}

@Observable private final class SlowJoiner: Joiner {
  private var attempts = 10
  override func retry() { attempts += 1 }
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

  @Test func `shows no task in a payload`() async {
    let poller = Poller()
    let (task, sheet) = (Task {}, Sheet())
    poller.phase = .trying(task: task)
    #expect(StateSnapshot(of: poller).fields[1].value == "trying")
    poller.phase = .retrying(task, attempt: 1)
    let first = StateSnapshot(of: poller)
    #expect(first.fields[1].value == "retrying")
    poller.phase = .retrying(Task {}, attempt: 2)
    #expect(StateSnapshot(of: poller).changes(since: first) == ["phase.retrying.attempt: 1 → 2"])
    poller.phase = .showing(sheet: sheet)
    let second = StateSnapshot(of: poller)
    #expect(second.fields[1].value == "showing")
    sheet.password = "blob"
    #expect(StateSnapshot(of: poller).changes(since: second) == [#"phase.showing.password: "" → "blob""#])
    await task.value
  }

  @Test func `says that a value is another one where neither words nor fields show it`() {
    let roaming = Roaming()
    let before = StateSnapshot(of: roaming)
    roaming.effort = .second
    roaming.frame[99] = 1
    roaming.heard = [Station(name: "Home", channel: 6)]
    #expect(StateSnapshot(of: roaming) != before)
    #expect(
      StateSnapshot(of: roaming).changes(since: before) == [
        "effort: busy → another value with this description", "frame: 100 bytes → another value with this description",
        "heard: [Home] → another value with this description",
      ])
  }

  @Test func `keeps keys apart that describe themselves the same`() {
    let roaming = Roaming()
    let before = StateSnapshot(of: roaming)
    #expect(before.fields.filter { $0.path == "levels[Home]" }.map(\.value) == ["3", "2"])
    #expect(StateSnapshot(of: roaming).changes(since: before).isEmpty)
    roaming.levels[Station(name: "Home", channel: 6)] = 1
    #expect(StateSnapshot(of: roaming).changes(since: before) == ["levels[Home]: 2 → 1"])
    roaming.levels[Station(name: "Home", channel: 6)] = nil
    #expect(StateSnapshot(of: roaming).changes(since: before) == ["levels[Home]: 2 → –"])
  }

  @Test func `a private field may have the name of one of the superclass`() {
    let joiner = SlowJoiner()
    let before = StateSnapshot(of: joiner)
    #expect(before.description == "attempts: 1\nattempts: 10")
    #expect(StateSnapshot(of: joiner).changes(since: before).isEmpty)
    joiner.retry()
    #expect(StateSnapshot(of: joiner).changes(since: before) == ["attempts: 10 → 11"])
  }

  @Test func `says nothing of closures and objects that come and go`() async {
    let roaming = Roaming()
    let before = StateSnapshot(of: roaming)
    let task = Task {}
    (roaming.onRoam, roaming.listeners, roaming.tasks) = ({ _ in }, [{}], [task])
    (roaming.service, roaming.services) = (Service(), ["a": Service()])
    #expect(StateSnapshot(of: roaming) == before)
    await task.value
  }

  @Test func `names a lazy field and what is in a tuple as the source does`() {
    let roaming = Roaming()
    let before = StateSnapshot(of: roaming)
    roaming.reports += 1
    roaming.place.0 = 3
    roaming.place.room = "attic"
    #expect(
      StateSnapshot(of: roaming).changes(since: before) == [
        "place.0: 2 → 3", #"place.room: "hall" → "attic""#, "reports: nil → 1",
      ])
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
