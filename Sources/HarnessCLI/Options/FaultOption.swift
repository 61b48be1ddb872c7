import ArgumentParser
import Harness
import Simulator

/// A fault as the command line names it: `rfkill`, or with numbers `rfkill:at=5s,for=10s`.
enum FaultOption {
  /// Those that can be seen outside scenarios.
  static let names = FaultCatalog.names.filter { !FaultCatalog.namesAboutJoins.contains($0) }

  /// Reads one; refuses what cannot be seen outside scenarios.
  static func specification(_ text: String) throws(ValidationError) -> FaultSpecification {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts.first ?? "")
    if FaultCatalog.namesAboutJoins.contains(name) {
      throw ValidationError(
        "--fault \(name): it makes joins fail, and nothing is joined here. Give it in a scenario: "
          + "source: { simulate: { …, faults: [ \(name) ] } }.")
    }
    guard names.contains(name) else {
      throw ValidationError(
        "--fault: unknown fault “\(name)”; choose from \(names.joined(separator: ", ")).\(Suggestion.sentence(name, names))")
    }
    var fault = FaultSpecification(name: name)
    guard parts.count == 2 else { return fault }
    let known = FaultCatalog.entry(name)?.parameters.map(\.rawValue) ?? []
    for part in parts[1].split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, known.contains(words[0]) else {
        let numbers = known.map { $0 + "=…" }.joined(separator: ", ")
        throw ValidationError("--fault \(text): “\(part)” is no number of \(name); it takes \(numbers).")
      }
      switch words[0] {
      case "permille":
        guard let value = Int(words[1]), (0...1000).contains(value) else {
          throw ValidationError("--fault \(text): permille is a whole number from 0 to 1000.")
        }
        fault.permille = value
      default:
        guard let time = TimeOption(argument: words[1])?.duration else {
          throw ValidationError("--fault \(text): give “\(words[0])” a number and a unit, such as 500ms, 5s or 2m.")
        }
        if words[0] == "at" { fault.at = time } else { fault.duration = time }
      }
    }
    return fault
  }
}
