/// The name of a network as a user reads it in a row.
package enum DisplayName {
  /// ``of(_:)``, or that the network hides its name.
  package static func shown(_ ssid: SSID) -> String { ssid.isHidden ? "(hidden)" : of(ssid) }

  /// ``SSID/description`` with spaces at either end as `\\x20`, which would not be seen otherwise.
  package static func of(_ ssid: SSID) -> String {
    let text = ssid.description
    let head = text.prefix { $0 == " " }
    let tail = text.dropFirst(head.count).reversed().prefix { $0 == " " }
    let middle = text.dropFirst(head.count).dropLast(tail.count)
    return String(repeating: "\\x20", count: head.count) + middle + String(repeating: "\\x20", count: tail.count)
  }
}
