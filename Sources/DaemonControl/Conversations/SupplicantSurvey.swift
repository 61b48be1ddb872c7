import DaemonProtocols
import WiFi

/// Asks what each of some networks is: its fields, one network after another.
struct SupplicantSurvey {
  /// A network and the values of its fields that are set, such as `*` for a secret.
  struct Answer {
    var network: ControlNetwork
    var values: [String: [UInt8]] = [:]
  }

  private let fields: [String]
  private let kind: JoinSecurity
  /// The networks that are not known yet, and what is known of the first.
  private var answers: ArraySlice<Answer>
  /// The fields of the first that are still to be asked for.
  private var questions: [String]

  /// Asks for fields, and behind `key_mgmt` for those that say whether a network is of the kind that is wanted.
  init(_ fields: [String] = ["key_mgmt"], of networks: [ControlNetwork], kind: JoinSecurity) {
    self.fields = fields
    self.kind = kind
    answers = networks.map { Answer(network: $0) }[...]
    questions = fields
  }

  /// The next question; `nil` where all networks are known.
  var question: ControlCommand? { answers.first.map { .getNetwork($0.network.id, questions[0]) } }

  /// Takes in the answer to the question.
  ///
  /// - Returns: the network, once all of it is known.
  mutating func take(_ reply: ControlReply) -> Answer? {
    let (field, first) = (questions.removeFirst(), answers.startIndex)
    if case .text(let value) = reply { answers[first].values[field] = value }
    if field == "key_mgmt" { questions = SupplicantFields.kindFields(answers[first].values, for: kind) + questions }
    guard questions.isEmpty else { return nil }
    questions = fields
    return answers.removeFirst()
  }
}
