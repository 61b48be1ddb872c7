/// Looks on whenever everything has come to rest.
final class StoryWitness<Subject: Explorable> {
  private let subject: Subject
  private let simulation: Simulation
  private let transcript: Transcript<Subject.Step>
  private var always = Subject.always
  private var sometimes = Subject.sometimes
  private var summary = ""

  init(_ subject: Subject, _ simulation: Simulation, _ transcript: Transcript<Subject.Step>) {
    (self.subject, self.simulation, self.transcript) = (subject, simulation, transcript)
  }

  func look() {
    let now = subject.summary
    if now != summary {
      summary = now
      if !now.isEmpty { simulation.trace.record(now, in: .models) }
    }
    for name in ask(always) { always.removeAll { $0.name == name } }
    for claim in sometimes where claim.lack(subject) == nil {
      transcript.add(seen: claim.name)
      sometimes.removeAll { $0.name == claim.name }
    }
  }

  /// Asks claims, and returns the names of those that do not hold.
  @discardableResult
  func ask(_ claims: [Claim<Subject>]) -> [String] {
    claims.compactMap { claim in
      guard let sentence = claim.lack(subject) else { return nil }
      transcript.add(Violation(property: claim.name, sentence: sentence, time: simulation.clock.now.offset))
      return claim.name
    }
  }
}
