/// All that happened in a run, to be compared with another record: the trace, what was heard, and sleeps.
package struct RunRecord: Hashable, Sendable {
  /// Something that happened.
  package struct Event: Hashable, Sendable {
    /// When, in virtual time.
    package var time: Duration
    /// Where, such as `in the models`.
    package var place: String
    /// The number of its line in the trace, from 1; `nil` where it is none, as a sleep.
    package var number: Int?
    /// What.
    package var text: String
    /// The tasks that did it, or that ran just before.
    package var tasks: [String]
    /// The step that began last.
    package var step: String

    package init(time: Duration, place: String, number: Int?, text: String, tasks: [String], step: String) {
      self.time = time
      self.place = place
      self.number = number
      self.text = text
      self.tasks = tasks
      self.step = step
    }

    /// Whether the same happened, whichever run did it.
    func isSame(as other: Event) -> Bool {
      time == other.time && place == other.place && number == other.number && text == other.text
    }
  }

  /// The events, in order.
  package var events: [Event]

  package init(events: [Event]) { self.events = events }
}

/// Where two records of one run part.
package struct Divergence: Hashable, Sendable {
  /// The last event that was the same; `nil` where the first differs.
  package var before: RunRecord.Event?
  /// The first that differ; `nil` where a record was over.
  package var events: [RunRecord.Event?]
  /// The number of events of the trace that were the same.
  package var sameCount: Int

  /// The first events in which two records differ; `nil` where none do.
  package init?(_ one: RunRecord, _ other: RunRecord) {
    let same = zip(one.events, other.events).prefix { $0.isSame(as: $1) }
    let index = same.count
    guard index < max(one.events.count, other.events.count) else { return nil }
    before = one.events[..<index].last
    events = [one, other].map { index < $0.events.count ? $0.events[index] : nil }
    sameCount = one.events[..<index].count { $0.number != nil }
  }

  /// When the first of them happened, in virtual time.
  package var time: Duration { events.compactMap { $0?.time }.min() ?? .zero }

  /// Where: the event, its time, its place, the tasks, what it was in either, and what came before.
  package var sentence: String {
    let there = events.compactMap(\.self)
    let number = there.compactMap(\.number).first.map { "at event \($0)" } ?? "after event \(sameCount)"
    let tasks = either(there.map { $0.tasks.joined(separator: ", ") }.filter { !$0.isEmpty })
    var text = "two runs part \(number), at \(either(there.map { VirtualTime.text($0.time) })), \(either(there.map(\.place)))"
    if !tasks.isEmpty { text += ", where \(tasks) ran" }
    text += ": " + events.map { "once “\($0?.text ?? "the end")”" }.joined(separator: " and ") + "."
    // Where they part in what a user does, the step before is the last that was the same.
    let steps = Set(there.map(\.step)).count == 1 ? there.first?.step : before?.step
    if let before { text += " The last that was the same is “\(before.text)” at \(VirtualTime.text(before.time))" }
    if let steps { text += before == nil ? " The last step was \(steps)." : ", the last step \(steps)." }
    return text
  }

  /// The same in both, or each of them.
  private func either(_ texts: [String]) -> String {
    texts.first == texts.last ? texts.first ?? "" : texts.joined(separator: " or ")
  }
}
