package import Determinism
import WiFi

extension RunRecord {
  /// The record as a line of JSON, with its line end.
  package var line: [UInt8] {
    FieldWriter.bytes { fields in
      fields.objects("events", events) { fields, event in
        fields.field("timeNs", event.time.wholeNanoseconds)
        fields.field("place", event.place)
        if let number = event.number { fields.field("number", number) }
        fields.field("text", event.text)
        fields.field("tasks", event.tasks)
        fields.field("step", event.step)
      }
    }
  }

  /// Reads a line; `nil` where it is none.
  package init?(line: some Collection<UInt8>) {
    guard let read = JSONValue(line)?["events"]?.items else { return nil }
    var events: [Event] = []
    for event in read {
      guard let time = event["timeNs"]?.integer, let place = event["place"]?.text, let text = event["text"]?.text,
        let tasks = event["tasks"]?.items, let step = event["step"]?.text
      else { return nil }
      events.append(
        Event(
          time: .nanoseconds(time), place: place, number: event["number"]?.integer, text: text, tasks: tasks.compactMap(\.text), step: step)
      )
    }
    self.init(events: events)
  }
}
