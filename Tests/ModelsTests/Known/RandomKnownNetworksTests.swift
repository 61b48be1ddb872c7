import Determinism
import Models
import Testing
import WiFi

/// The models of known networks with a store that answers late, in any order, and fails: an outcome never reaches another attempt.
@Suite struct RandomKnownNetworksTests {
  /// One run, drawn from a seed.
  final class Run {
    private var draw: RandomStream
    private let simulation: Simulation
    private let store = HandStore()
    private let model: KnownNetworksModel
    /// The store's truth.
    private var networks = (0..<3).map { makeKnown("Network \($0)", $0) }
    private var nextKey = 3
    /// Who asked, by the number of the request; `nil` is the list.
    private var owners: [AnyObject?] = []
    private var answered: Set<Int> = []
    /// The number of the last request of each page and sheet.
    private var last: [ObjectIdentifier: Int] = [:]
    /// The requests that were given up before they were answered: by Cancel, or with their page or sheet.
    private var givenUp: Set<Int> = []
    /// Every page and sheet, gone or not.
    private var pages: [KnownNetworkEditModel] = []
    private var sheets: [AddKnownNetworkModel] = []

    init(_ simulation: Simulation) {
      self.simulation = simulation
      draw = RandomStream(seed: simulation.seed, name: "known networks")
      model = KnownNetworksModel(store: store, onIssue: { Issue.record("\($0)") })
    }

    func run() async {
      await ask(nil) { [model] in await model.load() }
      await answer(succeeds: true)
      for _ in 0..<40 {
        await act()
        check()
      }
      while let number = pending.first { await answer(number, succeeds: true) }
      check()
      #expect(!model.isLoading)
      #expect(model.path.allSatisfy { !$0.isSaving } && model.addSheet?.isSaving != true, "seed \(simulation.seed): saving for ever")
    }

    private var pending: [Int] { store.asked.indices.filter { !answered.contains($0) } }

    private func below(_ limit: Int) -> Int { Int(draw.next(below: UInt64(limit))) }

    /// Starts a request in a task, and notes who asks.
    private func ask(_ owner: AnyObject?, _ body: @escaping () async -> Void) async {
      let number = store.asked.count
      simulation.task("asks") { await body() }
      await simulation.settle()
      guard store.asked.count > number else { return }
      owners.append(owner)
      guard let owner else { return }
      if let page = owner as? KnownNetworkEditModel, !pages.contains(where: { $0 === page }) { pages.append(page) }
      if let sheet = owner as? AddKnownNetworkModel, !sheets.contains(where: { $0 === sheet }) { sheets.append(sheet) }
      last[ObjectIdentifier(owner)] = number
    }

    private func answer(_ number: Int? = nil, succeeds: Bool) async {
      let pending = pending
      guard !pending.isEmpty else { return }
      let number = number ?? pending[below(pending.count)]
      answered.insert(number)
      let asked = store.asked[number]
      // The error names the request that it answers.
      guard succeeds else {
        asked.finish(.failure(.refused("\(number)")))
        return await simulation.settle()
      }
      var changed: KnownNetwork.ID?
      switch asked.request {
      case .list: break
      case .add(let draft):
        networks.append(KnownNetwork(id: .init(key: "\(nextKey)", ssid: draft.ssid), security: draft.security))
        nextKey += 1
        changed = networks.last?.id
      case .duplicate(let id, let edit):
        networks.append(KnownNetwork(id: .init(key: "\(nextKey)", ssid: edit.ssid ?? id.ssid), security: .psk))
        nextKey += 1
        changed = networks.last?.id
      case .edit(let id, let edit):
        guard let place = networks.firstIndex(where: { $0.id == id }) else {
          asked.finish(.failure(.unknownNetwork(id.ssid)))
          return await simulation.settle()
        }
        if let priority = edit.priority { networks[place].priority = priority }
        if let joins = edit.joinsAutomatically { networks[place].joinsAutomatically = joins }
        changed = id
      case .forget(let id):
        networks.removeAll { $0.id == id }
        changed = id
      }
      asked.finish(.success(KnownNetworkAnswer(networks: networks, changed: changed)))
      await simulation.settle()
    }

    /// What a page or sheet asked for last does not count any more.
    private func giveUp(_ owner: AnyObject) {
      if let number = last[ObjectIdentifier(owner)], !answered.contains(number) { givenUp.insert(number) }
    }

    private func act() async {
      switch below(13) {
      case 0: await ask(nil) { [model] in await model.load() }
      case 1: if let network = model.networks.first { model.networkTapped(network.id) }
      case 2: if let network = model.networks.last { model.networkTapped(network.id) }
      case 3:
        if let page = model.path.last { giveUp(page) }
        if !model.path.isEmpty { model.path.removeLast() }
      case 4: model.addButtonTapped()
      case 5: model.path.last?.duplicateButtonTapped()
      case 6:
        if let sheet = model.addSheet { giveUp(sheet) }
        model.addSheet = nil
      case 7:
        if let sheet = model.addSheet { giveUp(sheet) }
        model.addSheet?.cancelButtonTapped()
      case 8:
        guard let sheet = model.addSheet else { return }
        sheet.name = "Added \(below(3))"
        sheet.security = .psk
        sheet.password = "long enough"
        if let attempt = sheet.addButtonTapped() { await ask(sheet) { await attempt.run() } }
      case 9:
        guard let page = model.path.last else { return }
        page.priority = below(5)
        page.joinsAutomatically.toggle()
        if let attempt = page.saveButtonTapped() { await ask(page) { await attempt.run() } }
      case 10:
        guard let page = model.path.last else { return }
        page.forgetButtonTapped()
        if page.forgetAlertIsPresented, let attempt = page.confirmForgetButtonTapped() { await ask(page) { await attempt.run() } }
      case 11: await answer(succeeds: false)
      default: await answer(succeeds: true)
      }
    }

    private func check() {
      let seed = simulation.seed
      for page in model.path { check(page, page.isSaving, page.failure, "page of \(page.network.ssid)", seed) }
      if let sheet = model.addSheet { check(sheet, sheet.isSaving, sheet.failure, "sheet", seed) }
      for failure in pages.map(\.failure) + sheets.map(\.failure) {
        guard case .refused(let text)? = failure, let number = Int(text) else { continue }
        #expect(!givenUp.contains(number), "seed \(seed): the outcome of request \(number) shows, which was given up")
      }
      if case .refused(let text)? = model.failure, let number = Int(text) {
        #expect(owners[number] == nil, "seed \(seed): the list shows the outcome of request \(number)")
      }
    }

    private func check(_ owner: AnyObject, _ isSaving: Bool, _ failure: KnownNetworkError?, _ what: String, _ seed: UInt64) {
      let own = last[ObjectIdentifier(owner)]
      if case .refused(let text)? = failure {
        #expect(Int(text) == own, "seed \(seed): the \(what) shows the outcome of request \(text), its own is \(own ?? -1)")
      }
      if isSaving { #expect(own.map { !answered.contains($0) } == true, "seed \(seed): the \(what) saves, and nothing is asked") }
    }
  }

  @Test(arguments: 0..<8)
  func `an outcome reaches the attempt that it belongs to, and no other`(block: UInt64) async throws {
    for seed in block * 50..<(block + 1) * 50 {
      try await simulate(seed: seed) { simulation in
        simulation.trace.keepsLines = false
        await Run(simulation).run()
      }
    }
  }
}
