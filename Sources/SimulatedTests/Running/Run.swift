/// How one run of a test ended, as the record of a test process has it.
struct Run: Equatable, Sendable {
  enum Outcome: String, Sendable {
    case passed, failed, skipped, reported
    /// The process ended, or stood still, while it ran.
    case trapped, hung
  }

  var outcome: Outcome
  var seed: UInt64?
  /// The choices that differ from the plain order, such as `3:1`.
  var order = ""
  /// Which report of the simulation it is, such as `escaped`.
  var kind = ""
  /// Seconds of virtual and of real time.
  var virtual = 0.0
  var real = 0.0
  var words = ""
  /// Which task went on before which, where the order was given.
  var overtakings = ""

  /// The runs that a record has, by the test, with those that began and did not end.
  static func runs(ofRecord record: String) -> (ended: [(test: String, run: Run)], open: [(test: String, run: Run)]) {
    var ended: [(String, Run)] = []
    var open: [(test: String, run: Run)] = []
    for line in record.split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescape)
      guard fields.count == 9 else { continue }
      let seed = UInt64(fields[1])
      if fields[3] == "begun" {
        open.append((fields[0], Run(outcome: .trapped, seed: seed, order: fields[2])))
        continue
      }
      guard let outcome = Outcome(rawValue: fields[3]) else { continue }
      if let index = open.firstIndex(where: { $0.test == fields[0] && $0.run.seed == seed && $0.run.order == fields[2] }) {
        open.remove(at: index)
      }
      let run = Run(
        outcome: outcome, seed: seed, order: fields[2], kind: fields[4], virtual: Double(fields[5]) ?? 0, real: Double(fields[6]) ?? 0,
        words: fields[7], overtakings: fields[8])
      ended.append((fields[0], run))
    }
    return (ended, open)
  }

  private static func unescape(_ field: Substring) -> String {
    var text = ""
    var isEscaped = false
    for character in field {
      if isEscaped {
        text.append(["n": "\n", "t": "\t"][character] ?? character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else {
        text.append(character)
      }
    }
    return text
  }
}
