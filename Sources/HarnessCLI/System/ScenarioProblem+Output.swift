import Harness

extension ScenarioProblem {
  /// What the command ends with where a scenario cannot be used.
  var status: ExitStatus { failure?.status ?? (isWithoutAdapter ? .unavailable : .dataError) }

  /// Writes all that is wrong with a scenario on standard error.
  func write() { for problem in all { StandardStreams.say("\(problem)") } }
}
