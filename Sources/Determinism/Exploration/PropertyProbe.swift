/// Looks on whenever everything has come to rest.
final class PropertyProbe<Subject: Explorable> {
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
    for property in sometimes where property.lack(subject) == nil {
      transcript.add(seen: property.name)
      sometimes.removeAll { $0.name == property.name }
    }
  }

  /// Asks properties, and returns the names of those that do not hold.
  @discardableResult
  func ask(_ properties: [Property<Subject>]) -> [String] {
    properties.compactMap { property in
      guard let sentence = property.lack(subject) else { return nil }
      transcript.add(Violation(property: property.name, sentence: sentence, time: simulation.clock.now.offset))
      return property.name
    }
  }
}
