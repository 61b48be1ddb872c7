import ArgumentParser

/// Options that take lists, whose items stand between commas.
enum CommaList {
  /// What stands between the commas of all lists.
  ///
  /// - Parameter hint: what can be given; said where one cannot be read.
  static func items<Item>(
    _ lists: [String], _ option: String, _ read: (String) -> Item?, hint: () -> String
  ) throws -> [Item] {
    try lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }.map { text in
      guard let item = read(text) else { throw ValidationError("\(option) \(text): \(hint())") }
      return item
    }
  }

  /// What stands between the commas, where each item is one of some names, whose case does not matter.
  static func choices<Choice: CaseIterable & RawRepresentable>(
    _ lists: [String], _ option: String
  ) throws -> [Choice] where Choice.RawValue == String {
    try items(lists, option) {
      Choice(rawValue: $0.lowercased())
    } hint: {
      "choose from \(Choice.allCases.map(\.rawValue).joined(separator: ", "))."
    }
  }
}
