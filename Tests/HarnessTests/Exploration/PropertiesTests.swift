import Determinism
import Harness
import Testing

@Suite struct PropertiesTests {
  @Test func `there is a planted bug for every property, so none is a check that cannot fail`() throws {
    let seen = try PlantedBugs.firstLines().values.compactMap { line in
      line.firstMatch(of: /Seen by: (.*?)\.$/).map { String($0.1) }
    }
    for property in SettingsProperties.safety { #expect(seen.contains(property.name), "no planted bug for “\(property.name)”") }
    #expect(seen.contains(SettingsProperties.endedObservation))
  }

  @Test func `every planted bug says what is broken, and what sees it or what is said of it`() throws {
    let lines = try PlantedBugs.firstLines()
    #expect(lines.count >= 25)
    let known = SettingsProperties.safety.map { $0.name } + [SettingsProperties.endedObservation] + SettingsProperties.goalNames
    let ofRuns = [SimulationFailure.Reason.escaped([]).property, Violation.sameRunTwice]
    for (file, line) in lines.sorted(by: { $0.key < $1.key }) {
      #expect(file.wholeMatch(of: /\d\d+-[a-z-]+\.patch/) != nil, "\(file)")
      // Of the second set it is not known what sees it.
      if line.wholeMatch(of: /Broken: [^.]+\. Kind: (order|world|endless|printed|hard|plain)\./) != nil { continue }
      if let match = line.wholeMatch(of: /Broken: [^.]+\. Seen by: (.*)\. Says: .+\./) {
        #expect(ofRuns.contains(String(match.1)), "\(file): “\(match.1)” is not about the run")
        continue
      }
      let match = try #require(line.wholeMatch(of: /Broken: [^.]+\. Seen by: (.*)\./), "\(file): \(line)")
      #expect(known.contains(String(match.1)), "\(file): there is no property “\(match.1)”")
    }
  }

  @Test func `the names of properties are told apart`() {
    let names = SettingsProperties.safety.map { $0.name } + SettingsProperties.goalNames
    #expect(Set(names).count == names.count)
  }
}
