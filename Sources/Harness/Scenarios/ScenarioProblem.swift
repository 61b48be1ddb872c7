public import ScanTools
import WiFi

/// What is wrong with a scenario file, and where.
public struct ScenarioProblem: Error, Hashable, Sendable {
  /// A place in a file, both numbers counted from 1.
  public struct Place: Hashable, Sendable {
    /// The line.
    public var line: Int
    /// The column, in Unicode scalars.
    public var column: Int

    /// Makes a place from its parts.
    public init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The file.
  public var file: String
  /// The place in it.
  public var place: Place
  /// What is wrong, and what to do.
  public var sentence: String
  /// What went wrong with a file that is needed, where that is the problem.
  public var failure: FileFailure?
  /// Whether the adapter that the scenario runs on cannot be used here.
  public var isWithoutAdapter = false
  /// What else is wrong with the file, in the order of the places.
  public var further: [ScenarioProblem] = []

  /// This problem and those that were found beside it.
  public var all: [ScenarioProblem] {
    var first = self
    first.further = []
    return [first] + further
  }

  /// That a file that is needed could not be read: the scenario, or one that belongs to it.
  public init(file: String, place: Place = Place(line: 1, column: 1), _ failure: FileFailure) {
    self.init(file: file, place: place, sentence: "\(failure).")
    self.failure = failure
  }

  /// Makes a problem from its parts.
  public init(file: String, place: Place = Place(line: 1, column: 1), sentence: String) {
    self.file = file
    self.place = place
    self.sentence = sentence
  }
}

extension ScenarioProblem: CustomStringConvertible {
  /// Such as `join.yaml:7:5: “stpes” is not known here; did you mean “steps”?`.
  public var description: String {
    "\(PrintableText.escape(file)):\(place.line):\(place.column): \(sentence)"
  }
}
