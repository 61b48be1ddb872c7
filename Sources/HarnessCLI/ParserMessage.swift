import Harness

/// Messages of the argument parser in our words: what is wrong, and what is accepted.
enum ParserMessage {
  /// What is accepted as a value, by the name that help has for it.
  ///
  /// Where it is one of several words, the line about the option lists them.
  private static let accepted = [
    "n": "a whole number up to \(Int.max), such as 7",
    "jobs": "a whole number from 1 to 1024, such as 2",
    "seed": "a whole number from 0 to \(UInt64.max), such as 7",
    "number": "a whole number, such as 10 or -10",
    "tu": "a whole number of TU from 1 to 65535, such as 100, or a time such as 100ms",
    "factor": "a number, such as 10x, 10 or 0.5",
    "pace": "real, virtual, or a factor such as 20x or 20",
    "time": "a number and a unit, such as 500ms, 90s, 10m or 2h; 876000h are the most",
    "moment": "a time such as 90s, 10m or 2h, or a moment in UTC such as 2026-11-22T10:00:00Z",
    "dBm": "a strength from -120 to 0 dBm, such as -70",
    "file": "the name of a file",
  ]

  /// A message of the parser in our words; any other as it is.
  static func inOurWords(_ message: String) -> String { aboutFlags(withAccepted(withoutFarSuggestion(message))) }

  /// A message about a value, with what is accepted.
  private static func withAccepted(_ message: String) -> String {
    // The line about the option follows no other message.
    guard let end = message.firstRange(of: ">'\nHelp:  "), let start = message[..<end.lowerBound].lastIndex(of: "<"),
      let values = accepted[String(message[message.index(after: start)..<end.lowerBound])]
    else { return message }
    let place = message.index(end.lowerBound, offsetBy: 2)
    return message[..<place] + ": give \(values)." + message[place...]
  }

  /// A message about two flags of which one alone can be meant.
  private static func aboutFlags(_ message: String) -> String {
    let (first, second) = ("Value to be set with flag '", "' had already been set with flag '")
    guard let start = message.firstRange(of: first), let middle = message.firstRange(of: second), start.upperBound <= middle.lowerBound,
      let end = message[middle.upperBound...].firstIndex(of: "'")
    else { return message }
    let (later, earlier) = (message[start.upperBound..<middle.lowerBound], message[middle.upperBound..<end])
    let sentence = later == earlier ? "\(later) is there twice." : "\(earlier) and \(later) exclude each other."
    return message[..<start.lowerBound] + sentence + message[message.index(after: end)...]
  }

  /// A message about an option that is not known, without a suggestion that has little of it: `--sort` is not what
  /// `--json` meant.
  private static func withoutFarSuggestion(_ message: String) -> String {
    let (unknown, hint) = ("Unknown option '", ". Did you mean '")
    guard let start = message.firstRange(of: unknown), let middle = message.firstRange(of: "'\(hint)"),
      start.upperBound <= middle.lowerBound, let end = message[middle.upperBound...].firstIndex(of: "'")
    else { return message }
    let word = message[start.upperBound..<middle.lowerBound].drop { $0 == "-" }
    let suggested = message[middle.upperBound..<end].drop { $0 == "-" }
    if !Suggestion.sentence(String(word), [String(suggested)]).isEmpty { return message }
    let rest = message[message.index(after: end)...].drop { $0 == "?" }
    return message[..<message.index(after: middle.lowerBound)] + "." + rest
  }
}
