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
  /// Whether a file that the scenario names is not there.
  public var isMissingInput = false
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

  /// That a scenario file could not be read.
  public init(file: String, _ failure: FileFailure) {
    self.init(file: file, place: Place(line: 1, column: 1), sentence: "\(failure).", isMissingInput: failure.isNoInput)
  }

  /// Makes a problem from its parts.
  public init(file: String, place: Place, sentence: String, isMissingInput: Bool = false) {
    self.file = file
    self.place = place
    self.sentence = sentence
    self.isMissingInput = isMissingInput
  }
}

extension ScenarioProblem: CustomStringConvertible {
  /// Such as `join.yaml:7:5: “stpes” is not known here; did you mean “steps”?`.
  public var description: String {
    "\(PrintableText.escape(Array(file.utf8))):\(place.line):\(place.column): \(sentence)"
  }
}
