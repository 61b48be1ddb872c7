/// Why a suite cannot be judged, in a sentence, with the status that the command exits with.
struct Failure: Error, CustomStringConvertible {
  var status: Int32
  var description: String

  init(_ status: Int32, _ sentence: String) { (self.status, description) = (status, sentence) }
}
