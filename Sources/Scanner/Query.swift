import WiFi

/// A question with a list of messages for an answer, as a pure state machine: interfaces, adapters, survey, stations.
struct Query: Sendable {
  enum Action: Hashable {
    case send([UInt8])
    case wait(until: Duration)
    case finish([GenericNetlinkMessage])
    case fail(ScanError)
  }

  private let question: GenericNetlinkMessage
  private let isDump: Bool
  private let subject: String
  private let limit: Duration
  /// The numbers of its requests, which no other conversation over the link has.
  var requests = Requests()
  private var family: GenericFamily?
  private var isAsked = false
  private var exchange: Exchange?
  private var earlierList = EarlierList()
  private var answers: [GenericNetlinkMessage] = []
  private var retries = 5
  private var deadline: Duration = .zero

  /// Asks `question`; `subject` names it for people.
  init(_ question: GenericNetlinkMessage, isDump: Bool = true, subject: String, limit: Duration = .seconds(5)) {
    self.question = question
    self.isDump = isDump
    self.subject = subject
    self.limit = limit
  }

  mutating func start(at now: Duration) -> [Action] {
    let (bytes, exchange) = requests.one(
      family: NetlinkMessage.ControlType.genericController, GenericFamily.request(name: NL80211.familyName))
    self.exchange = exchange
    return send(bytes, now)
  }

  mutating func received(_ input: LinkInput?, at now: Duration) -> [Action] {
    switch input {
    case .reply(let bytes):
      for header in NetlinkWalk(bytes) {
        let actions = reply(header, bytes, now)
        if !actions.isEmpty { return actions }
      }
      return [.wait(until: deadline)]
    case .repliesLost: return ask(now)
    case .event, .eventsLost: return [.wait(until: deadline)]
    case nil: return now < deadline ? [.wait(until: deadline)] : [.fail(ScanError(.noAnswer(subject)))]
    }
  }

  private mutating func ask(_ now: Duration) -> [Action] {
    guard let family, retries > 0 else { return [.fail(ScanError(.noAnswer(subject)))] }
    retries -= 1
    isAsked = true
    answers = []
    let (bytes, exchange) = isDump ? requests.dump(family: family.id, question) : requests.one(family: family.id, question)
    self.exchange = exchange
    return send(bytes, now)
  }

  private mutating func send(_ bytes: [UInt8], _ now: Duration) -> [Action] {
    deadline = now + limit
    return [.send(bytes), .wait(until: deadline)]
  }

  private mutating func reply(_ header: NetlinkHeader, _ bytes: [UInt8], _ now: Duration) -> [Action] {
    let outcome = exchange?.outcome(of: header, in: bytes)
    if isDump, isAsked, let outcome {
      switch earlierList.step(outcome, of: header) {
      case .wait: return []
      case .again: return ask(now)
      case .none: break
      }
    }
    switch outcome {
    case .part:
      if family == nil {
        family = GenericFamily(bytes, header.attributes)
      } else if let message = try? GenericNetlinkMessage(payload: Array(bytes[header.payload])) {
        answers.append(message)
      }
      return []
    case .finished:
      guard family != nil else { return [.fail(ScanError(.noWireless))] }
      guard isAsked else { return ask(now) }
      return exchange?.isInterrupted == true && retries > 0 ? ask(now) : [.finish(answers)]
    case .failed(let error):
      return [.fail(family == nil ? ScanError(.noWireless) : .of(error, interface: nil))]
    case .ignored, nil: return []
    }
  }
}
