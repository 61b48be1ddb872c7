import Models
import WiFi

/// The page of the known networks as it should be: the list, the pages over it and the sheet that adds one, worked out
/// from what a user did, what the store was asked, and what it answered.
struct KnownReference {
  /// What stands in the fields of a page or of the sheet.
  struct Fields: Hashable {
    var name = ""
    var security = JoinSecurity.pskOrSAE
    var password = ""
    var priority = 0
    var joinsAutomatically = true
    var isHidden = false
  }

  /// What a page or the sheet waits for.
  enum Waiting: Hashable {
    case nothing
    /// A button was tapped, and the store is to be asked this.
    case toAsk(KnownNetworkRequest)
    /// The store was asked, by the number of the request.
    case asked(Int)
  }

  /// The page of a known network, or the sheet that adds one or a copy of one.
  struct Form: Hashable {
    /// The network of the page, as the store had it last; what the sheet copies.
    var network: KnownNetwork?
    var fields = Fields()
    var waiting = Waiting.nothing
    var failure: KnownNetworkError?
    /// Whether the network of the page is not known any more.
    var isGone = false
    var asksToForget = false
    /// Which form of this page it is, counted as they open.
    var number = 0
  }

  private(set) var networks: [KnownNetwork] = []
  private(set) var isSaved = true
  /// Why the networks could not be listed.
  private(set) var failure: KnownNetworkError?
  /// The request for the list that counts, while it runs.
  private(set) var listing: Int?
  /// Whether something was changed since that began.
  private var hasChanged = false
  /// The pages over the list, the last on top.
  private(set) var pages: [Form] = []
  private(set) var sheet: Form?
  /// How many forms were opened.
  private var formCount = 0
  /// What was asked and is not answered, by number.
  private var asked: [Int: KnownNetworkRequest] = [:]
  /// What can be done with the store.
  private let features: Set<KnownNetworkFeature>

  /// The network whose page a link means, until the networks are listed.
  private var linked: SSID?

  /// The page, when it opens, by a tap or by a link.
  init(features: Set<KnownNetworkFeature>, _ link: DeepLink? = nil) {
    self.features = features
    if case .editKnown(let name) = link { linked = name }
    if case .addKnown = link { sheet = numbered(Form()) }
  }

  /// The names of what lies over the list of networks, this page first.
  var layers: [String] {
    ["known"] + pages.flatMap { $0.asksToForget ? ["edit", "forgetKnown"] : ["edit"] } + (sheet == nil ? [] : ["add"])
  }

  /// The number of the form on top; `nil` where the list of networks is.
  var topForm: Int? { sheet?.number ?? pages.last?.number }

  /// Whether a page or the sheet waits for a request, by number.
  func waits(for number: Int) -> Bool { pages.contains { $0.waiting == .asked(number) } || sheet?.waiting == .asked(number) }

  /// The networks in the order of the list: the joined one, then those in range, the highest priority, by name.
  func rows(inRange isInRange: (KnownNetwork) -> Bool) -> [KnownNetwork] {
    var left = networks
    var rows: [KnownNetwork] = []
    while let first = left.first {
      var best = first
      for other in left where isBefore(other, best, isInRange) { best = other }
      rows.append(best)
      left.removeAll { $0.id == best.id }
    }
    return rows
  }

  private func isBefore(_ one: KnownNetwork, _ other: KnownNetwork, _ isInRange: (KnownNetwork) -> Bool) -> Bool {
    if one.isJoined != other.isJoined { return one.isJoined }
    if isInRange(one) != isInRange(other) { return isInRange(one) }
    if one.priority ?? 0 != other.priority ?? 0 { return one.priority ?? 0 > other.priority ?? 0 }
    return one.id < other.id
  }

  // MARK: What a user does

  mutating func take(_ input: UserInput) {
    switch input {
    case .tapKnown(let id):
      guard let network = networks.first(where: { $0.id == id }) else { return }
      pages = []
      open(network)
    case .addKnown: if features.contains(.add), sheet == nil { sheet = numbered(Form()) }
    case .duplicate:
      guard let page = pages.last, !page.isGone, !page.asksToForget, sheet == nil else { return }
      sheet = numbered(Form(network: page.network, fields: page.network.map { Fields($0) } ?? Fields()))
    case .fill(let fields, let onSheet): change(onSheet) { $0.fields.fill(fields) }
    case .save(onSheet: true): change(true) { Self.add($0.network, &$0) }
    case .save(onSheet: false): change(false) { Self.save(&$0) }
    case .cancel:
      if let form = sheet { if form.waiting == .nothing { sheet = nil } else { sheet?.waiting = .nothing } }
    case .forget:
      let isCovered = sheet != nil
      change(false) { if $0.waiting == .nothing, !$0.isGone, !isCovered { $0.asksToForget = true } }
    case .confirmForget:
      change(false) { form in
        form.asksToForget = false
        guard form.waiting == .nothing, let network = form.network else { return }
        (form.waiting, form.failure) = (.toAsk(.forget(network.id)), nil)
      }
    case .keep: change(false) { $0.asksToForget = false }
    // Below the first page there is the list of the known networks alone.
    // A page that the answer took away before this is not taken away again.
    case .close("edit", _, let count): pages = Array(pages.prefix(count - 1))
    case .close("add", _, _): sheet = nil
    case .close("forgetKnown", _, _): change(false) { $0.asksToForget = false }
    default: break
    }
  }

  private mutating func openLinked(_ name: SSID) {
    linked = nil
    guard let network = networks.first(where: { $0.ssid == name }) else { return failure = .unknownNetwork(name) }
    if pages.isEmpty, sheet == nil { open(network) }
  }

  private mutating func open(_ network: KnownNetwork) {
    pages.append(numbered(Form(network: network, fields: Fields(network), isGone: !networks.contains { $0.id == network.id })))
  }

  private mutating func numbered(_ form: Form) -> Form {
    formCount += 1
    var form = form
    form.number = formCount
    return form
  }

  private mutating func change(_ onSheet: Bool, _ body: (inout Form) -> Void) {
    if onSheet, var form = sheet {
      body(&form)
      sheet = form
    } else if !onSheet, !pages.isEmpty {
      body(&pages[pages.count - 1])
    }
  }

  /// Save on a page: what differs from the network is asked for, where anything does.
  private static func save(_ form: inout Form) {
    guard form.waiting == .nothing, let network = form.network else { return }
    var edit = form.fields.edit(since: network)
    edit.password = form.fields.password.isEmpty ? nil : Secret(form.fields.password)
    guard edit != KnownNetworkEdit() else { return }
    form.ask(.edit(network.id, edit), unless: form.isGone ? .unknownNetwork(network.ssid) : edit.problem(with: network))
  }

  /// Add on the sheet: a new network, or a copy with what differs from its original.
  private static func add(_ original: KnownNetwork?, _ form: inout Form) {
    guard form.waiting == .nothing else { return }
    form.failure = nil
    let now = form.fields
    guard let name = SSID(typed: now.name) else { return form.failure = .nameMissing }
    let password = now.password.isEmpty || !now.security.needsPassword ? nil : Secret(now.password)
    guard let original else {
      let draft = KnownNetworkDraft(
        ssid: name, security: now.security, password: password, priority: now.priority, joinsAutomatically: now.joinsAutomatically,
        isHidden: now.isHidden)
      return form.ask(.add(draft), unless: draft.problem)
    }
    var edit = now.edit(since: original)
    edit.password = password
    if name != original.ssid { edit.ssid = name }
    form.ask(.duplicate(original.id, edit), unless: nil)
  }

  // MARK: What the store is asked

  /// The store is asked something, once for each tap that means it.
  ///
  /// - Returns: what is wrong with that, a sentence.
  mutating func ask(_ number: Int, _ request: KnownNetworkRequest) -> String? {
    asked[number] = request
    if request == .list {
      (listing, hasChanged) = (number, false)
      return nil
    }
    if sheet?.waiting == .toAsk(request) {
      sheet?.waiting = .asked(number)
    } else if let place = pages.firstIndex(where: { $0.waiting == .toAsk(request) }) {
      pages[place].waiting = .asked(number)
    } else {
      asked[number] = nil
      return "the known networks were asked for a change, and no tap waits for that"
    }
    return nil
  }

  /// The store answers.
  ///
  /// - Parameter isAlone: whether nothing was done to the world since it was asked: what another program changed may
  ///   be otherwise than it was asked to be.
  /// - Returns: what is wrong with that, a sentence.
  mutating func answer(_ number: Int, _ outcome: Result<KnownNetworkAnswer, KnownNetworkError>, isAlone: Bool) -> String? {
    guard let request = asked.removeValue(forKey: number) else { return nil }
    if request == .list {
      guard listing == number else { return nil }
      listing = nil
      switch outcome {
      case .success(let answer):
        failure = nil
        if !hasChanged { show(answer.networks) }
        if let name = linked { openLinked(name) }
      case .failure(.cancelled): break
      case .failure(let error): failure = error
      }
      return nil
    }
    let complaint = isAlone ? request.lack(in: outcome) : nil
    let page = pages.firstIndex { $0.waiting == .asked(number) }
    if case .success(let answer) = outcome {
      (hasChanged, failure, isSaved) = (true, nil, answer.isSaved)
      // A page that saved shows what was saved; it gives up no field to that.
      if let page, case .edit = request, let now = answer.networks.first(where: { $0.id == answer.changed }) {
        (pages[page].network, pages[page].fields) = (now, Fields(now))
      } else if let page, case .edit = request {
        pages[page].fields.password = ""
      }
      show(answer.networks)
    }
    if let page {
      pages[page].waiting = .nothing
      switch outcome {
      case .success: if case .forget = request { pages.removeSubrange(page...) }
      case .failure(.cancelled): break
      case .failure(let error): pages[page].failure = error
      }
    } else if let form = sheet, form.waiting == .asked(number) {
      sheet?.waiting = .nothing
      switch outcome {
      case .success(let answer):
        sheet = nil
        if form.network != nil, let copy = answer.networks.first(where: { $0.id == answer.changed }) { open(copy) }
      case .failure(.cancelled): break
      case .failure(let error): sheet?.failure = error
      }
    }
    return complaint
  }

  /// The list, and of each page the network and those fields that the user had not touched.
  private mutating func show(_ now: [KnownNetwork]) {
    networks = now
    for place in pages.indices {
      guard let old = pages[place].network, let new = now.first(where: { $0.id == old.id }) else {
        pages[place].isGone = true
        continue
      }
      pages[place].isGone = false
      let (was, will) = (Fields(old), Fields(new))
      if pages[place].fields.priority == was.priority { pages[place].fields.priority = will.priority }
      if pages[place].fields.joinsAutomatically == was.joinsAutomatically {
        pages[place].fields.joinsAutomatically = will.joinsAutomatically
      }
      if pages[place].fields.isHidden == was.isHidden { pages[place].fields.isHidden = will.isHidden }
      if pages[place].fields.security == was.security { pages[place].fields.security = will.security }
      pages[place].network = new
    }
  }
}

extension Result<KnownNetworkAnswer, KnownNetworkError> {
  /// What of the networks that were answered is not as the daemon has it, a sentence.
  func lack(beside daemon: DaemonKnown) -> String? {
    guard case .success(let answer) = self else { return nil }
    let names = answer.networks.map(\.ssid).sorted()
    func words(_ names: [SSID]) -> String { names.isEmpty ? "none" : names.map(\.description).joined(separator: ", ") }
    if names != daemon.names { return "the daemon knows \(words(daemon.names)), and its list is \(words(names))" }
    let joined = answer.networks.filter(\.isJoined).map(\.ssid)
    let should = daemon.joined.map { [$0] } ?? []
    return joined == should ? nil : "of the known networks \(words(should)) is joined, and \(words(joined)) is listed as joined"
  }
}

extension KnownNetworkRequest {
  /// What was asked and is not as it was asked, though the store says that it is done, a sentence.
  fileprivate func lack(in outcome: Result<KnownNetworkAnswer, KnownNetworkError>) -> String? {
    guard case .success(let answer) = outcome, let changed = answer.networks.first(where: { $0.id == answer.changed }) else { return nil }
    var edit = KnownNetworkEdit()
    switch self {
    case .list, .forget: return nil
    case .add(let draft): edit.isHidden = draft.isHidden
    case .edit(_, let asked), .duplicate(_, let asked): edit = asked
    }
    let isDone =
      changed.isHidden == edit.isHidden ?? changed.isHidden && changed.priority == edit.priority ?? changed.priority
      && changed.joinsAutomatically == edit.joinsAutomatically ?? changed.joinsAutomatically && changed.ssid == edit.ssid ?? changed.ssid
    return isDone ? nil : "\(changed.ssid) was changed, and is not as it was asked to be"
  }
}

extension KnownReference.Form {
  /// Waits for the store to be asked; a problem that is known beforehand is shown in place of that.
  fileprivate mutating func ask(_ request: KnownNetworkRequest, unless problem: KnownNetworkError?) {
    if let problem { failure = problem } else { (waiting, failure) = (.toAsk(request), nil) }
  }
}

extension KnownReference.Fields {
  init(_ network: KnownNetwork) {
    self.init(
      name: network.ssid.description, security: network.security, priority: network.priority ?? 0,
      joinsAutomatically: network.joinsAutomatically, isHidden: network.isHidden)
  }

  /// What differs from a network, but for its name and its password.
  fileprivate func edit(since network: KnownNetwork) -> KnownNetworkEdit {
    let was = Self(network)
    var edit = KnownNetworkEdit()
    if priority != was.priority { edit.priority = priority }
    if joinsAutomatically != was.joinsAutomatically { edit.joinsAutomatically = joinsAutomatically }
    if isHidden != was.isHidden { edit.isHidden = isHidden }
    if security != was.security { edit.security = security }
    return edit
  }

  fileprivate mutating func fill(_ fields: KnownNetworkFields) {
    name = fields.name ?? name
    password = fields.password ?? password
    security = fields.security ?? security
    priority = fields.priority ?? priority
    joinsAutomatically = fields.joinsAutomatically ?? joinsAutomatically
    isHidden = fields.isHidden ?? isHidden
  }
}
