public import WiFi

extension PageDetails: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.object("summary") { summary.describe(into: &$0) }
    fields.objects("curves", curves) { $1.describe(into: &$0) }
    fields.objects("elements", elements) { $1.describe(into: &$0) }
  }
}

extension PageDetails.Summary: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("key", key.text)
    fields.field("name", name)
    fields.field("isJoined", isJoined)
    fields.field("isLost", isLost)
    fields.field("isSecured", isSecured)
    fields.objects("facts", facts) { fields, fact in
      fields.field("name", fact.name)
      fields.field("value", fact.value)
      if fact.isWarning { fields.field("isWarning", true) }
    }
    fields.objects("members", members) { fields, member in
      fields.field("bssid", member.bssid)
      if let name = member.name { fields.field("name", name) }
      fields.field("channel", member.channel)
      if let dBm = member.dBm { fields.field("dBm", dBm) }
      if let load = member.load { fields.field("load", load) }
      if member.isJoined { fields.field("isJoined", true) }
    }
  }
}

extension PageDetails.Curve: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("bssid", bssid)
    fields.field("points", PageDetails.flat(points))
  }
}

extension PageDetails.ElementGroup: Describable {
  public func describe(into fields: inout FieldWriter) {
    fields.field("bssid", bssid)
    fields.objects("elements", elements) { fields, element in
      fields.field("name", element.name)
      fields.field("text", element.text)
      if element.isMalformed { fields.field("isMalformed", true) }
    }
  }
}

extension PageDetails {
  /// Times and signals in turn: half as many bytes as objects.
  static func flat(_ points: some Sequence<Point>) -> [Int] { points.flatMap { [$0.timeMs, $0.dBm] } }
}
