/// What is not as the reference says.
struct ReferenceDifference {
  /// What it is about; of several the first is named.
  enum Part: String, CaseIterable {
    case request = "the world is asked what the user meant"
    case wifi = "the switch stands where it should"
    case selection = "the selected network is the one it should be"
    case issues = "what is done in vain is reported"
    case layers = "what lies over the list is what should"
    case sheet = "a sheet or page says what it should"
    case known = "the known networks are what they should be"
    case list = "the list is what it should be"
    case view = "a view shows what it should"
  }

  var part: Part
  /// What differs, and how it should be.
  var sentence: String

  init(_ part: Part, _ sentence: String) { (self.part, self.sentence) = (part, sentence) }
}
